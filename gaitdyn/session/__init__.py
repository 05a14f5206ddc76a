"""Sessions: a folder of C3D files, what is done with each of them, and why.

``session_file`` reads ``session.toml``, ``eclipse`` the laboratory's database files and
``contents`` the C3D files. ``roles`` and ``statics`` decide, ``plan`` puts the session's plan
together, and ``trial_plan`` makes the plan of one trial. Nothing is processed or written.
"""

from typing import TYPE_CHECKING

from gaitdyn.session.trial_plan import TrialPlan, plan_lines, plan_trial
from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.session.plan import SessionPlan, plan_session

__all__ = ["SessionPlan", "TrialPlan", "plan_lines", "plan_session", "plan_trial"]

__getattr__ = imported_late(__name__, plan=("SessionPlan", "plan_session"))

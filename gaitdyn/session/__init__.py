"""Sessions: a folder of C3D files, what is done with each of them, and why.

``session_file`` reads ``session.toml``, ``eclipse`` the laboratory's data base files, ``contents``
looks at the C3D files, ``roles`` and ``statics`` decide, ``plan`` puts it together. Nothing is
processed or written here.
"""

from gaitdyn.session.plan import (
    SessionPlan,
    TrialPlan,
    plan_lines,
    plan_session,
    plan_trial,
)

__all__ = ["SessionPlan", "TrialPlan", "plan_lines", "plan_session", "plan_trial"]

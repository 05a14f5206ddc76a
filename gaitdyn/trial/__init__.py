"""The result of one trial: its values, methods to query them, and reading from a folder."""

from typing import TYPE_CHECKING

from gaitdyn.trial.result import Result
from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.trial.read import read_results

__all__ = ["Result", "read_results"]

__getattr__ = imported_late(__name__, read=("read_results",))

"""One trial: its values, everything that can be asked of them, and the way back from a folder."""

from gaitdyn.trial.read import read_results
from gaitdyn.trial.result import Result

__all__ = ["Result", "read_results"]

"""The results folder of a trial."""

from gaitdyn.store.folder import ResultsFolder
from gaitdyn.store.results import write_results

__all__ = ["ResultsFolder", "write_results"]

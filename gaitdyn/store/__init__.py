"""The results folder of a trial."""

from gaitdyn.store.document import document_text
from gaitdyn.store.folder import ResultsFolder
from gaitdyn.store.results import write_results
from gaitdyn.store.stored import StoredTrial, read_trial
from gaitdyn.store.summary import summary_lines

__all__ = [
    "ResultsFolder",
    "StoredTrial",
    "document_text",
    "read_trial",
    "summary_lines",
    "write_results",
]

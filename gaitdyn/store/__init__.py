"""The results folder of a trial."""

from gaitdyn.store.document import document_text
from gaitdyn.store.folder import ResultsFolder
from gaitdyn.store.results import write_results
from gaitdyn.store.summary import summary_lines

__all__ = ["ResultsFolder", "document_text", "summary_lines", "write_results"]

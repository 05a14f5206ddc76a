"""The results folder of a trial."""

from typing import TYPE_CHECKING

from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.store.document import document_text
    from gaitdyn.store.folder import ResultsFolder
    from gaitdyn.store.results import write_results
    from gaitdyn.store.stored import StoredTrial, read_trial

__all__ = [
    "ResultsFolder",
    "StoredTrial",
    "document_text",
    "read_trial",
    "write_results",
]

__getattr__ = imported_late(
    __name__,
    folder=("ResultsFolder",),
    stored=("StoredTrial", "read_trial"),
    document=("document_text",),
    results=("write_results",),
)

"""Many trials: sessions to tasks, tasks to processes or to a cluster, results to folders."""

from typing import TYPE_CHECKING

from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.batch.run import run_batch
    from gaitdyn.batch.settings import BatchSettings

__all__ = ["BatchSettings", "run_batch"]

__getattr__ = imported_late(__name__, settings=("BatchSettings",), run=("run_batch",))

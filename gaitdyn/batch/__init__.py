"""Many trials: sessions to tasks, tasks to processes or to a cluster, results to folders."""

from gaitdyn.batch.run import BatchSettings, run_batch

__all__ = ["BatchSettings", "run_batch"]

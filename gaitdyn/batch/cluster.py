"""Run tasks on a Dask cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.batch.outcome import Outcome, Work, failed
from gaitdyn.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor

_ANSWER_S = 10.0
"""Time in which the scheduler of a cluster has to answer, s."""


class ClusterPool:
    """The workers of a running Dask cluster.

    Parameters
    ----------
    address : str
        Of the scheduler, such as ``tcp://host:8786``.

    Raises
    ------
    UsageError
        If the extra is not installed or the scheduler does not answer.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise UsageError("--dask needs the extra: pip install 'gaitdyn[cluster]'") from None
        try:
            self._client: Any = Client(address, timeout=_ANSWER_S)
        except (OSError, ValueError) as error:  # TimeoutError is an OSError
            raise UsageError(
                f"--dask {address}: nobody answers ({type(error).__name__}); start a scheduler"
            ) from error
        self._executor = self._client.get_executor(pure=False, retries=1)
        self.window = 2 * max(sum(self._client.nthreads().values()), 1)

    def warm(self) -> None:
        """Do nothing: the workers are already running."""

    def executor(self) -> Executor:
        """Return the cluster as an executor."""
        return self._executor

    def check(self) -> None:
        """Do nothing: the nannies restart dead workers."""

    def renew(self) -> None:
        """Do nothing: the nannies restart dead workers."""

    def alone(self, task: Work) -> Outcome:
        """Report that the worker died; the cluster has tried the task twice."""
        return failed(task, "the worker of the cluster that worked on it died")

    def close(self, *, now: bool = False) -> None:  # noqa: ARG002
        """Disconnect from the cluster."""
        self._client.close()

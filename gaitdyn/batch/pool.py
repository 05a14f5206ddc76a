"""Running tasks in processes that may be killed, or on a cluster, without losing any.

A process that dies breaks its pool: every trial in flight has no outcome then. The pool is made
anew, and those trials are tried again one at a time in a process of their own; the one that kills
its process again has failed, the others lose nothing but time. A process that dies while it hands
on what it found leaves half of it in the pipe, whose rest the pool would wait for for ever.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
import threading
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, ProcessPoolExecutor, wait
from contextlib import suppress
from importlib import import_module
from multiprocessing import active_children, get_all_start_methods, get_context, parent_process
from typing import TYPE_CHECKING, Any, TypeAlias

from gaitdyn.batch.outcome import failed
from gaitdyn.errors import UsageError

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor, Future
    from multiprocessing.context import BaseContext

    from gaitdyn.batch.outcome import Outcome, Work

_TABLES = (
    "gaitdyn.pipeline", "gaitdyn.store.results", "gaitdyn.store.stored", "gaitdyn.batch.trial_row",
    "gaitdyn.batch.worklist",
)  # fmt: skip
_PAGES = ("gaitdyn.batch.pages", "gaitdyn.batch.handed_on", "gaitdyn.report.page", "jinja2")
"""Modules that every trial needs, and every trial with a page."""

_FORKS = sys.platform == "linux" and "forkserver" in get_all_start_methods()
"""Whether processes are forks of a server that stays free of threads."""

_FIRST = 8
"""Tasks of a process in which it may still import something, and fill its caches."""

_MADE = 50_000
"""Values that are made before somebody looks which are garbage; after each task they are."""

_LOOK_S = 5.0
"""How often somebody looks whether a process is gone where nothing comes, s."""

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class _Process:
    """What this process has done, where it is one of ours."""

    ours, tasks = False, 0


class ProcessPool:
    """Processes of this machine, one thread each.

    On Linux they are forks of one server that has imported what every trial needs; elsewhere,
    where forks are not safe or do not exist, each is spawned and imports it itself.

    Parameters
    ----------
    jobs : int
    pages : bool
        Whether trials or sessions have pages.
    """

    def __init__(self, jobs: int, *, pages: bool = False) -> None:
        self._jobs = jobs
        self._modules = (*_TABLES, *(_PAGES if pages else ()))
        self.window = 2 * jobs
        self._gone = False
        self._executor: ProcessPoolExecutor | None = None
        self._others = active_children()  # of whoever calls
        for name in _THREADS:
            os.environ.setdefault(name, "1")

    def warm(self) -> None:
        """Begin to import what every trial needs, in the server or in the processes."""
        if _FORKS:
            from multiprocessing import forkserver

            _context(self._modules)
            forkserver.ensure_running()
            return
        for _ in range(self._jobs):
            self.executor().submit(_nothing)

    def executor(self) -> Executor:
        """Return the processes, started when first asked for."""
        if self._executor is None:
            self._executor = _processes(self._jobs, self._modules)
        return self._executor

    def look(self) -> None:
        """Free the processes from one that was gone at the last look, too."""
        if self._executor is not None:
            self._gone = _freed(self._executor, self._gone)

    def renew(self) -> None:
        """Forget the broken processes."""
        self._gone = False
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = None

    def alone(self, task: Work) -> Outcome:
        """Run one task in a process of its own."""
        with _processes(1, self._modules) as one:
            running, gone = one.submit(_guarded, task), False
            try:
                while not wait([running], _LOOK_S)[0]:
                    gone = _freed(one, gone)
                return running.result()
            except BrokenExecutor:
                limit = "" if task.limit_s is None else f" or took more than {task.limit_s:g} s"
                return failed(task, f"the process that worked on it died{limit}")

    def close(self, *, now: bool = False) -> None:
        """End the processes, which are waited for when this one ends."""
        results = self._executor and self._executor._result_queue  # noqa: SLF001
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
        if now:
            for process in active_children():
                if process not in self._others:
                    process.kill()
            if results is not None:  # one of them may have been handing on what it had found
                results._writer.close()  # noqa: SLF001  # pyright: ignore[reportAttributeAccessIssue]


class ClusterPool:
    """The workers of a Dask cluster that is already there.

    Parameters
    ----------
    address : str
        Of its scheduler, such as ``tcp://host:8786``.

    Raises
    ------
    UsageError
        When the extra is not installed or nobody answers.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise UsageError("--dask needs the extra: pip install 'gaitdyn[cluster]'") from None
        try:
            self._client: Any = Client(address, timeout="10s")
        except (OSError, ValueError, TimeoutError) as error:
            raise UsageError(
                f"--dask {address}: nobody answers ({type(error).__name__}); start a scheduler"
            ) from error
        self._executor = self._client.get_executor(pure=False, retries=1)
        self.window = 2 * max(sum(self._client.nthreads().values()), 1)

    def warm(self) -> None:
        """Leave it to the workers, who have run before."""

    def executor(self) -> Executor:
        """Return the cluster as an executor."""
        return self._executor

    def look(self) -> None:
        """Leave the workers to their nannies."""

    def renew(self) -> None:
        """Leave the workers to their nannies."""

    def alone(self, task: Work) -> Outcome:
        """Say that a worker died of a task; the cluster has tried it twice."""
        return failed(task, "the worker of the cluster that worked on it died")

    def close(self, *, now: bool = False) -> None:  # noqa: ARG002
        """Leave the cluster."""
        self._client.close()


Pool: TypeAlias = ProcessPool | ClusterPool
"""Where tasks run; its ``window`` is how many are handed over at a time."""


def run_tasks(tasks: Iterable[Work], pool: Pool, urgent: deque[Work]) -> Iterator[Outcome]:
    """Give the outcomes of all tasks, as they come; every task has one.

    Parameters
    ----------
    tasks : iterable of Work
        Taken as processes become free.
    pool : Pool
    urgent : deque of Work
        What whoever reads the outcomes adds while this runs; it goes first.
    """
    waiting = iter(tasks)
    running: dict[Future[Outcome], Work] = {}
    while True:
        orphans = _fill(running, waiting, urgent, pool)
        if not (running or orphans):
            return
        done = set() if orphans else wait(running, _LOOK_S, FIRST_COMPLETED)[0]
        if not (done or orphans):
            pool.look()
        for future in done:
            task = running.pop(future)
            try:
                found = future.result()
            except BrokenExecutor:
                orphans.append(task)
            except Exception as error:  # noqa: BLE001  such as a worker lost by a cluster
                yield failed(task, f"{type(error).__name__}: {error}")
            else:
                yield found
        if orphans:
            orphans += running.values()
            running.clear()
            pool.renew()
            for task in orphans:
                yield pool.alone(task)


def _fill(
    running: dict[Future[Outcome], Work], waiting: Iterator[Work], urgent: deque[Work], pool: Pool
) -> list[Work]:
    """Hand over tasks until the window is full; return the one that a broken pool refused."""
    while len(running) < pool.window:
        task = urgent.popleft() if urgent else next(waiting, None)
        if task is None:
            return []
        try:
            running[pool.executor().submit(_guarded, task)] = task
        except BrokenExecutor:
            return [task]
    return []


def _context(modules: Sequence[str]) -> BaseContext:
    """Return how processes are started; a server of forks imports the modules before them."""
    if not _FORKS:
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(["__main__", *modules])
    return context


def _processes(jobs: int, modules: Sequence[str]) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, _context(modules), initializer=_start, initargs=(modules,))


def _freed(executor: ProcessPoolExecutor, before: bool) -> bool:
    """Return whether a process of a pool is gone; if it was before, too, end the pool.

    A pool notes a process that is gone at once, unless it waits for the rest of an outcome. That
    ends with the last that could write it: the other processes and this one's own end of the pipe.
    """
    processes = list((executor._processes or {}).values())  # noqa: SLF001
    gone = any(not process.is_alive() for process in processes)
    if gone and before:
        for process in processes:
            process.kill()
        executor._result_queue._writer.close()  # noqa: SLF001  # pyright: ignore[reportAttributeAccessIssue]
    return gone


def _start(modules: Sequence[str]) -> None:
    """Prepare a process: Ctrl-C is the parent's, and without a parent there is no work.

    What every trial needs is imported; a trial reports what cannot be imported.
    """
    _Process.ours = True
    gc.set_threshold(_MADE)
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with suppress(Exception):
        for name in modules:
            import_module(name)
    gc.collect()
    gc.freeze()  # modules stay: no later collection has to look through them


def _nothing() -> None:
    """Do nothing: a process starts when the first task is handed to it."""


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def _guarded(task: Work) -> Outcome:
    """Run a task; the process ends itself when it takes too long, even inside a reader in C."""
    try:
        return _limited(task)
    finally:
        if _Process.ours:
            _give_back()


def _give_back() -> None:
    """Free what a task leaves, the arrays of a trial in cycles of references.

    What stays of the first tasks stays for good, so that nobody looks through it again.
    """
    gc.collect()
    _Process.tasks += 1
    if _Process.tasks <= _FIRST:
        gc.freeze()


def _limited(task: Work) -> Outcome:
    if task.limit_s is None:
        return task.run()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123
        faulthandler.dump_traceback_later(task.limit_s, exit=True, file=nowhere)
        try:
            return task.run()
        finally:
            faulthandler.cancel_dump_traceback_later()

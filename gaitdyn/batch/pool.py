"""Run tasks in processes that may be killed, or on a cluster, without losing any task.

A process that dies breaks its pool, and no trial in flight has an outcome. The pool is replaced,
and those trials are tried again, each alone in a process of its own. A trial that kills its process
again has failed; the others lose only time. A process that dies while it sends an outcome leaves
half of it in the pipe, and the pool would wait for the rest indefinitely.
"""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import active_children, get_all_start_methods, get_context
from typing import TYPE_CHECKING, Any, TypeAlias

from gaitdyn.batch.cluster import ClusterPool
from gaitdyn.batch.outcome import Outcome, Work, failed
from gaitdyn.batch.worker import do_nothing, run_guarded, start_process

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Executor, Future
    from multiprocessing.context import BaseContext


_TABLES = (
    "gaitdyn.pipeline", "gaitdyn.store.results", "gaitdyn.store.stored", "gaitdyn.batch.trial_row",
    "gaitdyn.batch.worklist",
)  # fmt: skip
_PAGES = (
    "gaitdyn.batch.pages", "gaitdyn.batch.handed_on", "gaitdyn.report.page.document",
    "gaitdyn.report.page.templates", "gaitdyn.report.report", "gaitdyn.report.files",
)  # fmt: skip
"""Modules that every trial needs, and every trial with a page."""

_FORKS = sys.platform == "linux" and "forkserver" in get_all_start_methods()
"""Whether processes are forks of a server that stays free of threads."""

_MOST_ON_WINDOWS = 61
"""Largest number of processes of one pool there: Windows cannot wait for more."""

_CHECK_S = 5.0
"""Interval between checks for dead processes while no outcome arrives, s."""

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


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
        self._jobs = min(jobs, _MOST_ON_WINDOWS) if sys.platform == "win32" else jobs
        self._modules = (*_TABLES, *(_PAGES if pages else ()))
        self.window = 2 * self._jobs
        self._had_dead = False
        self._executor: ProcessPoolExecutor | None = None
        self._others = active_children()  # those of the caller
        for name in _THREADS:
            os.environ.setdefault(name, "1")

    def warm(self) -> None:
        """Start importing what every trial needs, in the server or in the processes."""
        executor = self.executor()
        with _ctrl_c(signal.SIG_IGN):  # inherited: they ignore it before `start_process`, too
            if _FORKS:
                from multiprocessing import forkserver

                forkserver.ensure_running()
                return
            for _ in range(self._jobs):
                executor.submit(do_nothing)

    def executor(self) -> Executor:
        """Return the executor, created on first use."""
        if self._executor is None:
            self._executor = _processes(self._jobs, self._modules)
        return self._executor

    def check(self) -> None:
        """End the pool if a process found dead at the last check is still missing."""
        if self._executor is not None:
            self._had_dead = _end_if_dead(self._executor, self._had_dead)

    def renew(self) -> None:
        """Discard the broken processes."""
        self._had_dead = False
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = None

    def alone(self, task: Work) -> Outcome:
        """Run one task in a process of its own."""
        with _processes(1, self._modules) as one:
            running, dead = one.submit(run_guarded, task), False
            try:
                while not wait([running], _CHECK_S)[0]:
                    dead = _end_if_dead(one, dead)
                return running.result()
            except BrokenExecutor:
                limit = "" if task.limit_s is None else f" or took more than {task.limit_s:g} s"
                return failed(task, f"the process that worked on it died{limit}")

    def close(self, *, now: bool = False) -> None:
        """Stop the processes; the interpreter waits for them when it exits."""
        results: Any = None if self._executor is None else self._executor._result_queue  # noqa: SLF001
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
        if now:
            ours = [process for process in active_children() if process not in self._others]
            for process in ours:
                process.kill()
            for process in ours:  # what they were writing can be removed once they have ended
                process.join(_CHECK_S)
            if results is not None:  # a killed process may have been sending an outcome
                results._writer.close()  # noqa: SLF001


Pool: TypeAlias = ProcessPool | ClusterPool
"""Where tasks run; ``window`` is the largest number of tasks submitted at once."""


def run_tasks(tasks: Iterable[Work], pool: Pool, urgent: deque[Work]) -> Iterator[Outcome]:
    """Yield the outcome of every task as it completes.

    Parameters
    ----------
    tasks : iterable of Work
        Submitted as processes become free.
    pool : Pool
    urgent : deque of Work
        Tasks that the consumer adds while this runs; they go first.
    """
    waiting = iter(tasks)
    running: dict[Future[Outcome], Work] = {}
    while True:
        orphans = _fill(running, waiting, urgent, pool)
        if not (running or orphans):
            return
        done = set() if orphans else wait(running, _CHECK_S, FIRST_COMPLETED)[0]
        if not (done or orphans):
            pool.check()
        for future in done:
            task = running.pop(future)
            try:
                outcome = future.result()
            except BrokenExecutor:
                orphans.append(task)
            except Exception as error:  # noqa: BLE001  such as a worker lost by a cluster
                yield failed(task, f"{type(error).__name__}: {error}")
            else:
                yield outcome
        if orphans:
            orphans += running.values()
            running.clear()
            pool.renew()
            for task in orphans:
                yield pool.alone(task)


def _fill(
    running: dict[Future[Outcome], Work], waiting: Iterator[Work], urgent: deque[Work], pool: Pool
) -> list[Work]:
    """Submit tasks until the window is full; return the one that a broken pool refused."""
    while len(running) < pool.window:
        task = urgent.popleft() if urgent else next(waiting, None)
        if task is None and not urgent:  # a session without trials at the end is urgent only now
            return []
        task = task or urgent.popleft()
        heard: list[int] = []  # Ctrl-C waits: a process started by halves would outlive this one
        try:
            with _ctrl_c(lambda number, _, heard=heard: heard.append(number)):
                running[pool.executor().submit(run_guarded, task)] = task
        except BrokenExecutor:
            return [task]
        if heard:
            raise KeyboardInterrupt
    return []


def _context(modules: Sequence[str]) -> BaseContext:
    """Return how processes are started; a server of forks imports the modules before them."""
    if not _FORKS:
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(list(modules))
    return context


def _processes(jobs: int, modules: Sequence[str]) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        jobs, _context(modules), initializer=start_process, initargs=(modules,)
    )


def _end_if_dead(executor: ProcessPoolExecutor, before: bool) -> bool:
    """Return whether a process of the pool is dead; end the pool if one was dead before, too.

    A pool notices a dead process at once, unless it is waiting for the rest of an outcome. That
    wait ends when no writer is left: the other processes, and this one's end of the pipe.
    """
    processes = list((executor._processes or {}).values())  # noqa: SLF001
    dead = any(not process.is_alive() for process in processes)
    if dead and before:
        for process in processes:
            process.kill()
        results: Any = executor._result_queue  # noqa: SLF001
        results._writer.close()  # noqa: SLF001
    return dead


@contextmanager
def _ctrl_c(does: Callable[[int, Any], object] | signal.Handlers) -> Generator[None]:
    """Set what Ctrl-C does meanwhile; only the main thread can."""
    try:
        before = signal.signal(signal.SIGINT, does)
    except ValueError:
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

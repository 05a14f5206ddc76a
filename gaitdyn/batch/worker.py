"""What a process of a pool does: it prepares itself, and runs each task within its time."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import threading
from contextlib import suppress
from importlib import import_module
from multiprocessing import parent_process
from typing import TYPE_CHECKING, Any

from gaitdyn.batch.outcome import Outcome, Work

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIRST_TASKS = 8
"""Number of first tasks of a process, which may still import modules and fill caches."""

_ALLOCATIONS = 50_000
"""Allocations between two garbage collections; one also follows every task."""


class _Process:
    """Whether this process belongs to a pool, and how many tasks it has done."""

    ours, tasks = False, 0


def start_process(modules: Sequence[str]) -> None:
    """Prepare a process: it leaves Ctrl-C to the parent and ends with it.

    It imports what every trial needs; the trials report a module that cannot be imported.
    """
    _Process.ours = True
    gc.set_threshold(_ALLOCATIONS)
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with suppress(Exception):
        for name in modules:
            import_module(name)
    gc.collect()
    gc.freeze()  # later collections need not scan the modules


def do_nothing() -> None:
    """Do nothing: a process starts when the first task is handed to it."""


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def run_guarded(task: Work) -> Outcome:
    """Run a task; the process ends itself if that takes too long, even inside C code."""
    try:
        return _limited(task)
    finally:
        if _Process.ours:
            _collect()


def _collect() -> None:
    """Free what a task leaves behind: the arrays of a trial, in reference cycles.

    Objects that survive the first tasks are permanent and exempt from later collections.
    """
    gc.collect()
    _Process.tasks += 1
    if _Process.tasks <= _FIRST_TASKS:
        gc.freeze()


def _limited(task: Work) -> Outcome:
    if task.limit_s is None:
        return task.run()
    with open(os.devnull, "w", encoding="utf-8") as null:  # noqa: PTH123
        faulthandler.dump_traceback_later(task.limit_s, exit=True, file=null)
        try:
            return task.run()
        finally:
            faulthandler.cancel_dump_traceback_later()

"""Processes that die when it hurts most."""

from __future__ import annotations

import os
import sys
from collections import deque
from typing import Any

import pytest

from gaitdyn.batch import pool
from gaitdyn.batch.pool import ProcessPool, run_tasks
from gaitdyn_cli.batch import _cores
from tests.half_told import HalfTold


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="its pipes take an outcome as a whole")
def test_a_process_that_dies_with_half_of_an_outcome_told_costs_its_trial_alone(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(pool, "_CHECK_S", 0.2)
    names = [f"w{i}" for i in range(6)]
    tasks: list[Any] = [HalfTold(name, dies=name == "w2") for name in names]
    processes = ProcessPool(2)
    found = {o.name: o for o in run_tasks(iter(tasks), processes, deque())}
    processes.close()
    assert sorted(found) == names
    assert [name for name, o in found.items() if o.state == "failed"] == ["w2"]
    assert "died" in found["w2"].reason


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="its pipes take an outcome as a whole")
def test_a_batch_that_is_stopped_does_not_wait_for_the_rest_of_an_outcome():
    processes = ProcessPool(1)
    executor: Any = processes.executor()
    executor.submit(HalfTold("w1", dies=True).run)
    manager = executor._executor_manager_thread  # noqa: SLF001
    worker = next(iter(executor._processes.values()))  # noqa: SLF001
    worker.join(30)
    processes.close(now=True)
    manager.join(30)
    assert not manager.is_alive()


def test_more_cores_than_windows_can_wait_for_are_no_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "win32")
    processes = ProcessPool(64)
    executor: Any = processes.executor()
    assert (executor._max_workers, processes.window) == (61, 122)  # noqa: SLF001
    processes.close()


def test_without_a_number_there_is_a_process_for_each_processor_that_may_be_used(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5}, raising=False)
    assert _cores() == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    assert _cores() == 64

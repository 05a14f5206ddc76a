"""Runs the command many times: imports and reads its tables once, then forks for each run.

A line of JSON on stdin is one run (``words``, ``cwd``, ``out`` and ``err``: files for what it
prints); the exit code, negative for a signal, is the answer on stdout. Processes of a batch are
forks of one server, as in every batch, but of one that all of the runs share; what they print is
added to what the run prints.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, NoReturn

PRELOADED = (
    *("pipeline", "landmarks", "session.plan", "store.stored", "trial.read", "batch.run"),
    *("batch.pages", "provenance", "uncertainty", "compare", "explain", "report.page.document"),
    *("report.report", "report.files"),
    *("report.paper.clinic", "archive", "exchange.export", "exchange.c3d", "judge"),
    *("multibody.systems", "metrics.norms.files", "plots.figures", "plots.person"),
    *("plots.png", "tables.agreement", "provenance.rerun", "provenance.reproduce"),
    *("store.simulation", "judge.repeats.own_error", "upper"),
    *("batch.trial_row", "batch.session_task"),
    *("io.forces.pairing", "quality.rules.audit", "dynamics.induced", "quality", "store", "report"),
)
"""What commands import when they run, in ``gaitdyn``; of packages also what they import late."""

LIBRARIES = ("scipy.integrate", "scipy.io", "scipy.special", "numpy.random")
"""What some of them import that takes long."""


def _run(asked: dict[str, object]) -> NoReturn:
    """Be the command, in a fork."""
    from gaitdyn_cli.app import main

    os.chdir(str(asked["cwd"]))
    for number, name in ((1, "out"), (2, "err")):
        file = os.open(str(asked[name]), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    words = asked["words"]
    sys.argv[1:] = words if isinstance(words, list) else []
    code = 1
    try:
        main()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter would
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # to take apart what was imported takes longer than most runs


def _warm() -> None:
    """Run once: what a run reads or compiles for the first time is there for all others."""
    from gaitdyn_cli.app import main

    trial = Path(__file__).parents[1] / "data" / "walk01.c3d"
    with TemporaryDirectory() as out:
        sys.argv[1:] = ["process", str(trial), "-o", out, "--report", "html", "--quiet"]
        sys.argv.append("--no-figures")
        with suppress(SystemExit):
            main()


def _share_processes(printed: int) -> None:
    """Start the server whose forks are the processes of batches; all runs use this one.

    A run is no parent of it, and cannot wait for it: it takes for granted that it runs.
    """
    if sys.platform != "linux":
        return
    from multiprocessing import forkserver, resource_tracker

    from gaitdyn.batch.pool import ProcessPool

    kept = [os.dup(number) for number in range(3)]
    for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), printed, printed)):
        os.dup2(file, number)
    ProcessPool(1, pages=True).warm()
    for number, file in enumerate(kept):
        os.dup2(file, number)
        os.close(file)
    server: Any = forkserver._forkserver  # noqa: SLF001
    server.ensure_running = forkserver.ensure_running = resource_tracker.ensure_running


def open_doors() -> None:
    """Import what packages of gaitdyn import late: every name in an ``__all__``, and so on."""
    opened: set[str] = set()
    while new := {name for name in sys.modules if name.partition(".")[0] == "gaitdyn"} - opened:
        opened |= new
        for module in map(sys.modules.__getitem__, new):
            for name in getattr(module, "__all__", ()):
                getattr(module, name)


def serve() -> None:
    """Answer one run after the other until stdin ends."""
    from gaitdyn_cli.app import app_of

    app_of()
    for name in (*LIBRARIES, *(f"gaitdyn.{name}" for name in PRELOADED)):
        import_module(name)
    open_doors()
    _warm()
    answers = os.fdopen(os.dup(1), "w")
    with TemporaryFile() as printed:
        _share_processes(printed.fileno())
        gc.freeze()
        told = 0
        for line in sys.stdin:
            asked = json.loads(line)
            child = os.fork()
            if not child:
                _run(asked)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            with Path(asked["err"]).open("ab") as err:
                told += err.write(os.pread(printed.fileno(), 1 << 20, told))
            print(code, file=answers, flush=True)


if __name__ == "__main__":
    serve()

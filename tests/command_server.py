"""Runs the command many times: imports and reads its tables once, then forks for each run.

A line of JSON on stdin is one run (``words``, ``cwd``, ``out`` and ``err``: files for what it
prints); the exit code, negative for a signal, is the answer on stdout.
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
from tempfile import TemporaryDirectory
from typing import NoReturn

PRELOADED = (
    *("pipeline", "landmarks", "session.plan", "store.stored", "trial.read", "batch.run"),
    *("batch.pages", "provenance", "uncertainty", "compare", "explain", "report.page"),
    *("report.clinic_pdf", "archive", "exchange.export", "exchange.c3d", "judge"),
    *("multibody.systems", "metrics.norm_files", "plots.figures", "plots.person"),
    *("plots.png", "tables.agreement"),
)
"""What commands import when they run, in ``gaitdyn``: modules, since packages import late."""


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


def serve() -> None:
    """Answer one run after the other until stdin ends."""
    from gaitdyn_cli.app import app_of

    app_of()
    for name in PRELOADED:
        import_module(f"gaitdyn.{name}")
    _warm()
    gc.freeze()
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _run(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)


if __name__ == "__main__":
    serve()

"""Runs the command many times: imports once, then forks for each run, a process of its own.

A line of JSON on stdin is one run (``words``, ``cwd``, ``out`` and ``err``: files for what it
prints); the exit code, negative for a signal, is the answer on stdout.
"""

from __future__ import annotations

import json
import os
import sys

PRELOADED = ("gaitdyn_cli.process", "gaitdyn.pipeline", "gaitdyn.store", "gaitdyn.session")


def _run(asked: dict[str, object]) -> None:
    """Be the command, in a fork; does not return."""
    from gaitdyn_cli.app import main

    os.chdir(str(asked["cwd"]))
    for number, name in ((1, "out"), (2, "err")):
        file = os.open(str(asked[name]), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    words = asked["words"]
    sys.argv[1:] = words if isinstance(words, list) else []
    main()


def serve() -> None:
    """Answer one run after the other until stdin ends."""
    for name in PRELOADED:
        __import__(name)
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _run(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)


if __name__ == "__main__":
    serve()

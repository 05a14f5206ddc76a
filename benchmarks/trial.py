"""From file to curves, as a multiple of the time ezc3d needs to read the same file.

usage: python benchmarks/trial.py TRIAL.c3d STATIC.c3d [RUNS]

Prints the ratio of a trial (both files read, checked, filtered, solved; nothing written) to ezc3d's
own read of it: the curves of the legs before the rules of quality, the same with the rules, and
all curves and findings (trunk, arms and electromyography with them) in both profiles. The runs
alternate, each figure is the least of them; processor time.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING
from unittest.mock import patch

import ezc3d
from usage import help_shown

from gaitdyn.pipeline import process_trial
from gaitdyn.tables.columns import leg_curves, run_curves
from gaitdyn.types.options import Options, Profile

if TYPE_CHECKING:
    from collections.abc import Callable


def read_alone(trial: str) -> None:
    """Read a file with ezc3d, points and analog samples taken out."""
    data = ezc3d.c3d(trial)["data"]
    assert data["points"].size  # noqa: S101
    assert data["analogs"].size >= 0  # noqa: S101


def whole(trial: str, static: str, profile: Profile) -> None:
    """Process a trial to all its curves and findings."""
    result = process_trial(trial, Options(static=static, profile=profile))
    assert run_curves(result)  # noqa: S101
    assert result.judged  # noqa: S101  trunk, arms and muscles with them; the audit is apart


def legs(trial: str, static: str) -> None:
    """Process a trial to the curves of the legs, in which nothing is left that cannot be."""
    assert leg_curves(process_trial(trial, Options(static=static)))  # noqa: S101


def before_rules(trial: str, static: str) -> None:
    """Process a trial to the curves of the legs; the rules of quality are left out."""
    with patch("gaitdyn.pipeline.checked", lambda result: result):
        legs(trial, static)


def timed(trial: str, static: str, runs: int) -> dict[str, float]:
    """Return the least processor times of ezc3d's read and both profiles, s, runs in turn."""
    works: dict[str, Callable[[], None]] = {
        "ezc3d read": lambda: read_alone(trial),
        "legs, no rules": lambda: before_rules(trial, static),
        "legs": lambda: legs(trial, static),
        "default": lambda: whole(trial, static, "default"),
        "plug-in-gait": lambda: whole(trial, static, "plug-in-gait"),
    }
    times: dict[str, list[float]] = {name: [] for name in works}
    for run in range(runs + 1):
        for name, work in works.items():
            start = time.process_time()
            work()
            if run:
                times[name].append(time.process_time() - start)
    return {name: min(values) for name, values in times.items()}


def main() -> int:
    """Print the table."""
    if len(sys.argv) < 3:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    least = timed(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 9)
    for name, seconds in least.items():
        ratio = seconds / least["ezc3d read"]
        print(f"{name:15s} {1000 * seconds:8.1f} ms   {ratio:5.2f} x ezc3d's read")
    print(f"plug-in-gait / default: {least['plug-in-gait'] / least['default']:.2f}")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())

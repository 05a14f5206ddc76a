"""Real trials with a fault, and what the rules find in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fault_list import FAULTS

from gaitdyn.errors import GaitdynError
from gaitdyn.pipeline import process_loaded
from gaitdyn.stages.session import Session, read_session
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.trial import Result

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
TRIALS = {
    "BTK-A": ("BTK-A/PiG_Motion-FlatFoot-Full.c3d", "PiG_Calibration-FlatFoot-Full.c3d"),
    "BTK-B": ("BTK-B/PiG_Motion3_FF.c3d", "PiG_Calibration3_FF.c3d"),
    "Sydney 03": ("Sydney/S4-AMGait03.c3d", "S4 AM Cal 01.c3d"),
    "McGill HC030A05": ("McGill/HC030A05.c3d", "HC030A01.c3d"),
}
"""Name -> trial and static."""


@cache
def read(name: str) -> tuple[Session, Options]:
    """Return a trial of :data:`TRIALS` with its static, and the options."""
    trial, static = (CORPUS / "gait" / part for part in TRIALS[name])
    options = Options(static=str(trial.parent / static.name))
    return read_session(trial, options), options


def judged(result: Result) -> tuple[str, list[str]]:
    """Return the verdict of a trial and the codes of its warnings and errors."""
    codes = [f.code for f in result.findings if f.level != "info"]
    return result.verdict, sorted(set(codes))


def outcome(session: Session, options: Options, fault: str) -> tuple[str, list[str]]:
    """Return verdict and codes of a trial with a fault; a refusal is a verdict of its own."""
    try:
        return judged(process_loaded(FAULTS[fault](session), options))
    except GaitdynError as refusal:
        return "refused", [str(refusal)]


@cache
def untouched(name: str) -> tuple[str, list[str]]:
    """Return verdict and codes of a trial of :data:`TRIALS` as it is; not to be changed."""
    return outcome(*read(name), "untouched")


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)

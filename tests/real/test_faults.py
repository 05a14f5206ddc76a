"""Known faults in real trials are caught by a rule, and untouched trials are not."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import faulty_trials as faults  # noqa: E402
from fault_changes import altered  # noqa: E402

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        not faults.CORPUS.is_dir(), reason="the files of ../shared/corpus are not there"
    ),
]
COP = {"cop-outside-foot", "cop-before-toes", "cop-behind-heel", "cop-beside-sole"}
CATCHERS = {
    "plate 2 rotated by 90 degrees": {"cop-outside-foot", "force-against-mass"},
    "moment sign flipped": {"cop-outside-foot", "cop-backward"},
    "left knee width + 20 mm": {"widths-differ"},
    "left and right swapped": {"sides-swapped"},
    "LKNE and LTIB swapped for 0.3 s": {"segment-length"},
    "mass + 20 %": {"force-against-mass", "mass-differs"},
    "forces x 1.1": {"force-against-mass", "force-against-static"},
    "plates 30 ms late": {"plates-delayed"},
    "plate 1: forces and moments x 1.25": {"plate-unlike"},
    "plate 1: forces and moments x 0.9": {"plate-unlike", "force-against-mass"},
    "LKNE and LANK exchanged": {"order-up"},
    "LASI and RASI exchanged": {"range-pelvis-tilt"},
    "LTHI and RTHI exchanged": {"range-knee-flexion"},
    "LTHI and LTIB exchanged": {"order-up"},
    "RANK 300 mm off in one frame": {"marker-jumps"},
    "LASI 100 mm aside": {"static-distance"},
    "RTOE 30 mm up": {"foot-height"},
    "LKNE below the floor": {"order-up"},
    "all markers with 5 mm noise": {"marker-noise"},
    "all markers upside down": {"order-up"},
    "plate 1 turned by 5 degrees": {"plates-askew"},
    "RTOE creeps by 60 mm along x and y": {"marker-creeps"},
    "all markers with 5 mm noise from the middle on": {"marker-noise"},
    "corners 100 mm along x": COP | {"contact-rejected"},
    "corners 100 mm along y": COP | {"contact-rejected"},
    "corners 100 mm up": {"plate-height"},
    "corners 100 mm down": {"plate-height"},
    "forces zero": {"plate-silent"},
    "forces x 1.5 for 3 ms": {"force-jumps"},
    "forces zero for 30 ms": {"force-jumps"},
    "forces in steps of 20 ms": {"force-held"},
    "forces and moments exchanged": {"plate-silent", "contact-rejected"},
    "static: LTOE 30 mm up": {"sides-unlike"},
    "Fx not connected": {"channel-constant"},
    "Mx not connected": {"channel-constant"},
    "moments x 0.5": {"cop-short", "force-line-aside"},
    "Fz with 5 % noise": {"plate-noise"},
    "Mx with 10 % noise": {"cop-noise"},
    "Fx and Fy exchanged": {"force-direction"},
    "Mx and My exchanged": COP | {"cop-across", "contact-rejected"},
    "all rates doubled": {"force-against-acceleration"},
    "all rates a quarter too low": {"force-against-acceleration", "rate-differs"},
    "events 200 ms late": {"load-in-swing"},
    "LTOE slips by 15 mm": {"marker-slipped"},
    "LKNE slips by 15 mm": {"marker-slipped"},
    "all markers smoothed at 3 Hz": {"marker-smoothed"},
    "forces smoothed at 5 Hz": {"plate-smoothed"},
    "plate 1 dead from its largest force on": {"force-jumps", "contact-partial"},
    "both ankle widths halved": {"ankle-width-implausible"},
}
"""Fault -> rules of which one must catch it."""

NAMES = list(faults.TRIALS)
PUT = [
    (fault, NAMES[(number + step) % len(NAMES)])
    for number, fault in enumerate(CATCHERS)
    for step in (0, 2)
]
"""Every fault in two of the trials; ``python benchmarks/faults.py`` puts all into all of them."""


@cache
def read(name: str) -> tuple[faults.Session, faults.Options]:
    return faults.read(name)


@cache
def of_the_legs(name: str) -> tuple[faults.Session, faults.Options]:
    """Return a trial without its muscles and its audit, of which no rule of the table asks."""
    session, options = read(name)
    legs = altered(session.trial, lambda recording: replace(recording, analog=None))
    assert legs is not None
    return replace(session, trial=legs), replace(options, audit=False)


@pytest.mark.parametrize("name", faults.TRIALS)
def test_an_untouched_trial_passes(name: str) -> None:
    final, codes = faults.outcome(*read(name), "untouched")
    assert final == "pass"
    assert [code for code in codes if not code.startswith("emg-")] == []  # of muscles alone


@pytest.mark.parametrize(("fault", "name"), PUT)
def test_a_fault_is_caught_by_its_rule(fault: str, name: str) -> None:
    final, codes = faults.outcome(*of_the_legs(name), fault)
    assert final in ("check", "fail")
    assert CATCHERS[fault] & set(codes)


def test_the_mass_of_a_file_above_its_own_static_force_is_a_reason_to_check() -> None:
    folder = faults.CORPUS / "gait" / "FMC"
    options = faults.Options(static=str(folder / "MH0222_BP01.c3d"))
    session = faults.read_session(folder / "MH0222_BP06.c3d", options)
    found = faults.outcome(session, options, "untouched")
    assert found == ("check", ["force-against-static", "mass-differs"])

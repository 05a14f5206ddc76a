"""What a run prints of its findings: the most important first, each thing once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gaitdyn
import gaitdyn_cli
from gaitdyn.emg.health import RULES
from gaitdyn.quality.plain_words import reason_words, warning_lines
from gaitdyn.types.findings import Finding, Level

NO_ANGLE = "no angle is known in any frame; a marker that it needs is missing or hidden"


def finding(code: str, scope: str, message: str, level: Level = "warning") -> Finding:
    return Finding(level, code, scope, message)


def test_what_cannot_be_computed_comes_before_what_is_coarse() -> None:
    """Five lines on coarse knees stood on the screen, and that they have no angle in a table."""
    coarse = "left knee: no medial marker; the marker LKNE is used as the joint centre"
    found = [
        finding("centre-usual", "LKNE", coarse),
        finding("gap-open", "LASI", "LASI: missing in 392 frames", "info"),
        *(
            finding("joint-unknown", f"{side} {joint}", f"{side} {joint}: {NO_ANGLE}")
            for side in ("left", "right")
            for joint in ("ankle", "knee")
        ),
        finding("of-a-laboratory", "trial", "a rule of one's own: not known here"),
    ]
    joints = "left ankle, left knee, right ankle, right knee"
    assert warning_lines(found) == [
        f"{joints}: {NO_ANGLE}", coarse, "a rule of one's own: not known here",
    ]  # fmt: skip


def test_messages_without_a_subject_are_told_as_they_are() -> None:
    long = "left events of the file against the plates (20 N): strike at 1.20 s 40 ms late"
    found = [
        finding("event-disagreement", "left", long),
        finding("event-disagreement", "left", long.replace("left", "right")),
        finding("turning", "trial", "the walk turns by 20 deg"),
        finding("turning", "trial", "the walk turns by 20 deg"),
    ]
    told = warning_lines(found)
    assert sorted(told) == sorted([long, long.replace("left", "right"), "the walk turns by 20 deg"])


def test_many_lines_of_one_code_leave_room_for_the_others() -> None:
    """Twelve noisy key points filled the screen; that one plane is shown alone stood in a table."""
    noise = [f"LM{i}: noise of {2.0 + 0.1 * i:.1f} mm" for i in range(6)]
    found = [
        *(finding("marker-noise", text[:3], text) for text in noise),
        finding("sagittal-only", "walk", "sagittal plane only"),
    ]
    assert warning_lines(found) == [*noise[:2], "sagittal plane only", *noise[2:]]


@pytest.mark.parametrize("part", ["marker", "load-implausible", "angle-implausible"])
def test_what_may_be_of_the_head_is_not_told_of_trunk_and_arms(part: str) -> None:
    words = reason_words()[f"upper-{part}"]
    assert words.replace(" is wrong", "").endswith("above the pelvis")


def test_a_plate_given_to_the_wrong_foot_comes_before_what_follows_from_it() -> None:
    """Five lines on moments and events stood above the cause."""
    cause = finding("assigned-astray", "plate 1", "plate 1 is given to the right foot")
    follow = [
        finding(code, "right", code)
        for code in ("moment-implausible", "power-implausible", "event-contradicted", "cop-still")
    ]
    assert warning_lines([*follow, cause])[0] == cause.message


def test_a_space_stands_before_every_percent_sign() -> None:
    """ "70%" stood in messages, "70 %" on pages. Reasons of channels get the space when filled."""
    close = re.compile(r"[0-9}]%(?![\w;])|:[+]?[.][0-9]%}")
    of_channels = {rule.words for rule in RULES}
    for package in (gaitdyn, gaitdyn_cli):
        for path in Path(package.__file__ or "").parent.rglob("*.py"):
            for line in path.read_text(encoding="utf-8").splitlines():
                found = close.search(line) and not any(line.strip(' "),') in w for w in of_channels)
                assert not found, f"{path.name}: {line.strip()}"

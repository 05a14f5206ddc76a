"""What an error empties, in which frames and on which side, and what it leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.core.runs import runs
from gaitdyn.quality.impossible import emptied
from gaitdyn.quality.rules import load_rules
from gaitdyn.stages.foot_wrenches import force_filter
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from gaitdyn.trial import Result
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.wrench import FootWrench

RULES = load_rules()
LEG = {"hip", "knee", "ankle", "foot"}


def emptied_by(result: Result, *findings: Finding) -> Result:
    return emptied(replace(result, judged=findings), RULES)


def empty_angles(result: Result, side: str) -> set[str]:
    """Return the angles without any value."""
    return {n for n, v in result.sides[side].angles.items() if not np.isfinite(v).any()}


def loads_shown(result: Result, side: str) -> Any:
    kinetics = result.sides[side].kinetics
    assert kinetics is not None
    return kinetics.published


@pytest.mark.parametrize(
    ("code", "joint", "left", "right"),
    [
        ("range-hip-flexion", "hip", LEG, set()),
        ("range-knee-flexion", "knee", LEG, set()),
        ("range-ankle-flexion", "ankle", {"knee", "ankle", "foot"}, set()),
        ("order-up", "foot", {"ankle", "foot"}, set()),
        ("body-size", None, LEG | {"pelvis"}, set()),
        ("range-pelvis-tilt", "pelvis", LEG | {"pelvis"}, LEG | {"pelvis"}),
        ("moment-implausible", "knee", set(), set()),
    ],
)
def test_an_error_empties_what_is_computed_from_its_joint_and_the_loads_of_its_side(
    clean: Result, code: str, joint: str | None, left: set[str], right: set[str]
) -> None:
    error = RULES[code].found("left", "impossible", side="left", joint=joint)
    shown = emptied_by(clean, error)
    assert (empty_angles(shown, "left"), empty_angles(shown, "right")) == (left, right)
    assert not loads_shown(shown, "left").any()
    assert loads_shown(shown, "right").any() == (not right)
    for side, gone in (("left", left), ("right", right)):
        centres = shown.pose.leg(side).r_prox_G
        known = [np.isfinite(centres[:, i]).any() for i in range(3)]
        assert known == ["ankle" not in gone, "knee" not in gone, "hip" not in gone]


@pytest.mark.parametrize("level", ["warning", "info"])
def test_only_an_error_empties(clean: Result, level: Any) -> None:
    told = replace(RULES["order-up"].found("left knee", "above", side="left"), level=level)
    shown = emptied_by(clean, told)
    assert shown.sides["left"] is clean.sides["left"]
    assert shown.pose is clean.pose


def test_a_moment_in_the_first_frames_is_emptied_from_the_first_one_on(clean: Result) -> None:
    at = clean.recording.time_of(5)
    where = {"side": "left", "joint": "knee", "start_s": at, "stop_s": at}
    shown = emptied_by(clean, RULES["range-knee-flexion"].found("left knee", "leaps", **where))
    empty = np.isnan(shown.sides["left"].angles["knee"][:, 0])
    assert runs(empty) == [(0, 36)]  # 0.3 s after frame 5, at 100 Hz


def partly(result: Result, contact: Contact, **changes: Any) -> Result:
    changes = {"verdict": "partial", "code": "light", **changes}
    part = replace(contact, **changes)
    return replace(result, contacts=tuple(part if c == contact else c for c in result.contacts))


def ground(result: Result, side: str) -> FootWrench:
    wrench = result.sides[side].wrench
    assert wrench is not None
    return wrench


def stance_of(result: Result, contact: Contact) -> tuple[int, int]:
    """Return the rows of the stance in which a contact is."""
    (rows,) = (
        run for run in runs(result.sides[contact.side].stance)
        if run[0] < contact.stop and run[1] > contact.start
    )  # fmt: skip
    return rows


@pytest.mark.parametrize("code", ["light", "late"])
def test_a_stance_on_a_part_of_a_plate_has_no_force_and_the_others_keep_theirs(
    clean: Result, code: str
) -> None:
    contact = next(c for c in clean.contacts if c.side == "left" and c.accepted)
    start, stop = stance_of(clean, contact)
    spread = force_filter(clean.options, clean.recording.rate_hz).spread
    assert spread > 0
    rows = np.zeros(clean.recording.n_frames, bool)
    rows[start - spread : stop + spread] = True
    shown = emptied_by(partly(clean, contact, code=code))
    before, after = ground(clean, "left"), ground(shown, "left")
    for name in ("force_G", "moment_G", "cop_G", "free_moment"):
        old, new = getattr(before, name), getattr(after, name)
        assert np.isnan(new[rows]).all(), name
        np.testing.assert_array_equal(new[~rows], old[~rows], err_msg=name)
    lost = loads_shown(clean, "left") & ~loads_shown(shown, "left")
    assert lost.any()
    assert not lost[~rows].any()
    assert not loads_shown(shown, "left")[rows].any()
    assert ground(shown, "right") is ground(clean, "right")


def test_a_first_stance_on_a_part_of_a_plate_is_emptied_from_the_first_frame_on(
    clean: Result,
) -> None:
    contact = next(c for c in clean.contacts if c.side == "left" and c.accepted)
    stance = clean.sides["left"].stance.copy()
    _, stop = stance_of(clean, contact)
    stance[:stop] = True
    standing = replace(clean, sides=clean.sides | {
        "left": replace(clean.sides["left"], stance=stance)})  # fmt: skip
    shown = emptied_by(partly(standing, contact))
    assert np.isnan(ground(shown, "left").force_G[:stop]).all()


def test_parts_of_feet_stay_where_they_are_asked_for(clean: Result) -> None:
    contact = next(c for c in clean.contacts if c.side == "left" and c.accepted)
    for options in (Options(publish_anyway=True), Options(profile="plug-in-gait")):
        shown = emptied_by(replace(partly(clean, contact), options=options))
        assert ground(shown, "left") is ground(clean, "left")
    cut = emptied_by(partly(clean, contact, code="cut"))
    assert ground(cut, "left") is ground(clean, "left")

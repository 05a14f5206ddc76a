"""Trunk, head and arms by their markers alone: what ``info`` says of them, a thorax of three."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from gaitdyn.tables.marked_person import upper_parts
from gaitdyn.types.subject import Subject
from gaitdyn.upper.markers import build_pose

WHOLE = [
    "CLAV", "C7", "STRN", "T10", "LFHD", "RFHD", "LBHD", "RBHD",
    *(side + name for side in "LR" for name in ("SHO", "ELB", "WRA", "WRB", "FIN")),
]  # fmt: skip


def test_a_whole_upper_body_lacks_nothing() -> None:
    found = upper_parts(WHOLE)
    assert not any("lacks" in words for words in found.values())
    assert found["whole body"] == "centre of mass and loads at the waist"


def test_what_lacks_is_named_and_what_it_costs() -> None:
    found = upper_parts([name for name in WHOLE if name not in {"LFHD", "RELB", "STRN", "T10"}])
    assert found["thorax"] == "lacks STRN or T10"
    assert found["head"] == "lacks LFHD"
    assert found["right arm"] == "lacks RELB"
    assert found["whole body"].startswith("nothing above the legs")
    arms = upper_parts([name for name in WHOLE if name not in {"RWRA", "RWRB"}])
    assert arms["right arm"] == "lacks RWRA or RWRB"
    assert arms["whole body"] == "no centre of mass, no loads at the waist: no right arm"


@pytest.mark.parametrize(("left", "pair"), [("LWRA", False), ("LWRA LWRB", True), ("LWRI", False)])
def test_a_wrist_without_a_pair_of_markers_is_told(left: str, pair: bool) -> None:
    words = upper_parts(["LSHO", "LELB", *left.split()])["left arm"]
    told = "" if pair else "; the wrist's one marker counts as its centre"
    assert words == f"LSHO LELB {left}{told}"


def test_legs_alone_have_no_upper_body() -> None:
    assert upper_parts(["LASI", "RASI", "LKNE"]) == {}
    assert upper_parts(["RSHO"])["whole body"].endswith("without the thorax")


@pytest.mark.parametrize(
    ("lower", "place"), [("STRN", (0.14, 1.2, 0.0)), ("T10", (-0.1, 1.1, 0.0))]
)
def test_three_markers_without_a_static_give_a_thorax_that_looks_forward(
    lower: str, place: tuple[float, float, float]
) -> None:
    places = {"CLAV": (0.1, 1.4, 0.0), "C7": (-0.05, 1.45, 0.0), lower: place}
    trial = SimpleNamespace(labels=tuple(places), marker=lambda name: np.array([places[name]]))
    found = build_pose(cast("Any", trial), None, Subject(), vendor=False)
    (R,) = found.pose.R_GT
    np.testing.assert_allclose(R[:, 2], (0.0, 0.0, 1.0), atol=1e-12)
    assert R[0, 0] > 0.95
    assert R[1, 1] > 0.95
    assert [f.code for f in found.findings] == ["thorax-three-markers"]


def test_a_hand_without_a_marker_goes_on_with_the_forearm() -> None:
    places = {
        "CLAV": (0.1, 1.4, 0.0), "C7": (-0.05, 1.45, 0.0), "STRN": (0.14, 1.2, 0.0),
        "T10": (-0.1, 1.1, 0.0), "RSHO": (0.0, 1.42, 0.18), "RELB": (-0.02, 1.1, 0.25),
        "RWRA": (0.1, 0.88, 0.22), "RWRB": (0.06, 0.87, 0.27),
    }  # fmt: skip
    trial = SimpleNamespace(labels=tuple(places), marker=lambda name: np.array([places[name]]))
    arm = build_pose(cast("Any", trial), None, Subject(), vendor=False).pose.arms["right"]
    wrist, elbow = arm.r_prox_G[:, 0], arm.r_prox_G[:, 1]
    np.testing.assert_allclose(arm.hand_G, wrist + 0.37 * (wrist - elbow))
    assert 0.08 < np.linalg.norm(arm.hand_G - wrist) < 0.12


TRUNK = {
    "CLAV": (0.1, 1.4, 0.0), "C7": (-0.05, 1.45, 0.0), "STRN": (0.14, 1.2, 0.0),
    "T10": (-0.1, 1.1, 0.0),
}  # fmt: skip
ARM = {
    "SHO": (0.0, 1.42, 0.18), "ELB": (0.0, 1.1, 0.25), "ELM": (0.0, 1.1, 0.19),
    "RSP": (0.10, 0.87, 0.24), "USP": (0.10, 0.87, 0.18), "FIN": (0.16, 0.80, 0.21),
}  # fmt: skip


def found_arm(side: str, R: Any = None) -> tuple[Any, str]:
    """Return a right arm with a bent elbow and the palm back, or its mirror image on the left."""
    letter, mirror = side[0].upper(), np.array([1.0, 1.0, -1.0 if side == "left" else 1.0])
    places = TRUNK | {letter + name: mirror * place for name, place in ARM.items()}
    turned = {name: (np.eye(3) if R is None else R) @ place for name, place in places.items()}
    trial = SimpleNamespace(labels=tuple(turned), marker=lambda name: turned[name][None])
    found = build_pose(cast("Any", trial), None, Subject(), vendor=False)
    return found.pose.arms[side], found.words[f"{side}_arm"]


@pytest.mark.parametrize(("side", "z"), [("left", -1.0), ("right", 1.0)])
def test_elbow_and_wrist_are_in_the_middle_of_their_landmarks(side: str, z: float) -> None:
    arm, words = found_arm(side)
    np.testing.assert_allclose(arm.r_prox_G[0, 0], (0.10, 0.87, 0.21 * z), atol=1e-12)
    np.testing.assert_allclose(arm.r_prox_G[0, 1], (0.0, 1.1, 0.22 * z), atol=1e-12)
    letter = side[0].upper()
    assert words.startswith(f"{letter}SHO, {letter}ELB, {letter}ELM, {letter}RSP, {letter}USP")
    assert words.count("Wu et al. 2005") == 2
    assert np.isfinite(arm.R_GS).all()


def test_an_arm_on_landmarks_turns_with_the_laboratory_and_is_mirrored() -> None:
    R, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))
    R *= np.sign(np.linalg.det(R))
    (plain, _), (turned, _), (left, _) = (
        found_arm("right"),
        found_arm("right", R),
        found_arm("left"),
    )
    np.testing.assert_allclose(turned.r_prox_G, plain.r_prox_G @ R.T, atol=1e-12)
    np.testing.assert_allclose(turned.hand_G, plain.hand_G @ R.T, atol=1e-12)
    np.testing.assert_allclose(turned.R_GS, R @ plain.R_GS, atol=1e-12)
    np.testing.assert_allclose(left.r_prox_G, plain.r_prox_G * (1, 1, -1), atol=1e-12)
    np.testing.assert_allclose(left.hand_G, plain.hand_G * (1, 1, -1), atol=1e-12)
    mirrored = plain.R_GS * np.outer((1, 1, -1), (1, 1, -1))
    np.testing.assert_allclose(left.R_GS, mirrored, atol=1e-12)

"""A marker model that names legs alone leaves trunk and arms to what labels and positions show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from walkers import upper
from walkers.upper import with_upper

from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import Recording, Walk, Walker, write_trial
from gaitdyn.tables.answers import verdicts_of
from gaitdyn.types.options import Options
from tests.unit.test_landmarks import RAW, dressed
from tests.walks import curve_values, stand, walk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.trial import Result

    Dress = Callable[[Walk], Walk]

RECORDED = Recording(rate_hz=100.0, analog_ratio=5, events=False)
WORDS = {
    "CLAV": "Sternum", "STRN": "Xiphoid", "T10": "TV10", "C7": "CV7",
    "LFHD": "L_HDF", "LBHD": "L_HDB", "RFHD": "R_HDF", "RBHD": "R_HDB",
}  # fmt: skip


def with_trunk(legs: Walk, trunk: Walk, *names: str, **words: str) -> Walk:
    columns = [trunk.labels.index(name) for name in names]
    return replace(
        legs,
        labels=(*legs.labels, *(words.get(name, name) for name in names)),
        markers_G=np.concatenate((legs.markers_G, trunk.markers_G[:, columns]), axis=1),
    )


def processed(folder: Path, *names: str, dress: Dress = dressed, **words: str) -> Result:
    folder.mkdir()
    for name, legs in (("walk", walk(Walker(), RECORDED)), ("static", stand(Walker(), RECORDED))):
        whole = with_trunk(dress(legs), with_upper(legs)[0], *names, **words)
        write_trial(folder / f"{name}.c3d", whole)
    return process_trial(
        folder / "walk.c3d", Options(static=str(folder / "static.c3d"), model="auto", **RAW)
    )


TRUNK = ("CLAV", "STRN", "T10", "C7")
HEAD = ("LFHD", "RFHD", "LBHD", "RBHD")
ARM = ("LSHO", "LELB", "LWRA", "LWRB")


def as_they_are(legs: Walk) -> Walk:
    return legs


@pytest.mark.parametrize(
    ("dress", "model"), [(dressed, "clusters-with-centres"), (as_they_are, "plug-in-gait")]
)
def test_a_trunk_under_other_names_has_the_angles_of_one_under_ours(
    tmp_path: Path, dress: Dress, model: str
) -> None:
    ours = processed(tmp_path / "ours", *TRUNK, *HEAD, *ARM, dress=dress)
    theirs = processed(tmp_path / "theirs", *TRUNK, *HEAD, *ARM, dress=dress, **WORDS)
    assert theirs.model == ours.model == model
    found = curve_values(theirs)
    expected = curve_values(ours)
    assert found.keys() == expected.keys()
    assert np.isfinite(found["left_spine_angle_flexion"]).any()
    assert np.isfinite(found["left_neck_angle_flexion"]).any()
    assert np.isfinite(found["left_elbow_angle_flexion"]).any()
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values, err_msg=name)
    told = next(f.message for f in theirs.findings if f.code == "labels-read")
    assert "Sternum = CLAV" in told
    assert "L_HDF = LFHD" in told


@pytest.mark.parametrize("dress", [dressed, as_they_are])
def test_an_arm_and_a_head_under_other_names_are_read_beside_our_names_of_a_thorax(
    tmp_path: Path, dress: Dress
) -> None:
    words = {"LSHO": "LShoulder", "LELB": "LElbow", "LWRA": "L_WRA", "LWRB": "L_WRB"}
    words |= {name: WORDS[name] for name in HEAD}
    ours = curve_values(processed(tmp_path / "ours", *TRUNK, *HEAD, *ARM, dress=dress))
    theirs = processed(tmp_path / "theirs", *TRUNK, *HEAD, *ARM, dress=dress, **words)
    found = curve_values(theirs)
    for name in ("left_elbow_angle_flexion", "left_neck_angle_flexion"):
        assert np.isfinite(found[name]).any()
        np.testing.assert_array_equal(found[name], ours[name], err_msg=name)
    told = next(f.message for f in theirs.findings if f.code == "labels-read")
    assert "LElbow = LELB" in told


def words(result: Result) -> list[str]:
    return [one.word for one in verdicts_of(result) if one.quantity == "kinetics"]


@pytest.mark.parametrize("dress", [dressed, as_they_are])
def test_the_middle_of_the_sternum_taken_for_the_xiphoid_is_told_and_concerns_no_load_of_the_legs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dress: Dress
) -> None:
    plain = processed(tmp_path / "plain", *TRUNK, dress=dress, C7="CV7")
    at = dict(upper.IN_THORAX)
    monkeypatch.setitem(upper.IN_THORAX, "STRN", (at["STRN"][0], at["STRN"][1] + 0.1, 0.0))
    result = processed(tmp_path / "middle", *TRUNK, dress=dress, C7="CV7")
    told = [f.scope for f in result.findings if f.code == "upper-marker" and f.level == "warning"]
    assert told == ["STRN"]
    assert words(result) == words(plain)


def test_markers_that_make_no_thorax_stay_unread(tmp_path: Path) -> None:
    result = processed(tmp_path / "few", "C7", *ARM, C7="CV7")
    assert result.upper is None
    assert not any("CV7" in f.message for f in result.findings if f.code == "labels-read")

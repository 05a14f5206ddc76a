"""Markers that share one of our names: none of them is used, and the reader is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.errors import StaticRefused
from gaitdyn.io.recording import read_recording
from gaitdyn.stages.labels import resolve
from gaitdyn.stages.shared_labels import counted_shared, one_of_each
from gaitdyn.stages.standing import UsedStatic, check_static
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject

PATH = np.stack([0.01 * np.arange(20.0), np.ones(20), np.zeros(20)], axis=1)
ASIDE = np.array([0.0, 0.03, 0.02])


def upper(*points: np.ndarray) -> Recording:
    """Return a recording with C7 and these points, which are all called LSHO."""
    markers = np.stack((PATH + 0.1, *points), axis=1)
    labels = ("C7", *(["LSHO"] * len(points)))
    return Recording("a.c3d", "", 100.0, 1, 1, labels, markers, {}, (), (), Subject())


def hidden(points: np.ndarray, first: int) -> np.ndarray:
    """Return points that are not seen from a frame on."""
    return np.where(np.arange(len(points))[:, None] < first, points, np.nan)


def test_markers_apart_lose_their_name_and_are_told() -> None:
    found, findings = one_of_each(upper(PATH, PATH + ASIDE), ["C7", "LSHO", "RSHO"])
    assert found.labels == ("C7", "*LSHO", "*LSHO")
    (told,) = findings
    assert (told.code, told.level, told.scope, told.side) == (
        "upper-marker", "warning", "LSHO", "left",
    )  # fmt: skip
    assert "2 markers of a.c3d" in told.message
    assert counted_shared(found) == {"LSHO": 2}


def test_of_copies_the_one_seen_most_often_keeps_the_name() -> None:
    found, findings = one_of_each(upper(hidden(PATH, 9), PATH + 0.001), ["LSHO"])
    assert (found.labels, findings) == (("C7", "*LSHO", "LSHO"), [])


def test_a_point_that_is_never_seen_shares_no_name() -> None:
    found, findings = one_of_each(upper(hidden(PATH, 0), PATH), ["LSHO"])
    assert (found.labels, findings) == (("C7", "*LSHO", "LSHO"), [])
    nothing = one_of_each(upper(hidden(PATH, 0), hidden(PATH, 0)), ["LSHO"])
    assert len(nothing[1]) == 0


def test_names_of_one_marker_are_left_alone() -> None:
    recording = upper(PATH)
    assert one_of_each(recording, ["C7", "LSHO"]) == (recording, [])


@pytest.mark.parametrize(("label", "legs"), [("LKNE", ["right"]), ("RASI", [])])
def test_a_static_says_that_two_of_its_markers_have_one_label(
    synthetic: Path, label: str, legs: list[str]
) -> None:
    trial, static = (read_recording(synthetic / name) for name in ("walk01.c3d", "static.c3d"))
    i = static.labels.index(label)
    markers = np.concatenate((static.markers_L, static.markers_L[:, i : i + 1] + 0.04), axis=1)
    twice = replace(static, labels=(*static.labels, label), markers_L=markers)
    named = resolve(trial, twice, Options())
    assert named.static is not None
    assert (label, "marker-lost") in {(told.scope, told.code) for told in named.findings}
    standing, words = UsedStatic(named.static, still=True), f"{label} (the label of 2 markers)"
    if legs:
        usable, findings = check_static(standing, trial, named.match, ["left", "right"])
        assert usable == legs
        assert words in findings[0].message
    else:
        with pytest.raises(StaticRefused) as refusal:
            check_static(standing, trial, named.match, ["left", "right"])
        assert words in str(refusal.value)

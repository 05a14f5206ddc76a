"""Labels of which the last letters say where on a segment the marker is."""

from __future__ import annotations

import pytest

from gaitdyn.landmarks import resolve
from gaitdyn.landmarks.labels.grids import grids
from gaitdyn.landmarks.labels.sided import Sided
from tests.unit.marked_walker import cluster, marked, plug_in_gait, recording


def codes(labels):
    """Return label -> code."""
    found = resolve(recording(labels))[0].landmarks
    return {m.label: m.code for m in found}


def on_segment(code, *names):
    """Return markers spread over a segment of each leg, under these labels after the side."""
    return {
        side[0].upper() + name: place
        for side in ("left", "right")
        for name, place in zip(names, cluster(code, "stand", side, len(names)), strict=True)
    }


@pytest.mark.parametrize(
    ("thigh", "shank"),
    [
        (("TTL", "TTM", "TBL", "TBM"), ("STL", "STM", "SBL", "SBM")),
        (("TAP", "TAD", "TPP", "TPD"), ("SAP", "SAD", "SPP", "SPD")),
        (("TT", "TB", "TP"), ("SHT", "SHB", "SHP")),
        (("FHA", "FHP", "FBA", "FBP"), ("THA", "THP", "TBA", "TBP")),
        (("OOV", "OOH", "OUV", "OUH"), ("UOV", "UOH", "UUV", "UUH")),
    ],
)
def test_letters_of_crossing_places_are_markers_of_the_segment_that_they_are_on(thigh, shank):
    found = codes(plug_in_gait() | on_segment("THX", *thigh) | on_segment("SHX", *shank))
    assert {found.get(s + name) for s in "LR" for name in thigh} == {"THX"}
    assert {found.get(s + name) for s in "LR" for name in shank} == {"SHX"}


@pytest.mark.parametrize(
    "cores",
    [
        pytest.param("TTL TTM TBL", id="three of four"),
        pytest.param("KNL KNM AKL AKM", id="a joint from both sides"),
        pytest.param("KL KM KP AL AM AP", id="none above the other"),
        pytest.param("TT TB TP SHT SHB", id="two shared"),
        pytest.param("TTR TTX TBR TBX", id="no places"),
    ],
)
def test_other_letters_are_not(cores):
    assert grids([Sided("left", (core,)) for core in cores.split()]) == []


@pytest.mark.parametrize("names", [("HPL", "HPM", "HDL", "HDM"), ("HP1", "HP2", "HP3")])
def test_letters_and_numbers_on_hands_that_hang_down_are_on_no_thigh(names):
    place = marked("stand")
    hands = {}
    for side in ("left", "right"):
        out = (place["ASIS", side] - place["SACR", ""]) * [0.0, 0.0, 1.5]
        hand = place["ASIS", side] + out - [0.0, 0.1, 0.0]
        hands |= {side[0].upper() + x: hand + 0.02 * k for k, x in enumerate(names)}
    found = codes(plug_in_gait() | hands)
    assert "THX" not in {found.get(label) for label in hands}


def heels(*names):
    """Return markers of each heel, the last one on its outer side."""
    place = marked("stand")
    found = {}
    for side in ("left", "right"):
        out = place["ANL", side] - place["ANM", side]
        heel = [place["CAL", side] + [0.0, 0.012 * k, 0.0] for k in range(len(names) - 1)]
        heel.append(place["CAL", side] + 0.4 * out + [0.025, 0.0, 0.0])
        found |= {side[0].upper() + x: at for x, at in zip(names, heel, strict=True)}
    return {label: x for label, x in plug_in_gait().items() if label[1:] != "HEE"} | found


def test_a_label_beside_top_and_bottom_of_the_heel_is_its_side():
    found = codes(heels("HEB", "HET", "HEL"))
    assert (found["LHEB"], found["RHET"], found["RHEL"]) == ("CAL", "CAL", "CALL")
    assert codes(heels("HET", "HEL"))["LHEL"] == "CAL"
    beside_heel = codes(heels("HEB", "HET", "HEE", "HEL"))
    assert (beside_heel["LHEE"], beside_heel["RHEL"]) == ("CAL", "CALL")


def test_sides_and_letters_without_a_side_are_not_crossed():
    cores = ("TTL", "TTM", "TBL", "TBM")
    assert grids([Sided("", (core,)) for core in cores]) == []
    of_two = [Sided("left", (core,)) for core in cores[:2]]
    assert grids([*of_two, *(Sided("right", (core,)) for core in cores[2:])]) == []
    assert grids([Sided("left", (core,)) for core in cores]) == [[0, 1, 2, 3]]

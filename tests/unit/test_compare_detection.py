"""What the vendor's numbers are is found from the numbers: unit, sign, order, axes."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gaitdyn.compare import (
    compare_vendor,
    compare_with_vendor,
    result_vectors,
    vendor_numerics,
)
from gaitdyn.compare.agreement import CurvePair, SourceComparison, compare_column
from gaitdyn.compare.files import comparison_sheet, table_text
from gaitdyn.compare.quantities import LABEL, component_words, quantity_of
from gaitdyn.compare.vendor import nearer_branch, vendor_pairs
from gaitdyn.compare.words import convention_line, two_result_lines
from gaitdyn.errors import FileRefused
from gaitdyn.plots.marks import Line, TextLine
from gaitdyn.types.cycles import Cycle
from gaitdyn.types.options import Options

MOMENTS = [f"{side}{joint}Moment" for side in "LR" for joint in ("Ankle", "Knee", "Hip")]


@pytest.fixture(scope="module")
def own(clean):
    return result_vectors(clean)


def stored(clean, own, axes=None, change=None):
    """The recording as if a vendor had stored our values, gaps as zeros; moments may be altered."""
    outputs = {}
    for label, found in own.vectors.items():
        values = next(iter(found.values()))
        if label in MOMENTS and axes:
            values = found[axes]
        if label in MOMENTS and change:
            values = change(values)
        outputs[label] = np.where(np.isfinite(values).all(axis=1)[:, None], values, 0.0)
    units = {"points": "mm", "angles": "deg", "moments": "Nmm", "powers": "W", "forces": "N"}
    return replace(clean.recording, outputs=outputs, units=units)


def test_a_column_is_compared_where_both_are_known():
    one, other = np.array([[np.nan, 1, 2, np.nan, 4, 10], [5, 1, 4, 3, np.nan, 7]])
    cycles = [Cycle("right", 1, 0.0, 5.0, None), Cycle("left", 1, 3.0, 11.0, None)]
    row = compare_column("a", "left", "deg", (one, other), np.arange(101.0, 107.0), cycles)
    assert row is not None
    assert (row.frames, row.alone, row.largest, row.frame) == (3, 3, 3.0, 106)
    assert (row.percent, row.first, row.second) == (25.0, 10.0, 7.0)
    assert row.rmse == pytest.approx(np.sqrt((0 + 4 + 9) / 3))
    assert row.r == pytest.approx(np.corrcoef([1, 2, 10], [1, 4, 7])[0, 1])
    same = compare_column("a", "left", "deg", (one, one), np.arange(101.0, 107.0), cycles)
    assert same is not None
    assert (same.largest, same.frame, same.first) == (0.0, 102, 1.0)
    assert np.isnan(same.percent), "before the cycle"
    assert compare_column("a", "", "", (one[:1], other[:1]), np.arange(1.0), cycles) is None


def test_two_results_are_told_by_what_differs_and_what_one_alone_knows():
    time = np.arange(5.0)
    pairs = []
    for name, second in (
        ("same", time),
        ("apart", time + 0.25),
        ("gap", [np.nan, 1, 2, np.nan, 4]),
    ):
        columns = time, np.array(second)
        row = compare_column(name, "left", "deg", columns, time, [])
        assert row is not None
        pairs.append(CurvePair(row, *columns))
    found = SourceComparison("a and b", "first", "second", tuple(pairs), (), (), time)
    equal, alone, head, *lines = two_result_lines(found)
    assert equal == "1 of 3 columns is equal, 2 differ."
    assert alone == "known in only one of the two: 2 values"
    assert head.startswith("columns, ")
    assert [line.split()[0] for line in lines[1:]] == ["apart", "gap"]
    assert lines[1].split()[3:7] == ["5", "0.25", "1.0000", "-0.25"]
    assert two_result_lines(replace(found, drawn=(pairs[0], pairs[0]))) == [
        "All 2 columns are equal: the largest difference is 0."
    ]


@pytest.mark.parametrize(
    ("names", "titles"),
    [
        (
            ("left_knee_angle_flexion", "right_knee_angle_flexion", "left_hip_power", "left_grf_x"),
            ["knee angle flexion", "hip power"],
        ),
        (
            ("LKneeAngles_1", "RKneeAngles_1", "LHipPower_3", "LGroundReactionForce_1"),
            ["KneeAngles 1", "HipPower 3"],
        ),
        (
            ("knee moment extension", "knee moment extension", "pelvis angle tilt", "hip force 1"),
            ["knee moment extension", "pelvis angle tilt"],
        ),
    ],
)
def test_the_picture_has_a_panel_for_each_angle_moment_and_power(names, titles):
    """Of two results with the vendor's names it had no panel."""
    time = np.linspace(0.0, 1.0, 11)
    pairs = []
    for name, side in zip(names, ("left", "right", "left", "left"), strict=True):
        row = compare_column(name, side, "deg", (time, time + 0.25), time, [])
        assert row is not None
        pairs.append(CurvePair(row, time, time + 0.25))
    found = SourceComparison("a and b", "first", "second", tuple(pairs), (), (), time)
    marks = comparison_sheet(found).marks
    words = [mark.text for mark in marks if isinstance(mark, TextLine)]
    shown = [word for word in words if any(word.startswith(title) for title in titles)]
    assert len(shown) == len(titles)
    lines = [mark.name for mark in marks if isinstance(mark, Line) and "difference" in mark.name]
    assert sorted(lines) == ["difference left", "difference left", "difference right"]
    below_zero = [word for word in words if word.endswith("0.2") and word != "0.2"]
    assert len(below_zero) == len(titles)  # the scale of the strip with the difference


def moments(clean, own, **how):
    found = compare_vendor(stored(clean, own, **how), own)
    convention = next(c for c in found.conventions if c.quantity.name == "moment")
    rows = [row for row in found.rows if "moment" in row.name]
    assert len(rows) == 18
    return convention, max(row.rmse for row in rows)


def test_labels_of_the_upper_body_are_read_and_leave_the_legs_their_axes() -> None:
    for label, part in (
        ("LHeadAngles", "Head"),
        ("RWaistMoment", "Waist"),
        ("LElbowForce", "Elbow"),
    ):
        match = LABEL.fullmatch(label)
        assert match is not None
        assert part in match.groups()
        ending = label[1:].removeprefix(part)
        assert quantity_of(part, ending).name.startswith("upper ")
        assert len(quantity_of(part, ending).axes) == 1
    assert quantity_of("Hip", "Moment").axes == ("distal", "proximal", "lab", "jcs")
    assert component_words("upper angle", "Elbow") == ("flexion", "", "")
    assert LABEL.fullmatch("LWaistAngles") is None


def test_our_own_values_agree_with_themselves(clean, own):
    found = compare_vendor(stored(clean, own), own)
    assert [c.quantity.name for c in found.conventions] == [
        "angle", "moment", "power", "force", "ground force",
    ]  # fmt: skip
    assert max(row.rmse for row in found.rows) < 1e-9
    assert all(c.order[part] == (0, 1, 2) for c in found.conventions for part in c.order)
    line = convention_line(found.conventions[1])
    assert line == "moments: N mm/kg, labelled Nmm, distal axes, internal"


@pytest.mark.parametrize(
    ("unit", "per_kg"), [("N m/kg", 1e-3), ("N mm", "mass"), ("N m", "mass/1000")]
)
def test_the_unit_is_found_whatever_the_label_says(clean, own, unit, per_kg):
    mass = own.mass_kg
    factor = {"mass": mass, "mass/1000": mass / 1000}.get(per_kg, per_kg)
    convention, rmse = moments(clean, own, change=lambda values: values * factor)
    assert (convention.unit, convention.labelled) == (unit, "Nmm")
    assert rmse < 1e-8


@pytest.mark.parametrize("axes", ["distal", "proximal", "lab", "jcs"])
def test_the_axes_of_moments_are_found(clean, own, axes):
    convention, rmse = moments(clean, own, axes=axes)
    assert convention.axes == axes
    assert rmse < 1e-9


@pytest.mark.parametrize(("share", "axes"), [(0.61, "distal"), (0.8, "proximal")])
def test_unusual_axes_are_those_that_fit_clearly_better(clean, own, share, axes):
    """Between two axes, nearer to the unusual ones; but not clearly so if they are but half way."""
    recording = stored(clean, own)
    mixed = {
        label: np.nan_to_num((1 - share) * found["distal"] + share * found["proximal"])
        for label, found in own.vectors.items()
        if label in MOMENTS
    }
    known = {label: {a: v for a, v in found.items() if a not in {"jcs", "lab"}}
             for label, found in own.vectors.items()}  # fmt: skip
    outputs = {**recording.outputs, **mixed}
    found = compare_vendor(replace(recording, outputs=outputs), replace(own, vectors=known))
    (convention,) = (c for c in found.conventions if c.quantity.name == "moment")
    assert convention.misfit["proximal"] < convention.misfit["distal"]
    assert convention.axes == axes


def test_external_moments_are_told(clean, own):
    convention, rmse = moments(clean, own, change=lambda values: -values)
    assert "external" in convention_line(convention)
    assert rmse < 1e-9


def test_another_order_is_told(clean, own):
    convention, rmse = moments(clean, own, change=lambda values: values[:, [1, 2, 0]])
    assert set(convention.order.values()) == {(2, 0, 1)}
    assert "knee components 1 2 3 of gaitdyn are 3 1 2" in convention_line(convention)
    assert rmse < 1e-9


def test_everything_at_once_is_found(clean, own):
    convention, rmse = moments(
        clean, own, axes="proximal", change=lambda v: v[:, [0, 2, 1]] * (1e-3, -1e-3, 1e-3)
    )
    assert (convention.unit, convention.axes) == ("N m/kg", "proximal")
    assert set(convention.signs.values()) == {(1, 1, -1)}
    assert "other sign in" in convention_line(convention)
    assert rmse < 1e-9


def test_angles_in_radians_are_found(clean, own):
    recording = stored(clean, own)
    outputs = {
        label: np.radians(values) if label.endswith("Angles") else values
        for label, values in recording.outputs.items()
    }
    found = compare_vendor(replace(recording, outputs=outputs), own)
    assert found.conventions[0].unit == "rad"
    assert max(row.rmse for row in found.rows if "angle" in row.name) < 1e-9


def test_angles_that_are_a_turn_further_are_the_same(clean, own):
    recording = stored(clean, own)
    outputs = {
        label: values + 360.0 if label.endswith("PelvisAngles") else values
        for label, values in recording.outputs.items()
    }
    found = compare_vendor(replace(recording, outputs=outputs), own)
    assert found.conventions[0].signs["LPelvisAngles"] == (1, 1, 1)
    assert max(row.rmse for row in found.rows) < 1e-9


def test_a_size_that_no_unit_has_is_said_so(clean, own):
    convention, _ = moments(clean, own, change=lambda values: values * 7.0)
    assert convention.unit == "unknown"
    assert "not recognised" in convention_line(convention)


def test_a_difference_is_placed_in_frame_and_cycle(clean, own):
    recording = stored(clean, own)
    cycle = next(c for c in own.cycles if c.side == "left")
    row = int((cycle.start_row + cycle.stop_row) / 2)
    values = recording.outputs["LKneeAngles"].copy()
    values[row, 0] += 5.0
    found = compare_vendor(
        replace(recording, outputs={**recording.outputs, "LKneeAngles": values}), own
    )
    worst = next(r for r in found.rows if (r.name, r.side) == ("knee angle flexion", "left"))
    assert worst.largest == pytest.approx(-5.0)
    assert worst.frame == own.first_frame + row
    assert worst.percent == pytest.approx(50.0, abs=1.0)


def test_gaps_of_the_vendor_are_no_zeros(clean, own):
    recording = stored(clean, own)
    values = recording.outputs["LKneeMoment"].copy()
    values[: len(values) // 2] = 0.0
    outputs = {**recording.outputs, "LKneeMoment": values}
    found = compare_vendor(replace(recording, outputs=outputs), own)
    row = next(r for r in found.rows if (r.name, r.side) == ("knee moment extension", "left"))
    assert row.rmse < 1e-9
    assert row.alone > 0


def test_labels_with_a_suffix_count_and_our_exports_do_not(clean, own):
    recording = stored(clean, own)
    angles = recording.outputs["LKneeAngles"]
    outputs = {"LKneeAnglesV": angles, "RKneeAngles_gd": angles}
    pairs = vendor_pairs(replace(recording, outputs=outputs), own)
    assert [pair.label for pair in pairs["angle"]] == ["LKneeAngles"]


def test_what_our_export_added_is_never_called_the_vendors(clean, own):
    """An exported file was compared with "the vendor", whose numbers were our own."""
    recording = replace(stored(clean, own), added=("LKneeAngles", "LKneeMoment"))
    both = compare_vendor(recording, own)
    assert (both.second, both.title.endswith("and the vendor")) == ("vendor", True)
    assert ("knee angle flexion", "left") not in {(row.name, row.side) for row in both.rows}
    ours = compare_vendor(replace(recording, added=tuple(recording.outputs)), own)
    assert (ours.second, ours.title.partition(" and ")[2]) == (
        "exported", "what gaitdyn export added",
    )  # fmt: skip
    assert ours.notes == ()
    with pytest.raises(FileRefused, match="found no angles"):  # as read from a folder
        compare_vendor(replace(recording, outputs={}), own)
    assert table_text(ours).splitlines()[0].endswith(",gaitdyn,exported")
    whole = compare_vendor(replace(recording, added=()), own)
    assert {row.name for row in ours.rows} >= {row.name for row in whole.rows}


def test_a_convention_that_lacks_an_output_is_found_anew(clean, own):
    left = {label: axes for label, axes in own.vectors.items() if label.startswith("L")}
    recording = stored(clean, own)
    known = compare_vendor(recording, replace(own, vectors=left)).conventions
    assert compare_vendor(recording, own, known).rows == compare_vendor(recording, own).rows


def test_a_convention_that_is_known_is_used_as_far_as_it_goes(clean, own):
    recording = stored(clean, own)
    external = stored(clean, own, change=lambda values: -values)
    known = compare_vendor(external, own).conventions[1]
    assert known.quantity.name == "moment"
    for convention, used in (
        (known, True),
        (replace(known, axes="pelvis"), False),
        (replace(known, order={}), False),
        (replace(known, signs={}), False),
    ):
        found = compare_vendor(recording, own, [convention])
        assert (found.conventions[1].signs == known.signs) == used
        assert any(row.rmse > 1.0 for row in found.rows) == used


def test_a_file_without_outputs_is_refused(clean, own):
    recording = stored(clean, own)
    few = {label: values * (np.arange(len(values)) % 50 == 0)[:, None]  # too few to be compared
           for label, values in recording.outputs.items()}  # fmt: skip
    for lacking in (clean.recording, replace(recording, outputs=few)):
        with pytest.raises(FileRefused, match="no angles, moments or powers"):
            compare_vendor(lacking, own)


def test_axes_that_one_output_lacks_are_not_those_of_the_file(clean, own):
    knee = {axes: values for axes, values in own.vectors["LKneeMoment"].items() if axes != "jcs"}
    less = replace(own, vectors={**own.vectors, "LKneeMoment": knee})
    convention, _ = moments(clean, less)
    assert set(convention.misfit) == {"distal", "proximal", "lab"}


def test_the_other_cardan_triple_is_the_same_angle():
    ours = np.array([[10.0, 5.0, -3.0]])
    theirs = np.array([[190.0, 175.0, 177.0]])
    assert np.allclose(nearer_branch(ours, theirs), ours)


def test_a_component_that_is_not_stored_is_not_compared(clean, own):
    """Of the foot, our export and a vendor's file may hold the progression alone."""
    recording = stored(clean, own)
    outputs = dict(recording.outputs)
    for label in ("LFootProgressAngles", "RFootProgressAngles"):
        outputs[label] = outputs[label] * np.array([0.0, 0.0, 1.0])
    rows = compare_vendor(replace(recording, outputs=outputs), own).rows
    feet = [row for row in rows if row.name.startswith("foot progress")]
    assert [row.name for row in feet] == ["foot progress angle progression"] * 2
    assert max(row.rmse for row in feet) < 1e-6


def turned(own, deg):
    """Our values with ankle angles that are so many degrees off, as other offsets make them."""
    vectors = dict(own.vectors)
    for label in ("LAnkleAngles", "RAnkleAngles"):
        vectors[label] = {axes: values + deg for axes, values in vectors[label].items()}
    return replace(own, vectors=vectors)


@pytest.mark.parametrize(
    ("asked", "off", "profile", "told"),
    [
        ("static", {"static": 5.0, "trial": 0.1}, "plug-in-gait", "that the file stores"),
        ("trial", {"static": 0.1, "trial": 5.0}, "plug-in-gait", "from the static"),
        ("static", {"static": 0.1, "trial": 5.0}, "plug-in-gait", None),
        ("static", {"static": 0.5, "trial": 0.3}, "plug-in-gait", None),  # not by half
        ("static", {"static": 5.0, "trial": 2.0}, "plug-in-gait", None),  # neither is the vendor's
        ("static", {"static": 5.0}, "plug-in-gait", None),
        ("static", {"static": 5.0, "trial": 0.1}, "default", "--offsets trial is within 0.1 deg"),
    ],
)
def test_offsets_that_fit_better_are_named_for_what_they_are(
    clean, own, monkeypatch, asked, off, profile, told
):
    """Those from the static were told as "the foot offsets that the file stores"."""
    recording = stored(clean, own)
    vectors = {"asked": own} | {name: turned(own, deg) for name, deg in off.items()}
    monkeypatch.setattr(vendor_numerics, "result_vectors", lambda run: vectors[run.name])

    def again(options: Options) -> Any:
        assert options.profile == "plug-in-gait"
        if options.offsets not in off:
            raise FileRefused("no stored offsets")
        return SimpleNamespace(recording=recording, name=options.offsets)

    result: Any = SimpleNamespace(engine="chord", name="asked")
    options = replace(Options(), profile=profile, offsets=asked)
    notes = compare_with_vendor(result, recording, options, again).notes
    assert len(notes) == (told is not None)
    assert all(told in note for note in notes)
    if told and profile == "plug-in-gait":
        other = {"static": "trial", "trial": "static"}[asked]
        assert notes == (f"the foot offsets {told} fit better: --offsets {other}",)


@pytest.mark.parametrize(
    ("unit", "per_kg"), [("N/kg", 1.0), ("N", 70.0), ("% body weight", 100.0 / 9.81)]
)
def test_ground_forces_are_found_in_newtons_and_as_a_share_of_the_weight(clean, own, unit, per_kg):
    recording = stored(clean, own)
    outputs = {
        label: values * (per_kg if "GroundReaction" in label else 1.0)
        for label, values in recording.outputs.items()
    }
    found = compare_vendor(replace(recording, outputs=outputs), own)
    (convention,) = (c for c in found.conventions if c.quantity.name == "ground force")
    assert convention.unit == unit
    rows = [row for row in found.rows if row.name.startswith("ground reaction")]
    assert len(rows) == 6
    assert max(row.rmse for row in rows) < 1e-9

"""Which axis of the laboratory is up and forward: by votes within the same frames."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gaitdyn.calibrate.axes import (
    axis_names,
    facing_direction,
    find_axes,
    walking_direction,
)
from gaitdyn.calibrate.axis_votes import Vote, decide_up, up_votes
from gaitdyn.core.rotations import about
from gaitdyn.errors import AxesRefused
from gaitdyn.io.recording import read_recording
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import Course, Recording, Walker, write_trial
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording as Read
from gaitdyn.types.subject import Subject
from tests.walks import processed, walk

PELVIS = ("LASI", "RASI", "LPSI", "RPSI")


@pytest.fixture(scope="module")
def read(tmp_path_factory) -> Any:
    """Write the walker in a laboratory and read it."""

    def _read(walker: Walker | None = None, **words: Any) -> Read:
        path = tmp_path_factory.mktemp("axes") / "walk.c3d"
        write_trial(path, walk(walker or Walker(), Recording(**words)))
        return read_recording(path)

    return _read


def hidden(recording: Read, labels: tuple[str, ...], rows: slice) -> Read:
    markers = recording.markers_L.copy()
    for label in labels:
        markers[rows, recording.labels.index(label)] = np.nan
    return replace(recording, markers_L=markers)


def only(recording: Read, labels: tuple[str, ...]) -> Read:
    at = [recording.labels.index(label) for label in labels]
    return replace(recording, labels=labels, markers_L=recording.markers_L[:, at])


def turned(recording: Read, R: np.ndarray) -> Read:
    plates = tuple(replace(p, corners_L=p.corners_L @ R.T) for p in recording.plates)
    return replace(recording, markers_L=recording.markers_L @ R.T, plates=plates)


@pytest.mark.parametrize("units", ["mm", "m"])
@pytest.mark.parametrize(
    ("up", "forward"), [("z", "+x"), ("z", "-y"), ("y", "+x"), ("y", "-z"), ("z", "-x")]
)
def test_axes_are_found_in_any_laboratory(read, up, forward, units):
    recording = read(up=up, forward=forward, units=units)
    assert axis_names(find_axes(recording)) == (forward.upper(), f"+{up.upper()}")
    assert {vote.witness for vote in up_votes(recording)} == {"body", "soles", "plates", "force"}


def test_axes_that_point_down_are_found(read):
    z_down = np.diag([1.0, -1.0, -1.0])
    assert axis_names(find_axes(turned(read(), z_down))) == ("+X", "-Z")


def test_pelvis_and_feet_seen_in_different_parts_of_a_walkway_keep_up(read):
    """Pelvis markers end after 58 % of a long walk, the feet are seen to its end."""
    recording = read(Walker(course=Course(start_m=(-6.0, 0.0, 0.0))), strides=10.0, plates=0)
    n = recording.n_frames
    recording = hidden(recording, PELVIS, slice(round(0.58 * n), n))
    assert axis_names(find_axes(recording)) == ("+X", "+Z")
    feet = ("LHEE", "RHEE", "LTOE", "RTOE")
    late = hidden(hidden(recording, feet, slice(0, round(0.5 * n))), PELVIS, slice(0, n // 3))
    assert axis_names(find_axes(late)) == ("+X", "+Z")


def test_a_pelvis_that_is_never_seen_with_the_feet_leaves_the_soles_to_tell(read):
    recording = read(strides=6.0, plates=0)
    n = recording.n_frames
    legs = tuple(x for x in recording.labels if x not in PELVIS)
    recording = hidden(hidden(recording, PELVIS, slice(n // 2, n)), legs, slice(0, n // 2))
    assert axis_names(find_axes(recording)) == ("+X", "+Z")


@pytest.mark.parametrize(
    "labels",
    [
        ("LASI", "RASI", "LANK", "RANK"),
        ("LPSI", "RPSI", "LTOE", "RTOE"),
        ("LASI", "RASI", "LKNE", "RKNE"),
        ("LASI", "RASI", "LHEE"),
    ],
)
def test_few_markers_are_enough(read, labels):
    assert axis_names(find_axes(only(read(forward="-y"), labels))) == ("-Y", "+Z")


def test_plates_that_face_sideways_are_outvoted_by_body_and_soles_and_said(read):
    recording = read()
    on_edge = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    plates = tuple(replace(p, corners_L=p.corners_L @ on_edge.T) for p in recording.plates)
    tilted = replace(recording, plates=plates)
    assert axis_names(find_axes(tilted))[1] == "+Z"
    feetless = only(tilted, ("LASI", "RASI", "LKNE", "RKNE"))
    with pytest.raises(AxesRefused) as error:
        find_axes(feetless)
    for word in ("pelvis above knees", "+Z", "plates by their corners", "Y", "--up"):
        assert word in str(error.value)
    assert axis_names(find_axes(feetless, "+Z", "-Y")) == ("-Y", "+Z")


def test_nothing_seen_is_a_refusal_that_says_what_to_do(read):
    with pytest.raises(AxesRefused, match="--up"):
        find_axes(replace(only(read(), ("LASI", "RASI")), plates=()))


def test_labels_that_show_one_level_of_the_body_are_the_reason_that_is_given(read):
    with pytest.raises(AxesRefused) as error:
        find_axes(only(read(), ("LASI", "RASI")))
    assert "the labels show no two levels of the body; plates by their corners" in str(error.value)


def test_forward_along_up_is_refused(read):
    with pytest.raises(AxesRefused, match="give both"):
        find_axes(read(), forward="+Z")


def test_given_axes_are_used_recorded_and_logged(synthetic):
    from gaitdyn.store.document import resolved_options

    found = process_trial(synthetic / "walk01.c3d", Options(up="z", forward="+x"))
    assert "axes: up +Z (given), walking along +X (given) of the laboratory" in found.log
    told = resolved_options(found)
    assert (told["up"], told["forward"]) == ("+Z", "+X")
    plain = processed(synthetic / "walk01.c3d")
    assert "axes: up +Z, walking along +X of the laboratory" in plain.log
    assert {k: resolved_options(plain)[k] for k in ("up", "forward")} == {
        "up": "+Z",
        "forward": "+X",
    }


def test_a_step_to_the_side_is_no_vote_of_the_soles(read):
    """One foot stays, the other steps aside and is not lifted: that is not a floor."""
    still = read(Walker(), plates=0)
    points = np.repeat(still.markers_L[:1], 200, axis=0)
    aside = [i for i, label in enumerate(still.labels) if label in ("LHEE", "LTOE", "LANK")]
    points[100:, aside] += np.array([0.0, 0.4, 0.0])
    stepped = replace(still, markers_L=points)
    assert [vote.witness for vote in up_votes(stepped)] == ["body"]
    assert axis_names(find_axes(stepped))[1] == "+Z"


def test_a_person_who_lies_down_is_asked_for(read):
    leaning = read(plates=0)
    tilt = about("z", np.pi / 4) @ about("y", np.arccos(1 / np.sqrt(3)))  # z goes to (1, 1, 1)
    with pytest.raises(AxesRefused, match="pelvis above feet"):
        find_axes(turned(leaning, tilt))


def test_one_stray_frame_does_not_turn_the_laboratory(read):
    recording = read()
    markers = recording.markers_L.copy()
    markers[50, recording.labels.index("LASI")] = 1e30
    assert axis_names(find_axes(replace(recording, markers_L=markers))) == ("+X", "+Z")


def test_clusters_alone_vote_for_up(read) -> None:
    """Pelvis, shanks and feet in clusters, all landmarks in a static: +Y of the file is up."""
    labels = ("PEL1", "PEL2", "PEL3", "LSK1", "RSK1", "LFT1", "RFT1")
    heights = (0.95, 1.0, 1.05, 0.3, 0.3, 0.05, 0.05)
    places = np.array([[0.1 * i, y, 0.0] for i, y in enumerate(heights)])
    markers = np.broadcast_to(places, (20, *places.shape)).copy()
    (vote, *_) = up_votes(replace(read(), labels=labels, markers_L=markers, plates=()))
    assert (vote.witness, vote.axis) == ("body", "+Y")


@pytest.mark.parametrize(
    ("stops", "gap", "wanted"),
    [
        ((0.0, 4.0, 1.0), (), 1.0),  # comes back
        ((0.0, 4.0, -0.5), (), 1.0),  # and goes on
        ((0.0, 4.0, 3.0), (), 1.0),  # a few steps
        ((0.0, -4.0, -1.0), (), -1.0),
        ((0.0, 4.0, -5.0), (0.0, 4.0), -1.0),  # the way out is not seen
        ((0.0, 0.9, -0.4), (), -1.0),  # swayed
        ((0.0, 0.2, -0.1), (), 0.8),  # stands, or walks on a belt: faces
    ],
)
def test_who_comes_back_walks_the_way_out(stops, gap, wanted) -> None:
    """Along (0.6, 0.8) of the floor; a pelvis that stays faces (0.8, 0.6), and leans."""
    way = np.interp(np.linspace(0.0, 2.0, 101), (0.0, 1.0, 2.0), stops)
    places = way[:, None] * (0.6, 0.0, 0.8) + (1.0, 0.9, 2.0)
    places[:, 1] += 0.5 * np.linspace(0.0, 1.0, 101)  # a ramp
    if gap:
        places[:51][(way[:51] > gap[0]) & (way[:51] < gap[1])] = np.nan
    facing = np.tile(np.stack(([0.64, 0.6, 0.48], [0, 1, 0], [0, 0, 1]), axis=1), (101, 1, 1))
    ahead = [0.8, 0.0, 0.6] if wanted == 0.8 else [wanted * 0.6, 0.0, wanted * 0.8]
    np.testing.assert_allclose(walking_direction(places, facing), ahead, atol=1e-12)


def test_who_stays_faces_as_pelvis_or_else_feet_do() -> None:
    """Up is -y of the laboratory: left to right across the ASIS, and heel to toe, give ahead."""
    up, ahead = np.array([0.0, -1.0, 0.0]), np.array([0.6, 0.0, 0.8])
    right = np.cross(ahead, up)
    places = {
        "LASI": -0.1 * right + 0.02 * up, "RASI": 0.1 * right, "LHEE": -up - 0.1 * right,
        "LTOE": -up - 0.1 * right + 0.2 * ahead, "RHEE": -up + 0.1 * right,
        "RMT5": -up + 0.1 * right + 0.15 * ahead + 0.05 * up,
    }  # fmt: skip
    for labels in (tuple(places), tuple(places)[2:], ("RHEE", "RMT5")):
        points = np.tile([places[label] for label in labels], (9, 1, 1))
        points[4] += 3.0 * np.arange(len(labels))[:, None] * right  # one stray frame
        still = Read("still.c3d", "", 100.0, 1, 1, labels, points, {}, (), (), Subject())
        found = facing_direction(still, up)
        assert found is not None
        np.testing.assert_allclose(found / np.linalg.norm(found), ahead, atol=1e-12)


@pytest.mark.parametrize(
    ("votes", "wanted"),
    [
        ("body +Z 0.9", "+Z"),
        ("body +Z 0.5", None),  # leans too far to decide alone
        ("body +Z 0.5, plates -Z 1.0", "+Z"),  # the corners give no sign
        ("body +Z 0.5, plates +X 1.0", None),
        ("soles +Y 0.9, plates +X 1.0", None),
        ("soles +Y 0.9, force -Y 1.0", "+Y"),
        ("plates +Z 1.0, force +Z 1.0", None),  # floor alone has no sign
        ("", None),
        ("body +Z 0.9, soles +Z 0.9, plates +X 1.0", "+Z"),
        ("body +Z 0.9, soles +X 0.9", None),
        ("body +Z 0.9, soles -Z 0.9", None),
        ("body +Z 0.9, soles -Z 0.9, plates +Z 1.0", "+Z"),
        ("body +Z 0.9, soles +X 0.9, plates -X 1.0", "+X"),
        ("body +Z 0.5, soles +X 0.9", None),
        ("body +Z 0.9, soles +X 0.9, plates -Y 1.0", None),
    ],
)
def test_two_of_three_witnesses_decide_what_is_up(votes: str, wanted: str | None) -> None:
    cast: list[Any] = [words.split() for words in votes.split(", ") if words]
    given = [Vote(witness, axis, float(share), "seen") for witness, axis, share in cast]
    if wanted is not None:
        assert decide_up(given, "walk") == wanted
        return
    with pytest.raises(AxesRefused, match="which axis is up is not clear"):
        decide_up(given, "walk")


def test_the_force_is_told_in_the_laboratory_by_the_corners_of_its_plate(read) -> None:
    """A plate 0.7 m up on a wall, x along -y, y along z: 300 N along its x are 300 N along -y."""
    (plate, *_), labels = read().plates, ("A",)
    corners = np.array([[0.7, 0, 0.6], [0.7, 0.4, 0.6], [0.7, 0.4, 0], [0.7, 0, 0]])
    channels = np.zeros_like(plate.channels)
    channels[: len(channels) // 3, 0], channels[: len(channels) // 3, 2] = 300.0, 20.0
    channels[:, 1] = 500.0  # an offset
    wall = replace(plate, corners_L=corners, channels=channels)
    nobody = replace(read(), labels=labels, markers_L=np.full((5, 1, 3), np.nan), plates=(wall,))
    plates, force = up_votes(nobody)
    assert (plates.witness, plates.axis, plates.share) == ("plates", "+X", 1.0)
    assert (force.witness, force.axis) == ("force", "-Y")
    assert force.share == pytest.approx(300.0 / np.hypot(300.0, 20.0))
    for other in (replace(wall, problem="broken"), replace(wall, channels=channels / 10.0)):
        (plates,) = up_votes(replace(nobody, plates=(other,)))
        assert plates.witness == "plates"


def test_the_sign_of_a_force_is_not_printed() -> None:
    assert str(Vote("force", "-Z", 1.0, "mean force, along")) == "mean force, along Z"

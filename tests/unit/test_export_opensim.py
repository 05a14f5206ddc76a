"""Markers, ground reaction and external loads as OpenSim wants them."""

from __future__ import annotations

import json
from dataclasses import replace
from shutil import copytree
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from gaitdyn.errors import FileRefused, ResultsRefused
from gaitdyn.exchange import export
from gaitdyn.exchange.curves import read_curves
from gaitdyn.exchange.opensim import (
    _feet,
    _markers,
    _static_text,
    _wherever,
    loads_text,
    marker_names,
    trc_text,
    write_opensim,
)
from gaitdyn.exchange.source import prefix_of, recording_of
from gaitdyn.io.labels import mask, mask_prefix
from gaitdyn.io.recording import read_recording
from gaitdyn.io.trc_lines import added_count
from gaitdyn.store import read_trial
from tests.sealed import close_again
from tests.unit.c3d_bytes import c3d, text


@pytest.fixture(scope="module")
def pair(results, synthetic, tmp_path_factory):
    folder = tmp_path_factory.mktemp("opensim")
    return export(results, "trc-mot", folder, trial=synthetic / "walk01.c3d").paths


def numbers(lines):
    rows = [line.split("\t") for line in lines]
    return np.array([[float(x) if x else np.nan for x in row] for row in rows])


def trc(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = numbers(line.removesuffix("\t") for line in lines[6:])
    return lines[2].split("\t"), lines[3].split("\t")[2::3][:22], rows


def mot(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    at = lines.index("endheader")
    return lines[at + 1].split("\t"), numbers(lines[at + 2 :])


def trc_of(names, folder):
    """Write markers that stay at 0, 1, 2 mm, at 3, 4, 5 mm and so on."""
    path = folder / "walk.trc"
    points = {name: np.tile(3.0 * i + np.arange(3.0), (5, 1)) for i, name in enumerate(names)}
    frame = np.arange(1.0, 6.0)
    path.write_text(trc_text(path.name, 100.0, frame, (frame - 1) / 100, points), encoding="utf-8")
    return path


def test_the_markers_come_back_with_y_up(pair, results, synthetic):
    head, labels, table = trc(pair[0])
    recording = read_recording(synthetic / "walk01.c3d")
    R_GL = np.array(read_trial(results).document["file"]["R_GL"], float)
    assert head == ["100", "100", "331", "22", "mm", "100", "101", "331"]
    columns = pair[0].read_text(encoding="utf-8").splitlines()[4].split()
    assert columns == [f"{axis}{i}" for i in range(1, 23) for axis in "XYZ"]
    assert labels == [*recording.labels, "LAJC", "LKJC", "LHJC", "RAJC", "RKJC", "RHJC"]
    curves = read_curves(results)
    np.testing.assert_allclose(table[:, 0], curves.frame)
    np.testing.assert_allclose(table[:, 1], curves.time_s, atol=1e-6)
    places = table[:, 2:].reshape(331, -1, 3)
    wanted = recording.markers_L @ R_GL.T * 1000.0
    np.testing.assert_allclose(places[:, : len(recording.labels)], wanted, atol=1e-5)
    assert places[:, labels.index("LASI"), 1].min() > 800
    for label, joint in (("LKJC", "left_knee"), ("RHJC", "right_hip")):
        centre = curves.vector(*(f"{joint}_center_{axis}" for axis in "xyz"))
        assert centre is not None
        np.testing.assert_allclose(places[:, labels.index(label)], centre, atol=1e-5)


def test_joint_centres_of_gaitdyn_are_no_markers_of_an_exported_file(pair, synthetic):
    """They were read as centres that another program had stored."""
    before, after = read_recording(synthetic / "walk01.c3d"), read_recording(pair[0])
    assert after.labels == before.labels
    centres = ("LAJC", "LKJC", "LHJC", "RAJC", "RKJC", "RHJC")
    assert (*after.outputs,) == after.added == centres
    assert after.outputs["LHJC"].shape == (331, 3)
    note = "6 points that gaitdyn export added: results, not used as markers"
    assert note in after.notes
    _, labels, table = trc(pair[0])
    places = table[:, 2:].reshape(331, -1, 3)
    np.testing.assert_allclose(after.outputs["RKJC"], places[:, labels.index("RKJC")])
    text = pair[0].read_text(encoding="utf-8")
    foreign = pair[0].with_name("foreign.trc")
    foreign.write_text(text.replace("gaitdyn/", "C:/", 1), encoding="utf-8")
    assert read_recording(foreign, forces="none").labels == (*before.labels, *centres)
    assert read_recording(pair[3]).added == ()


def test_the_first_line_counts_what_was_added():
    """A centre that the recording has itself stays a marker."""
    points = {"LASI": np.ones((5, 3)), "LHJC": np.ones((5, 3)), "RHJC": np.ones((5, 3))}
    frame = np.arange(1.0, 6.0)
    words = trc_text("a.trc", 100.0, frame, (frame - 1) / 100, points, 1).splitlines()[0]
    assert words.endswith("gaitdyn/a.trc; its last 1 of 3 points is added")
    assert (added_count(words, 3), added_count(words, 2)) == (1, 0)
    assert added_count(trc_text("a.trc", 100.0, frame, frame, points).splitlines()[0], 3) == 0


def test_markers_stay_markers_when_somebody_took_the_added_points_out(pair):
    """The last six markers were taken for the joint centres that were no longer there."""
    lines = pair[0].read_text(encoding="utf-8").splitlines()
    whole = read_recording(pair[0], forces="none")
    kept = 2 + 3 * len(whole.labels)
    fields = lines[2].split("\t")
    fields[3] = str(len(whole.labels))
    rows = ["\t".join(row.split("\t")[:kept]) for row in lines[3:]]
    shorter = pair[0].with_name("shorter.trc")
    text = "\n".join([*lines[:2], "\t".join(fields), *rows])
    shorter.write_text(text + "\n", encoding="utf-8")
    found = read_recording(shorter, forces="none")
    assert (found.labels, found.added) == (whole.labels, ())


def test_the_static_is_written_for_scaling(pair, results, synthetic):
    head, labels, table = trc(pair[3])
    static = read_recording(synthetic / "static.c3d")
    document = read_trial(results).document
    first, last = document["options"]["static_frames"]
    assert head[2:5] == [str(last - first + 1), str(len(static.labels)), "mm"]
    assert labels[: len(static.labels)] == [*static.labels]
    np.testing.assert_allclose(table[:, 0], np.arange(first, last + 1))
    np.testing.assert_allclose(table[:, 1], (table[:, 0] - 1) / static.rate_hz, atol=1e-6)
    R_GL = np.array(document["file"]["R_GL"], float)
    rows = slice(first - static.first_frame, last - static.first_frame + 1)
    wanted = static.markers_L[rows] @ R_GL.T * 1000.0
    places = table[:, 2:].reshape(len(wanted), -1, 3)
    np.testing.assert_allclose(places, wanted, atol=1e-5)
    stored = read_trial(results)
    stored.document["options"]["static_frames"] = [first + 10, last - 20]
    part = _static_text(stored, synthetic / "static.c3d", "part.trc").splitlines()[6:]
    assert part == pair[3].read_text(encoding="utf-8").splitlines()[16:-20]


def test_a_static_that_is_gone_or_was_not_used_is_told(results, walked, synthetic, tmp_path):
    alone = tmp_path / "results"
    copytree(results, alone)
    document = json.loads((alone / "result.json").read_text(encoding="utf-8"))
    next(x for x in document["inputs"] if x["role"] == "static")["sha256"] = "0" * 64
    close_again(alone, document)
    for folder, why in (
        (alone, "the static static.c3d was not found: walk01.gaitdyn.static.trc was not written"),
        (walked(static="none"), "the results have no static: walk01.gaitdyn.static.trc was not"),
    ):
        written = export(folder, "trc-mot", tmp_path, trial=synthetic / "walk01.c3d")
        assert [p.suffix for p in written.paths] == [".trc", ".mot", ".xml"]
        assert any(why in note for note in written.notes)


def test_files_of_an_earlier_export_that_stay_are_told(results, walked, synthetic, tmp_path):
    recording = {"trial": synthetic / "walk01.c3d"}
    export(results, "trc-mot", tmp_path, **recording)
    again = export(walked(forces="none", static="none"), "trc-mot", tmp_path, **recording)
    assert [path.name for path in again.paths] == ["walk01.gaitdyn.trc"]
    assert again.notes[-1] == (
        "of an earlier export, not of these results: walk01.gaitdyn.mot, walk01.gaitdyn.xml,"
        " walk01.gaitdyn.static.trc"
    )


def test_points_that_a_model_drew_are_no_markers(tmp_path):
    names = ("LASI", "RASI", "PELO", "PELA", "PELL", "PELP", "CentreOfMass", "LTIO")
    places = np.random.default_rng(0).normal(0, 500, (5, len(names), 3))
    places[:, 3:6] = places[:, 2:3] + 150.0 * np.eye(3)  # arms of the pelvis
    path = tmp_path / "drawn.c3d"
    path.write_bytes(c3d(places, change={("POINT", "LABELS"): text(*names, width=12)}))
    recording = read_recording(path)
    renamed = {"LTIO": "LKNE"}  # by hand: a marker after all
    for rename, kept in ((renamed, ["LASI", "RASI", "LTIO"]), (None, ["LASI", "RASI"])):
        document = {"file": {"R_GL": np.eye(3)}, "options": {"rename": rename}}
        stored: Any = SimpleNamespace(document=document)
        assert [*_markers(stored, recording)] == kept


def test_the_ground_reaction_comes_back(pair, results):
    names, table = mot(pair[1])
    curves = read_curves(results)
    walking = read_trial(results).document["file"]["walking_direction_G"]
    for side, stem in (("right", ""), ("left", "1_")):
        at = names.index(f"{stem}ground_force_vx")
        assert names[at : at + 9] == [
            f"{stem}ground_{x}" for x in (
                "force_vx", "force_vy", "force_vz", "force_px", "force_py", "force_pz",
                "torque_x", "torque_y", "torque_z",
            )
        ]  # fmt: skip
        force = curves.vector(*(f"{side}_grf_{axis}" for axis in "xyz"))
        point = curves.vector(*(f"{side}_cop_{axis}" for axis in "xyz"))
        free = curves.vector(f"{side}_free_moment")
        assert force is not None
        assert point is not None
        assert free is not None
        known = np.isfinite(point).all(axis=1)
        assert known.any()
        found = table[:, at : at + 9]
        little = ~known & np.any(np.abs(force) > 1e-3, axis=1)
        assert not found[~known & ~little].any()
        assert little.any()
        moment_G = curves.ground_moment_G[side][little]
        arm = np.cross(found[little, 3:6], found[little, :3])
        np.testing.assert_allclose(arm + found[little, 6:], moment_G, atol=1e-6)
        np.testing.assert_allclose(found[little, 1], force[little, 1], rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(found[known, 1], force[known, 1], rtol=1e-8)
        forward = found[known, :3] @ walking
        np.testing.assert_allclose(forward, force[known, 0], atol=1e-6)
        np.testing.assert_allclose(found[known, 3:6], point[known] / 1000, atol=1e-8)
        np.testing.assert_allclose(found[known, 7], free[known, 0], atol=1e-6)


def test_forces_of_an_oblique_walk_are_in_the_axes_of_the_laboratory(results):
    stored, curves = read_trial(results), read_curves(results)
    stored.document["file"]["walking_direction_G"] = (0.8, 0.0, 0.6)
    table = _feet(stored, curves)[0]["left"]
    force = curves.vector(*(f"left_grf_{axis}" for axis in "xyz"))
    assert force is not None
    forward, up, right = force.T
    wanted = np.stack((0.8 * forward - 0.6 * right, up, 0.6 * forward + 0.8 * right), axis=1)
    loaded = table[:, 1] > 0
    assert loaded.any()
    np.testing.assert_allclose(table[loaded, :3], wanted[loaded], atol=1e-9)


def test_a_force_that_is_not_known_is_written_as_zero_and_told(results):
    stored, curves = read_trial(results), read_curves(results)
    feet, notes = _feet(stored, curves)
    for side, body in (("left", "calcn_l"), ("right", "calcn_r")):
        lost = np.isnan(curves.values[:, curves.names.index(f"{side}_grf_y")])
        assert not feet[side][lost].any()
        ends = np.flatnonzero(np.diff(np.pad(lost, 1).astype(int))).reshape(-1, 2) - (0, 1)
        spans = ", ".join(f"{a:.2f}-{b:.2f} s" for a, b in curves.time_s[ends])
        assert f"the force on {body} is unknown at {spans} and written as 0" in notes


def test_a_small_force_acts_at_the_nearest_known_point_with_the_whole_moment():
    force, torque = np.tile((0.0, 2.0, 0.0), (10, 1)), np.full((10, 3), 9.0)
    point, moment_G = np.full((10, 3), np.nan), np.tile((0.5, 0.25, 0.0), (10, 1))
    point[2], point[7] = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    held, about = _wherever(force, point, torque, moment_G)
    assert held.tolist() == [[1, 0, 0]] * 5 + [[0, 0, 1]] * 5
    assert about[[0, 1, 3, 4]].tolist() == [[0.5, 0.25, -2]] * 4  # less (1, 0, 0) x (0, 2, 0)
    assert about[[5, 6, 8, 9]].tolist() == [[2.5, 0.25, 0]] * 4
    assert about[[2, 7]].tolist() == [[9, 9, 9]] * 2


def test_without_any_known_point_a_force_has_its_whole_moment_about_the_origin():
    force, moment_G = np.tile((0.0, 2.0, 0.0), (3, 1)), np.tile((0.5, 0.25, 0.1), (3, 1))
    unknown = np.full((3, 3), np.nan)
    held, about = _wherever(force, unknown, unknown, moment_G)
    assert not held.any()
    np.testing.assert_array_equal(about, moment_G)


def test_the_head_of_the_ground_reaction_counts_its_rows_and_columns(pair):
    lines = pair[1].read_text(encoding="utf-8").splitlines()
    assert lines[1:6] == ["version=1", "nRows=331", "nColumns=19", "inDegrees=no", "endheader"]
    assert len(lines[7:]) == 331
    assert {len(line.split("\t")) for line in lines[6:]} == {19}


def test_a_name_with_a_sign_of_xml_is_written_as_text():
    loads = ET.fromstring(loads_text("A & B.mot", ["left"]))  # noqa: S314
    assert loads.findtext(".//datafile") == "A & B.mot"


def test_a_centre_that_the_recording_has_is_not_replaced(results, synthetic, tmp_path, monkeypatch):
    stored, curves = read_trial(results), read_curves(results)
    recording = read_recording(synthetic / "walk01.c3d")
    labels = tuple("LKJC" if label == "LKNE" else label for label in recording.labels)
    own = replace(recording, labels=labels)
    monkeypatch.setattr("gaitdyn.exchange.opensim.recording_of", lambda *_: own)
    paths = [tmp_path / name for name in ("a.trc", "a.mot", "a.xml", "a.static.trc")]
    write_opensim(stored, curves, synthetic / "walk01.c3d", None, paths)
    _, names, table = trc(paths[0])
    found = table[:, 2:].reshape(331, -1, 3)[:, names.index("LKJC")]
    marker = recording.marker("LKNE") @ np.array(stored.document["file"]["R_GL"], float).T
    assert names.count("LKJC") == 1
    np.testing.assert_allclose(found, 1000 * marker, atol=1e-5)


def test_results_without_an_upward_direction_are_refused(results, synthetic, tmp_path):
    stored, curves = read_trial(results), read_curves(results)
    stored.document["file"]["R_GL"] = None
    with pytest.raises(ResultsRefused, match="give --up and --forward"):
        write_opensim(stored, curves, synthetic / "walk01.c3d", None, [tmp_path / "a.trc"] * 4)


def test_the_loads_name_bodies_columns_and_the_file(pair):
    root = ET.fromstring(pair[2].read_text(encoding="utf-8"))  # noqa: S314
    assert root.findtext(".//datafile") == "walk01.gaitdyn.mot"
    forces = {
        force.findtext("applied_to_body"): force.findtext("point_identifier")
        for force in root.iter("ExternalForce")
    }
    assert forces == {"calcn_r": "ground_force_p", "calcn_l": "1_ground_force_p"}


def test_results_under_the_vendors_names_have_no_centre_of_pressure(walked, synthetic, tmp_path):
    with pytest.raises(ResultsRefused, match="--names gaitdyn"):
        export(walked(names="pig"), "trc-mot", tmp_path, trial=synthetic / "walk01.c3d")
    assert not any(tmp_path.iterdir())


def test_a_name_with_the_ending_of_one_file_names_all(results, synthetic, tmp_path):
    paths = export(
        results, "trc-mot", tmp_path / "a" / "slow gait.mot", trial=synthetic / "walk01.c3d"
    ).paths
    endings = (".trc", ".mot", ".xml", ".static.trc")
    assert [p.name for p in paths] == [f"slow gait{ending}" for ending in endings]
    assert "slow gait.mot" in paths[2].read_text(encoding="utf-8")


def test_names_of_markers_are_unique_and_without_blanks():
    found = marker_names(["r asis", "RKNE", "*3", "RKNE", "", "RKNE"])
    assert found == {0: "r_asis", 1: "RKNE", 3: "RKNE__2", 5: "RKNE__3"}


def test_the_subject_that_was_meant_is_found_by_its_masked_prefix(results, tmp_path):
    """Results tell a prefix with stars only."""
    places = np.random.default_rng(0).normal(0, 500, (5, 4, 3))
    labels = text("Anna:LASI", "Anna:RASI", "Berta:LASI", "Berta:RASI", width=12)
    path = tmp_path / "two.c3d"
    path.write_bytes(c3d(places, change={("POINT", "LABELS"): labels}))
    stored = read_trial(results)
    stored.document["options"]["subject_prefix"] = mask("berta")
    recording = recording_of(stored, path)
    wanted = places[:, 2].astype(np.float32) / 1000
    np.testing.assert_allclose(recording.marker("LASI"), wanted, rtol=1e-6)
    stored.document["options"]["subject_prefix"] = None
    with pytest.raises(FileRefused, match="2 subjects"):
        recording_of(stored, path)


def test_of_two_subjects_with_one_masked_name_neither_is_taken(results, tmp_path):
    path = tmp_path / "two.c3d"
    labels = text("Anna:LASI", "Anna:RASI", "Asta:LASI", "Asta:RASI", width=12)
    path.write_bytes(c3d(np.ones((5, 4, 3)), change={("POINT", "LABELS"): labels}))
    stored = read_trial(results)
    stored.document["options"]["subject_prefix"] = "A**a"
    with pytest.raises(FileRefused, match="2 subjects"):
        recording_of(stored, path)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("Anna", "Anna"),
        ("anna", "anna"),  # as it was given, so that a second run records the same
        ("A", "A"),
        ("none", "none"),  # the labels without a prefix, not those of Nele
        ("Nele", "Nele"),
        ("Carl", "C**l"),  # no such subject: results say so, and take the only one
    ],
)
def test_the_prefix_is_that_of_the_recording_as_it_was_given(results, tmp_path, given, found):
    stored = read_trial(results)
    stored.document["options"]["subject_prefix"] = mask_prefix(given)
    names = ("Anna:LASI", "Berta:LASI", "A:LASI", "Nele:LASI")
    path = tmp_path / "walk.c3d"
    path.write_bytes(c3d(np.ones((5, 4, 3)), change={("POINT", "LABELS"): text(*names, width=12)}))
    assert prefix_of(stored, path) == found
    assert prefix_of(stored, trc_of(names, tmp_path)) == found
    stored.document["options"]["subject_prefix"] = None
    assert prefix_of(stored, path) is None


def test_one_subject_of_a_trc_file_is_read_again(results, tmp_path):
    stored = read_trial(results)
    stored.document["options"]["subject_prefix"] = mask("Anna")
    recording = recording_of(stored, trc_of(("Anna:LASI", "Berta:LASI"), tmp_path))
    np.testing.assert_allclose(recording.marker("LASI")[0], (0.0, 0.001, 0.002))

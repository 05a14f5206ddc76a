"""Results in a C3D file: the vendor's labels, units and signs, and nobody's points replaced."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.errors import FileRefused, OutputRefused, ResultsRefused
from gaitdyn.exchange import export
from gaitdyn.exchange.c3d import _free_suffix, _points, _unit_notes
from gaitdyn.exchange.curves import read_curves
from gaitdyn.exchange.vendor_vectors import vendor_vectors
from gaitdyn.io.c3d.added_points import SMALLEST
from gaitdyn.io.c3d.file_sample import file_sample
from gaitdyn.io.c3d.out import read_head
from gaitdyn.io.c3d.reader import read_c3d
from gaitdyn.io.recording import read_recording
from gaitdyn.store import read_trial
from gaitdyn.synthetic import Recording
from gaitdyn.tables.vendor_names import vendor_force
from tests.sealed import close_again
from tests.unit.c3d_bytes import c3d, text
from tests.walks import processed

LABELS = {
    "ANGLES": ("PelvisAngles", "HipAngles", "KneeAngles", "AnkleAngles", "FootProgressAngles"),
    "FORCES": ("GroundReactionForce", "AnkleForce", "KneeForce", "HipForce"),
    "MOMENTS": ("AnkleMoment", "KneeMoment", "HipMoment"),
    "POWERS": ("AnklePower", "KneePower", "HipPower"),
    "": ("AJC", "KJC", "HJC"),
}


def vectors(folder):
    return {v.label: v for v in vendor_vectors(read_trial(folder).document, read_curves(folder))}


def close(found, wanted, scale=1.0):
    """Compare where own names have a value: the vendor's show some stances more."""
    wanted = np.where(np.isfinite(found), wanted, np.nan)
    assert np.isfinite(found).any()
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-8 * scale)


def test_own_names_and_the_vendors_give_the_same_outputs(results, walked):
    own, pig = vectors(results), vectors(walked(names="pig"))
    assert set(own) == set(pig) == {f"{s}{x}" for s in "LR" for xs in LABELS.values() for x in xs}
    for label, vector in pig.items():
        assert own[label].group == vector.group
        columns = [2] if label.endswith("FootProgressAngles") else [0, 1, 2]
        close(own[label].values[:, columns], vector.values[:, columns], 1000.0)


@pytest.mark.parametrize("words", [{"convention": "external"}, {"profile": "plug-in-gait"}])
def test_moments_are_internal_whatever_the_results_say(walked, words):
    profile = {k: v for k, v in words.items() if k == "profile"}
    own, pig = vectors(walked(**words)), vectors(walked(names="pig", **profile))
    close(own["LKneeMoment"].values, pig["LKneeMoment"].values, 1000.0)


@pytest.mark.parametrize("convention", ["internal", "external"])
def test_moments_in_the_laboratory_are_internal_and_in_its_axes(walked, synthetic, convention):
    lab = vectors(walked(moments_in="lab", convention=convention))["RHipMoment"]
    assert lab.about == "N mm/kg internal, axes: lab"
    result = processed(synthetic / "walk01.c3d")
    kinetics = result.sides["right"].kinetics
    assert kinetics is not None
    loads = kinetics.loads
    moment_G = np.einsum("nij,nj->ni", loads.chain.R_GS[:, 2], loads.moment_S[:, 2])
    mass = result.subject.mass_kg
    close(lab.values, 1000.0 * moment_G @ Recording().R_LG.T / mass, 1000.0)


def test_ground_forces_of_an_oblique_walk_are_in_the_axes_of_the_laboratory(results):
    document, curves, ahead = read_trial(results).document, read_curves(results), (0.8, 0.0, 0.6)
    document["file"]["walking_direction_G"] = ahead
    (found,) = (
        v.values for v in vendor_vectors(document, curves) if v.label == "LGroundReactionForce"
    )
    force = curves.vector(*(f"left_grf_{axis}" for axis in "xyz"))
    assert force is not None
    forward, up, right = force.T
    force_G = np.stack((0.8 * forward - 0.6 * right, up, 0.6 * forward + 0.8 * right), axis=1)
    close(found, force_G @ Recording().R_LG.T / document["subject"]["mass_kg"])


def test_a_component_that_is_never_known_is_zero_and_said_so(results):
    foot = vectors(results)["LFootProgressAngles"]
    assert foot.about == "deg; unknown, 0: 1 2"
    assert not foot.values[:, :2].any()


def test_the_vendors_angles_are_ours_with_eversion_for_inversion(results, walked):
    own, pig = read_curves(results), read_curves(walked(names="pig"))
    for name, segment, words in (
        ("Pelvis", "pelvis", ("tilt", "obliquity", "rotation")),
        ("Hip", "hip", ("flexion", "adduction", "internal_rotation")),
        ("Ankle", "ankle", ("dorsiflexion", "inversion", "internal_rotation")),
    ):
        for i, word in enumerate(words, 1):
            ours, theirs = (
                own.vector(f"left_{segment}_angle_{word}"),
                pig.vector(f"L{name}Angles_{i}"),
            )
            assert ours is not None
            assert theirs is not None
            sign = -1.0 if word == "inversion" else 1.0
            np.testing.assert_allclose(theirs, sign * ours, atol=1e-9)
            assert np.nanmax(np.abs(ours)) > 1.0, "a sign would be seen"


def test_the_vendors_forces_are_forward_left_and_up_and_of_the_foot_down_left_and_forward():
    """Ours are forward, up and to the right; those of an upright foot lie the same way."""
    force = np.array([[1.0, 2.0, 3.0]])
    for joint, wanted in (
        ("knee", [1, -3, 2]), ("hip", [1, -3, 2]), ("ankle", [-2, -3, 1]),
    ):  # fmt: skip
        assert vendor_force(force, joint).tolist() == [wanted]


def test_without_a_mass_there_are_only_angles_and_centres(results):
    document = read_trial(results).document
    document["subject"]["mass_kg"] = None
    found = {v.label for v in vendor_vectors(document, read_curves(results))}
    assert found == {f"{s}{x}" for s in "LR" for xs in ("ANGLES", "") for x in LABELS[xs]}


def test_an_output_that_is_never_known_is_left_out(results):
    curves = read_curves(results)
    columns = [curves.names.index(f"left_knee_center_{axis}") for axis in "xyz"]
    curves.values[:, columns] = np.nan
    found = [v.label for v in vendor_vectors(read_trial(results).document, curves)]
    assert "LKJC" not in found
    assert "RKJC" in found


@pytest.mark.parametrize(
    ("unit", "of_a_millimetre"),
    [("m", 0.001), ("dm", 0.01), ("cm", 0.1), ("in", 1 / 25.4), ("ft", 1 / 304.8)],
)
def test_joint_centres_are_in_the_unit_of_the_files_points(
    results, synthetic, unit, of_a_millimetre
):
    stored, curves = read_trial(results), read_curves(results)
    stored.document["file"]["units"]["points"] = unit
    points, _ = _points(stored, read_head(synthetic / "walk01.c3d"), curves)
    found = {point.label: point.values for point in points}
    for label, vector in vectors(results).items():
        scale = 1.0 if vector.group else of_a_millimetre
        np.testing.assert_allclose(found[label], scale * vector.values, rtol=1e-12)


def test_one_label_that_is_taken_gives_all_a_suffix_that_is_free():
    labels = ["LKneeAngles", "RKneeAngles"]
    assert _free_suffix(labels, {"LKNE"}) == ""
    assert _free_suffix(labels, {"RKneeAngles"}) == "_gd"
    assert _free_suffix(labels, {"RKneeAngles", "LKneeAngles_gd"}) == "_gd2"


def test_a_label_is_taken_by_the_output_of_a_subject_with_a_prefix(results, tmp_path):
    path = tmp_path / "named.c3d"
    labels = text("Anna:LASI", "Anna:LKneeAngles", width=16)
    path.write_bytes(c3d(np.ones((331, 2, 3)), change={("POINT", "LABELS"): labels}))
    points, notes = _points(read_trial(results), read_head(path), read_curves(results))
    assert all(point.label.endswith("_gd") for point in points)
    assert "the added ones end in _gd" in notes[1]


def test_a_unit_of_the_file_that_is_not_the_vendors_is_told(results, synthetic, tmp_path):
    path = tmp_path / "other.c3d"
    units = {
        ("POINT", "MOMENT_UNITS"): text("Nm", width=4),
        ("POINT", "POWER_UNITS"): text("W", width=4),
    }
    path.write_bytes(c3d(np.ones((4, 1, 3)), change=units))
    points, _ = _points(
        read_trial(results), read_head(synthetic / "walk01.c3d"), read_curves(results)
    )
    assert _unit_notes(read_head(path), points) == [
        "POINT:MOMENT_UNITS is 'Nm' and is kept; the added outputs are in Nmm"
    ]
    angles = [point for point in points if point.group == "ANGLES"]
    assert _unit_notes(read_head(path), angles) == []


def test_the_file_holds_the_original_and_the_results(results, synthetic, tmp_path):
    written = export(results, "c3d", tmp_path, trial=synthetic / "walk01.c3d")
    assert [p.name for p in written.paths] == ["walk01.gaitdyn.c3d"]
    before, after = read_c3d(synthetic / "walk01.c3d"), read_c3d(written.paths[0])
    count = before.points.shape[1]
    np.testing.assert_array_equal(before.points, after.points[:, :count])
    np.testing.assert_array_equal(before.analog, after.analog)
    labels = after.parameters.strings("POINT", "LABELS")
    for label, vector in vectors(results).items():
        found = after.points[:, labels.index(label)]
        wanted = vector.values.astype(np.float32)
        wanted[np.abs(wanted) < SMALLEST] = 0.0
        wanted[~wanted.any(axis=1)] = np.nan
        np.testing.assert_array_equal(found, wanted)
    for group, names in LABELS.items():
        if group:
            assert set(after.parameters.strings("POINT", group)) == {
                s + n for s in "LR" for n in names
            }


def test_other_programs_read_the_same_values(results, synthetic, tmp_path):
    other = pytest.importorskip("c3d", reason="needs the package c3d")
    ezc3d = pytest.importorskip("ezc3d")
    path = export(results, "c3d", tmp_path, trial=synthetic / "walk01.c3d").paths[0]
    file = ezc3d.c3d(str(path))
    with path.open("rb") as stream:
        reader = other.Reader(stream)
        frames = [(points, analog) for _, points, analog in reader.read_frames(copy=True)]
        labels = [label.strip() for label in reader.point_labels]
    assert labels == file["parameters"]["POINT"]["LABELS"]["value"]
    points = np.array([p[:, :3] for p, _ in frames]).transpose(2, 1, 0)
    seen = np.array([p[:, 3] >= 0 for p, _ in frames]).T
    np.testing.assert_array_equal(np.where(seen, points, np.nan), file["data"]["points"][:3])
    analog = np.concatenate([a for _, a in frames], axis=1)
    np.testing.assert_array_equal(analog, file["data"]["analogs"][0])


def test_labels_that_are_taken_get_a_suffix_and_the_old_ones_stay(results, synthetic, tmp_path):
    import hashlib
    import json
    import shutil

    first = export(results, "c3d", tmp_path, trial=synthetic / "walk01.c3d").paths[0]
    folder = tmp_path / "again"
    shutil.copytree(results, folder)
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    document["inputs"][0]["sha256"] = hashlib.sha256(first.read_bytes()).hexdigest()
    close_again(folder, document)
    written = export(folder, "c3d", tmp_path / "more", trial=first)
    assert any("_gd" in note for note in written.notes)
    labels = read_c3d(written.paths[0]).parameters.strings("POINT", "LABELS")
    assert {"LKneeMoment", "LKneeMoment_gd"} <= set(labels)


def test_another_recording_is_refused(results, synthetic, tmp_path):
    with pytest.raises(FileRefused, match="SHA-256"):
        export(results, "c3d", tmp_path, trial=synthetic / "static.c3d")


def test_a_recording_that_cannot_be_found_is_asked_for(results, tmp_path, monkeypatch):
    import shutil

    folder = tmp_path / "some" / "place" / "results" / "walk01"
    shutil.copytree(results, folder)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileRefused, match="--trial"):
        export(folder, "c3d", tmp_path)


def test_a_recording_in_the_current_folder_is_found(results, synthetic, tmp_path, monkeypatch):
    monkeypatch.chdir(synthetic)
    assert export(results, "c3d", tmp_path).paths[0].is_file()


@pytest.mark.parametrize("force", [False, True])
def test_the_recording_is_never_written_to(results, synthetic, tmp_path, force):
    copy = tmp_path / "walk01.c3d"
    copy.write_bytes((synthetic / "walk01.c3d").read_bytes())
    with pytest.raises(OutputRefused, match="never overwritten"):
        export(results, "c3d", copy, trial=synthetic / "walk01.c3d", force=force)
    assert copy.read_bytes() == (synthetic / "walk01.c3d").read_bytes()


def test_somebody_elses_file_is_kept_without_force(results, synthetic, tmp_path):
    target = tmp_path / "mine.c3d"
    target.write_bytes(b"precious, for gaitdyn")
    with pytest.raises(OutputRefused, match="--force"):
        export(results, "c3d", target, trial=synthetic / "walk01.c3d")
    assert target.read_bytes() == b"precious, for gaitdyn"
    export(results, "c3d", target, trial=synthetic / "walk01.c3d", force=True)
    export(results, "c3d", target, trial=synthetic / "walk01.c3d")
    assert read_c3d(target).points.shape[1] == 52


def test_results_that_were_changed_or_have_other_frames_are_refused(results, synthetic, tmp_path):
    import shutil

    folder = tmp_path / "walk01"
    shutil.copytree(results, folder)
    values = (folder / "values.npz").read_bytes()
    (folder / "values.npz").write_bytes(values[:-1])
    with pytest.raises(ResultsRefused, match=r"values\.npz has \d+ bytes"):
        export(folder, "c3d", tmp_path, trial=synthetic / "walk01.c3d")
    curves = read_curves(results)
    curves.check_frames(331, 101)
    with pytest.raises(
        ResultsRefused, match="331 frames from 101, wanted the 330 of the recording"
    ):
        curves.check_frames(330, 101)


def test_an_exported_file_is_processed_like_the_original(results, synthetic, tmp_path):
    from gaitdyn.pipeline import process_trial
    from gaitdyn.tables.columns import run_curves
    from gaitdyn.types.options import Options

    options = Options(static=str(synthetic / "static.c3d"))
    path = export(results, "c3d", tmp_path, trial=synthetic / "walk01.c3d").paths[0]
    before, after = (
        run_curves(process_trial(x, options)) for x in (synthetic / "walk01.c3d", path)
    )
    for old, new in zip(before, after, strict=True):
        assert old.name == new.name
        np.testing.assert_array_equal(old.values, new.values)


def test_joint_centres_of_gaitdyn_are_neither_markers_nor_the_vendors(results, synthetic, tmp_path):
    walk = synthetic / "walk01.c3d"
    path = export(results, "c3d", tmp_path, trial=walk).paths[0]
    before, after = read_recording(walk), read_recording(path)
    assert after.labels == before.labels == file_sample(path, None).sample.labels
    assert {"LHJC", "RKJC", "LHipMoment"} <= set(after.outputs) - set(before.outputs)
    added = len(after.outputs) - len(before.outputs)
    assert f"{added} points that gaitdyn export added: results, not used as markers" in after.notes


def test_the_units_of_the_outputs_are_read_again(results, synthetic, tmp_path):
    written = export(results, "c3d", tmp_path, trial=synthetic / "walk01.c3d")
    units = read_recording(written.paths[0]).units
    wanted = {"angles": "deg", "forces": "N", "moments": "Nmm", "powers": "W"}
    assert {name: units[name] for name in wanted} == wanted

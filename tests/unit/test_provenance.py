"""Results carry what is needed to run again; folders are compared number by number."""

from __future__ import annotations

import json
import shutil
from typing import Any

import numpy as np
import pytest

from gaitdyn.errors import FileRefused, UsageError
from gaitdyn.provenance.differences import _motion, folder_differences
from gaitdyn.provenance.reproduce import changed_versions, reproduce
from gaitdyn.provenance.rerun import recorded_run
from gaitdyn.store.machine import machine


def test_the_machine_is_recorded(results):
    document = json.loads((results / "result.json").read_text(encoding="utf-8"))
    assert document["platform"] == machine()
    assert {"system", "machine", "python", "numpy", "scipy", "ezc3d"} == set(machine())


@pytest.mark.parametrize(
    "words",
    [
        {},
        {"profile": "plug-in-gait", "names": "pig"},
        {"moments_in": "jcs", "convention": "external", "condition": "barefoot"},
        {"cutoff_hz": None, "force_cutoff_hz": 15.0, "filter": "butterworth"},
        {"mass_kg": 70.0, "static": "none", "baseline": "keep", "offsets": "trial"},
        {"terms": True, "generalised": True},
    ],
)
def test_a_second_run_gives_the_same_tables(walked, words):
    results = walked(**words)
    found = reproduce(recorded_run(results))
    assert found.same(0.0), found.differences
    assert found.versions == found.not_compared == ()
    compared = {d.file for d in found.differences}
    assert compared >= {path.name for path in results.glob("*.csv")} >= {"peaks.csv", "stances.csv"}
    assert compared >= {path.name for path in results.glob("*.json")}


def test_a_changed_number_is_found(results, tmp_path):
    folder = tmp_path / "changed"
    shutil.copytree(results, folder)
    path = folder / "timeseries.csv"
    lines = path.read_text(encoding="utf-8").split("\n")
    names, cells = lines[0].split(","), lines[50].split(",")
    at = names.index("left_knee_angle_flexion")
    cells[at] = str(float(cells[at]) + 0.5)
    lines[50] = ",".join(cells)
    path.write_text("\n".join(lines), encoding="utf-8")
    worst = next(d for d in folder_differences(results, folder) if d.file == path.name)
    assert worst.column == "left_knee_angle_flexion"
    assert worst.where == f"frame {cells[0]}"
    assert worst.largest == pytest.approx(0.5)
    assert not worst.within()


def test_numbers_in_place_of_unknown_ones_are_found(tmp_path):
    for name, value in (("old", np.nan), ("new", 1.0)):
        (tmp_path / name).mkdir()
        np.savez(tmp_path / name / "motion.npz", left_force=np.full((4, 3), value))
    (found,) = folder_differences(tmp_path / "old", tmp_path / "new")
    assert not found.within()
    assert found.column == "left_force"


@pytest.mark.parametrize("text", ["[]", "null", "[" * 100_000])
def test_a_document_of_others_is_another_document(results, tmp_path, text):
    folder = tmp_path / "changed"
    shutil.copytree(results, folder)
    (folder / "timeseries.json").write_text(text)
    told = {d.file for d in folder_differences(folder, results) if not d.within()}
    assert told == {"timeseries.json"}


def test_arrays_that_are_packed_or_damaged_are_told(tmp_path):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        np.savez_compressed(tmp_path / name / "motion.npz", left_force=np.zeros((400, 3)))
    path = tmp_path / "old" / "motion.npz"
    raw = bytearray(path.read_bytes())
    raw[60:70] = bytes(10)
    path.write_bytes(raw)
    (found,) = folder_differences(tmp_path / "old", tmp_path / "new")
    assert "cannot be read in the results" in found.note


def test_a_lost_row_and_a_lost_table_are_found(results, tmp_path):
    folder = tmp_path / "changed"
    shutil.copytree(results, folder)
    (folder / "peaks.csv").unlink()
    path = folder / "events.csv"
    path.write_text("\n".join(path.read_text().split("\n")[:-2]) + "\n")
    told = {d.file: d.note for d in folder_differences(results, folder) if not d.within()}
    assert "is no longer written" in told["peaks.csv"]
    assert "rows, now" in told["events.csv"]


def test_other_versions_are_listed():
    document: dict[str, Any] = {"gaitdyn": "0.0.1", "platform": {**machine(), "numpy": "1.0"}}
    changed = {what: then for what, then, _ in changed_versions(document)}
    assert changed == {"gaitdyn": "0.0.1", "numpy": "1.0"}
    assert ("python", "not recorded") in [c[:2] for c in changed_versions({"gaitdyn": "0.0.1"})]


def test_an_input_that_changed_is_refused(results, synthetic, tmp_path):
    other = tmp_path / "static.c3d"
    other.write_bytes((synthetic / "static.c3d").read_bytes() + b"x")
    with pytest.raises(FileRefused, match=r"--static static\.c3d is not the file"):
        recorded_run(results, {"static": other})


def test_a_file_that_the_run_did_not_have_is_refused(results, tmp_path):
    with pytest.raises(UsageError, match=r"--subject: .* was made without such a file"):
        recorded_run(results, {"subject": tmp_path / "subject.toml"})


def test_limits_of_quality_are_found_again_by_their_contents(walked, tmp_path):
    own = tmp_path / "limits.toml"
    own.write_text("[plate-baseline]\nlimit = -1.0\n", encoding="utf-8")
    folder = walked(quality=str(own))
    found = recorded_run(folder, near=[tmp_path])
    assert found.options.quality == str(own)
    assert reproduce(found).same(0.0)
    own.write_text("[plate-baseline]\nlimit = -2.0\n", encoding="utf-8")
    with pytest.raises(FileRefused, match=r"limits\.toml"):
        recorded_run(folder, near=[tmp_path])


def test_a_run_with_a_prefix_that_the_only_subject_lacks_is_run_again(walked):
    """Results give the prefix masked, and a recording of one subject needs none."""
    run = recorded_run(walked(subject_prefix="Foo"))
    assert run.options.subject_prefix == "F*o"
    found = reproduce(run)
    assert found.same(0.0), found.differences


def test_a_difference_is_told_with_its_size_and_its_place(tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    for folder, value, word in ((before, "2", "left"), (after, "2.000001", "right")):
        folder.mkdir()
        (folder / "timeseries.csv").write_text(f"frame,a\n7,-4\n8,{value}\n", encoding="utf-8")
        (folder / "contacts.csv").write_text(f"plate,side\n1,{word}\n", encoding="utf-8")
        (folder / "events.csv").write_text(f"side,{word}\nleft,1\n", encoding="utf-8")
        np.savez(folder / "motion.npz", a=np.zeros((2, 3 if word == "left" else 4)))
    curves, events, contacts, motion = folder_differences(before, after)
    assert (curves.file, curves.column, curves.where) == ("timeseries.csv", "a", "frame 8")
    assert curves.largest == pytest.approx(1e-6)
    assert curves.part == pytest.approx(2.5e-7)  # of the largest value, 4
    assert curves.within(1e-6)
    assert not curves.within()
    assert (contacts.file, contacts.column, contacts.largest) == ("contacts.csv", "side", np.inf)
    assert events.note == "in one only: left, right"
    assert not events.within(1.0)
    assert motion.note == "other a"


def test_a_difference_in_the_motion_is_a_part_of_its_largest_value(tmp_path):
    for name, add in (("old", 0.0), ("new", 1e-8)):
        np.savez(tmp_path / f"{name}.npz", markers_G=[0.0, 1000.0 + add, np.nan], labels=["A"])
    found = _motion(tmp_path / "old.npz", tmp_path / "new.npz")
    assert found.largest == pytest.approx(1e-8, rel=1e-3)
    assert found.part == pytest.approx(1e-11, rel=1e-3)
    assert (found.column, found.within()) == ("markers_G", True)
    np.savez(tmp_path / "new.npz", markers_G=[0.0, 1000.0, 0.0], labels=["A"])
    lost = _motion(tmp_path / "old.npz", tmp_path / "new.npz")
    assert (lost.largest, lost.within()) == (np.inf, False)

"""An archive as a folder of tables."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from gaitdyn.archive import export_archive, in_memory, parse_where, read_curves, write_curves
from gaitdyn.archive.add import add_record
from gaitdyn.archive.exported_names import names_in_archive
from gaitdyn.errors import ExtraMissing, OutputRefused
from tests.read_back import rows_of
from tests.unit import archive_records as records


@pytest.fixture
def archive():
    values = records.samples(3)
    values[0, 40:50] = np.nan
    with in_memory() as connection:
        add_record(connection, records.trial("a", condition='new "shoes",\nold'))
        cycles = (records.cycle("left", 1, values),)
        add_record(connection, records.trial("b", subject="S02", cycles=cycles))
        yield connection


def test_csv_has_every_curve_exact_at_float32(archive, tmp_path):
    counts = export_archive(archive, tmp_path / "out", "csv")
    assert counts == {
        "trials": 2,
        "cycles": 3,
        "parameters": 6,
        "peaks": 3,
        "quality": 2,
        "curves": 6,
    }
    for name, count in counts.items():
        assert len(rows_of(tmp_path / "out" / f"{name}.csv")) == count
    rows = rows_of(tmp_path / "out" / "curves.csv")
    assert [row["curve"] for row in rows[::3]] == [name for name, _ in records.CURVES]
    assert rows[0]["condition"] == 'new "shoes",\nold'
    for name, _ in records.CURVES:
        own = [row for row in rows if row["curve"] == name]
        found = [[float(row[f"p{i}"] or "nan") for i in range(101)] for row in own]
        wanted = read_curves(archive, name).values
        assert np.array_equal(np.array(found, "f4"), wanted.astype("f4"), equal_nan=True)


def test_conditions_hold_for_every_table(archive, tmp_path):
    counts = export_archive(archive, tmp_path / "out", "csv", parse_where("subject=S02"))
    assert set(counts.values()) == {1, 2}
    for path in (tmp_path / "out").glob("*.csv"):
        assert {row["subject"] for row in rows_of(path)} == {"S02"}


def test_a_trial_without_a_stride_is_exported_with_its_findings(archive, tmp_path):
    add_record(archive, records.trial("squat", condition="squat", cycles=()))
    counts = export_archive(archive, tmp_path / "all", "csv")
    assert (counts["trials"], counts["quality"], counts["cycles"]) == (3, 3, 3)
    squats = export_archive(archive, tmp_path / "squats", "csv", parse_where("condition=squat"))
    assert {name for name, count in squats.items() if count} == {"trials", "quality"}
    assert not any(export_archive(archive, tmp_path / "no", "csv", parse_where("speed>9")).values())


def test_persons_stay_apart_whose_pseudonym_is_the_name_in_their_recording(archive, tmp_path):
    for number, name in enumerate(("S01", "S02"), 1):
        named = {"subject": {"id": name}, "private": {"names": [name]}}
        changed = (json.dumps({"inputs": [], "options": {}, **named}), number)
        archive.execute("UPDATE provenance SET document = ? WHERE trial_id = ?", changed)
    archive.commit()
    export_archive(archive, tmp_path / "out", "csv")
    subjects = {row["trial"]: row["subject"] for row in rows_of(tmp_path / "out" / "cycles.csv")}
    assert subjects == {"a": "subject-1", "b": "subject-2"}
    documents = [json.loads(row["document"]) for row in rows_of(tmp_path / "out" / "trials.csv")]
    assert [document["subject"]["id"] for document in documents] == ["subject-1", "subject-2"]
    curves = read_curves(archive, "knee_angle_flexion")
    write_curves(curves, tmp_path / "knee.csv", names=names_in_archive(archive))
    assert {row["subject"] for row in rows_of(tmp_path / "knee.csv")} == {"subject-1", "subject-2"}


def test_names_of_files_in_findings_are_replaced_as_everywhere_else(archive, tmp_path):
    document = {
        "inputs": [{"name": "Anna Foot 01.c3d"}, {"name": "static.c3d"}],
        "options": {}, "subject": {"id": "S01"}, "private": {"names": ["Anna Foot"]},
    }  # fmt: skip
    archive.execute("UPDATE provenance SET document = ? WHERE trial_id = 1", [json.dumps(document)])
    told = "Anna Foot 01: the left foot is hidden, not in static"
    archive.execute("UPDATE quality SET scope = 'Anna Foot 01.c3d', message = ?", [told])
    archive.commit()
    export_archive(archive, tmp_path / "out", "csv")
    row = rows_of(tmp_path / "out" / "quality.csv")[0]
    assert row["scope"] == "S01 01.c3d"
    assert row["message"] == "S01 01: the left foot is hidden, not in static"
    export_archive(archive, tmp_path / "named", "csv", with_names=True)
    assert rows_of(tmp_path / "named" / "quality.csv")[0]["message"] == told


def test_an_earlier_export_is_replaced_and_anything_else_is_refused(archive, tmp_path):
    out = tmp_path / "out"
    export_archive(archive, out, "csv")
    (out / "old.txt").touch()
    before = sorted(path.name for path in out.iterdir())
    export_archive(archive, out, "csv")
    assert sorted(path.name for path in out.iterdir()) == before
    (out / "export.json").unlink()
    before = sorted(out.iterdir())
    with pytest.raises(OutputRefused, match="did not write"):
        export_archive(archive, out, "csv")
    assert sorted(out.iterdir()) == before
    with pytest.raises(OutputRefused, match="is a file"):
        export_archive(archive, out / "curves.csv", "csv")


def test_a_failure_while_writing_leaves_the_earlier_export(archive, tmp_path, monkeypatch):
    out = tmp_path / "out"
    export_archive(archive, out, "csv")
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    monkeypatch.setattr("gaitdyn.archive.export.curve_names", lambda _: divmod(1, 0))
    with pytest.raises(ZeroDivisionError):
        export_archive(archive, out, "csv")
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert not archive.in_transaction


def test_without_pyarrow_parquet_says_what_to_install(archive, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ExtraMissing, match=r"pip install 'gaitdyn\[parquet\]'"):
        export_archive(archive, tmp_path / "out", "parquet")
    assert not (tmp_path / "out").exists()


def test_parquet_has_the_same_curves(archive, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    counts = export_archive(archive, tmp_path / "out", "parquet")
    for name, count in counts.items():
        assert parquet.read_metadata(tmp_path / "out" / f"{name}.parquet").num_rows == count
    filters = [("curve", "=", "knee_angle_flexion")]
    rows = parquet.read_table(tmp_path / "out" / "curves.parquet", filters=filters)
    found = np.array(rows["samples"].to_pylist(), "f4")
    wanted = read_curves(archive, "knee_angle_flexion").values.astype("f4")
    assert np.array_equal(found, wanted, equal_nan=True)
    assert rows["cycle"].to_pylist() == [1, 1, 1]


def test_one_signal_goes_to_a_file_that_is_not_replaced_unasked(archive, tmp_path):
    path = tmp_path / "knee.csv"
    curves = read_curves(archive, "knee_angle_flexion")
    write_curves(curves, path)
    assert [row["p45"] for row in rows_of(path)][-1] == ""
    with pytest.raises(OutputRefused, match="already exists"):
        write_curves(curves, path)
    write_curves(curves, path, force=True)
    with pytest.raises(OutputRefused, match="cannot write"):
        write_curves(curves, tmp_path / "none" / "knee.csv")

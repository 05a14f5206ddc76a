"""MATLAB and Parquet files give back every curve, unit and table."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

import gaitdyn
from gaitdyn.errors import ExtraMissing, OutputRefused, UsageError
from gaitdyn.exchange import export
from gaitdyn.exchange.curves import columns_of, curves_in, cycle_columns, read_curves
from gaitdyn.exchange.matlab import _name, mat_struct
from gaitdyn.exchange.parquet import tables_writer, write_parquet
from gaitdyn.store import read_trial
from gaitdyn.store.private import without_private
from gaitdyn.store.stored import trial_of_result
from gaitdyn.tables.answers import COUNTING
from gaitdyn.tables.emg import curve_rows
from tests.unit.emg_trials import emg_of, leg
from tests.unit.emg_trials import trial as muscles_alone


def test_a_mat_file_comes_back(results, tmp_path):
    from scipy.io import loadmat

    (path,) = export(results, "mat", tmp_path).paths
    found = loadmat(path, simplify_cells=True)["gaitdyn"]
    curves, stored = read_curves(results), read_trial(results)
    assert set(found["timeseries"]) == {"frame", "time_s", *curves.names}
    for i, name in enumerate(curves.names):
        np.testing.assert_array_equal(found["timeseries"][name], curves.values[:, i])
        assert found["timeseries_units"][name] == curves.unit(name)
        assert found["timeseries_positive"][name] == curves.about[name]["positive"]
    for i, name in enumerate(stored.cycles[0].names):
        wanted = np.concatenate([c.values[:, i] for c in stored.cycles])
        np.testing.assert_array_equal(found["cycles"][name], wanted)
    assert found["cycles"]["side"][0] == stored.cycles[0].cycle.side
    assert found["events"]["event"].tolist() == [row["event"] for row in stored.tables["events"]]
    assert set(stored.tables) <= set(found)
    assert len(found["peaks"]["value"]) == len(stored.tables["peaks"])
    units = found["cycles_units"]
    assert (units["cycle"], units["percent"], units["turning"]) == ("1", "%", "1")
    assert (units["knee_angle_flexion"], units["hip_moment_extension"]) == ("deg", "N m/kg")
    assert found["cycles"]["percent"][:101].tolist() == list(range(101))
    assert isinstance(found["result"]["file"]["frames"], float)  # MATLAB computes with doubles
    assert found["result"]["verdict"] == stored.document["verdict"]
    assert found["result"]["file"]["R_GL"].tolist() == stored.document["file"]["R_GL"]
    assert json.loads(found["result_json"]) == without_private(stored.document)


def test_muscles_are_in_the_tables_for_other_programs(tmp_path):
    """Neither MATLAB nor Parquet had them, though the archive has."""
    result = muscles_alone(leg("L"))
    struct = mat_struct(trial_of_result(result), curves_in(result))
    rows = curve_rows(result)
    assert struct["emg"]["envelope"].tolist() == [row[4] for row in rows]
    assert struct["emg"]["muscle"].tolist() == [row[1] for row in rows]
    assert struct["emg_units"]["percent"] == "%"
    labels = [channel.label for channel in emg_of(result).channels]
    assert struct["emg_channels"]["label"].tolist() == labels
    assert not {"emg", "emg_units", "emg_channels"} & set(
        mat_struct(replace(trial_of_result(result), emg=None), curves_in(result))
    )
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    paths = [tmp_path / f"{name}.parquet" for name in ("all", "cycles", "emg")]
    written = write_parquet(trial_of_result(result), curves_in(result), paths).paths
    assert paths[2] in written
    table = parquet.read_table(paths[2])
    assert table.column_names == ["side", "muscle", "cycle", "percent", "envelope", "on"]
    assert table["envelope"].to_pylist() == [row[4] for row in rows]
    assert table.schema.field("percent").metadata[b"unit"] == b"%"
    tables_writer()(tmp_path, result)
    assert (tmp_path / "emg.parquet").read_bytes() == paths[2].read_bytes()


def test_a_column_of_numbers_is_one_even_if_none_is_known(results):
    stored = read_trial(results)
    struct = mat_struct(stored, read_curves(results))
    percent = struct["gait_parameters"]["percent"]
    assert percent.shape == (len(stored.tables["gait_parameters"]),)
    assert np.isnan(percent).all()
    reasons = [row["reason"] for row in stored.tables["contacts"]]
    assert struct["contacts"]["reason"].tolist() == reasons


def test_a_label_of_digits_is_not_taken_for_a_number():
    rows = [{"level": "warning", "scope": "12", "value": "3", "limit": ""}]
    found = columns_of(rows)
    assert found["scope"] == ["12"]
    assert list(found["value"]) == [3.0]
    assert np.isnan(found["limit"]).tolist() == [True]


def test_a_name_is_as_long_as_matlab_takes():
    assert _name("a" * 70) == "a" * 63
    assert [_name(x) for x in ("2 b", "_a", "left_knee")] == ["x2_b", "x_a", "left_knee"]


def test_names_that_matlab_does_not_take_are_put_right(results):
    stored = read_trial(results)
    stored.document["log"] = [{"2 b": None, "rows": [[1, 2], [3, 4]], "odd": [[1], [2, 3]]}]
    (entry,) = mat_struct(stored, read_curves(results))["result"]["log"]
    assert entry["x2_b"].shape == (0, 0)
    assert entry["rows"].tolist() == [[1, 2], [3, 4]]
    assert [list(x) for x in entry["odd"]] == [[1], [2, 3]]


def test_a_curve_that_one_side_lacks_is_unknown_there(results):
    stored = read_trial(results)
    one = stored.cycles[0]
    half = replace(
        one, names=one.names[::-1][:-2], units=one.units[2:], values=one.values[:, :1:-1]
    )
    columns = cycle_columns((half, one), stored.counting)
    assert [*columns][3:] == [*half.names, *one.names[:2], *COUNTING]
    assert set(columns["kinematics"]) == {1.0}
    assert set(columns["turning"]) == {0.0}
    assert np.isnan(columns[one.names[0]][:101]).all()
    for i, name in enumerate(one.names):
        np.testing.assert_array_equal(columns[name][101:], one.values[:, i])
        if i > 1:
            np.testing.assert_array_equal(columns[name][:101], one.values[:, i])


def test_parquet_files_come_back_with_units(results, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    paths = export(results, "parquet", tmp_path).paths
    assert [p.name for p in paths] == ["walk01.gaitdyn.parquet", "walk01.gaitdyn.cycles.parquet"]
    table, cycles = (parquet.read_table(path) for path in paths)
    curves, stored = read_curves(results), read_trial(results)
    assert table.column_names == ["frame", "time_s", *curves.names]
    for i, name in enumerate(curves.names):
        values = np.array([np.nan if x is None else x for x in table[name].to_pylist()])
        np.testing.assert_array_equal(values, curves.values[:, i])
        assert table[name].null_count == np.isnan(values).sum()
        told = {k.decode(): v.decode() for k, v in table.schema.field(name).metadata.items()}
        assert told == curves.about[name]
    assert json.loads(table.schema.metadata[b"gaitdyn"]) == without_private(stored.document)
    assert cycles.num_rows == 101 * len(stored.cycles)
    units = {name: cycles.schema.field(name).metadata[b"unit"] for name in cycles.column_names}
    assert units["knee_moment_extension"] == b"N m/kg"
    assert [units[x] for x in ("side", "cycle", "percent")] == [b"", b"1", b"%"]
    found = cycles["hip_power"].to_numpy()[:101]
    np.testing.assert_array_equal(
        found, stored.cycles[0].values[:, stored.cycles[0].names.index("hip_power")]
    )


@pytest.mark.parametrize("to", ["mat", "trc-mot", "parquet"])
def test_an_export_is_known_as_ours_by_its_own_field(results, synthetic, tmp_path, to):
    if to == "parquet":
        pytest.importorskip("pyarrow", reason="needs pyarrow")
    export(results, to, tmp_path, trial=synthetic / "walk01.c3d")
    for path in export(results, to, tmp_path, trial=synthetic / "walk01.c3d").paths:
        path.write_bytes(b"made by hand from gaitdyn's numbers")
        with pytest.raises(OutputRefused, match="not an export of gaitdyn"):
            export(results, to, tmp_path, trial=synthetic / "walk01.c3d")
        path.unlink()


def test_without_pyarrow_it_is_said_what_to_install(results, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "pyarrow.parquet", raising=False)
    with pytest.raises(ExtraMissing, match=r"pip install 'gaitdyn\[parquet\]'"):
        export(results, "parquet", tmp_path)
    assert not any(tmp_path.iterdir())


def test_results_without_cycles_are_exported(results, tmp_path):
    from dataclasses import replace

    from scipy.io import loadmat

    from gaitdyn.exchange.matlab import write_mat

    stored = replace(read_trial(results), cycles=())
    curves = read_curves(results)
    write_mat(stored, curves, tmp_path / "walk.mat")
    found = loadmat(tmp_path / "walk.mat", simplify_cells=True)["gaitdyn"]
    assert len(found["cycles"]) == 0
    assert found["timeseries"]["frame"][0] == 101
    pytest.importorskip("pyarrow", reason="needs pyarrow")
    paths = [tmp_path / f"{name}.parquet" for name in "abc"]
    written = write_parquet(stored, curves, paths)
    assert [p.name for p in written.paths] == ["a.parquet"]
    assert "no cycles" in written.notes[0]


def test_an_export_reads_the_values_once(results, tmp_path, monkeypatch):
    from gaitdyn.store import stored

    read, opened = stored.read_values, list[int]()

    def counted(raw):
        opened.append(len(raw))
        return read(raw)

    monkeypatch.setattr(stored, "read_values", counted)
    export(results, "mat", tmp_path)
    assert len(opened) == 1


def test_parquet_beside_the_tables_is_the_same_as_exported(results, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    from gaitdyn.exchange.parquet import tables_writer

    tables_writer()(tmp_path, gaitdyn.read_results(results))
    exported = [parquet.read_table(path) for path in export(results, "parquet", tmp_path).paths]
    beside = [parquet.read_table(tmp_path / f"{n}.parquet") for n in ("timeseries", "cycles")]
    for one, other in zip(beside, exported, strict=True):
        assert one.column_names == other.column_names
        assert all(one.schema.field(n).metadata for n in one.column_names[3:])
        for name in one.column_names[3:]:
            np.testing.assert_allclose(one[name].to_numpy(), other[name].to_numpy(), rtol=1e-8)
    told = json.loads(beside[0].schema.metadata[b"gaitdyn"])
    assert told["verdict"] == read_trial(results).document["verdict"]


def test_export_takes_texts_and_refuses_a_format_by_name(tmp_path):
    with pytest.raises(UsageError, match="to is 'csv', wanted c3d, trc-mot, mat or parquet"):
        export(str(tmp_path), "csv")
    with pytest.raises(UsageError, match="results is 3, wanted the path of a results folder"):
        export(cast("Any", 3), "mat")

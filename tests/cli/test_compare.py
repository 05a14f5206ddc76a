"""``gaitdyn compare`` as its users see it."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace

import numpy as np
import pytest

from tests.read_back import one_line


@pytest.fixture
def with_outputs(gaitdyn, walked, synthetic, tmp_path):
    """The synthetic trial with outputs of the plug-in-gait profile, as a vendor would store."""
    results = walked(profile="plug-in-gait", names="pig")
    trial = synthetic / "walk01.c3d"
    done = gaitdyn("export", results, "--to", "c3d", "--trial", trial, "-o", "vendor.c3d")
    assert done.returncode == 0, done.stderr
    return tmp_path / "vendor.c3d"


@pytest.mark.slow
def test_a_trial_is_compared_with_what_it_stores(gaitdyn, with_outputs, synthetic, tmp_path):
    static = synthetic / "static.c3d"
    words = ("compare", with_outputs, "--static", static, "--profile", "plug-in-gait")
    before = with_outputs.read_bytes()
    done = gaitdyn(*words, "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "your file: moments: N mm/kg, labelled Nmm, distal axes, internal" in done.stdout
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["compare.csv", "compare.png"]
    assert with_outputs.read_bytes() == before
    document = json.loads(gaitdyn(*words, "--json").stdout)
    assert len(document["rows"]) > 60
    assert max(row["rmse"] for row in document["rows"]) < 1e-3


def test_results_need_their_recording_alone_in_all_axes(gaitdyn, with_outputs, synthetic, tmp_path):
    static = shutil.copy(synthetic / "static.c3d", tmp_path / "still.c3d")
    words = ("--static", static, "--moments-in", "proximal", "--no-figures", "-o", "out", "--quiet")
    words = (*words, "--hip-centre", "bell")
    assert gaitdyn("process", with_outputs, *words).returncode == 0
    done = gaitdyn("compare", "out/vendor", "--profile", "plug-in-gait", "--quiet")
    assert done.returncode == 0, done.stderr
    static.unlink()
    done = gaitdyn("compare", "out/vendor", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    (moments,) = (c for c in document["conventions"] if c["quantity"] == "moment")
    assert {"distal", "proximal", "jcs", "lab"} <= moments["misfit"].keys()
    assert document["notes"] == []


@pytest.mark.slow
def test_a_trial_has_the_options_of_its_session(gaitdyn, with_outputs, synthetic, tmp_path):
    shutil.copy(synthetic / "static.c3d", tmp_path)
    text = "[options]\ncutoff = 5\ngeneralised = true\n"
    (tmp_path / "session.toml").write_text(text, encoding="utf-8")
    words = ("--no-figures", "-o", "out", "--quiet")
    assert gaitdyn("process", with_outputs, *words).returncode == 0
    told = [gaitdyn("compare", what, "--json") for what in (with_outputs, "out/vendor")]
    assert "set by the session: cutoff (session.toml [options])" in told[0].stderr
    rows, recorded = (json.loads(one.stdout)["rows"] for one in told)
    assert rows == recorded


@pytest.mark.slow
def test_files_of_others_are_kept(gaitdyn, with_outputs, synthetic, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "compare.csv").write_text("precious")
    words = ("compare", with_outputs, "--static", synthetic / "static.c3d", "-o", "out")
    assert "--force" in one_line(gaitdyn(*words, "--quiet"), 1)
    assert (tmp_path / "out" / "compare.csv").read_text() == "precious"
    for more in (("--force",), ()):
        assert gaitdyn(*words, *more, "--quiet").returncode == 0
    assert gaitdyn(*words, "--quiet").stdout == ""


def test_a_result_without_the_vendors_values_is_refused(gaitdyn, results):
    assert "no angles, moments or powers" in one_line(gaitdyn("compare", results), 1)


def test_a_result_equals_itself(gaitdyn, results):
    done = gaitdyn("compare", results, results)
    assert done.returncode == 0, done.stderr
    assert "columns are equal: the largest difference is 0.\n" in done.stdout
    assert done.stdout.splitlines()[1].startswith("All ")
    document = json.loads(gaitdyn("compare", results, results, "--json").stdout)
    rows = document["rows"]
    assert document["peaks"] == []
    assert all(row["largest"] == 0 for row in rows)


@pytest.mark.slow
def test_the_vendors_profile_does_without_generalised_coordinates(gaitdyn, with_outputs, synthetic):
    static = ("--static", synthetic / "static.c3d")
    words = ("process", with_outputs, *static, "--generalised", "--no-figures", "-o", "again")
    assert gaitdyn(*words).returncode == 0
    done = gaitdyn("compare", "again/vendor", "--profile", "plug-in-gait", "--json")
    assert done.returncode == 0, done.stderr
    assert max(row["rmse"] for row in json.loads(done.stdout)["rows"]) < 1e-3


def test_two_results_differ_where_their_options_do(gaitdyn, results, walked):
    done = gaitdyn("compare", results, walked(cutoff_hz=6.0, force_cutoff_hz=6.0), "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "cutoff_hz: 10.0 and 6.0" in done.stdout
    assert "left_knee_moment_extension" in done.stdout
    first, *_, differ = done.stdout.splitlines()[:4]
    assert first.endswith("/walk01")
    assert len(set(first.split(" and "))) == 2, "one name twice tells nothing"
    assert re.fullmatch(r"All \d+ columns differ\.", differ)
    assert "the largest difference as first minus second" in done.stdout
    assert re.search(r"^knee_moment_extension_max +N m/kg +left +2 ", done.stdout, re.MULTILINE)


def test_peaks_are_those_of_the_cycles_that_both_know(results, walked):
    from gaitdyn.compare import compare_results
    from gaitdyn.store import read_trial

    one, two = read_trial(results), read_trial(walked(cutoff_hz=6.0, force_cutoff_hz=6.0))
    lacking = [row for row in two.tables["peaks"] if (row["side"], row["cycle"]) != ("left", "1")]
    name = "knee_moment_extension_max"

    def own(trial, cycles):
        rows = [r for r in trial.tables["peaks"] if (r["side"], r["quantity"]) == ("left", name)]
        return [float(r["value"]) for r in rows if r["cycle"] in cycles]

    found = compare_results(one, replace(two, tables=two.tables | {"peaks": lacking}))
    (peak,) = (p for p in found.peaks if (p.side, p.name) == ("left", name))
    assert (peak.cycles, peak.unit) == (1, "N m/kg")
    assert [peak.first] == own(one, "2")
    assert [peak.second] == own(two, "2")


def test_stances_outside_cycles_are_compared_one_by_one(results):
    from gaitdyn.compare.two_results import compare_peaks
    from gaitdyn.store import read_trial

    trial, name = read_trial(results), "knee_moment_extension_max_stance"

    def with_stances(*values):
        row = {"side": "left", "quantity": name, "cycle": "", "unit": "N m/kg"}
        return replace(trial, tables={"peaks": [{**row, "value": value} for value in values]})

    one, two = with_stances("1.0", "", "3.0"), with_stances("2.0", "9.0", "6.0")
    assert compare_peaks(one, two) == ((name, "left", "N m/kg", 2, 2.0, 4.0),)
    assert compare_peaks(one, with_stances("2.0", "6.0")) == (), "which is which is not known"


def test_a_column_that_one_result_does_not_know_is_named(results, monkeypatch):
    from gaitdyn.compare import compare_results, two_results
    from gaitdyn.store import read_trial

    whole, name = two_results.read_curves(results), "left_knee_moment_extension"
    values = whole.values.copy()
    values[:, whole.names.index(name)] = np.nan
    curves = iter((whole, replace(whole, values=values)))
    monkeypatch.setattr(two_results, "read_curves", lambda _: next(curves))
    found = compare_results(read_trial(results), read_trial(results))
    assert found.notes == (f"columns that no frame shows in both results: {name}",)

    trial = read_trial(results)
    cycle = next(curves.cycle for curves in trial.cycles if curves.cycle.side == "left")
    values, middle = whole.values.copy(), round((cycle.start_row + cycle.stop_row) / 2)
    values[middle, whole.names.index(name)] -= 5.0
    part = {"frame": whole.frame[3:], "time_s": whole.time_s[3:], "values": values[3:]}
    curves = iter((whole, replace(whole, values=values), whole, replace(whole, **part)))
    for percent in (pytest.approx(50.0, abs=1.0), pytest.approx(np.nan, nan_ok=True)):
        found = compare_results(trial, trial)
        (row,) = (row for row in found.rows if row.largest)
        assert (row.name, row.largest) == (name, pytest.approx(5.0))
        assert (row.frame, row.percent) == (whole.frame[middle], percent)
    assert found.time_s[0] == whole.time_s[3]  # of the frames of both alone


def test_two_recordings_are_never_compared_frame_by_frame(gaitdyn, results, synthetic, tmp_path):
    again = tmp_path / "walk02.c3d"
    again.write_bytes((synthetic / "walk01.c3d").read_bytes() + b"\0")
    words = ("--static", synthetic / "static.c3d", "--no-figures", "-o", tmp_path / "out")
    assert gaitdyn("process", again, *words).returncode == 0
    said = one_line(gaitdyn("compare", results, tmp_path / "out" / "walk02"), 1)
    assert "another recording (walk01.c3d and walk02.c3d)" in said
    assert "gaitdyn report --compare" in said


def test_other_names_have_no_column_in_common(gaitdyn, results, walked):
    said = one_line(gaitdyn("compare", results, walked(names="pig")), 1)
    assert "same --names" in said


def test_inputs_are_not_named_for_two_results(gaitdyn, results):
    said = one_line(gaitdyn("compare", results, results, "--near", "."), 2)
    assert "leave them out to compare two" in said


@pytest.mark.parametrize(
    "words", [("--profile", "other"), ("--cutoff", "ten"), ("--assign", "1=up")]
)
def test_wrong_words_are_wrong_usage(gaitdyn, results, words):
    one_line(gaitdyn("compare", results, *words), 2)


def test_no_results_are_refused(gaitdyn, tmp_path):
    one_line(gaitdyn("compare", tmp_path), 1)
    one_line(gaitdyn("compare", tmp_path / "nothing.c3d"), 1)

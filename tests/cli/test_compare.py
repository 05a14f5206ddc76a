"""``gaitdyn compare`` as its users see it."""

from __future__ import annotations

import json

import pytest


def one_line(done, code):
    assert done.returncode == code, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
    return done.stderr


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
    assert "columns are equal: the largest difference is 0" in done.stdout
    rows = json.loads(gaitdyn("compare", results, results, "--json").stdout)["rows"]
    assert all(row["largest"] == 0 for row in rows)


def test_two_results_differ_where_their_options_do(gaitdyn, results, walked):
    done = gaitdyn("compare", results, walked(cutoff_hz=6.0, force_cutoff_hz=6.0), "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "cutoff_hz: 10.0 and 6.0" in done.stdout
    assert "left_knee_moment_extension" in done.stdout


def test_other_names_have_no_column_in_common(gaitdyn, results, walked):
    said = one_line(gaitdyn("compare", results, walked(names="pig")), 1)
    assert "same --names" in said


@pytest.mark.parametrize(
    "words", [("--profile", "other"), ("--cutoff", "ten"), ("--assign", "1=up")]
)
def test_wrong_words_are_wrong_usage(gaitdyn, results, words):
    one_line(gaitdyn("compare", results, *words), 2)


def test_no_results_are_refused(gaitdyn, tmp_path):
    one_line(gaitdyn("compare", tmp_path), 1)
    one_line(gaitdyn("compare", tmp_path / "nothing.c3d"), 1)

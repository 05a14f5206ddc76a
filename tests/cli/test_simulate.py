"""The contract of ``gaitdyn simulate``: columns, keys, exit codes, folders."""

from __future__ import annotations

import json

import pytest

from tests.read_back import one_line


@pytest.mark.slow
def test_the_double_pendulum_writes_its_columns_and_never_over_foreign_files(gaitdyn, tmp_path):
    done = gaitdyn("simulate", "double-pendulum", "--duration", "0.1", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert "run of 0.1 s, 11 samples" in done.stdout
    lines = (tmp_path / "out/double-pendulum/timeseries.csv").read_text().splitlines()
    assert lines[0] == "time_s,theta1,theta2,omega1,omega2,energy_j"
    assert len(lines) == 12
    assert float(lines[1].split(",")[-1]) == pytest.approx(3.8986687133870426, abs=1e-12)
    assert gaitdyn("simulate", "double-pendulum", "--duration", "1", "-o", "out").returncode == 0
    (tmp_path / "mine/transmission").mkdir(parents=True)
    (tmp_path / "mine/transmission/notes.txt").write_text("keep")
    done = gaitdyn("simulate", "transmission", "-o", "mine")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert (tmp_path / "mine/transmission/notes.txt").read_text() == "keep"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("double-pendulum", "--set", "m3=1"), 2),
        (("double-pendulum", "--set", "m1=-1"), 2),
        (("double-pendulum", "--set", "m1=heavy"), 2),
        (("double-pendulum", "--duration", "0"), 2),
        (("double-pendulum", "--duration", "-1"), 2),
        (("double-pendulum", "--rate", "1e9"), 2),
        (("double-pendulum", "--as-published", "--rate", "300"), 1),
        (("double-pendulum", "--set", "m1"), 2),
        (("four-bar", "--as-published"), 2),
        (("triple-pendulum",), 2),
        (("nonsense",), 2),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(words, code, gaitdyn, tmp_path):
    done = gaitdyn("simulate", *words)
    one_line(done, code)
    assert not any(tmp_path.iterdir())


@pytest.mark.slow
def test_figures_are_drawn_unless_not_wanted_and_json_is_one_document(gaitdyn, tmp_path):
    done = gaitdyn("simulate", "two-link", "--set", "motion=joint", "--json", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["system"] == "two-link"
    out = tmp_path / "out/two-link"
    drawn = ("coordinates", "energy", "path", "reactions", "sticks", "terms")
    names = {f"{name}.png" for name in drawn}
    assert {path.name for path in out.glob("*.png")} == names
    units = json.loads((out / "terms.json").read_text())
    assert units["tau1"] == {"unit": "N m", "meaning": "torque, shoulder"}
    assert list(units) == (out / "terms.csv").read_text().splitlines()[0].split(",")
    done = gaitdyn("simulate", "two-link", "--no-figures", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert not list(out.glob("*.png"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pendulum-3d", "manipulator", "biped"])
def test_systems_in_space_have_as_many_rates_as_coordinates(name, gaitdyn, tmp_path):
    done = gaitdyn("simulate", name, "--duration", "0.05", "--no-figures", "-o", "out")
    assert done.returncode == 0, done.stderr
    header = (tmp_path / f"out/{name}/timeseries.csv").read_text().splitlines()[0].split(",")
    k = {"pendulum-3d": 8, "manipulator": 5, "biped": 19}[name]
    wanted = [*(f"q{i + 1}" for i in range(k)), *(f"qd{i + 1}" for i in range(k))]
    assert header == ["time_s", *wanted, "energy_j"]
    if name == "biped":
        assert "inside its wrench cone" in done.stdout

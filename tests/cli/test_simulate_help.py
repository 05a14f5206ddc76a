"""What ``gaitdyn simulate`` tells of its systems, and the integrators from the command line."""

from __future__ import annotations

import json

import pytest

from gaitdyn.multibody.systems import NAMES, find, settings
from gaitdyn.multibody.systems.describe import described


def test_the_list_names_every_system_and_every_document_with_its_address(gaitdyn):
    done = gaitdyn("simulate", "--list")
    assert done.returncode == 0, done.stderr
    for name in NAMES:
        assert f"{name} " in done.stdout
    assert done.stdout.count("https://") == 5


@pytest.mark.parametrize("name", ["four-bar", "two-link", "manipulator", "sliding-block"])
def test_the_help_of_a_system_has_every_parameter_with_unit_default_and_meaning(gaitdyn, name):
    done = gaitdyn("simulate", name, "--help")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for parameter in find(name).parameters:
        (line,) = (line for line in lines if line.startswith(f"  {parameter.name} "))
        assert parameter.meaning in line
        assert parameter.meaning
        if parameter.unit not in ("", "1"):
            assert f" {parameter.unit} " in line
    assert ("--integrator" in done.stdout) == (name != "sliding-block")


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_system_has_the_length_and_sampling_of_its_usual_run(name):
    system = find(name)
    lines = described(system)
    (length,) = (line for line in lines if line.startswith("--duration: "))
    (sampling,) = (line for line in lines if line.startswith("--rate: "))
    for run in system.usual_runs:
        words = [f"motion={run.motion}"] if run.motion else []
        used = settings(system, words)
        assert f"{used.duration_s:g} s" in length
        assert run.motion in length or len(system.usual_runs) == 1
        known = f"{used.rate_hz:g} Hz" if run.rate_hz else f"{used.duration_s * used.rate_hz:g} int"
        assert known in sampling
    assert length.endswith(" by default")


def test_help_is_asked_for_in_every_usual_way(gaitdyn):
    wanted = gaitdyn("process", "--help").stdout
    assert "--static FILE" in wanted
    assert gaitdyn("process", "-h").stdout == gaitdyn("help", "process").stdout == wanted
    assert gaitdyn("help").stdout == gaitdyn("-h").stdout == gaitdyn("--help").stdout
    assert gaitdyn("wibble").stderr.endswith("'wibble'. gaitdyn --help lists them.\n")
    assert gaitdyn("model", "wibble").stderr.endswith(
        "'wibble'. gaitdyn model --help lists them.\n"
    )
    for words, said in (
        (("export", "x"), "Missing option '--to'. gaitdyn export --help shows what it takes.\n"),
        (
            ("norms", "show"),
            "Missing argument 'NORM'. gaitdyn norms show --help shows what it takes.\n",
        ),
    ):
        assert gaitdyn(*words).stderr == f"gaitdyn: {said}"
    assert gaitdyn("procss").stderr.endswith("Did you mean 'process'?\n")


def test_help_alone_is_the_help_of_the_command_and_no_name_is_refused(gaitdyn):
    done = gaitdyn("simulate", "--help")
    assert done.returncode == 0
    assert "--as-published" in done.stdout
    done = gaitdyn("simulate")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "no system was named" in done.stderr
    done = gaitdyn("simulate", "triple-pendulum", "--help")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.slow
def test_corrected_and_published_equations_run_with_either_integrator(gaitdyn, tmp_path):
    energies = {}
    for key, words in {
        "exact": (),
        "euler": ("--integrator", "euler"),
        "coarse": ("--integrator", "Euler", "--step", "0.001"),
        "printed": ("--as-published",),
        "printed exact": ("--as-published", "--integrator", "DOP853"),
    }.items():
        short = ("double-pendulum", "--duration", "0.5", "--no-figures", "-o", key)
        done = gaitdyn("simulate", *short, *words)
        assert done.returncode == 0, done.stderr
        told = json.loads((tmp_path / key / "double-pendulum/simulation.json").read_text())
        energies[key] = told["energy_imbalance_j"]
    assert energies["exact"] < 1e-10
    assert 1e-3 < energies["euler"] < energies["coarse"]
    assert energies["printed exact"] > 1e-2  # the printed gravity term alone


@pytest.mark.parametrize(
    "words",
    [
        ("sliding-block", "--integrator", "euler"),
        ("double-pendulum", "--integrator", "heun"),
        ("double-pendulum", "--step", "0.001"),
        ("four-bar", "--integrator", "euler", "--step", "-1"),
    ],
)
def test_an_integrator_that_cannot_be_is_refused_in_one_line(gaitdyn, words):
    done = gaitdyn("simulate", *words)
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1

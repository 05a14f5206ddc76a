"""A command loads what it needs: which modules are there at its end."""

from __future__ import annotations

import subprocess
import sys

OTHERS = ("ezc3d", "pandas", "matplotlib", "rich")


def loaded(*words: object, then: str = "") -> set[str]:
    """Run a command, and perhaps code after it, in a Python of its own; return what it loaded."""
    run = (
        f"sys.argv = ['gaitdyn', *{[str(word) for word in words]!r}]\n"
        "from gaitdyn_cli.app import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
    )
    code = f"import sys\n{run if words else ''}{then}\nprint()\nprint(*sys.modules)\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_help_starts_without_the_heavy_packages():
    assert not loaded("--help") & {"numpy", "scipy", *OTHERS}


def test_a_trial_is_processed_without_the_heavy_packages(synthetic, tmp_path):
    heavy = {*OTHERS, "scipy.linalg", "pydantic", "numpy.ma", "gaitdyn.multibody.loop"}
    heavy |= {"gaitdyn.calibrate.ladder.legs", "gaitdyn.calibrate.functional"}
    heavy |= {"gaitdyn.io.c3d.poses", "gaitdyn.io.c3d.second_reader", "gaitdyn.io.forces.reading"}
    heavy |= {"gaitdyn.session.plan", "gaitdyn.types.upper", "gaitdyn.landmarks.resolver"}
    heavy |= {"gaitdyn.dynamics.induced", "gaitdyn.store.stored", "gaitdyn.cycles.averages"}
    words = ("process", synthetic / "walk01.c3d", "--no-figures", "-o", tmp_path)
    assert not loaded(*words) & heavy


def test_a_page_of_stored_results_loads_neither_rules_nor_readers(synthetic, gaitdyn, tmp_path):
    done = gaitdyn("process", synthetic / "walk01.c3d", "--no-figures", "-o", tmp_path)
    assert done.returncode == 0, done.stderr
    heavy = {"gaitdyn.quality.rules.check", "gaitdyn.landmarks", "gaitdyn.stages.session"}
    heavy |= {"gaitdyn.io.c3d.reader", "gaitdyn.io.recording", "scipy", "matplotlib"}
    page = tmp_path / "page.html"
    assert not loaded("report", tmp_path / "walk01", "-o", page, "--quiet") & heavy
    assert page.is_file()


def test_a_command_does_not_load_the_others(synthetic):
    then = "from gaitdyn.batch import pages, session_task\npages.index_template()"
    there = loaded("info", synthetic / "walk01.c3d", then=then)
    assert not there & {"gaitdyn_cli.simulate", "gaitdyn.report.making", "gaitdyn.plots.figures"}


def test_the_mechanics_start_with_numpy_alone():
    there = loaded(then="from gaitdyn import Options, Result, inverse_dynamics")
    assert "numpy" in there
    assert not there & {"scipy", "plotly", *OTHERS}


def test_a_look_into_an_archive_loads_no_trial(gaitdyn, synthetic, tmp_path):
    gaitdyn("process", synthetic / "walk01.c3d", "--no-figures", "-o", tmp_path)
    archive = tmp_path / "lab.gaitdyn"
    done = gaitdyn("archive", "add", archive, tmp_path / "walk01")
    assert done.returncode == 0, done.stderr
    assert not loaded("archive", "ls", archive) & {"gaitdyn.store.stored", "gaitdyn.quality"}

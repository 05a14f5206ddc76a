"""The contract of ``gaitdyn simulate``: columns, keys, exit codes, folders."""

from __future__ import annotations

import pytest


def test_the_double_pendulum_writes_its_columns_and_never_over_foreign_files(gaitdyn, tmp_path):
    done = gaitdyn("simulate", "double-pendulum", "--duration", "0.1", "-o", "out")
    assert done.returncode == 0, done.stderr
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
        (("double-pendulum", "--set", "m3=1"), 1),
        (("double-pendulum", "--set", "m1=-1"), 1),
        (("double-pendulum", "--set", "m1=heavy"), 1),
        (("double-pendulum", "--duration", "-1"), 1),
        (("double-pendulum", "--as-published", "--rate", "300"), 1),
        (("double-pendulum", "--set", "m1"), 2),
        (("four-bar", "--as-published"), 2),
        (("triple-pendulum",), 2),
        (("nonsense",), 2),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(words, code, gaitdyn, tmp_path):
    done = gaitdyn("simulate", *words)
    assert done.returncode == code, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
    assert not any(tmp_path.iterdir())

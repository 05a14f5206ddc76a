"""Electromyography from outside: a file without a marker model, info, emg.toml, options."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.store.stored import read_muscles, read_trial
from gaitdyn.synthetic.c3d_file import C3dContent, write_c3d
from gaitdyn.tables.emg import rows_of_blocks, session_blocks
from tests.read_back import rows_of
from tests.unit.emg_trials import RATE, leg

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of two markers nobody knows, events, and electromyography of the left leg."""
    path = tmp_path_factory.mktemp("emg") / "walk.c3d"
    signals = leg("L", first_frame=51)
    samples = np.array(list(signals.values())).T
    n = len(samples) // 10
    points = np.zeros((n, 2, 3)) + np.array([[10.0, 20.0, 900.0], [15.0, 25.0, 1000.0]])
    points[:, :, 0] += np.linspace(0.0, 4000.0, n)[:, None]
    strikes = 0.5 + 0.2 + np.arange(5.0)
    times = np.stack((0 * strikes, strikes))
    content = C3dContent(
        RATE, 51, "mm", ("Q1", "Q2"), points, tuple(signals), ("V",) * len(signals),
        samples.astype(np.float32).astype(float),
        (
            ("EVENT", "USED", 5), ("EVENT", "TIMES", times),
            ("EVENT", "LABELS", ["Foot Strike"] * 5),
            ("EVENT", "CONTEXTS", ["Left"] * 5),
        ),
    )  # fmt: skip
    write_c3d(path, content)
    return path


def test_a_session_tells_a_trial_of_muscles_alone_from_one_that_will_be_refused(
    gaitdyn, recording: Path
) -> None:
    done = gaitdyn("info", recording.parent)
    assert "1 to process, 1 for the electromyography alone" in done.stdout
    assert "no curves: walk.c3d: no marker model fits" in done.stdout
    assert "will be refused" not in done.stdout


def test_info_tells_of_a_line_for_a_channel_that_is_not_there(gaitdyn, recording: Path) -> None:
    """Only `process` did, after the run."""
    lines = '"L Gastt" = "left soleus"\n"L Sync" = "none"\n'
    (recording.parent / "emg.toml").write_text(lines, encoding="utf-8")
    done, session = gaitdyn("info", recording), gaitdyn("info", recording.parent)
    (recording.parent / "emg.toml").unlink()
    for said in (done.stdout, session.stdout):
        assert "note: 'L Gastt' is named as soleus, and no channel has this label; did" in said
    assert "Sync" not in done.stdout
    assert "no channel has this label" not in gaitdyn("info", recording).stdout


def test_a_file_without_marker_model_gives_its_muscles_and_fails_as_a_trial(
    gaitdyn, recording: Path, tmp_path: Path
) -> None:
    (recording.parent / "emg.toml").write_text('"L Gast" = "left soleus"\n', encoding="utf-8")
    done = gaitdyn("process", recording, "-o", tmp_path, "--json", "--no-figures")
    (recording.parent / "emg.toml").unlink()
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["verdict"] == "fail"
    words = {(v["side"], v["quantity"]): v["word"] for v in document["verdicts"]}
    assert words["left", "emg"] == "pass"
    reasons = [v["reasons"] for v in document["verdicts"] if v["quantity"] == "kinematics"]
    assert [len(why) for why in reasons] == [1, 1]  # not that there are no markers of the leg
    assert all(why[0].startswith("no-kinematics: ") for why in reasons)
    folder = tmp_path / "walk"
    channels = rows_of(folder / "emg_channels.csv")
    assert {c["status"] for c in channels} == {"ok"}
    assert {c["muscle"] for c in channels} >= {"soleus", "tibialis_anterior"}
    curves = rows_of(folder / "emg.csv")
    assert len(curves) == 4 * 3 * 101 or len(curves) == 4 * 4 * 101
    assert any(r["level"] == "error" for r in rows_of(folder / "quality.csv"))
    assert rows_of(folder / "timeseries.csv")[0] == {"frame": "51", "time_s": "0.5"}
    assert (folder / "contacts.csv").is_file()


def test_muscles_read_alone_are_those_of_the_trial_and_own_their_memory(
    gaitdyn, recording: Path, tmp_path: Path
) -> None:
    assert gaitdyn("process", recording, "-o", tmp_path, "--no-figures").returncode == 0
    whole, alone = (read(tmp_path / "walk") for read in (read_trial, read_muscles))
    assert (alone.name, alone.document) == (whole.name, whole.document)
    assert whole.emg is not None
    assert alone.emg is not None
    one, other = (rows_of_blocks(session_blocks(["one"], [e])) for e in (alone.emg, whole.emg))
    assert one == other
    assert all(one.envelope.base is None for one in alone.emg.curves)


def test_info_lists_the_channels(gaitdyn, recording: Path) -> None:
    done = gaitdyn("info", recording)
    assert done.returncode == 0, done.stderr
    assert "L Tib Ant: left tibialis anterior, ok" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--emg-band", "20"), "--emg-band '20' cannot be read"),
        (("--emg-normalise", "mvc"), "--emg-normalise is 'mvc'"),
        (("--emg-muscles", "lost.toml"), "lost.toml"),
    ],
)
def test_options_that_cannot_be_are_wrong_usage(gaitdyn, recording, tmp_path, words, told) -> None:
    done = gaitdyn("process", recording, "-o", tmp_path, *words)
    assert done.returncode == 2
    assert told in done.stderr

"""The acceptance scripts of the shared folder, as tests."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.read_back import one_line

pytestmark = [pytest.mark.real, pytest.mark.slow]


def test_the_plug_in_gait_profile_equals_the_vendor_on_seven_pairs(accepted):
    code, told = accepted("pig")
    assert code == 0, told[-3000:]
    assert told.count("## ") == 7


def test_inverse_dynamics_equals_the_engine(shared):
    command = [sys.executable, str(shared / "accept" / "oracle.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert " MISSED" not in done.stdout, done.stdout


@pytest.mark.parametrize("pair", ["McGill", "BTK-A", "BTK-B", "BTK-D"])
def test_the_default_profile_is_near_the_vendor(shared, accepted, pair, tmp_path):
    """BTK-C is left out: see the page on the default profile against the vendor in docs/."""
    text = (shared / "accept" / "pig.toml").read_text(encoding="utf-8")
    blocks = text.split("[[pair]]")[1:]
    chosen = "".join("[[pair]]" + block for block in blocks if f'"{pair}/' in block)
    pairs = tmp_path / "pairs.toml"
    pairs.write_text(chosen, encoding="utf-8")
    gait = shared / "corpus" / "gait"
    code, told = accepted("pig", "--default-profile", "--pairs", pairs, "--root", gait)
    assert code == 0, told


HOSTILE = (
    "fuzz19.c3d", "Empty.c3d", "text.c3d", "bad_parameter_section.c3d", "trunc_data_50pct.c3d",
    "golfswing.c3d", "simple.c3d", "Eb015si.c3d",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_in_one_line(shared, gaitdyn, name):
    done = gaitdyn("process", shared / "corpus" / "hostile" / name, "--no-figures")
    one_line(done, 1)


def choice_for(path):
    from gaitdyn.calibrate.statics.find import find_static
    from gaitdyn.io.recording import read_recording
    from gaitdyn.stages.labels import model_of
    from gaitdyn.types.options import Options

    trial = read_recording(path)
    return find_static(path, trial, Options(), model_of(trial, Options()))


@pytest.mark.parametrize(
    ("trial", "static"),
    [
        ("McGill/HC030A05.c3d", "HC030A01.c3d"),
        ("McGill/HC002D06.c3d", "HC002D02.c3d"),
        ("FMC/MH0222_BP15.c3d", "MH0222_BP08.c3d"),
        ("BTK-B/PiG_Motion3_FF.c3d", "PiG_Calibration3_FF.c3d"),
        ("BTK-D/PiG_Motion-FlatFoot-Hole.c3d", "PiG_Calibration-FlatFoot-Hole.c3d"),
    ],
)
def test_the_static_of_the_same_subject_is_found(shared, trial, static):
    path = shared / "corpus" / "gait" / trial
    choice = choice_for(path)
    assert choice.path is not None, choice.reason
    assert choice.path.name == static


def test_another_subjects_static_is_never_taken(shared, tmp_path):
    import shutil

    gait = shared / "corpus" / "gait"
    for name in ("McGill/HC030A05.c3d", "McGill/HC002D02.c3d", "BTK-B/PiG_Calibration3_FF.c3d"):
        shutil.copy(gait / name, tmp_path)
    trial = tmp_path / "HC030A05.c3d"
    choice = choice_for(trial)
    assert choice.path is None
    assert "another subject" in choice.reason

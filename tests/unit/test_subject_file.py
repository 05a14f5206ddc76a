"""subject.toml: what may stand in it, and what wins over what."""

from __future__ import annotations

import pytest

from gaitdyn.calibrate.body.subject_file import read_subject_file
from gaitdyn.errors import UsageError


def written(tmp_path, text: str, encoding: str = "utf-8"):
    path = tmp_path / "subject.toml"
    path.write_text(text, encoding=encoding)
    return path


def test_lengths_become_metres(tmp_path):
    text = '[subject]\nid = "S01"\nmass_kg = 66.5\n[subject.left]\nknee_width_mm = 110\n'
    subject = read_subject_file(written(tmp_path, text))
    assert (subject.id, subject.mass_kg) == ("S01", 66.5)
    assert subject.left.knee_width_m == pytest.approx(0.11)
    assert subject.right.knee_width_m is None


def test_a_file_of_windows_notepad_with_its_byte_order_mark_is_read(tmp_path):
    path = written(tmp_path, "[subject]\nmass_kg = 66\n", "utf-8-sig")
    assert read_subject_file(path).mass_kg == 66


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[subject]\nmass_kg = "66"', "mass_kg is '66', wanted a number from 3 to 400"),
        ("[subject]\nmass_kg = true", "mass_kg is True"),
        ("[subject]\nmass_kg = nan", "mass_kg is nan"),
        ("[subject]\nsex = 1", 'wanted "f" or "m"'),
        ("[subject]\nweight = 3", "weight is not known"),
        ("[subject]\nleg_length_mm = 900", "wanted leg_length_mm in [subject.left] and in"),
        ("[subject]\nleft = 3", "[subject.left] is 3, wanted a table"),
        ("[subject.left]\nleg_length_mm = 0.94", "left.leg_length_mm is 0.94"),
        ("[subject.right]\nheel = 2", "right.heel is not known"),
        ("[subjekt]\nmass_kg = 66", "no table [subject]"),
        ("subject = 3", "no table [subject]"),
        ("[subject\nmass_kg = 66", "line 1"),
        ("mass_kg = 66", "begin with the line [subject], then mass_kg = 66.5"),
        ("[subject]\n[subject.left]\nleg_length_mm = 94", "subject.toml, line 3: left.leg_length"),
        ("[subject]\nmass_kg = 74,5", "line 2, 'mass_kg = 74,5' cannot be read; write 74.5, with"),
        ("[subject]\nid = M01  # new", 'cannot be read; write "M01", with quotes'),
    ],
)
def test_a_mistake_is_named(tmp_path, text, told):
    with pytest.raises(UsageError) as error:
        read_subject_file(written(tmp_path, text))
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"nobody\.toml"):
        read_subject_file(tmp_path / "nobody.toml")


def test_a_corrected_leg_length_moves_the_computed_hip_depth():
    from gaitdyn.calibrate.body.subject import _measured_only
    from gaitdyn.calibrate.plug_in_gait.joint_centres import asis_trochanter_m
    from gaitdyn.types.subject import LegMeasures, Subject

    computed = LegMeasures(leg_length_m=0.92, asis_trochanter_m=asis_trochanter_m(0.92))
    measured = LegMeasures(leg_length_m=0.92, asis_trochanter_m=0.08)
    found = _measured_only(Subject(left=computed, right=measured))
    assert found.left.asis_trochanter_m is None
    assert found.right.asis_trochanter_m == pytest.approx(0.08)


def test_widths_of_an_arm_are_read_and_checked(tmp_path):
    from gaitdyn.types.subject import ArmMeasures

    path = tmp_path / "subject.toml"
    path.write_text("[subject.left]\nelbow_width_mm = 72\nhand_thickness_mm = 24\n", "utf-8")
    assert read_subject_file(path).arms["left"] == ArmMeasures(
        elbow_width_m=0.072, hand_thickness_m=0.024
    )
    path.write_text("[subject.left]\nelbow_width_mm = 7.2\n", "utf-8")
    with pytest.raises(UsageError, match=r"elbow_width_mm is 7.2, wanted a number from 20 to 200"):
        read_subject_file(path)

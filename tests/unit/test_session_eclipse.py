"""Files of Vicon Eclipse: types, plates and measurements, whatever their encoding."""

from __future__ import annotations

import os

import pytest

from gaitdyn.errors import FileRefused
from gaitdyn.io.model_parameters import parse_model_parameters, read_model_parameters
from gaitdyn.session.eclipse import find_trial_enf, person_of, read_trial_enf
from gaitdyn.types.options import Assignment

ENF = """[Node Information]
TYPE=TRIAL
Reference=
=
NAME=Trial 3
[TRIAL_INFO]
=
CREATIONDATEANDTIME=2024,5,7,10,31,2
DESCRIPTION=geht barfuß = gut
NOTES=E1 T2
TYPE=Dynamic
FP1=Left
FP2=Right
FP3=Invalid
FP4=Auto
FP5=
FPX=Left
[LOCK_INFO]
TYPE=Static
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_an_enf_is_read_in_the_encodings_of_its_history(tmp_path, encoding):
    path = tmp_path / "walk.Trial.enf"
    path.write_bytes(ENF.replace("\n", "\r\n").encode(encoding))
    found = read_trial_enf(path)
    assert (found.kind, found.dynamic, found.static) == ("Dynamic", True, False)
    assert found.description == "geht barfuß = gut"
    assert (found.notes, found.problem) == ("E1 T2", "")
    assert found.plates == (
        Assignment(1, "left", origin="enf"),
        Assignment(2, "right", origin="enf"),
        Assignment(3, "none", origin="enf"),
    )


def test_a_foot_that_an_enf_does_not_name_is_told(tmp_path):
    path = tmp_path / "walk.Trial.enf"
    path.write_text("[TRIAL_INFO]\nFP1=Left\nFP2=L\nFP3=Auto\nFP4=\n", encoding="utf-8")
    found = read_trial_enf(path)
    assert found.plates == (Assignment(1, "left", origin="enf"),)
    assert found.problem == "walk.Trial.enf: found FP2=L, wanted Left, Right, Invalid or Auto"


@pytest.mark.parametrize("key", ["TYPE", "TRIAL_TYPE", "TrialType"])
def test_the_type_of_a_trial_has_several_names(tmp_path, key):
    path = tmp_path / "x.Trial.enf"
    path.write_text(f"[Node Information]\nTYPE=TRIAL\n[TRIAL_INFO]\n{key}=Static\n")
    assert read_trial_enf(path).static


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 100,
        b"=" * 100_000,
        b"[" * 100_000,
        b"[TRIAL_INFO]\nTYPE=" + b"x" * 500_000,
        b"\xff\xfe\xd8",
        os.urandom(5000),
        b"x" * 1_000_001,
    ],
)
def test_an_enf_that_holds_anything_is_a_value(tmp_path, data):
    path = tmp_path / "x.Trial.enf"
    path.write_bytes(data)
    found = read_trial_enf(path)
    assert not found.static
    assert found.plates == ()
    assert "\n" not in found.problem


def test_a_pipe_is_not_waited_for(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(tmp_path / "x.Trial.enf")
    assert "pipe" in read_trial_enf(tmp_path / "x.Trial.enf").problem


def test_the_enf_of_a_trial_is_found_by_its_name():
    names = ["walk1.Trial.enf", "Walk10.Trial03.enf", "Ann Test.Patient.enf", "s.Session.enf"]
    assert find_trial_enf(names, "walk1") == "walk1.Trial.enf"
    assert find_trial_enf(names, "walk10") == "Walk10.Trial03.enf"
    assert find_trial_enf(names, "walk") is None
    assert [person_of(name) for name in names] == [None, None, "Ann Test", None]


MP = """{*VICON BodyLanguage (tm) parameters*}
{* $Bodymass = 1 *}
$Bodymass = 66.5
$Height = 1770
$MarkerDiameter = 14
$LMarkerDiameter = 25
$InterAsisDistance = 0
$LLegLength = 940
$R_LegLength = 935
$LeftKneeWidth = 110
$RAnkleWidth = 7
$LTibialTorsion = 12
$LKneeWidth=
"""


def test_an_mp_file_gives_measurements_in_si_units():
    found = parse_model_parameters(MP)
    assert (found.subject.mass_kg, found.subject.height_m) == (66.5, 1.77)
    assert found.subject.marker_diameter_m == 0.014
    assert found.subject.inter_asis_m is None
    assert found.subject.left.leg_length_m == 0.94
    assert found.subject.right.leg_length_m == 0.935
    assert found.subject.left.knee_width_m == 0.11
    assert found.subject.left.marker_diameter_m == 0.025
    assert found.subject.right.ankle_width_m is None
    assert found.notes == ("RAnkleWidth = 7 is ignored: wanted 15 to 200",)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("74,5", ("Bodymass = 74,5 is ignored: wanted 3 to 400, with a point",)),
        ("66.5 kg", ("Bodymass = 66.5 kg is ignored: wanted 3 to 400",)),
        ("1_00", ("Bodymass = 1_00 is ignored: wanted 3 to 400",)),
        ("\u0667\u0660", ("Bodymass = \u0667\u0660 is ignored: wanted 3 to 400",)),
        ("nan", ("Bodymass = nan is ignored: wanted 3 to 400",)),
        ("x" * 90, (f"Bodymass = {'x' * 30} is ignored: wanted 3 to 400",)),
        ("", ()),
        ("0", ()),
    ],
)
def test_a_measure_that_is_not_a_number_is_told(value, told):
    found = parse_model_parameters(f"$Bodymass = {value}\n")
    assert (found.notes, found.subject.mass_kg) == (told, None)


@pytest.mark.parametrize(
    "text",
    [
        "$Bodymass = nan",
        "$Bodymass = 1e999",
        "$Bodymass = " + " " * 200_000 + "x",
        "{*" * 200_000,
        "$=\n=\n$Bodymass",
        "$Bodymass = 1.2.3",
        "$Bodymass = -66",
    ],
)
def test_what_is_no_measurement_is_passed_over(text):
    assert parse_model_parameters(text).subject.mass_kg is None


def test_what_a_comment_holds_is_no_measurement():
    text = "$Bodymass = 66.5\n{* $Bodymass = 80\n$Height = 1500 *}\n{**}$LLegLength = 940\n"
    subject = parse_model_parameters(text).subject
    assert (subject.mass_kg, subject.height_m, subject.left.leg_length_m) == (66.5, None, 0.94)
    open_ended = parse_model_parameters("$Bodymass = 66.5\n{* \n$Bodymass = 80").subject
    assert open_ended.mass_kg == 66.5


def test_an_mp_file_that_is_too_large_is_refused(tmp_path):
    path = tmp_path / "x.mp"
    path.write_bytes(b" " * 1_000_001)
    with pytest.raises(FileRefused, match="1000001 bytes"):
        read_model_parameters(path)

"""The person that a C3D file describes: lengths in the unit that a leg or a knee asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gaitdyn.io.c3d.measurement_names import vicon_name
from gaitdyn.io.c3d.parameters import Parameters, Record
from gaitdyn.io.c3d.subject import length_units, read_offsets, read_subject, unit_notes
from gaitdyn.types.subject import ArmMeasures, Subject
from tests.unit import c3d_bytes

WHOLE = {
    "LLegLength": 0.94,
    "RLegLength": 0.95,
    "LKneeWidth": 0.11,
    "RAnkleWidth": 0.07,
    "MarkerDiameter": 0.014,
}
CHILD = {"LLegLength": 0.42, "LKneeWidth": 0.06}


def stored(values: dict[str, float], per_m: float, group: str = "PROCESSING") -> Parameters:
    def one(value: float) -> Record:
        return Record(4, (1,), np.array([value], "<f4").tobytes(), "intel")

    return Parameters({group: {k.upper(): one(v * per_m) for k, v in values.items()}})


@pytest.mark.parametrize("per_m", [1000.0, 100.0, 1.0])
@pytest.mark.parametrize(
    "values", [WHOLE, CHILD, {"LKneeWidth": 0.11, "MarkerDiameter": 0.014}, {"RAnkleWidth": 0.05}]
)
def test_a_leg_or_a_joint_says_the_unit_of_all_lengths(values: Any, per_m: float) -> None:
    params = stored(values, per_m)
    subject = read_subject(params)
    found = {
        "LLegLength": subject.left.leg_length_m,
        "RLegLength": subject.right.leg_length_m,
        "LKneeWidth": subject.left.knee_width_m,
        "RAnkleWidth": subject.right.ankle_width_m,
        "MarkerDiameter": subject.marker_diameter_m,
    }
    known = {name: value for name, value in found.items() if value is not None}
    assert known == pytest.approx(values, rel=1e-6)
    assert bool(length_units(params)[""][1]) == (per_m != 1000.0)


def test_the_table_of_an_analysis_is_read_by_its_names() -> None:
    """Of a name that stands twice, the first value that is a number and not 0."""
    names = ("Bodymass", "LLegLength", "LLegLength", "RLegLength", "RKneeWidth")
    wide = b"".join(name.encode().ljust(12) for name in names)
    group = {
        "NAMES": Record(-1, (12, len(names)), wide, "intel"),
        "VALUES": c3d_bytes.stored([71.5, 0.0, 905.0, 911.0, np.nan]),
    }
    subject = read_subject(Parameters({"ANALYSIS": group}))
    assert subject.mass_kg == pytest.approx(71.5)
    legs = subject.left.leg_length_m, subject.right.leg_length_m
    assert legs == pytest.approx((0.905, 0.911))
    assert subject.right.knee_width_m is None
    for lacking in ("NAMES", "VALUES"):
        rest = {name: record for name, record in group.items() if name != lacking}
        assert read_subject(Parameters({"ANALYSIS": rest})) == Subject()
    texts = Record(-1, (12, len(names)), wide, "intel")
    assert read_subject(Parameters({"ANALYSIS": group | {"VALUES": texts}})) == Subject()


def test_a_person_in_another_group_is_read() -> None:
    values = {"LEFT LEG": 860.0, "RIGHT KNEE": 95.0, "RIGHT ANKLE": 60.0, "Weight": 70.6}
    subject = read_subject(stored(values, 1.0, "SUBJECT"))
    assert subject.mass_kg == pytest.approx(70.6)
    assert subject.left.leg_length_m == pytest.approx(0.86)
    assert (subject.right.knee_width_m, subject.right.ankle_width_m) == pytest.approx((0.095, 0.06))
    text = {
        "WEIGHT": Record(-1, (8,), b"70,5 kg ", "intel"),
        "STATURE": Record(-1, (3,), b"178", "intel"),
    }
    subject = read_subject(Parameters({"SUBJECTS": text}))
    assert (subject.mass_kg, subject.height_m) == pytest.approx((70.5, 1.78))


def test_a_person_may_be_described_in_another_language() -> None:
    """As a system in Argentina stores its person: in cm, in a group of its own."""
    values = {"PESO": 70.0, "ALTURA": 175.0, "LONGITUD_PIERNA_DERECHA": 90.0,
              "DIAMETRO_RODILLA_IZQUIERDA": 10.5, "ANCHO_MALEOLOS_DERECHO": 7.2,
              "ALTURA_MALEOLOS_DERECHO": 8.0, "LONGITUD_PIE_DERECHO": 25.0}  # fmt: skip
    subject = read_subject(stored(values, 1.0, "ANTROPOMETRIA"))
    assert (subject.mass_kg, subject.height_m) == pytest.approx((70.0, 1.75))
    assert subject.right.leg_length_m == pytest.approx(0.9)
    assert (subject.left.knee_width_m, subject.right.ankle_width_m) == pytest.approx((0.105, 0.072))
    assert subject.left.ankle_width_m is None


@pytest.mark.parametrize(
    ("name", "own"),
    [("Beinlänge links", "LLegLength"), ("LARGEUR GENOU D", "RKneeWidth"),
     ("KNEE_WIDTH_L", "LKneeWidth"), ("LEFTANKLEWIDTH", "LAnkleWidth"),
     ("WEIGHT_KG", "Bodymass"), ("Größe (cm)", "Height"), ("LOWERLEGLENGTH", ""),
     ("LTIBIALENGTH", ""), ("LANKLEABADD", ""), ("WEIGHT_LB", "")],
)  # fmt: skip
def test_measurements_are_known_by_their_words(name: str, own: str) -> None:
    assert vicon_name(name) == own


def test_the_mass_of_a_segment_is_not_that_of_a_person() -> None:
    assert read_subject(stored({"MASS": 8.0}, 1.0, "SEGMENT_1")).mass_kg is None


@pytest.mark.parametrize(
    ("leg", "stored_as", "read_as"),
    [(920.0, 14.0, 0.014), (92.0, 1.4, 0.014), (92.0, 14.0, 0.014), (0.92, 25.0, 0.025),
     (920.0, 140.0, None), (920.0, 0.014, None)],
)  # fmt: skip
def test_no_marker_is_140_mm_wide(leg: float, stored_as: float, read_as: float | None) -> None:
    subject = read_subject(stored({"LLegLength": leg, "MarkerDiameter": stored_as}, 1.0))
    assert subject.marker_diameter_m == (read_as and pytest.approx(read_as, rel=1e-6))


def test_where_no_length_is_stored_there_is_nothing_to_decide() -> None:
    units = length_units(stored({"LLegLength": 0.0, "Bodymass": 70.0}, 1.0))
    assert set(units.values()) == {(1000.0, "")}


@pytest.mark.parametrize(
    ("mass", "height", "kg", "metres", "told"),
    [
        (70.0, 1750.0, 70.0, 1.75, ()),
        (18.5, 108.0, 18.5, 1.08, ()),
        (70.0, 1.75, 70.0, 1.75, ()),
        (0.0, 0.0, None, None, ()),
        (
            70500.0,
            69.0,
            70.5,
            1.7526,
            ("70500 is taken as g: 70.5 kg", "69 is taken as inches: 1.753 m"),
        ),
        (
            686.4655,
            5.75,
            70.0,
            1.7526,
            ("686.466 is taken as N: 70 kg", "5.75 is taken as feet: 1.753 m"),
        ),
        (0.07, 15.0, None, None, ("0.07 fits no unit: it is not used", "15 fits no unit")),
    ],
)
def test_the_size_of_mass_and_height_says_their_unit(
    mass: float, height: float, kg: float | None, metres: float | None, told: tuple[str, ...]
) -> None:
    params = stored({"Bodymass": mass, "Height": height}, 1.0)
    subject = read_subject(params)
    assert (subject.mass_kg, subject.height_m) == (
        kg if kg is None else pytest.approx(kg, rel=1e-6),
        metres if metres is None else pytest.approx(metres, rel=1e-6),
    )
    notes = unit_notes(params)
    assert len(notes) == len(told)
    assert all(text in note for text, note in zip(told, notes, strict=True))


@pytest.mark.parametrize(("stored_as", "read_as"), [(0.2, 0.2), (12.0, np.radians(12.0))])
def test_the_size_of_an_offset_says_its_unit(stored_as: float, read_as: float) -> None:
    left = read_offsets(stored({"LThighRotation": stored_as}, 1.0))["left"]
    assert left.thigh_rotation == pytest.approx(read_as, rel=1e-6)


@pytest.mark.parametrize("wrong", [1e30, -91.0, np.nan, np.inf, 0.0])
def test_what_is_no_angle_is_no_offset_and_says_nothing_of_the_unit(wrong: float) -> None:
    values = {"LThighRotation": wrong, "RThighRotation": wrong, "RTibialTorsion": 0.2}
    offsets = read_offsets(stored(values, 1.0))
    assert set(offsets) == {"right"}
    assert offsets["right"].thigh_rotation == 0.0
    assert offsets["right"].tibial_torsion == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("typed", "noted"),
    [
        ({"LLegLength": 92.0}, ("LegLength is in cm: 92",)),
        ({"LKneeWidth": 10.5, "RKneeWidth": 11.0}, ("KneeWidth is in cm: 10.5 and 11",)),
        (
            {"LLegLength": 92.0, "LKneeWidth": 10.5, "RKneeWidth": 11.0, "LAnkleWidth": 7.0},
            ("LegLength is in cm: 92", "KneeWidth is in cm: 10.5 and 11", "AnkleWidth is in cm: 7"),
        ),
    ],
)
def test_a_length_typed_in_cm_is_not_the_unit_of_the_others(
    typed: dict[str, float], noted: tuple[str, ...]
) -> None:
    usual = {"LLegLength": 920.0, "LKneeWidth": 105.0, "RKneeWidth": 110.0, "LAnkleWidth": 70.0,
             "InterAsisDistance": 240.0, "LAsisTrocanterDistance": 25.0}  # fmt: skip
    params = stored(usual | typed, 1.0)
    assert read_subject(params) == read_subject(stored(usual, 1.0))
    assert unit_notes(params) == noted


@pytest.mark.parametrize(("stated_mm", "kept_m"), [(-7.0, -0.007), (0.0, 0.0), (-60.0, None)])
def test_a_wrist_width_of_zero_or_less_is_kept_beside_other_measures(stated_mm, kept_m):
    """Plug-in Gait takes it as it is; no marker is so large that -60 mm could be one."""
    params = stored({"LElbowWidth": 68.0, "LWristWidth": stated_mm, "RWristWidth": stated_mm}, 1.0)
    arms = read_subject(params).arms
    assert arms == {"left": ArmMeasures(elbow_width_m=0.068, wrist_width_m=kept_m)}

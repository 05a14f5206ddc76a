"""Body-segment tables: numbers, end points, whole tensors, sides, and a laboratory's own file."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.calibrate.body.anthropometry import leg_body, segment_dimensions
from gaitdyn.calibrate.body.segment_tables import (
    VENDOR_TABLE,
    SegmentRow,
    SegmentTable,
    segment_inertia,
)
from gaitdyn.calibrate.body.table_files import MEASURABLE, load_table, table_names
from gaitdyn.core.rotations import about, rotate_back
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.leg import leg_chains
from gaitdyn.errors import SubjectDataMissing, UsageError
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import SEGMENTS, Calibration, LegPose
from gaitdyn.types.wrench import FootWrench

# segment, sex: mass, centre of mass, radii about x, y, z. de Leva 1996, J Biomech 29:1223-1230
DE_LEVA = {
    ("thigh", "m"): (0.1416, 0.4095, 0.329, 0.149, 0.329),
    ("thigh", "f"): (0.1478, 0.3612, 0.369, 0.162, 0.364),
    ("shank", "m"): (0.0433, 0.4395, 0.251, 0.102, 0.246),
    ("shank", "f"): (0.0481, 0.4352, 0.267, 0.092, 0.263),
}
# mass, centre of mass x y z, Ixx Iyy Izz, Ixy Ixz Iyz in per cent. Dumas et al. 2007, J Biomech
# 40:543-553, corrigendum 40:1651-1652
DUMAS = {
    ("thigh", "f"): (0.146, -7.7, -37.7, 0.9, 31, 19, 32, 7, -2, -7),
    ("thigh", "m"): (0.123, -4.1, -42.9, 3.3, 29, 15, 30, 7, -2, -7),
    ("shank", "f"): (0.045, -4.9, -40.4, 3.1, 28, 10, 28, 2, 1, 6),
    ("shank", "m"): (0.048, -4.8, -41.0, 0.7, 28, 10, 28, -4, -2, 5),
    ("foot", "f"): (0.010, 27.0, -21.8, 3.9, 17, 36, 35, -10, 6, -4),
    ("foot", "m"): (0.012, 38.2, -15.1, 2.6, 17, 37, 36, 13, -8, 0),
}
MIRROR = np.diag([1.0, 1.0, -1.0])
LENGTHS = (0.18, 0.42, 0.41)
CALIBRATION = Calibration(
    offsets={},
    inter_asis_m=0.25,
    diameter_m=0.014,
    lengths_m=dict.fromkeys(("left", "right"), LENGTHS),
    foot_cm_F={"right": np.array([0.08, -0.01, 0.02]), "left": np.array([0.08, -0.01, -0.02])},
    flat_foot={},
)
TABLES = [(name, sex) for name in table_names() for sex in ("f", "m")]


def walk(n: int = 40) -> LegPose:
    """Return a right leg that turns about all three axes while the hip moves forward."""
    t = np.linspace(0, 1, n)
    R = np.stack(
        [
            about("z", a * np.sin(5 * t)) @ about("x", 0.3 * np.cos(4 * t)) @ about("y", a * t)
            for a in (0.9, 0.7, 0.4)
        ],
        axis=1,
    )
    hip = np.stack((t, 0.9 + 0 * t, 0.1 + 0.05 * np.sin(3 * t)), axis=1)
    knee = hip - LENGTHS[2] * R[:, 2, :, 1]
    ankle = knee - LENGTHS[1] * R[:, 1, :, 1]
    return LegPose("right", R, np.stack((ankle, knee, hip), axis=1))


def wrench(force: Array, moment: Array) -> FootWrench:
    unknown = np.full(force.shape, np.nan)
    return FootWrench(force, moment, unknown, unknown[:, 0], np.ones(len(force), bool))


def mirrored(pose: LegPose) -> LegPose:
    return LegPose("left", MIRROR @ pose.R_GS @ MIRROR, pose.r_prox_G @ MIRROR)


def test_de_leva_has_the_numbers_of_the_paper_on_the_axes_of_the_model() -> None:
    table = load_table("de-leva")
    for (segment, sex), numbers in DE_LEVA.items():
        row = table.row(segment, sex)
        assert (row.mass_fraction, row.cm_along, *row.radii) == numbers
    assert table.row("thigh", "f").ends == ("hip centre", "knee centre")
    assert table.row("shank", "m").ends == ("knee centre", "ankle centre")


def test_the_foot_of_de_leva_is_winters_because_the_toe_tip_is_no_marker() -> None:
    foot, winter = (load_table(name).row("foot") for name in ("de-leva", "dempster-winter"))
    assert foot.ends == ("ANK", "TOE")
    assert (foot.mass_fraction, foot.cm_along, foot.radii) == (
        winter.mass_fraction,
        winter.cm_along,
        winter.radii,
    )
    assert foot.source.startswith("not de Leva")


def test_dumas_has_the_numbers_of_the_paper() -> None:
    table = load_table("dumas")
    for (segment, sex), numbers in DUMAS.items():
        row = table.row(segment, sex)
        found = np.array([*(row.cm_axes or ()), *row.radii, *row.products])
        assert row.mass_fraction == numbers[0]
        np.testing.assert_allclose(100 * found, numbers[1:], atol=1e-12)
        assert math.isnan(row.cm_along)
    assert table.row("foot", "f").ends == ("ankle centre", "TOE")


def test_dempster_winter_agrees_with_a_public_copy(shared: Path) -> None:
    copy = _reference(shared / "corpus/reference/BMC/BSP_DempsterWinter.txt")
    table = load_table("dempster-winter")
    ends = {"Foot": "LMAL-MT2", "Leg": "KJC-MMAL", "Thigh": "GTR-KJC"}
    for segment, name in (("foot", "Foot"), ("shank", "Leg"), ("thigh", "Thigh")):
        row, theirs = table.row(segment), copy[name]
        assert theirs["Definition"] == ends[name]
        assert row.mass_fraction == float(theirs["Mass"])
        assert row.cm_along == float(theirs["CM prox"])
        assert row.radii[2] == float(theirs["Rg CM"])


@pytest.mark.parametrize(("sex", "word"), [("f", "female"), ("m", "male")])
def test_de_leva_agrees_with_a_public_copy(shared: Path, sex: str, word: str) -> None:
    copy = _reference(shared / f"corpus/reference/BMC/BSP{word}_ZdeLeva.txt")
    for segment, ends in (("thigh", "HJC-KJC"), ("shank", "KJC-AJC")):
        row, theirs = load_table("de-leva").row(segment, sex), copy[segment.capitalize()]
        assert theirs["Endpoints"] == ends
        columns = ("Mass", "CM Long", "Rg Sag", "Rg Long", "Rg Trans")
        assert [row.mass_fraction, row.cm_along, *row.radii] == [float(theirs[c]) for c in columns]


def _reference(path: Path) -> dict[str, dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return {row["Segment"].strip(): row for row in csv.DictReader(file, delimiter="\t")}


def test_dempsters_radius_about_the_proximal_end_is_the_vendors_about_the_centre_of_mass() -> None:
    """Steiner: r_proximal^2 = r_cm^2 + cm^2, to the three decimals of the table."""
    winter, vendor = load_table("dempster-winter"), load_table(VENDOR_TABLE)
    for segment in SEGMENTS:
        row = winter.row(segment)
        proximal = math.hypot(row.radii[2], row.cm_along)
        assert proximal == pytest.approx(vendor.row(segment).radii[2], abs=5e-4)


@pytest.mark.parametrize(("name", "sex"), TABLES)
def test_every_table_has_a_leg_of_a_person(name: str, sex: str) -> None:
    table = load_table(name).at_age(15)
    rows = {segment: table.row(segment, sex) for segment in SEGMENTS}
    masses = [rows[segment].mass_fraction for segment in SEGMENTS]
    assert 0 < masses[0] < masses[1] < masses[2]
    assert 0.15 < sum(masses) < 0.25
    for segment, row in rows.items():
        assert row.source
        assert row.ends in MEASURABLE[segment] or (name, segment) == (VENDOR_TABLE, "foot")


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(("name", "sex"), TABLES)
def test_tensors_are_those_of_a_body_and_planar_tables_have_none_about_the_long_axis(
    name: str, sex: str, side: str
) -> None:
    for segment in SEGMENTS:
        row = load_table(name).row(segment, sex)
        moments = np.linalg.eigvalsh(segment_inertia(row, 1.0, 1.0, side))
        planar = 0.0 in row.radii
        assert moments[0] == 0.0 if planar else moments[0] > 0.003
        assert moments[1] > 0.05


@pytest.mark.parametrize("sex", ["f", "m"])
def test_dumas_is_positive_definite_with_either_sign_of_the_products(sex: str) -> None:
    for segment in SEGMENTS:
        row = load_table("dumas").row(segment, sex)
        x, y, z = row.products
        opposite = replace(row, products=(-x, -y, -z))
        for each in (row, opposite):
            assert np.linalg.eigvalsh(segment_inertia(each, 1.0, 1.0, "right"))[0] > 0


def test_a_table_by_sex_asks_for_the_sex() -> None:
    for name in ("de-leva", "dumas"):
        with pytest.raises(SubjectDataMissing, match=r"the subject's is not known; give sex"):
            load_table(name).row("thigh")
        with pytest.raises(SubjectDataMissing, match=r"is 'female'; give sex"):
            load_table(name).row("thigh", "female")
        with pytest.raises(SubjectDataMissing):
            leg_body(walk(), CALIBRATION, load_table(name), 70.0)


def test_the_tensor_of_the_right_leg_has_the_elements_of_the_table() -> None:
    row = load_table("dumas").row("shank", "m")
    tensor = segment_inertia(row, 2.0, 0.5, "right")
    np.testing.assert_array_equal(tensor, tensor.T)
    assert tensor[0, 0] == pytest.approx(2 * (0.28 * 0.5) ** 2)
    assert tensor[0, 1] == pytest.approx(-2 * (0.04 * 0.5) ** 2)
    assert tensor[1, 2] == pytest.approx(2 * (0.05 * 0.5) ** 2)
    left = segment_inertia(row, 2.0, 0.5, "left")
    np.testing.assert_array_equal(left, MIRROR @ tensor @ MIRROR)


def test_a_centre_of_mass_in_space_stays_where_the_table_puts_it() -> None:
    pose = walk()
    body = leg_body(pose, CALIBRATION, load_table("dumas"), 70.0, "m")
    at = rotate_back(pose.R_GS, body.r_cm_G - pose.r_prox_G)
    for i, segment in enumerate(SEGMENTS):
        expected = LENGTHS[i] * np.array(DUMAS[segment, "m"][1:4]) / 100
        np.testing.assert_allclose(at[:, i], np.tile(expected, (len(at), 1)), atol=1e-12)
    assert body.inertia_S.shape == (3, 3, 3)
    np.testing.assert_allclose(body.mass, [0.84, 3.36, 8.61])


def test_a_centre_of_mass_in_space_moves_with_the_markers_of_its_own_segment() -> None:
    """The knee slides 7 mm below the thigh; a foot that shows nothing hangs from its ankle."""
    pose, slid = walk(), np.array([[np.nan] * 3, [0.007, 0.0, 0.0], [0.0] * 3])
    own = replace(pose, own_prox_G=pose.r_prox_G + slid)
    along = {"dumas": np.nan_to_num(slid), "dempster-winter": 0.0 * np.nan_to_num(slid)}
    for name, moved in along.items():
        usual, found = (leg_body(p, CALIBRATION, load_table(name), 70.0, "m") for p in (pose, own))
        wanted = np.broadcast_to(moved, usual.r_cm_G.shape)
        np.testing.assert_allclose(found.r_cm_G - usual.r_cm_G, wanted, atol=1e-12)


@pytest.mark.parametrize(("name", "sex"), [t for t in TABLES if t[0] != VENDOR_TABLE])
def test_a_mirrored_walk_gives_mirrored_loads(name: str, sex: str) -> None:
    table, right = load_table(name), walk()
    n = len(right.r_prox_G)
    force, moment = np.tile([30.0, 500.0, 40.0], (n, 1)), np.tile([20.0, -5.0, 30.0], (n, 1))
    ground = {
        "right": wrench(force, moment),
        # a moment is an axial vector
        "left": wrench(force @ MIRROR, -moment @ MIRROR),
    }
    loads = {}
    for pose in (right, mirrored(right)):
        body = leg_body(pose, CALIBRATION, table, 70.0, sex)
        loads[pose.side] = joint_loads(leg_chains([(pose, body, ground[pose.side])], 100.0)[0])
    np.testing.assert_allclose(loads["left"].force_G, loads["right"].force_G @ MIRROR, atol=1e-8)
    np.testing.assert_allclose(loads["left"].moment_S, -loads["right"].moment_S @ MIRROR, atol=1e-8)


def test_lengths_are_measured_between_the_end_points_of_each_table() -> None:
    points = {
        "ANK": [0.0, 0.05, 0.05],
        "HEE": [-0.05, 0.05, 0.0],
        "TOE": [0.15, 0.05, 0.0],
        "ankle centre": [0.0, 0.05, 0.0],
        "knee centre": [0.0, 0.45, 0.0],
        "hip centre": [0.0, 0.95, 0.0],
    }
    at = {name: np.array([place, place]) for name, place in points.items()}
    axes = np.tile(np.eye(3), (2, 1, 1))
    for name, foot, cm in (
        ("dempster-winter", math.hypot(0.15, 0.05), [0.075, 0.0, 0.025]),
        ("dumas", 0.15, [0.15 * 0.382, -0.15 * 0.151, 0.15 * 0.026]),
    ):
        lengths, place = segment_dimensions(load_table(name), "m", at, axes, "right")
        np.testing.assert_allclose(lengths, [foot, 0.4, 0.5])
        np.testing.assert_allclose(place, cm)
    heel_toe = _with_foot("heel (HEE)", "toe (TOE)")
    assert segment_dimensions(heel_toe, "", at, axes, "left")[0][0] == pytest.approx(0.2)


def _with_foot(proximal: str, distal: str) -> SegmentTable:
    foot = SegmentRow("foot", "", proximal, distal, 0.014, 0.44, (0.1, 0.2, 0.2), "test")
    return SegmentTable("own.csv", (foot, *load_table("dempster-winter").rows[1:]))


@pytest.mark.parametrize(
    "table", [load_table(VENDOR_TABLE), _with_foot("heel (HEE)", "tip of longest toe")]
)
def test_a_length_that_no_marker_shows_is_refused(table: SegmentTable) -> None:
    with pytest.raises(UsageError, match="markers do not show; wanted ANK-TOE or ankle centre-TOE"):
        leg_body(walk(), CALIBRATION, table, 70.0)


OWN = """# our table, 2019
segment,sex,proximal,distal,mass,cm_along,r_x,r_y,r_z,source

foot,,lateral malleolus (ANK),toe (TOE),0.0145,0.5,0,0.475,0.475,us
shank,,knee centre,ankle centre,0.0465,0.433,0.302,0,0.302,us
thigh,f,hip centre,knee centre,0.1,0.433,0.323,0,0.323,us
thigh,m,hip centre,knee centre,0.11,0.433,0.323,0,0.323,us
"""


def own(folder: Path, text: str) -> str:
    path = folder / "own.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_laboratory_brings_its_own_table(tmp_path: Path) -> None:
    table = load_table(own(tmp_path, "\ufeff" + OWN))
    assert table.name == "own.csv"
    assert table.row("thigh", "m").mass_fraction == 0.11
    assert leg_body(walk(), CALIBRATION, table, 70.0, "f").mass[2] == pytest.approx(7.0)


@pytest.mark.parametrize("name", ["de-leva", "dempster-winter", "dumas"])
def test_a_copy_of_a_table_that_ships_is_a_table(tmp_path: Path, name: str) -> None:
    text = (files("gaitdyn") / f"resources/anthropometry/{name}.csv").read_text(encoding="utf-8")
    assert str(load_table(own(tmp_path, text)).rows) == str(load_table(name).rows)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.0465", "4.65", r"line 5, column mass: found '4.65', wanted a fraction from 0.001"),
        ("0.0465", "0", r"line 5, column mass: found '0', wanted a fraction from 0.001 to 0.3"),
        ("0.0465", "0,0465", r"line 5, column source: found 11 cells, wanted 10"),
        ("0.0465,0.433", "", r"line 5, column source: found 9 cells, wanted 10"),
        ("0.0465", "0.0_465", r"line 5, column mass: found '0.0_465', wanted a fraction from"),
        ("0.475,0.475", "nan,0.475", r"line 4, column r_y: found 'nan', wanted a fraction from 0"),
        (
            "0.302,0,0.302",
            "0,0,0.302",
            r"line 5, column r_x, r_y, r_z: found 0, 0, 0.302, wanted 0",
        ),
        ("0.302,0,0.302", "0,0,0", r"line 5, column r_x, r_y, r_z: found 0, 0, 0, wanted 0 about"),
        ("0.302,0,0.302", "0.302,0,0.9", r"line 5, .*found 0.302, 0, 0.9, wanted no principal"),
        ("0.302,0,0.302", "1.302,0,0.302", r"line 5, column r_x: found '1.302', wanted a fraction"),
        ("0.302,0,", "much,0,", r"line 5, column r_x: found 'much', wanted a fraction from 0 to 1"),
        ("0.0465,0.433", "0.0465,", r"line 5, column cm_along: found '', wanted a fraction"),
        ("shank", "leg", r"line 5, column segment: found 'leg', wanted foot or shank or thigh"),
        ("thigh,f", "thigh,w", r"line 6, column sex: found 'w', wanted nothing or f or m"),
        ("thigh,m", "thigh,f", r"line 7, column segment: found a second row for 'thigh'"),
        ("toe (TOE)", "toe tip", r"line 4, column distal: found 'toe tip', wanted TOE"),
        ("(ANK)", "(GTR)", r"line 4, column proximal: found 'GTR', wanted ANK or ankle centre or"),
        ("r_y,", "r_w,", r"line 2, column r_y: found the columns segment,.*wanted segment,sex"),
        ("source", "source,Ixy", r"line 2, column Ixy: found the columns"),
        ("source", "source,mass", r"line 2, column mass: found twice, wanted once"),
        ("shank,,knee", "#", r"column segment: found no row for shank; wanted foot, shank, thigh"),
        (OWN, "", r"line 1, column segment: found the columns none; wanted segment,sex"),
        (",", ";", r"line 2, column segment: found the columns segment;sex"),
    ],
)
def test_a_wrong_table_is_told_where_and_why(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(UsageError, match=r"own\.csv:? " + message):
        load_table(own(tmp_path, OWN.replace(old, new)))


def _with_products(**cells: Any) -> str:
    lines = [line for line in OWN.splitlines() if line and not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    added = ("cm_x", "cm_y", "cm_z", "r_xy", "r_xz", "r_yz")
    shank = rows[1] | cells
    table = [rows[0], shank, *rows[2:]]
    header = [*rows[0], *added]
    return "\n".join([",".join(header), *(",".join(r.get(c, "") for c in header) for r in table)])


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"r_xy": "0.2", "r_xz": "0", "r_yz": "0"}, "r_xy, r_xz, r_yz: found a principal moment"),
        ({"r_xy": "0.02"}, "r_xz: found '', wanted a fraction from -1 to 1"),
        ({"cm_x": "0", "cm_y": "-0.4", "cm_z": "0"}, "cm_along: found '0.433' as well as cm_x"),
        ({"cm_along": "", "cm_x": "0", "cm_y": "-41"}, "cm_y: found '-41', wanted a fraction"),
        (
            {"cm_along": "", "cm_x": "0", "cm_y": "0.41", "cm_z": "0"},
            "cm_y: found '0.41', wanted a fraction from -1 to 0; y is up",
        ),
    ],
)
def test_products_and_places_are_checked_too(
    tmp_path: Path, cells: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=rf"own\.csv line 3, column {message}"):
        load_table(own(tmp_path, _with_products(**cells)))


def test_an_own_table_may_give_a_place_in_space(tmp_path: Path) -> None:
    place = {"cm_along": "", "cm_x": "-0.05", "cm_y": "-0.41", "cm_z": "0.01"}
    row = load_table(own(tmp_path, _with_products(**place))).row("shank")
    assert row.cm_axes == (-0.05, -0.41, 0.01)
    assert row.products == (0.0, 0.0, 0.0)


def test_a_file_or_table_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"none\.csv: (no such file|file not found).*; wanted a CSV"
    ):
        load_table(str(tmp_path / "none.csv"))
    with pytest.raises(UsageError, match="wanted one of de-leva, dempster-winter, dumas, jensen"):
        load_table("leva")


def test_the_rows_of_all_ages_of_a_segment_run_between_the_same_points(tmp_path: Path) -> None:
    """A length is measured once: fractions of another length cannot be between its ages."""
    lines = [line for line in OWN.splitlines() if line and not line.startswith("#")]
    header, foot, *others = lines
    aged = [f"{foot},4", f"{foot.replace('(ANK)', '(HEE)')},15", *(f"{row}," for row in others)]
    text = "\n".join([f"{header},age_years", *aged])
    with pytest.raises(UsageError, match=r"line 3, column proximal, distal: found other end"):
        load_table(own(tmp_path, text))

"""Reading reference sets: each format's names, units and signs, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.errors import NormRefused
from gaitdyn.metrics.healthy import SCHWARTZ_SPEEDS
from gaitdyn.metrics.norms.curve_names import UNITS
from gaitdyn.metrics.norms.files import norm_path, read_norm, shipped_norms
from gaitdyn.plots.panels import KINEMATICS, KINETICS
from gaitdyn.types.norms import NormNumber

HEADER = "group,speed,count,curve,percent,mean,sd,unit"
TABLE = "group,signal,component,cycle_pct,mean,sd,unit,positive"
PERCENT = np.arange(0, 101, 10)


def own(tmp_path, *lines, comment="# source: a test"):
    path = tmp_path / "own.csv"
    path.write_text("\n".join([comment, HEADER, *lines]), encoding="utf-8")
    return path


def curve_lines(group="free,0.43,25", curve="hip_angle_flexion", unit="deg", mean=30.0):
    return [f"{group},{curve},{p},{mean + p / 100},{5 + p / 100},{unit}" for p in PERCENT]


def table(tmp_path, signal, component, unit, positive, mean=2.0, name="table.csv"):
    lines = [
        f"free,{signal},{component},{p},{mean + p / 100},{0.5},{unit},{positive}" for p in PERCENT
    ]
    path = tmp_path / name
    path.write_text("\n".join([TABLE, *lines]), encoding="utf-8")
    return path


def test_every_panel_can_have_a_band():
    panels = {panel.name: panel.unit for row in (*KINEMATICS, *KINETICS) for panel in row}
    assert panels.items() <= UNITS.items()


# ---------------------------------------------------------------- gaitdyn's own format


def test_a_column_that_is_there_twice_is_refused(tmp_path):
    lines = [f"{line},{line.split(',')[5]}" for line in curve_lines()]
    path = own(tmp_path, *lines)
    path.write_text(path.read_text().replace(HEADER, f"{HEADER},mean"))
    with pytest.raises(NormRefused, match="wanted a header"):
        read_norm(path)


def test_own_file_comes_back_as_written(tmp_path):
    lines = [*curve_lines(), *curve_lines("slow,0.29,", "grf_y", "N/kg", 9.0)]
    norm = read_norm(own(tmp_path, *lines))
    assert norm.source == "a test"
    assert [(g.name, g.speed, g.count) for g in norm.groups] == [
        ("slow", 0.29, None),
        ("free", 0.43, 25),
    ]
    band = norm.groups[1].bands["hip_angle_flexion"]
    assert band.unit == "deg"
    np.testing.assert_array_equal(band.percent, PERCENT)
    np.testing.assert_allclose(band.mean, 30 + PERCENT / 100)
    np.testing.assert_allclose(band.sd, 5 + PERCENT / 100)
    assert not band.mean.flags.writeable
    assert len(norm.sha256) == 64


def test_groups_without_speed_keep_the_order_of_the_file(tmp_path):
    lines = [*curve_lines("zeta,,"), *curve_lines("alpha,,"), *curve_lines("slow,0.2,")]
    assert [g.name for g in read_norm(own(tmp_path, *lines)).groups] == ["slow", "zeta", "alpha"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({3: "free,0.43,25,hip_angle_flexion,20,1,5,deg"}, r"line 6.*20 % after 20 %.*duplicate"),
        ({3: "free,0.43,25,hip_angle_flexion,30,nan,5,deg"}, r"line 6, column mean.*'nan'"),
        ({3: "free,0.43,25,hip_angle_flexion,30,1_0,5,deg"}, r"line 6, column mean.*'1_0'"),
        ({3: "free,0.43,25,hip_angle_flexion,30,\u0661,5,deg"}, r"line 6, column mean"),
        ({3: "free,0.43,25,hip_angle_flexion,30,,5,deg"}, r"line 6, column mean"),
        ({3: "free,0.43,25,hip_angle_flexion,30,1,-5,deg"}, r"line 6.*SD of -5.*swapped"),
        ({3: "free,0.43,25,hip_angle_flexion,30,1,5,rad"}, r"line 6, column unit.*wanted deg"),
        ({3: "free,0.43,25,hip_flexion,30,1,5,deg"}, r"line 6, column curve.*cycles.csv"),
        ({3: "free,0.43,25,hip_moment_flexion,30,1,5,N m/kg"}, r"internal.*hip_moment_extension"),
        ({3: "free,0.44,25,hip_angle_flexion,30,1,5,deg"}, r"line 6.*same on every line"),
        ({3: "free,0.43,25,hip_angle_flexion,30,1"}, r"line 6: found 6 cells; wanted 8"),
        ({10: "free,0.43,25,hip_angle_flexion,,1,5,deg"}, r"line 13, column curve.*peaks.csv"),
        ({10: "free,0.43,25,step_length,,1,5,mm"}, r"line 13, column unit.*wanted m;"),
        ({10: "free,0.43,25,step_length,,1,-5,m"}, r"line 13, column sd.*wanted 0 or more"),
        ({3: "free,0.43,24,hip_angle_flexion,30,1,5,deg"}, r"line 6, column count.*same on every"),
        ({10: "free,0.4,25,step_length,,1,5,m"}, r"line 13.*same on every line"),
        ({10: "fast,0.5,25,step_length,,1,5,m"}, r"line 12.*from 0 to 90 %"),
        ({10: ""}, r"from 0 to 90 %; wanted 11 or more from 0 to 100 %"),
    ],
)
def test_a_defect_is_refused_with_its_line(tmp_path, changed, said):
    lines = [changed.get(i, line) for i, line in enumerate(curve_lines())]
    with pytest.raises(NormRefused, match=said):
        read_norm(own(tmp_path, *lines))


def test_a_set_built_by_gaitdyn_0_1_is_refused(tmp_path: Path) -> None:
    """The SD of its groups are of the mean of both legs, up to a third narrower than of one."""
    source = "# source: own laboratory, 12 subjects, 96 cycles, profile default, model plug-in-gait"
    path = tmp_path / "own.csv"
    path.write_text("\n".join([source, HEADER, *curve_lines()]), encoding="utf-8")
    with pytest.raises(NormRefused, match=r"own.csv: found a set built by gaitdyn 0\.1"):
        read_norm(path)
    path.write_text("\n".join([source[:31], HEADER, *curve_lines()]), encoding="utf-8")
    assert read_norm(path).groups


def test_the_roughness_of_a_curve_is_one_number(tmp_path: Path) -> None:
    def written(roughness: str, changed: str) -> Path:
        lines = [f"{line},{roughness}" for line in curve_lines()]
        lines[3] = f"{curve_lines()[3]},{changed}"
        path = tmp_path / "own.csv"
        path.write_text("\n".join([f"{HEADER},roughness", *lines]), encoding="utf-8")
        return path

    for text, value in (("3.5", 3.5), ("", None)):
        norm = read_norm(written(text, text))
        assert norm.groups[0].bands["hip_angle_flexion"].roughness == value
    for changed in ("4", ""):
        with pytest.raises(NormRefused, match=r"line 5, column roughness.*same on every line"):
            read_norm(written("3.5", changed))


@pytest.mark.parametrize(
    "head",
    [
        "free,1.2 m/s,25", "free,1.9,25", "free,0.43,2.5", "free,0.43,1e300", "free,inf,25",
        "free,-0.4,25", "free,0.43,0",
    ],
)  # fmt: skip
def test_a_speed_or_count_that_cannot_be_is_refused(tmp_path, head):
    with pytest.raises(NormRefused, match="line 3, column"):
        read_norm(own(tmp_path, *curve_lines(head)))


def test_axes_of_moments_that_no_set_can_have_are_refused(tmp_path):
    lines = curve_lines()
    assert read_norm(own(tmp_path, *lines)).moments_in == "distal"
    assert read_norm(own(tmp_path, *lines, comment="# moments in: jcs axes")).moments_in == "jcs"
    for words in ("# moments in: lab axes", "# moments in: jcs axes\n# moments in: distal axes"):
        with pytest.raises(NormRefused, match="wanted one of distal, proximal, jcs, jcs-dual"):
            read_norm(own(tmp_path, *lines, comment=words))


@pytest.mark.parametrize(
    ("comment", "curve", "told"),
    [
        ("# laboratory: own", "knee_moment_extension", True),
        ("# laboratory: own\n# moments in: distal axes", "knee_moment_extension", False),
        ("# laboratory: own", "knee_angle_flexion", False),
        ("", "knee_moment_extension", False),
    ],
)
def test_a_set_built_before_it_named_the_axes_of_its_moments_says_what_is_assumed(
    tmp_path, comment, curve, told
):
    unit = "N m/kg" if "moment" in curve else "deg"
    norm = read_norm(own(tmp_path, *curve_lines(curve=curve, unit=unit, mean=1.0), comment=comment))
    assert norm.moments_in == "distal"
    assert norm.source.endswith("its moments are: distal ones are assumed") == told


def test_a_spreadsheet_that_fills_up_comments_with_empty_cells_changes_nothing(tmp_path):
    comments = ["# source: here, 2024", "# laboratory: own", "# moments in: jcs axes",
                "# ages: 21 to 45 years", "# shank: knee"]  # fmt: skip
    as_built = read_norm(own(tmp_path, *curve_lines(), comment="\n".join(comments)))
    filled = "\n".join(f"{line},,,,," for line in comments)
    saved = read_norm(own(tmp_path, *curve_lines(), comment=filled))
    assert as_built.in_house
    for name in ("source", "in_house", "moments_in", "ages", "shank"):
        assert getattr(saved, name) == getattr(as_built, name), name


@pytest.mark.parametrize(
    ("words", "ages"),
    [
        ("21 to 45 years", (21.0, 45.0)), ("20-45 years", (20.0, 45.0)),
        ("5.5 to 12.3 years", (5.0, 12.0)), ("30 years", (30.0, 30.0)),
        ("18 years and older", None), ("adults", None), ("18 years or more", None),
        ("Over 65 years", None), ("at least 18 years", None), ("from 60 years", None),
        ("up to 12 years", None), ("< 18 years", None), ("from 5 to 12 years", (5.0, 12.0)),
    ],
)  # fmt: skip
def test_ages_written_by_another_hand_are_read_whole_or_not_at_all(tmp_path, words, ages):
    assert read_norm(own(tmp_path, *curve_lines(), comment=f"# ages: {words}")).ages == ages


def test_a_number_has_no_percent_and_is_given_once(tmp_path):
    line = "free,0.43,20,step_length,,0.7,0.05,m"
    (group,) = read_norm(own(tmp_path, *curve_lines(), line)).groups
    assert group.numbers == {"step_length": NormNumber(0.7, 0.05, "m", 20)}
    with pytest.raises(NormRefused, match=r"line 15, column curve.*each quantity once"):
        read_norm(own(tmp_path, *curve_lines(), line, line))
    with pytest.raises(NormRefused, match=r"line 14, column group: found fast; .*with curves"):
        read_norm(own(tmp_path, *curve_lines(), line.replace("free,0.43", "fast,0.5")))


def test_a_curve_of_zeros_is_absent_and_not_a_band(tmp_path):
    zeros = [f"free,0.43,25,grf_z,{p},0,0,N/kg" for p in PERCENT]
    bands = read_norm(own(tmp_path, *curve_lines(), *zeros)).groups[0].bands
    assert set(bands) == {"hip_angle_flexion"}
    with pytest.raises(NormRefused, match="no curve with values"):
        read_norm(own(tmp_path, *zeros))


def test_means_without_any_spread_are_refused(tmp_path):
    lines = [f"free,,,knee_power,{p},1,0,W/kg" for p in PERCENT]
    with pytest.raises(NormRefused, match="SD of 0 on every point"):
        read_norm(own(tmp_path, *lines))


def test_an_external_moment_under_an_internal_name_is_refused(tmp_path):
    lines = curve_lines(curve="ankle_moment_plantarflexion", unit="N m/kg", mean=-2.0)
    with pytest.raises(NormRefused, match="largest value below 0"):
        read_norm(own(tmp_path, *lines))


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"\x02P\0\0C3D"])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "other.csv"
    path.write_bytes(content)
    with pytest.raises(NormRefused, match=r"other.csv: found .*wanted"):
        read_norm(path)


def test_a_missing_file_is_refused_in_words(tmp_path):
    with pytest.raises(NormRefused, match="wanted a reference set"):
        read_norm(tmp_path / "nothing.csv")


# ---------------------------------------------------------------- tables by signal and plane


@pytest.mark.parametrize(
    ("signal", "component", "unit", "positive", "name", "factor"),
    [
        ("pelvis_angle", "sagittal", "deg", "anterior tilt +", "pelvis_angle_tilt", 1),
        ("pelvis_angle", "coronal", "deg", "up +", "pelvis_angle_obliquity", 1),
        ("pelvis_angle", "transverse", "deg", "internal +", "pelvis_angle_rotation", 1),
        ("hip_angle", "sagittal", "deg", "flexion +", "hip_angle_flexion", 1),
        ("hip_angle", "coronal", "deg", "adduction +", "hip_angle_adduction", 1),
        ("hip_angle", "coronal", "deg", "abduction +", "hip_angle_adduction", -1),
        ("hip_angle", "transverse", "deg", "internal +", "hip_angle_internal_rotation", 1),
        ("knee_angle", "sagittal", "deg", "flexion +", "knee_angle_flexion", 1),
        ("knee_angle", "coronal", "deg", "adduction(varus) +", "knee_angle_adduction", 1),
        ("ankle_angle", "sagittal", "deg", "dorsiflexion +", "ankle_angle_dorsiflexion", 1),
        ("foot_progression", "transverse", "deg", "internal +", "foot_angle_progression", 1),
        ("hip_moment", "sagittal", "N.m/kg", "internal extensor +", "hip_moment_extension", 1),
        ("hip_moment", "sagittal", "N.m/kg", "internal flexor +", "hip_moment_extension", -1),
        ("hip_moment", "coronal", "N.m/kg", "internal abductor +", "hip_moment_abduction", 1),
        ("knee_moment", "sagittal", "N.m/kg", "internal extensor +", "knee_moment_extension", 1),
        (
            "knee_moment", "coronal", "N.m/kg", "internal abductor(valgus) + [a remark]",
            "knee_moment_abduction", 1,
        ),
        (
            "ankle_moment", "sagittal", "N.m/kg", "internal plantarflexor + [a remark]",
            "ankle_moment_plantarflexion", 1,
        ),
        ("hip_power", "scalar", "W/kg", "generation +", "hip_power", 1),
        ("ankle_power", "scalar", "W/kg", "generation +", "ankle_power", 1),
        ("grf", "ap", "BW", "anterior +", "grf_x", STANDARD_GRAVITY),
        ("grf", "vertical", "BW", "up +", "grf_y", STANDARD_GRAVITY),
    ],
)  # fmt: skip
def test_a_signal_gets_our_name_unit_and_sign(
    tmp_path, signal, component, unit, positive, name, factor
):
    (group,) = read_norm(table(tmp_path, signal, component, unit, positive)).groups
    ((found, band),) = group.bands.items()
    assert found == name
    np.testing.assert_allclose(band.mean, factor * (2 + PERCENT / 100))
    np.testing.assert_allclose(band.sd, abs(factor) * 0.5)


def test_emg_trunk_and_unknown_signs_are_left_out(tmp_path):
    path = table(tmp_path, "hip_angle", "sagittal", "deg", "flexion +")
    more = [
        "free,emg_soleus,,0,nan,1,1,fraction of max",
        "free,trunk_angle,sagittal,0,1,1,deg,anterior tilt +",
        "free,ankle_moment,transverse,0,1,1,N.m/kg,see source",
    ]
    path.write_text("\n".join([path.read_text(encoding="utf-8"), *more]), encoding="utf-8")
    assert set(read_norm(path).groups[0].bands) == {"hip_angle_flexion"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("hip_moment", "sagittal", "N.m/kg", "external flexor +"), "column positive.*internal"),
        (("hip_moment", "sagittal", "N.mm/kg", "internal extensor +"), "column unit.*N.m/kg"),
        (("hip_angle", "diagonal", "deg", "flexion +"), "signal, component.*hip_angle, diagonal"),
    ],
)
def test_a_table_that_says_something_unknown_is_refused(tmp_path, words, said):
    with pytest.raises(NormRefused, match=said):
        read_norm(table(tmp_path, *words))


def test_speeds_come_from_the_scalars_beside_or_the_paper(tmp_path):
    words = ("hip_angle", "sagittal", "deg", "flexion +")
    assert read_norm(table(tmp_path, *words)).groups[0].speed is None
    norm = read_norm(table(tmp_path, *words, name="schwartz2008.csv"))
    assert norm.groups[0].speed == SCHWARTZ_SPEEDS["free"] == 0.429
    assert "J Biomech" in norm.source
    scalars = (
        "parameter,group,n,mean,sd\nCadence,Free,9,100,1\nDimensionless Speed,Free,82,0.4294,0"
    )
    (tmp_path / "schwartz2008_scalars.csv").write_text(scalars, encoding="utf-8")
    norm = read_norm(tmp_path / "schwartz2008.csv")
    assert (norm.groups[0].speed, norm.groups[0].count) == (0.4294, 82)
    assert "schwartz2008_scalars.csv" in norm.source
    own = table(tmp_path, *words, name="own.csv")
    own.write_text(own.read_text().replace("free,", "Very Slow,"))
    own.with_name("own_scalars.csv").write_text(scalars.replace("Free", "Very Slow"))
    (group,) = read_norm(own).groups
    assert (group.name, group.speed, group.count) == ("Very Slow", 0.4294, 82)


# ---------------------------------------------------------------- .gcd

GCD_NAMES = {
    "PelvicTilt": "pelvis_angle_tilt",
    "PelvicObliquity": "pelvis_angle_obliquity",
    "PelvicRotation": "pelvis_angle_rotation",
    "HipFlexExt": "hip_angle_flexion",
    "HipAbAdduct": "hip_angle_adduction",
    "HipRotation": "hip_angle_internal_rotation",
    "KneeFlexExt": "knee_angle_flexion",
    "KneeValgVar": "knee_angle_adduction",
    "KneeRotation": "knee_angle_internal_rotation",
    "DorsiPlanFlex": "ankle_angle_dorsiflexion",
    "FootProgression": "foot_angle_progression",
    "HipFlexExtMoment": "hip_moment_extension",
    "HipAbAdductMoment": "hip_moment_abduction",
    "KneeFlexExtMoment": "knee_moment_extension",
    "KneeValgVarMoment": "knee_moment_abduction",
    "DorsiPlanFlexMoment": "ankle_moment_plantarflexion",
    "HipPower": "hip_power",
    "KneePower": "knee_power",
    "AnklePower": "ankle_power",
}


LARGER = 12.0
"""Angles and powers are larger than moments in N m/kg."""


def gcd_text(moment=1000.0, points=51, names=tuple(GCD_NAMES)):
    """Return a file made for the test: each variable is its number, plus a slope."""
    lines = ["#!DST-0.GCD     made for a test", "$PREFIXES", "Left", "Right", "!Cadence 1", "110 5"]
    for i, name in enumerate(names, 1):
        factor = moment if "Moment" in name else LARGER
        lines.append(f"!{name} 3")
        lines += [f"{factor * i / 10 * (1 + k / 50):.6f} {factor * 0.1:.4f}" for k in range(points)]
    return "\n".join(lines)


@pytest.mark.parametrize("moment", [1.0, 1000.0])
def test_gcd_variables_get_our_names_and_moments_per_kg(tmp_path, moment):
    path = tmp_path / "normal.gcd"
    path.write_text(gcd_text(moment), encoding="latin-1")
    (group,) = read_norm(path).groups
    assert set(group.bands) == set(GCD_NAMES.values())
    for i, name in enumerate(GCD_NAMES.values(), 1):
        band = group.bands[name]
        np.testing.assert_array_equal(band.percent, np.arange(0, 101, 2))
        factor = 1.0 if "moment" in name else LARGER
        np.testing.assert_allclose(band.mean, factor * i / 10 * (1 + np.arange(51) / 50), rtol=1e-5)
        np.testing.assert_allclose(band.sd, factor * 0.1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (gcd_text(points=50), "!PelvicTilt: found 50 points; wanted 51"),
        (gcd_text(moment=10.0), "found moments up to 32; wanted N m/kg"),
        (gcd_text(moment=-1.0), "largest value below 0|SD of -0.1"),
        (gcd_text(names=("LeftHipFlexExt",)), "one person's cycles"),
        (gcd_text(names=("HipFlexExt", "HipFlexExt")), "line 59: found !HipFlexExt twice"),
        (gcd_text().replace("1.200000 1.2000", "1.200000"), "line 8, !PelvicTilt.*two numbers"),
        (gcd_text().replace("1.200000 1.2000", "nan 1.2"), "line 8, !PelvicTilt.*two numbers"),
    ],
)
def test_a_defect_of_a_gcd_is_refused(tmp_path, text, said):
    path = tmp_path / "normal.gcd"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(NormRefused, match=said):
        read_norm(path)


@pytest.mark.parametrize(
    ("curve", "unit", "mean", "sd"),
    [
        ("hip_angle_flexion", "deg", 400, 5),
        ("hip_angle_flexion", "deg", 30, 1e9),
        ("hip_moment_extension", "N m/kg", 60, 5),
        ("ankle_power", "W/kg", 300, 5),
        ("grf_y", "N/kg", 900, 5),
    ],
)
def test_a_mean_or_an_sd_that_no_group_of_people_has_is_refused(tmp_path, curve, unit, mean, sd):
    lines = curve_lines("free,0.43,25", curve, unit, 5.0)
    lines[4] = f"free,0.43,25,{curve},40,{mean},{sd},{unit}"
    with pytest.raises(NormRefused, match=r"line 7.*found an? (mean|SD) of .*wanted less than"):
        read_norm(own(tmp_path, *lines))


@pytest.mark.parametrize(
    "row", ["nan,25", "inf,25", "-1,25", "0.4,0", "9,25", "0.4,2_5", "0.\u0664,25", ","]
)
def test_scalars_that_cannot_be_are_refused(tmp_path, row):
    path = table(tmp_path, "hip_angle", "sagittal", "deg", "flexion +", name="a.csv")
    speed, _, count = row.partition(",")
    text = f"parameter,group,n,mean,sd\nDimensionless Speed,Free,{count},{speed},0.1\n"
    (tmp_path / "a_scalars.csv").write_text(text, encoding="utf-8")
    with pytest.raises(NormRefused, match="found no speed"):
        read_norm(path)


def test_the_sets_that_ship_are_read_by_their_names():
    children = read_norm("schwartz2008")
    assert [group.name for group in children.groups] == [
        "very_slow", "slow", "free", "fast", "very_fast",
    ]  # fmt: skip
    assert [group.count for group in children.groups] == [77, 82, 82, 76, 51]
    assert "Schwartz MH, Rozumalski A, Trost JP" in children.source
    (centre,) = read_norm("pinzone2014").groups
    assert (centre.name, centre.count, centre.speed) == ("centre_2", None, None)
    for norm in (children, read_norm("pinzone2014")):
        assert not norm.in_house
        assert all(band.roughness is None for g in norm.groups for band in g.bands.values())
    home = shipped_norms()["schwartz2008"].parent
    notice = (home / "NOTICE").read_text(encoding="utf-8")
    assert "corrected: second block labelled 'Knee Ext/Flexion'" in notice
    assert norm_path("schwartz2008").is_file()
    assert norm_path("own/schwartz2008.csv") == Path("own/schwartz2008.csv")

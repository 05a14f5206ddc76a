"""Marker sets of many laboratories, label by label, in the ways in which they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from walkers.laboratory import laboratory
from walkers.laboratory_files import true_walk, write_laboratory
from walkers.laboratory_static import calibration
from walkers.landmarks import landmarks
from walkers.marker_sets import FURTHER, MARKER_SETS, MarkerSet, further_place

from gaitdyn.io.recording import read_recording
from gaitdyn.landmarks import resolve
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic.kinematics import pose
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject
from tests.unit.marked_walker import cluster, plug_in_gait
from tests.unit.marked_walker import recording as marked_recording

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.types.landmarks import Resolution

LAB = replace(laboratory(0), heading_deg=0.0, static="quiet", static_heading_deg=0.0)
Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])

CODES = {"ASI": "ASIS", "PSI": "PSIS", "SAC": "SACR", "M1": "MT1H", "M5": "MT5H", "HLX": "TOE",
         "THW": "THX", "SHW": "SHX"} | {f"THC{i}": "THX" for i in range(1, 5)} | {
         f"SHC{i}": "SHX" for i in range(1, 5)}  # fmt: skip
LEGS = {"ASIS", "PSIS", "SACR", "GTR", "KLE", "KME", "ANL", "ANM", "CAL", "TOE", "MT1H", "MT5H",
        "THX", "SHX"}  # fmt: skip
SAME = {"HLX": "TOE", "MT2H": "TOE"}
TELLS_NOTHING = {"met", "MTP", "ForefootTop", "L_foot_1", "R_foot_1"}
"""Words that are used for another point of the foot too; place does not separate them."""

WRITINGS: dict[str, Callable[[str], str]] = {
    "as written": str,
    "lower": str.lower,
    "joined": lambda label: re.sub(r"[ ._-]", "", label),
    "of a person": lambda label: f"P01_{label}",
    "of a number": lambda label: f"ab12{label}",
}


@dataclass(frozen=True)
class Miss:
    """A landmark of the legs that was missed, or taken for another one."""

    label: str
    wanted: str
    taken: str
    said: bool


@cache
def places() -> dict[str, dict[str, np.ndarray]]:
    """Return every marker of the walk and of the static."""
    trial = true_walk(LAB)
    clock = trial.time_s - trial.recording.clock_s
    files = {
        "walk": landmarks(trial.walker.body, pose(trial.walker, clock)),
        "static": calibration(LAB, trial.walker),
    }
    for points in files.values():
        for name, (segment, *_) in FURTHER.items():
            keys = (f"L{name}", f"R{name}", *([name] if segment == "pelvis" else []))
            points |= {key: further_place(key, points) for key in keys}
    return files


def recording(kind: str, keys: tuple[str, ...], labels: list[str]) -> Recording:
    points = np.stack([places()[kind][key] @ Y_UP.T for key in keys], axis=1)
    return Recording(
        name=kind, sha256="", rate_hz=LAB.rate_hz, samples_per_frame=1, first_frame=1,
        labels=tuple(labels), markers_L=points, outputs={}, events=(), plates=(),
        subject=Subject(),
    )  # fmt: skip


def misses(own: MarkerSet, words: tuple[str, str], write: Callable[[str], str]) -> list[Miss]:
    """Return what is missed or wrong of a marker set in walk and static."""
    keys = {kind: own.keys(static=kind == "static") for kind in ("walk", "static")}
    labels = {k: [write(own.label(key, words)) for key in keys[k]] for k in keys}
    files = [recording(kind, keys[kind], labels[kind]) for kind in ("walk", "static")]
    found = dict(zip(("walk", "static"), resolve(files[0], files[1]), strict=True))
    return [
        miss for kind, one in found.items() if one is not None
        for miss in _misses(own, keys[kind], labels[kind], one)
    ]  # fmt: skip


def _misses(
    own: MarkerSet, keys: tuple[str, ...], labels: list[str], found: Resolution
) -> list[Miss]:
    marks = {mark.index: mark for mark in found.landmarks}
    said = " ".join(f"{finding.scope} {finding.message}" for finding in found.findings)
    out: list[Miss] = []
    for i, key in enumerate(keys):
        side = "" if key in own.labels else {"L": "left", "R": "right"}[key[0]]
        name = key[1:] if side else key
        wanted = CODES.get(name, name)
        mark = marks.get(i)
        code = "" if mark is None else SAME.get(mark.code, mark.code)
        of_legs = wanted in LEGS or code in LEGS
        if of_legs and (mark is None or (code, mark.side) != (wanted, side)):
            out.append(Miss(labels[i], wanted, code, labels[i] in said))
    return out


@pytest.mark.slow
@pytest.mark.parametrize("writing", WRITINGS)
def test_every_landmark_of_the_legs_is_read_in_every_marker_set(writing: str) -> None:
    """Every set as it is written, and in two of the other four writings."""
    write = WRITINGS[writing]
    number = list(WRITINGS).index(writing)
    some = MARKER_SETS if number == 0 else MARKER_SETS[number % 2 :: 2]
    unclear = {write(word)[-3:].lower() for word in TELLS_NOTHING} | {"top"}
    found = {
        (own.name, miss.label): (miss.wanted, miss.taken)
        for own in some
        for words in own.sides
        for miss in misses(own, words, write)
        if miss.label[-3:].lower() not in unclear and own.name != "hbm2"
    }
    assert not found


def letters_of_clusters(letters: str) -> tuple[tuple[str, ...], Recording, Recording]:
    """Return keys, walk and static of a set with clusters in letters, with these for A, S, P, I."""
    own = next(s for s in MARKER_SETS if s.name == "visual3d cluster letters")
    keys, other = own.keys(static=False), str.maketrans("ASPI", letters)
    labels = [
        label[:2] + label[2:].translate(other) if "HC" in key else label
        for key in keys
        for label in [own.label(key, ("L", "R"))]
    ]
    return keys, recording("walk", keys, labels), recording("static", keys, labels)


def test_clusters_without_known_names_are_found_by_place_and_movement_and_said() -> None:
    _, walk, static = letters_of_clusters("XWQZ")
    found, _ = resolve(walk, static)
    clusters = {mark.label for mark in found.landmarks if mark.code in ("THX", "SHX")}
    assert {"LTXW", "LTQZ", "RSXW", "RSQZ"} <= clusters
    said = [f.message for f in found.findings if "no known names" in f.message]
    assert len(said) == 4
    assert any("LTXW" in text and "left thigh" in text for text in said)


def test_letters_of_places_name_a_cluster_without_its_movement() -> None:
    _, walk, static = letters_of_clusters("ASPI")
    found, _ = resolve(walk, static)
    codes = {mark.label: mark.code for mark in found.landmarks}
    assert {codes[label] for label in ("LTAS", "LTPS", "RTAI", "RTPI")} == {"THX"}
    assert {codes[label] for label in ("LSAS", "RSPI")} == {"SHX"}
    assert not [f for f in found.findings if "no known names" in f.message]


def test_a_marker_without_a_known_name_completes_a_cluster_of_two() -> None:
    labels = plug_in_gait()
    for side in ("left", "right"):
        names = (f"{side[0].upper()}{name}" for name in ("THOL", "TH2", "TH3"))
        labels |= dict(zip(names, cluster("THX", "walk", side, 3), strict=True))
    labels = {label: at for label, at in labels.items() if label[1:] != "THI"}
    made = marked_recording(labels, "walk")
    found, _ = resolve(made)
    assert {"LTHOL", "RTHOL"} <= {mark.label for mark in found.landmarks if mark.code == "THX"}
    said = [f.message for f in found.findings if "no known names" in f.message]
    assert [message.split(",")[0] for message in said] == [
        f"{label}: no known names; beside the {side} thigh"
        for side, label in (("left", "LTHOL"), ("right", "RTHOL"))
    ]
    loose = made.markers_L.copy()
    at = made.labels.index("LTHOL")
    loose[:, at] += np.random.default_rng(1).normal(0.0, 0.05, loose[:, at].shape)
    found, _ = resolve(replace(made, markers_L=loose))
    assert "LTHOL" not in {mark.label for mark in found.landmarks}
    of_a_joint = tuple(label.replace("THOL", "TROCH") for label in made.labels)
    found, _ = resolve(replace(made, labels=of_a_joint))
    assert not {"LTROCH", "RTROCH"} & {mark.label for mark in found.landmarks}


def test_markers_that_do_not_move_as_one_are_no_cluster() -> None:
    keys, trial, static = letters_of_clusters("XWQZ")
    loose = trial.markers_L.copy()
    rng = np.random.default_rng(1)
    for key in ("LTHC1", "LTHC2"):
        loose[:, keys.index(key)] += rng.normal(0.0, 0.05, loose[:, 0].shape)
    found, _ = resolve(replace(trial, markers_L=loose), static)
    assert not [m for m in found.landmarks if m.code == "THX" and m.side == "left"]


def test_numbers_of_metatarsals_are_no_cluster_of_the_foot() -> None:
    own = next(s for s in MARKER_SETS if s.name == "codes short")
    assert not misses(own, ("l", "r"), str)


def test_a_marker_on_the_lumbosacral_joint_is_the_sacrum_with_a_warning() -> None:
    own = next(s for s in MARKER_SETS if s.name == "running lab")
    keys = own.keys(static=False)
    labels = [own.label(key, ("L", "R")) for key in keys]
    found, _ = resolve(recording("walk", keys, labels))
    mark = next(m for m in found.landmarks if m.label == "L5S1")
    assert (mark.code, mark.side) == ("SACR", "")
    assert any(f.scope == "L5S1" and "tilt" in f.message for f in found.findings)


@pytest.mark.parametrize("label", ["V.Sacral", "V.Sac", "V.Sa", "VSAC", "V Sacral"])
def test_a_computed_sacrum_is_used_however_it_is_cut(label: str) -> None:
    own = next(s for s in MARKER_SETS if s.name == "cleveland clinic")
    keys = own.keys(static=False)
    labels = [label if key == "SAC" else own.label(key, ("L", "R")) for key in keys]
    found, _ = resolve(recording("walk", keys, labels))
    assert label in {mark.label for mark in found.landmarks if mark.code == "SACR"}


def roles(name: str) -> tuple[dict[str, str], list[str]]:
    """Return label -> role and the codes of findings of a marker set in walk and static."""
    own = next(s for s in MARKER_SETS if s.name == name)
    files = [
        recording(kind, keys, [own.label(key, ("L", "R")) for key in keys])
        for kind, keys in (("walk", own.keys(static=False)), ("static", own.keys(static=True)))
    ]
    found, _ = resolve(files[0], files[1])
    return {m.label: m.role for m in found.landmarks}, [f.code for f in found.findings]


def test_a_lone_marker_in_front_of_the_thigh_is_no_wand() -> None:
    found, codes = roles("motive conventional")
    assert (found["LThigh"], found["RShin"]) == ("LTH1", "RSK1")
    assert codes.count("landmark-no-wand") == 4


def test_a_wand_at_the_side_of_the_thigh_stays_one() -> None:
    found, codes = roles("helen hayes plain")
    assert (found["LTHW"], found["RSHW"]) == ("LTHI", "RTIB")
    assert "landmark-no-wand" not in codes


def test_a_pelvis_whose_names_no_model_knows_is_more_than_one_plane(tmp_path: Path) -> None:
    lab = replace(LAB, marker_set="joined anatomical abbreviations", units_stated=True)
    made = write_laboratory(tmp_path, lab)
    result = process_trial(made.walk, Options(static=str(made.static)))
    assert result.model == "ladder"
    assert np.isfinite(result.to_frame()["right_hip_angle_adduction"]).any()


def test_the_first_and_second_metatarsal_of_a_foot_model_are_used(tmp_path: Path) -> None:
    made = write_laboratory(tmp_path, replace(LAB, marker_set="rizzoli foot", units_stated=True))
    result = process_trial(made.walk, Options(static=str(made.static)))
    assert result.model == "cast-landmarks"
    assert not [f for f in result.findings if f.code == "foot-coarse"]


def test_markers_of_a_walking_aid_hide_neither_the_side_of_one_leg_nor_its_clusters(
    tmp_path: Path,
) -> None:
    lab = replace(
        LAB, marker_set="suffix letters", legs="right", extras="walking aid", units_stated=True
    )
    made = write_laboratory(tmp_path, lab)
    result = process_trial(made.walk, Options(static=str(made.static)))
    assert (result.model, list(result.sides)) == ("ladder", ["right"])
    found, _ = resolve(read_recording(made.walk))
    reasons = {why for _, label, why in found.unresolved if label.startswith(("frame", "crutch"))}
    assert reasons == {"of an object, not of the person"}


def test_a_static_is_found_by_the_labels_of_a_walk_that_lacks_a_marker_for_a_while(
    tmp_path: Path,
) -> None:
    lab = replace(LAB, seed=782, marker_set="hbm2", extras="none", seen="all", gaps="long")
    result = process_trial(write_laboratory(tmp_path, lab).walk)
    assert result.static is not None


@pytest.mark.parametrize(
    ("seed", "style"), [(1619, "cut and described"), (96, "descriptions only")]
)
def test_a_static_is_found_by_labels_that_say_nothing_alone(
    tmp_path: Path, seed: int, style: str
) -> None:
    lab = laboratory(seed)
    assert lab.style == style
    assert process_trial(write_laboratory(tmp_path, lab).walk).static is not None


@pytest.mark.parametrize("name", ["sphyrion", "hbm medial", "french canadian"])
def test_of_one_leg_beside_a_trunk_the_side_is_read(name: str) -> None:
    own = next(s for s in MARKER_SETS if s.name == name)
    keys = own.keys(static=True, sides="R")
    labels = [own.label(key, own.sides[0]) for key in keys]
    found, _ = resolve(recording("walk", keys, labels))
    assert {"RASI", "LPSI", "RKNE", "RKNM", "RANK", "RMED", "RHEE"} <= set(found.roles().values())

"""Labels that several markers share: sides from the person, numbers from the shape of a cluster."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from walkers.laboratory import laboratory, spoken_as
from walkers.laboratory_files import LaboratoryFiles, write_laboratory

from gaitdyn.core.rigid import rigid_motion
from gaitdyn.core.rotations import about, relative
from gaitdyn.io.recording import read_recording
from gaitdyn.landmarks import alike
from gaitdyn.landmarks.labels.shared_parts import without_numbered_sides
from gaitdyn.landmarks.resolver import resolve
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import write_trial
from gaitdyn.types.options import Options
from tests.unit.walker_roles import FAST, WALKER, in_roles
from tests.walks import stand, walk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.landmarks import Resolution
    from gaitdyn.types.recording import Recording

CODES = {"ASI": "ASIS", "PSI": "PSIS", "KLE": "KLE", "ANL": "ANL", "CAL": "CAL"}


def written(folder: Path, seed: int) -> LaboratoryFiles:
    return write_laboratory(folder, laboratory(seed))


def resolved(made: LaboratoryFiles) -> tuple[Resolution, Resolution | None]:
    static = read_recording(made.static) if made.static else None
    return resolve(read_recording(made.walk), static)


@pytest.mark.parametrize("seed", [109, 170, 315, 383])
def test_sides_that_no_label_tells_follow_from_the_person(tmp_path: Path, seed: int) -> None:
    made = written(tmp_path, seed)
    trial, _ = resolved(made)
    truth = dict(enumerate(made.walk_points.keys))
    known = {m.index: m for m in trial.landmarks}
    sided = [i for i, key in truth.items() if key[1:] in CODES]
    assert sided
    found = [i for i in sided if i in known]
    assert len(found) >= 0.6 * len(sided)
    for i in found:
        key = truth[i]
        assert (known[i].code, known[i].side) == (
            CODES[key[1:]], "left" if key[0] == "L" else "right"
        )  # fmt: skip
    told = [f for f in trial.findings if f.code == "landmark-doubtful" and f.scope == "labels"]
    assert told
    assert "their sides follow from their positions" in told[0].message


@pytest.mark.parametrize("seed", [221, 262])
def test_markers_of_a_cluster_with_one_label_are_told_apart(tmp_path: Path, seed: int) -> None:
    made = written(tmp_path, seed)
    assert made.static_points is not None
    roles: list[dict[str, str]] = []
    for found, marked in zip(resolved(made), (made.walk_points, made.static_points), strict=True):
        assert found is not None
        keys = marked.keys
        roles.append(
            {keys[m.index]: m.role for m in found.landmarks if keys[m.index][1:4] == "THC"}
        )
    walk, static = roles
    assert len(walk) >= 4
    assert walk == {key: static[key] for key in walk}
    assert len(set(walk.values())) == len(walk)


def test_only_the_markers_that_share_a_label_are_said_to_share_it(tmp_path: Path) -> None:
    made = written(tmp_path, 221)
    recording = read_recording(made.walk)
    shared = [label for label in recording.labels if recording.labels.count(label) > 1]
    assert 0 < len(shared) < len(recording.labels)
    (told,) = [f for f in resolved(made)[0].findings if f.code == "landmark-copies"]
    assert told.value == len(shared)
    assert f"({', '.join(dict.fromkeys(shared))})" in told.message


@pytest.mark.parametrize("count", [4, 7, 8, 9])
def test_a_large_cluster_is_fitted_in_its_likely_orders_alone(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The 40320 orders of eight markers took half a minute."""
    rng, frames = np.random.default_rng(2), 60
    points = rng.normal(0.0, 0.1, (count + 4, 3))
    R = about("z", np.linspace(0.0, 0.8, frames))
    order = rng.permutation(count)
    moved = np.einsum("nij,mj->nmi", R, points[[*order, *range(count, count + 4)]])
    moved += rng.normal(0.0, 0.001, moved.shape)
    plain = replace(read_recording(written(tmp_path, 221).walk), labels=(), descriptions=())
    files = [replace(plain, markers_L=m) for m in (np.repeat(points[None], frames, 0), moved)]
    texts = [{count + i: f"other {i}" for i in range(4)}] * 2
    fitted: list[int] = []
    monkeypatch.setattr(
        alike, "rigid_motion", lambda *given: fitted.append(1) or rigid_motion(*given)
    )
    members = list(range(count))
    found = alike.matching_order(files, texts, members, members)
    assert found == (tuple(order.tolist()) if count <= 8 else None)
    assert len(fitted) <= 721  # and once for the body


def test_a_person_whose_front_is_not_known_gives_no_sides(tmp_path: Path) -> None:
    """Toes and heels that contradict the pelvis leave the labels as they are."""
    made = written(tmp_path, 170)
    recording = read_recording(made.walk)
    keys = made.walk_points.keys
    swap = {"CAL": "TOE", "TOE": "CAL"}
    at = [keys.index(k[0] + swap[k[1:]]) if k[1:] in swap else i for i, k in enumerate(keys)]
    trial, _ = resolve(replace(recording, markers_L=np.take(recording.markers_L, at, axis=1)))
    assert not [m for m in trial.landmarks if m.code == "ASIS" and m.side]


WORDS = ("Lateral", "Inferior", "Superior", "Anterior")


def worded(made: LaboratoryFiles, order: tuple[int, ...]) -> Recording:
    """The walk with words in place of the numbers of its thigh clusters."""
    recording = read_recording(made.walk)
    labels = list(recording.labels)
    for side, word in (("L", "Left"), ("R", "Right")):
        own = [i for i, k in enumerate(made.walk_points.keys) if k[:4] == f"{side}THC"]
        for i, k in zip(own, order, strict=False):
            labels[i] = f"{word}_Thigh_{WORDS[k]}"
    return replace(recording, labels=tuple(labels))


@pytest.mark.parametrize("order", [(2, 0, 1, 3), (0, 1, 2, 3), (3, 2, 1, 0)])
def test_a_cluster_with_other_words_is_laid_on_that_of_the_static(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    made = written(tmp_path, 221)
    assert made.static is not None
    assert made.static_points is not None
    trial, static = resolve(worded(made, order), read_recording(made.static))
    assert static is not None
    walk = {made.walk_points.keys[i]: role for i, role in trial.roles().items()}
    still = {made.static_points.keys[i]: role for i, role in static.roles().items()}
    clusters = [key for key in walk if key[1:4] == "THC"]
    assert len(clusters) == 8
    assert {key: walk[key] for key in clusters} == {key: still[key] for key in clusters}
    said = [f for f in trial.findings if f.code == "landmark-by-shape"]
    assert all("the static has other labels" in f.message for f in said)


def test_a_cluster_that_fits_in_no_order_is_named_as_on_the_other_side(tmp_path: Path) -> None:
    made = written(tmp_path, 221)
    assert made.static is not None
    assert made.static_points is not None
    walk = worded(made, (2, 0, 1, 3))
    moved = walk.markers_L.copy()
    place = next(i for i, k in enumerate(made.walk_points.keys) if k[:4] == "LTHC")
    moved[:, place] += 0.08
    trial, static = resolve(replace(walk, markers_L=moved), read_recording(made.static))
    assert static is not None
    told = {f.scope: f.message for f in trial.findings if f.code == "landmark-by-shape"}
    assert "no order fits; named as on the other side" in told["left thigh"]
    own = {made.walk_points.keys[i]: role for i, role in trial.roles().items()}
    still = {made.static_points.keys[i]: role for i, role in static.roles().items()}
    clusters = [key for key in own if key[1:4] == "THC"]
    assert {key: own[key] for key in clusters} == {key: still[key] for key in clusters}


def test_clusters_moved_on_both_sides_keep_their_names(tmp_path: Path) -> None:
    made = written(tmp_path, 221)
    assert made.static is not None
    walk = worded(made, (2, 0, 1, 3))
    moved = walk.markers_L.copy()
    for side in "LR":
        place = next(i for i, k in enumerate(made.walk_points.keys) if k[:4] == f"{side}THC")
        moved[:, place] += 0.08
    trial, _ = resolve(replace(walk, markers_L=moved), read_recording(made.static))
    assert not [f for f in trial.findings if f.code == "landmark-by-shape"]


WRITTEN = {"ASI": "asis", "PSI": "psis", "KLE": "knee lat", "KME": "knee med", "ANL": "ankle lat",
         "ANM": "ankle med", "CAL": "heel", "TOE": "toe", "M5": "meta 5"}  # fmt: skip


@pytest.mark.parametrize("left", "12")
@pytest.mark.parametrize("written", ["{word} {digit}", "{word}{digit}", "{digit}_{word}"])
def test_sides_that_are_numbers_follow_from_the_person(
    tmp_path: Path, left: str, written: str
) -> None:
    lab = replace(spoken_as(laboratory(0), "plug-in-gait"), rung="condyles", foot="all",
                  medial="in both", pelvis="psis", extras="none", legs="both")  # fmt: skip
    made = write_laboratory(tmp_path, lab)
    digits = {"L": left, "R": "12".replace(left, "")}
    keys = made.walk_points.keys
    kept = [i for i, key in enumerate(keys) if key[1:] in WRITTEN]
    labels = tuple(
        written.format(word=WRITTEN[keys[i][1:]], digit=digits[keys[i][0]]) for i in kept
    )
    walk = read_recording(made.walk)
    trial, _ = resolve(replace(
        walk, labels=labels, markers_L=walk.markers_L[:, kept],
        descriptions=("",) * len(kept),
    ))  # fmt: skip
    found = {m.index: (m.code, m.side) for m in trial.landmarks}
    for code, truth in (("ASIS", "ASI"), ("KLE", "KLE"), ("ANL", "ANL"), ("CAL", "CAL")):
        for side in ("left", "right"):
            index = [keys[i] for i in kept].index(side[0].upper() + truth)
            assert found[index] == (code, side)
    assert any("labels without a side" in f.message for f in trial.findings)


def test_numbers_beside_sides_are_no_sides() -> None:
    for words in (("LTH", "RTH", "LSH", "RSH", "LFT", "RFT"), ("l knee", "r knee", *"abcd")):
        texts = [f"{word}{number}" for word in words for number in "12"]
        assert without_numbered_sides(texts, lambda text: text[1:2] == " ") == texts
    words = ("asi", "psi", "kne", "ank", "hee", "toe")
    three = [f"{word}{number}" for word in words for number in "123"]
    assert without_numbered_sides(three) == three


WORN = ("LASI", "RASI", "LPSI", "RPSI", "KNE", "KNM", "ANK", "MED", "HEE", "TOE", "MT1", "MT5")


def numbered(label: str) -> str:
    segment = {"TH": "Thigh", "SK": "Calf"}.get(label[1:3])
    return f"{segment} {label[0]} {label[3:]}" if segment and label[3:].isdigit() else label


def left_leg(folder: Path, lost: dict[str, tuple[str, ...]], named: Callable[[str], str]) -> Array:
    """Return how the left segments are turned against the truth, the largest angle of each, deg."""
    files = {"walk": walk(WALKER, FAST), "static": stand(WALKER, FAST)}
    for name, made in files.items():
        worn = in_roles(made, lambda x: x.endswith(WORN) or x[1:3] in ("TH", "SK"))
        keep = [i for i, label in enumerate(worn.labels) if label not in lost[name]]
        labels = tuple(named(worn.labels[i]) for i in keep)
        less = replace(worn, labels=labels, markers_G=worn.markers_G[:, keep])
        write_trial(folder / f"{name}.c3d", less)
    options = Options(static=str(folder / "static.c3d"), mass_kg=70.0, audit=False)
    result = process_trial(folder / "walk.c3d", options)
    turned = relative(files["walk"].left.motion.R_GS, result.pose.left.R_GS)
    assert np.isfinite(turned).all(axis=(1, 2, 3)).sum() > 100
    cosine = 0.5 * (np.trace(turned, axis1=-2, axis2=-1) - 1.0)
    return np.degrees(np.arccos(np.clip(np.nanmin(cosine, axis=0), -1.0, 1.0)))


@pytest.mark.parametrize("named", [str, numbered])
@pytest.mark.parametrize(("walks", "stands"), [("4", "1"), ("34", "12")])
@pytest.mark.parametrize("stem", ["TH", "SK"])
def test_a_marker_of_the_walk_alone_is_not_another_one_of_the_static_alone(
    stem: str, walks: str, stands: str, named: Callable[[str], str], tmp_path: Path
) -> None:
    """A shank turned by 149 degrees: the first marker of the walk was the last of the static."""
    lost = {"walk": walks, "static": stands}
    labels = {name: tuple(f"L{stem}{i}" for i in numbers) for name, numbers in lost.items()}
    assert left_leg(tmp_path, labels, named).max() < 1.0


def test_a_wand_of_the_static_alone_is_no_marker_of_a_cluster_of_the_walk(tmp_path: Path) -> None:
    cluster = tuple(f"LTH{i}" for i in "1234")
    lost = {"walk": ("LTHI", "LTH4", "LKNE"), "static": cluster}
    assert left_leg(tmp_path, lost, str).max() < 5.0  # the thigh follows a line


@pytest.mark.parametrize(
    ("stem", "wand", "walks", "stands"),
    [
        ("SK", "LTIB", "LSK1", "LSK2"),
        ("TH", "LTHI", "LTH1", "LTH2"),
        ("TH", "LTHI", "LTH1", "LTHI"),
    ],
)
def test_lone_markers_of_one_series_are_not_one_wand(
    stem: str, wand: str, walks: str, stands: str, tmp_path: Path
) -> None:
    """A shank turned by 70 degrees, with warnings alone: SK1 of the walk was SK2 of the static."""
    worn = {wand, *(f"L{stem}{i}" for i in "1234")}
    lost = {"walk": tuple(worn - {walks}), "static": tuple(worn - {stands})}
    assert left_leg(tmp_path, lost, str).max() < 1.0

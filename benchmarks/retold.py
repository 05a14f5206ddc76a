"""Real trials told as another laboratory would, against what they gave as they are.

usage: python benchmarks/retold.py [TEXT]     writes reports/validation/retold.md
       (TEXT: only trials whose name holds it; prints, no page)

Labels in other dialects, other axes, plates not tared, markers of a second person, markers that are
not there: nobody's movement changes, so angles and moments must not, or something says why.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import permutations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from page import stamp, table, write
from scipy.linalg import expm
from walkers.dialects import DIALECTS, label_of
from walkers.laboratory import laboratory

from gaitdyn.errors import GaitdynError
from gaitdyn.io.recording import read_recording
from gaitdyn.pipeline import process_trial
from gaitdyn.stages import session as session_module
from gaitdyn.stages import standing as standing_module
from gaitdyn.stages.session import read_session
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gaitdyn.trial import Result
    from gaitdyn.types.recording import Recording

    Change = Callable[[Recording], Recording]

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
MASS_KG = 70.0

KEYS = {
    "ASI": "ASI", "PSI": "PSI", "GTR": "GTR", "KNE": "KLE", "KNM": "KME", "ANK": "ANL",
    "MED": "ANM", "HEE": "CAL", "TOE": "TOE", "MT1": "M1", "MT5": "M5", "HFI": "FIB",
    "TTU": "TTU", "THI": "THW", "TIB": "SHW",
} | {f"TH{i}": f"THC{i}" for i in range(1, 5)} | {
    f"{stem}{i}": f"SHC{i}" for stem in ("SK", "TB") for i in range(1, 5)
}  # fmt: skip
"""Our name of a marker without its side -> landmark of the table of dialects."""

ANGLES = ("knee_angle_flexion", "hip_angle_flexion", "ankle_angle_dorsiflexion",
          "hip_angle_adduction")  # fmt: skip
MOMENTS = ("knee_moment_extension", "hip_moment_extension", "ankle_moment_plantarflexion")
SAME_DEG, SAME_SHARE, LOST = 0.5, 0.03, 0.5
"""Angles within 0.5 degrees and moments within 3 % of their peak are the same; a curve of which
half of the frames are gone is lost."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial of the corpus with its static."""

    name: str
    path: Path
    static: Path | None
    mass_kg: float | None


@dataclass(frozen=True, slots=True)
class Told:
    """What came of one telling: same, less, other (said or silent), refused, crash."""

    trial: str
    telling: str
    kind: str
    note: str = ""


def trials(text: str = "") -> list[Trial]:
    """Return the walking trials of the catalogue."""
    with (CORPUS / "catalogue.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["role"] == "dynamic"]
    found: list[Trial] = []
    for row in rows:
        path = CORPUS / row["file"]
        partner = path.parent / row["static_partner"] if row["static_partner"] else None
        known = row["mass_param"].strip() or row["mass_from_static_Fz"].strip()
        if text in row["file"] and path.is_file():
            found.append(Trial(row["file"], path, partner, None if known else MASS_KG))
    return found


@contextmanager
def read_as(change: Change) -> Iterator[None]:
    """Let every file be read with a change."""

    def changed(*args: Any, **words: Any) -> Recording:
        return change(read_recording(*args, **words))

    modules = (session_module, standing_module)
    kept = [vars(module)["read_recording"] for module in modules]
    forget_static = vars(standing_module)["_whole_file"].cache_clear  # or it stays as it was read
    forget_static()
    try:
        for module in modules:
            vars(module)["read_recording"] = changed
        yield
    finally:
        for module, old in zip(modules, kept, strict=True):
            vars(module)["read_recording"] = old
        forget_static()


def in_dialect(name: str, places: dict[str, str], seed: int) -> Change:
    """Return a change that writes the labels of known landmarks in a dialect.

    Parameters
    ----------
    name : str
    places : dict
        Label as it is -> our name.
    seed : int
        Which of the side words, places, separators and cases of the dialect.
    """
    dialect = next(d for d in DIALECTS if d.name == name)
    rng = np.random.default_rng(seed)

    def one(options: Any) -> Any:
        return options[int(rng.integers(len(options)))]

    lab = replace(
        laboratory(0), dialect=name, style="plain", side_words=one(dialect.sides),
        place=one(dialect.places), separator=one(dialect.separators), case=one(dialect.cases),
    )  # fmt: skip

    def label(old: str) -> str:
        ours = places.get(old, "")
        if ours == "SACR":
            return label_of(lab, "SAC")
        key = KEYS.get(ours[1:])
        return label_of(lab, ours[0] + key) if key else old

    def change(recording: Recording) -> Recording:
        return replace(recording, labels=tuple(label(x) for x in recording.labels), descriptions=())

    return change


def turned(index: int) -> Change:
    """Return a change of the axes of the laboratory: one of the 24 right-handed ones."""
    turns = [
        np.diag(signs)[list(order)]
        for order in permutations(range(3))
        for signs in product((1.0, -1.0), repeat=3)
    ]
    return moved_by([R for R in turns if np.linalg.det(R) > 0][index])


def turned_about(up: Any, angle_deg: float) -> Change:
    """Return a change of the direction in which everybody walks: by any angle about an axis."""
    x, y, z = np.radians(angle_deg) * np.asarray(up)
    return moved_by(expm(np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])))


def moved_by(R: Any) -> Change:
    """Return a change of the axes of the laboratory by a rotation matrix."""

    def change(recording: Recording) -> Recording:
        plates = tuple(replace(p, corners_L=p.corners_L @ R.T) for p in recording.plates)
        return replace(recording, markers_L=recording.markers_L @ R.T, plates=plates)

    return change


def with_offsets(recording: Recording) -> Recording:
    """Return a recording whose plates read something while nobody stands on them."""
    added = np.array([8.0, -5.0, 12.0, 1.5, -1.0, 0.5])
    plates = tuple(
        p if p.problem or p.virtual else replace(p, channels=p.channels + added)
        for p in recording.plates
    )
    return replace(recording, plates=plates)


def with_another(recording: Recording) -> Recording:
    """Return a recording in which somebody else, whom nobody labelled, stands at the side."""
    seen = np.flatnonzero(np.isfinite(recording.markers_L[..., 0]).any(axis=0))
    other = recording.markers_L[:, seen[:16]]
    still = np.nanmedian(other, axis=0, keepdims=True) + np.array([1.3, 1.3, 0.0])
    markers = np.concatenate((recording.markers_L, np.broadcast_to(still, other.shape)), axis=1)
    labels = (*recording.labels, *(f"*{100 + i}" for i in range(other.shape[1])))
    described = (*recording.descriptions, *("" for _ in range(other.shape[1])))
    return replace(recording, markers_L=markers, labels=labels,
                   descriptions=described if recording.descriptions else ())  # fmt: skip


def only(kept: set[str]) -> Change:
    """Return a change that leaves some labels."""

    def change(recording: Recording) -> Recording:
        at = [i for i, label in enumerate(recording.labels) if label in kept]
        texts = recording.descriptions
        return replace(
            recording,
            labels=tuple(recording.labels[i] for i in at),
            markers_L=recording.markers_L[:, at],
            descriptions=tuple(texts[i] for i in at) if len(texts) == len(recording.labels) else (),
        )

    return change


def without_events(recording: Recording) -> Recording:
    """Return a recording in which nobody marked strikes and offs."""
    return replace(recording, events=())


def tellings(trial: Trial) -> dict[str, Change]:
    """Return the ways in which a trial is told again."""
    options = Options(static=str(trial.static) if trial.static else None, mass_kg=trial.mass_kg)
    named: dict[str, str] = {}
    with read_as(lambda r: r):
        session = read_session(trial.path, options)
    for path, ours in ((trial.static, session.static), (trial.path, session.trial)):
        if path is not None and ours is not None:
            known = read_recording(path).labels
            named |= dict(zip(known, ours.recording.labels, strict=False))
    places = {old: new for old, new in named.items() if new[1:] in KEYS or new == "SACR"}
    found: dict[str, Change] = {
        f"labels in {d.name}": in_dialect(d.name, places, i) for i, d in enumerate(DIALECTS)
    }
    found |= {f"axes {i}": turned(i) for i in (3, 9, 14, 20)}
    up_L = session.trial.R_GL[1]
    found |= {f"turned {angle} degrees": turned_about(up_L, angle) for angle in (37, 250)}
    found["plates not tared"] = with_offsets
    found["a second person"] = with_another
    found["no other markers"] = only(set(places))
    found["no events"] = without_events
    return found


def run(trial: Trial) -> Result:
    """Process a trial with its static."""
    static = str(trial.static) if trial.static else None
    return process_trial(trial.path, Options(static=static, mass_kg=trial.mass_kg))


def compared(trial: Trial, telling: str, before: Result, change: Change) -> Told:
    """Return what came of a telling."""
    try:
        with read_as(change):
            after = run(trial)
    except GaitdynError as error:
        return Told(trial.name, telling, "refused", str(error)[:160])
    except Exception as error:  # noqa: BLE001 - the outcome that must not be
        return Told(trial.name, telling, "crash", f"{type(error).__name__}: {error}")
    old, new = before.to_frame(), after.to_frame()
    lost, worst, where = [], 0.0, ""
    for side in ("left", "right"):
        for word in (*ANGLES, *MOMENTS):
            name = f"{side}_{word}"
            if name not in old or not np.isfinite(old[name]).any():
                continue
            a = np.asarray(old[name])
            b = np.asarray(new[name]) if name in new else np.full_like(a, np.nan)
            both = np.isfinite(a) & np.isfinite(b)
            if both.sum() < LOST * np.isfinite(a).sum():
                lost.append(name)
                continue
            off = float(np.abs(a - b)[both].max())
            share = off / SAME_DEG if "angle" in word else off / SAME_SHARE / np.nanmax(np.abs(a))
            if share > worst:
                worst, where = share, f"{name} {off:.1f}"
    known = {(f.code, f.scope) for f in before.findings}
    told = {f.code for f in after.findings if f.level != "info" and (f.code, f.scope) not in known}
    note = f"{where}; {after.model}; new: {', '.join(sorted(told)) or 'nothing'}"
    if lost:
        return Told(trial.name, telling, "less" if told else "less, silent", f"{lost[0]}; {note}")
    if worst > 1.0:
        rungs = "other rungs" if after.model != before.model else "other"
        return Told(trial.name, telling, rungs if told else f"{rungs}, silent", note)
    return Told(trial.name, telling, "same")


def main() -> int:
    """Run and write the page; 1 where something is silent or crashes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("text", nargs="?", default="")
    parser.add_argument("--only", default="", help="only tellings whose name holds this")
    asked = parser.parse_args()
    found: list[Told] = []
    for trial in trials(asked.text):
        try:
            before = run(trial)
            ways = tellings(trial)
        except GaitdynError as error:
            print(trial.name, "refused as it is:", str(error)[:100])
            continue
        for name, change in ways.items():
            if asked.only in name:
                found.append(compared(trial, name, before, change))
                if found[-1].kind != "same":
                    print(
                        *(found[-1].trial, found[-1].telling, found[-1].kind, found[-1].note),
                        sep=" | ",
                        flush=True,
                    )
    kinds = Counter(told.kind for told in found)
    print(len(found), "tellings:", ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
    if not asked.text and not asked.only:
        write("retold", page(found))
    return 1 if kinds["crash"] or kinds["less, silent"] else 0


def page(found: list[Told]) -> list[str]:
    """Return the lines of the page."""
    kinds = sorted({told.kind for told in found})
    ways = list(dict.fromkeys(told.telling for told in found))
    by_way = [
        (way, *(str(sum(t.kind == kind for t in found if t.telling == way)) for kind in kinds))
        for way in ways
    ]
    odd = [
        (t.trial, t.telling, t.kind, t.note)
        for t in found
        if t.kind in ("refused", "crash", "less", "less, silent", "other", "other, silent")
    ]
    silent = sum(told.kind in ("less, silent", "other, silent") for told in found)
    listed = ", ".join(
        f"{sum(t.kind == kind for t in found)} {kind}" for kind in kinds if kind != "same"
    )
    same = sum(told.kind == "same" for told in found)
    return [
        "# Real trials told again",
        "",
        *stamp("python benchmarks/retold.py"),
        f"{len(found)} tellings: {same} same, {listed};",
        f"{silent} lost or other without a word.",
        "",
        "Each walking trial of the corpus with its labels in another dialect, other axes of the",
        "laboratory, turned about the vertical, plates that are not tared, a second person",
        "beside it, no other markers, no events. `same`: angles within",
        f"{SAME_DEG:g} degrees and moments within {100 * SAME_SHARE:.0f} % of their peak; `other",
        "rungs`: another marker model was taken, so that joint centres come from other rules;",
        "`less`: half of a curve's frames are gone; `silent`: no finding is new.",
        "",
        *table(("telling", *kinds), by_way),
        "",
        "## What is refused, lost or other",
        "",
        *(table(("trial", "telling", "outcome", "what"), odd) if odd else ["Nothing."]),
    ]


if __name__ == "__main__":
    sys.exit(main())

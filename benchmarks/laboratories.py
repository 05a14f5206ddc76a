"""Laboratories that nobody has seen, drawn from seeds, against the walker's exact truth.

usage: python benchmarks/laboratories.py            writes reports/validation/laboratories.md
       python benchmarks/laboratories.py COUNT      prints; writes the page only with --page
       python benchmarks/laboratories.py --seed N   prints one laboratory and what came of it
       ... --dialect NAME                           all write their labels so; prints, no page
       ... --harder         marker sets label by label, and what is rarer: laboratories-harder.md
                            (250 laboratories)
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from laboratories_page import KINDS, Kind, page, silent
from page import write
from stated_rungs import as_stated, lower_rungs
from walkers.laboratory import CHOICES, Laboratory, harder_laboratory, laboratory, spoken_as
from walkers.laboratory_files import LaboratoryFiles, write_laboratory
from walkers.laboratory_rungs import PLANES, Allowed, allowed, own_static

from gaitdyn.errors import GaitdynError
from gaitdyn.pipeline import process_trial
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from gaitdyn.synthetic import Walk
    from gaitdyn.synthetic.body import Side
    from gaitdyn.synthetic.clinical import Columns
    from gaitdyn.trial import Result
    from gaitdyn.types.findings import Finding

COUNT, HARDER_COUNT = 500, 250
"""Laboratories of a whole run, which writes the page."""
PROCESSES = 2
EDGE_S = 0.1
"""At both ends of the trial: no rate of change is known there."""
LEAST_SHARE = 0.1
"""Of the frames: a curve that is known in fewer is not given."""

WORDS = {
    "pelvis": (("tilt", "obliquity", "rotation"), ()),
    "hip": (("flexion", "adduction", "internal_rotation"),
            ("extension", "abduction", "external_rotation")),
    "knee": (("flexion", "adduction", "internal_rotation"),
             ("extension", "abduction", "external_rotation")),
    "ankle": (("dorsiflexion", "inversion", "internal_rotation"),
              ("plantarflexion", "eversion", "external_rotation")),
}  # fmt: skip
"""Joint -> words of its angles and of its moments: sagittal, frontal, transverse."""

NEIGHBOURS = {
    "pelvis": {"pelvis"},
    "hip": {"pelvis", "hip", "knee", "thigh"},
    "knee": {"hip", "knee", "ankle", "thigh", "shank"},
    "ankle": {"knee", "ankle", "foot", "shank"},
}
"""Joint -> what a finding may be about that says why the joint is off."""

ELSEWHERE = (
    "adult-", "beside-", "closure-", "contact-", "cop-", "device", "energy-", "event", "file-end",
    "filter", "force-", "free-moment", "gap-", "heading", "left-out", "marker-gap", "mass-",
    "next-", "no-force", "no-mass", "no-plates", "parameter-file", "peak-", "plate", "read",
    "stance-", "subject-",
)  # fmt: skip
"""Beginnings of the codes of findings that say nothing about a landmark, a centre or an axis."""


@dataclass(frozen=True, slots=True)
class Row:
    """One joint of one side.

    Attributes
    ----------
    name : str
        Side, joint and quantity.
    error, limit : float
        The worst of the three planes, as a share of its tolerance; the tolerance, deg or N m.
    column : str
        The curve of the worst plane.
    given, said : bool
        Whether the curves are there; whether a finding speaks of them.
    coarse : bool
        Whether it must be said to be coarse.
    """

    name: str
    column: str
    error: float
    limit: float
    given: bool
    said: bool
    coarse: bool

    @property
    def wrong(self) -> bool:
        """Whether the error is above the tolerance."""
        return self.given and self.error > self.limit

    @property
    def silent(self) -> bool:
        """Whether it is wrong, or coarse, and nothing says so."""
        return (self.wrong or (self.given and self.coarse)) and not self.said


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one laboratory; ``lower`` has the rungs below those that its markers allow."""

    lab: Laboratory
    kind: Kind
    reason: str = ""
    model: str = ""
    codes: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    lower: tuple[str, ...] = ()


def run(seed: int, dialect: str = "", *, harder: bool = False) -> Outcome:
    """Write the laboratory of a seed, process it, hold it against the truth.

    Parameters
    ----------
    seed : int
    dialect : str
        In which all labels are written; empty for the laboratory's own.
    harder : bool
        A marker set, and what is rarer.
    """
    lab = harder_laboratory(seed) if harder else laboratory(seed)
    return run_laboratory(spoken_as(lab, dialect) if dialect else lab)


def run_laboratory(lab: Laboratory) -> Outcome:
    """Write a laboratory, process it, hold it against the truth."""
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder) / "alone"  # a static is looked for in the folder above, too
        made = write_laboratory(alone, lab, truth_csv=False)
        static = str(made.static) if made.static and lab.finding == "named" else None
        options = Options(static=static, cutoff_hz=None, force_cutoff_hz=None)
        try:
            result = process_trial(made.walk, options)
        except GaitdynError as error:
            return Outcome(lab, "refused", str(error))
        except Exception as error:  # noqa: BLE001 - the outcome that must not be
            return Outcome(lab, "crash", f"{type(error).__name__}: {error}")
        return judged(lab, made, result)


def judged(lab: Laboratory, made: LaboratoryFiles, result: Result) -> Outcome:
    """Return the outcome of a trial that was processed."""
    feet: set[Side] = {stance.side for stance in made.truth.stances if stance.plate is not None}
    frame = result.to_frame()
    rows: list[Row] = []
    lost = own_static(lab) and result.static is None
    lower = ["own static beside the walk, none taken"] if lost else []
    truth = made.truth.columns()
    for best in allowed(lab, feet):
        joint = as_stated(best, _stated(result, best))
        lower += lower_rungs(best, joint)
        rows.append(_row(joint, "angle", made.truth, truth, frame, result))
        if joint.kinetics:
            rows.append(_row(joint, "moment", made.truth, truth, frame, result))
    if any(row.silent for row in rows):
        kind: Kind = "silent"
    elif any(row.wrong for row in rows):
        kind = "said"
    else:
        kind = "processed" if all(row.given for row in rows) else "in part"
    lacking = ", ".join(row.name for row in rows if not row.given)
    codes = tuple(f"{f.code} ({f.scope})" for f in result.findings if f.level != "info")
    return Outcome(lab, kind, lacking, result.model, codes, tuple(rows), tuple(sorted(set(lower))))


def _stated(result: Result, joint: Allowed) -> dict[str, str]:
    """Return the rung that the result states for each place of a joint."""
    taken = {place: result.rung(joint.side, place) for place in joint.places}
    return {place: step.rung for place, step in taken.items() if step is not None}


def _row(
    joint: Allowed,
    quantity: Literal["angle", "moment"],
    walk: Walk,
    truth: Columns,
    frame: Any,
    result: Result,
) -> Row:
    """Return the worst curve of one joint, and whether all are there."""
    edge = round(EDGE_S * walk.recording.rate_hz)
    words = WORDS[joint.joint][0 if quantity == "angle" else 1]
    known = walk.leg(joint.side).known if quantity == "moment" else True
    found: list[tuple[float, float, str]] = []
    given = True
    for plane, word in zip(PLANES, words, strict=True):
        name = f"{joint.side}_{joint.joint}_{quantity}_{word}"
        values = np.asarray(frame[name]) if name in frame else np.full(len(frame), np.nan)
        off = np.abs(_wrapped(values - truth[name], quantity))
        off = np.where(known, off, np.nan)[edge:-edge]
        given &= bool(np.isfinite(off).mean() >= LEAST_SHARE)
        worst = float(np.nanmax(off)) if np.isfinite(off).any() else 0.0
        found.append((worst, joint.limit(quantity, plane), name))
    error, limit, column = max(found, key=lambda item: item[0] / item[1])
    said = any(speaks_of(finding, joint) for finding in result.findings)
    name = f"{joint.side} {joint.joint} {quantity}"
    return Row(name, column, error, limit, given, said, joint.coarse)


def _wrapped(difference: Any, quantity: str) -> Any:
    """Return differences of angles within half a turn."""
    return (difference + 180.0) % 360.0 - 180.0 if quantity == "angle" else difference


def speaks_of(finding: Finding, joint: Allowed) -> bool:
    """Return whether a warning says that the landmarks, centres or axes of a joint are in doubt."""
    if finding.level == "info" or finding.code.startswith(ELSEWHERE):
        return False
    words = set(re.findall(r"[a-z]+", f"{finding.scope} {finding.side} {finding.joint}".lower()))
    sides = words & {"left", "right"}
    places = words & set().union(*NEIGHBOURS.values())
    return (not sides or joint.side in sides) and (
        not places or bool(places & NEIGHBOURS[joint.joint])
    )


def outcomes(seeds: range, dialect: str = "", *, harder: bool = False) -> list[Outcome]:
    """Return what came of the laboratories of some seeds, in their order."""
    with ProcessPoolExecutor(PROCESSES) as pool:
        return list(pool.map(partial(run, dialect=dialect, harder=harder), seeds, chunksize=10))


def show(outcome: Outcome) -> None:
    """Print one laboratory and what came of it."""
    for field in fields(outcome.lab):
        print(f"{field.name:20} {getattr(outcome.lab, field.name)}")
    print(f"\n{outcome.kind} {outcome.model} {outcome.reason}", *outcome.codes, sep="\n  ")
    for row in outcome.rows:
        word = "SILENT" if row.silent else "said" if row.wrong else "" if row.given else "not given"
        print(f"{row.name:22} {row.error:7.2f} of {row.limit:5.2f}  {row.column} {word}")


def main() -> int:
    """Run, write the page of a whole run, return 1 if one is wrong and silent or crashes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("count", nargs="?", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--dialect", default="", choices=("", *CHOICES["dialect"]))
    parser.add_argument("--harder", action="store_true")
    parser.add_argument("--page", action="store_true", help="write the page of any count")
    asked = parser.parse_args()
    if asked.seed is not None:
        show(run(asked.seed, asked.dialect, harder=asked.harder))
        return 0
    whole = HARDER_COUNT if asked.harder else COUNT
    count = whole if asked.count is None else asked.count
    found = outcomes(range(count), asked.dialect, harder=asked.harder)
    if asked.dialect or not (count == whole or asked.page):
        print(*silent(found), sep="\n")
    else:
        command = "python benchmarks/laboratories.py" + " --harder" * asked.harder
        command += "" if count == COUNT else f" {count}"
        write("laboratories-harder" if asked.harder else "laboratories", page(found, command))
    kinds = Counter(outcome.kind for outcome in found)
    print(", ".join(f"{kinds[kind]} {kind}" for kind in KINDS))
    return 1 if kinds["silent"] or kinds["crash"] else 0


if __name__ == "__main__":
    sys.exit(main())

"""Markers of clusters that blink: how far moments go wrong, and what of them stays known.

usage: python benchmarks/blink.py [CORPUS]    writes reports/validation/blink.md

On every set-up with clusters, real trials and the synthetic walker's, each marker that a segment is
fitted to is hidden in turn for 0.15 s of every second (longer than what is filled by itself), and
the trial is processed again: four times, the blink a quarter of a second later each time, as it may
fall on the stance or the swing of a leg that strides once a second. The error is the largest change
of a moment of ankle, knee or hip in any frame that is known then and without the blink, of its
largest size without it, in any of the four. Beside it one to three markers are hidden together,
once each, at times and for lengths that are drawn.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
from page import stamp, table, write
from remembered import remembered
from usage import help_shown
from walkers.laboratory import laboratory
from walkers.laboratory_files import write_laboratory

from gaitdyn.calibrate.clusters.hidden import carried_through
from gaitdyn.calibrate.clusters.steady import gain, largest_stray
from gaitdyn.core.rigid import rigid_motion
from gaitdyn.pipeline import process_loaded
from gaitdyn.quality.impossible import emptied, empties
from gaitdyn.quality.rules.anatomy import anatomy_rules
from gaitdyn.quality.rules.check import check_result, checked, judged
from gaitdyn.quality.rules.markers.gaps import marker_rules
from gaitdyn.quality.rules.numbers import number_rules
from gaitdyn.quality.rules.table import load_rules
from gaitdyn.stages.session import read_session
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array, Mask

TRIALS = (
    "AUC/CB_Dynamic0003.c3d",
    "BMC/Gait.c3d",
    "BTS-ezc3d/BTS.c3d",
    "Coda/codamotion_gaitwands_19970212.c3d",
    "IST/Gait with EMG.c3d",
    "MAC/short.c3d",
    "OpenSim/walking5.c3d",
    "Qualisys-ezc3d/Qualisys.c3d",
    "UNIPD/Walking1.c3d",
    "c3d.org-Qualisys/Capture0003.c3d",
    "c3d.org-Qualisys/Walking_Hybrid_2.c3d",
)
MASS_KG = 70.0
"""Where a trial does not say it: errors are parts of the peak."""

HIDDEN_S, PERIOD_S, PHASES_S = 0.15, 1.0, (0.1, 0.35, 0.6, 0.85)
DRAWN, LENGTHS_S, MOST = 30, (0.11, 0.15, 0.2, 0.3, 0.5), 3
"""Drawn blinks a set-up: how many, how long, of how many markers together."""

OF_A_SEGMENT = rigid_motion, carried_through, gain, largest_stray
"""What most segments have the same of, whichever marker blinks."""

EMPTYING = marker_rules, anatomy_rules, number_rules
"""The rules whose findings may empty moments: those with ``empties`` in the table."""

LARGEST, KNOWN = 0.10, 0.70
"""Of the peak, and of the frames that are known without the blink."""


@dataclass(frozen=True, slots=True)
class Blink:
    """What hiding one marker does: error by its worst moment, and the part that stays known.

    The part is that of all phases together; ``least`` that of the phase with the smallest.
    """

    marker: str
    error: float
    where: str
    known: float
    least: float


def moments(result: Result) -> dict[str, Array]:
    """Return ``left hip`` and so on -> moment of the joint, shape (n, 3), N m, as published."""
    found = {}
    for side, one in result.sides.items():
        if one.kinetics is not None:
            hidden = np.where(one.kinetics.published, 1.0, np.nan)[..., None]
            shown = one.kinetics.loads.moment_S * hidden
            found |= {f"{side} {j}": shown[:, i] for i, j in enumerate(("ankle", "knee", "hip"))}
    return found


def tracking(result: Result) -> list[str]:
    """Return the markers that segments of legs and pelvis are fitted to."""
    reference = result.body.reference if result.body else None
    if reference is None:
        return []
    legs = [template for leg in reference.legs.values() for template in leg.template]
    labels = [label for names, _ in (reference.pelvis, *legs) for label in names]
    return sorted({label for label in labels if label in result.trial.labels})


def published(result: Result) -> Result:
    """Return a result as published: all rules are asked only where one of them empties moments."""
    rules = load_rules(result.options.quality)
    found = [one for finding in result.noticed for one in judged(finding, rules)]
    found += check_result(result, rules, EMPTYING)
    if any(empties(finding, rules) for finding in found):
        return checked(result)
    return emptied(result, rules, ())


def hidden(session: Session, where: dict[str, Mask]) -> Session:
    """Return a session whose trial lacks each marker of ``where`` in some frames."""
    trial = session.trial
    markers = trial.markers_G.copy()
    for label, frames in where.items():
        markers[frames, trial.labels.index(label)] = np.nan
    return replace(session, trial=replace(trial, markers_G=markers))


def blinks(path: Path, options: Options) -> tuple[list[Blink], list[Blink]]:
    """Return what every marker of a trial does that blinks, and what drawn blinks do."""
    session = read_session(path, options)
    clean = process_loaded(session, options)
    before = moments(clean)
    if not any(np.isfinite(values).any() for values in before.values()):
        options = replace(options, mass_kg=MASS_KG)
        session = read_session(path, options)
        clean = process_loaded(session, options)
        before = moments(clean)

    def blink(where: dict[str, Mask]) -> Blink:
        after = moments(process_loaded(hidden(session, where), options))
        return _compared(" ".join(where), before, after)

    t = np.arange(len(session.trial.markers_G)) / session.trial.rate_hz
    found, labels = [], tracking(clean)
    for label in labels:
        each = [blink({label: np.mod(t - at, PERIOD_S) < HIDDEN_S}) for at in PHASES_S]
        worst = max(each, key=lambda one: one.error)
        known = [one.known for one in each]
        found.append(replace(worst, known=float(np.mean(known)), least=min(known)))
    return found, [blink(where) for where in drawn(labels, t)]


def drawn(labels: list[str], t: Array) -> Iterator[dict[str, Mask]]:
    """Yield blinks of one to three markers, each at its time and for its length."""
    rng = np.random.default_rng(len(t))
    for _ in range(DRAWN if labels else 0):
        chosen = rng.choice(labels, min(len(labels), rng.integers(1, MOST + 1)), replace=False)
        starts = rng.uniform(0.0, t[-1], len(chosen))
        ends = starts + rng.choice(LENGTHS_S, len(chosen))
        yield {
            str(label): (t >= start) & (t < end)
            for label, start, end in zip(chosen, starts, ends, strict=True)
        }


def _compared(label: str, before: dict[str, Array], after: dict[str, Array]) -> Blink:
    errors, known, still = {}, 0, 0
    for name, clean in before.items():
        now = after.get(name, np.full_like(clean, np.nan))
        size = np.linalg.norm(clean, axis=1)
        if not np.isfinite(size).any():
            continue
        off = np.linalg.norm(now - clean, axis=1)
        errors[name] = float(np.nanmax(off) / np.nanmax(size)) if np.isfinite(off).any() else 0.0
        known += int(np.isfinite(size).sum())
        still += int((np.isfinite(size) & np.isfinite(now).all(axis=1)).sum())
    worst = max(errors, key=errors.__getitem__, default="")
    part = still / known if known else np.nan
    return Blink(label, errors.get(worst, np.nan), worst, part, part)


def synthetic(folder: Path, count: int = 4) -> list[tuple[str, Path, Options]]:
    """Write drawn laboratories whose segments are tracked by clusters."""
    found, seed = [], 0
    while len(found) < count:
        seed += 1
        lab = laboratory(seed)
        if lab.tracking == "clusters":
            files = write_laboratory(folder / str(seed), lab)
            found.append((f"synthetic laboratory {seed}, {lab.rung}", files.walk, Options()))
    return found


def row(name: str, found: list[Blink], others: list[Blink]) -> tuple[str, ...]:
    """Return the cells of one set-up."""
    nothing = ("",) * 7
    if not found:
        return (name, "0", *nothing, "no segment is fitted to markers")
    if not np.isfinite([one.error for one in found]).any():
        return (name, str(len(found)), *nothing, "no moments")
    worst = max(found, key=lambda one: one.error)
    least = min(found, key=lambda one: one.known)
    good = all(one.error <= LARGEST and one.known >= KNOWN for one in found)
    cells = [f"{100 * worst.error:.1f}", f"{worst.marker}, {worst.where}"]
    cells += [f"{100 * least.known:.0f}", least.marker]
    cells.append(f"{100 * min(one.least for one in found):.0f}")
    errors = [one.error for one in others if np.isfinite(one.error)]
    cells += [str(sum(one > LARGEST for one in errors)), f"{100 * max(errors, default=0):.0f}"]
    return (name, str(len(found)), *cells, "yes" if good else "no")


def main() -> int:
    """Write the page."""
    root = Path(__file__).resolve().parents[1]
    corpus = Path(sys.argv[1]) if len(sys.argv) > 1 else root.parent / "shared" / "corpus"
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        places = [(p, corpus / "gait" / p, Options()) for p in TRIALS]
        for name, path, options in [*places, *synthetic(Path(folder))]:
            if path.is_file():
                only = patch("gaitdyn.pipeline.checked", published)
                with remembered(*OF_A_SEGMENT), only:
                    rows.append(row(name, *blinks(path, options)))
                print(*rows[-1], sep=" | ", flush=True)
    head = ("set-up", "markers", "largest error, % of the peak", "marker, joint",
            "known frames that stay, %", "marker", "at one phase, %", f"of {DRAWN} drawn > 10 %",
            "largest of these, %", "within")  # fmt: skip
    text = [
        "# Markers of clusters that blink",
        "",
        *stamp("python benchmarks/blink.py"),
        (
            f"Each marker that a segment is fitted to is hidden for {HIDDEN_S:g} s of every"
            f" {PERIOD_S:g} s, at {len(PHASES_S)} phases one after the other. Largest change of a"
            " moment in frames that stay known, of its peak, at any phase; wanted: at most"
            f" {100 * LARGEST:.0f} %, and {100 * KNOWN:.0f} % of the frames or more stay known, of"
            " all phases together. Where a stride lasts as long as the period, one phase hides the"
            " marker in every stance of a leg: *at one phase* is the least at one phase alone."
            f" *Drawn* are {DRAWN} blinks a set-up of one to three markers together, of"
            f" {LENGTHS_S[0]:g} to {LENGTHS_S[-1]:g} s at any time, and how many of them change a"
            f" moment by more than {100 * LARGEST:.0f} % of its peak."
        ),
        "",
        *table(head, rows),
    ]
    write("blink", text)
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())

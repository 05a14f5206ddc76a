"""How often the truth lies in the 95 % band, on walks with drawn input errors.

usage: python benchmarks/coverage.py [--write] [WALKS]

Every walk of the synthetic walker has its own errors, drawn from the defaults of the bands: white
noise in its marker file, gains and shifts of its plates, joint centres beside the true ones, masses
and inertia beside those of the table, skin that sways, a turned knee axis. The loads go through the
stages of the pipeline, the band through :func:`gaitdyn.uncertainty.bands.find_uncertainty`, which
does not know what was drawn. The skin sways otherwise than the bands think: by a skewed wave of any
frequency to 25 rad/s along the axes of its segment, theirs by sines of four harmonics along those
of the laboratory. Counted are frames in which the truth is known and a curve is published.

--write keeps the numbers in gaitdyn/resources/uncertainty/coverage.csv, from where bands say what
they cover. Three cases: skin as published (thigh 20 mm, shank 10, others 4) and bands that say so;
skin of half that and the default bands, which say so; skin as published and the default bands.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from usage import help_shown

from gaitdyn.pipeline import process_loaded
from gaitdyn.stages.body import calibrate_session
from gaitdyn.stages.ground import find_ground
from gaitdyn.stages.loads import find_loads
from gaitdyn.stages.motion import find_motion
from gaitdyn.stages.session import read_session
from gaitdyn.synthetic import Recording, Walker, stand, walk, write_trial
from gaitdyn.types.options import Options
from gaitdyn.uncertainty.bands import find_uncertainty
from gaitdyn.uncertainty.inputs import InputErrors
from gaitdyn.uncertainty.leg_curves import leg_curves
from gaitdyn.uncertainty.tissue import turned_leg

if TYPE_CHECKING:
    from gaitdyn.calibrate.body.segment_tables import SegmentTable
    from gaitdyn.stages.body import SubjectBody
    from gaitdyn.stages.session import Session
    from gaitdyn.synthetic import Walk
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.motion import LegPose
    from gaitdyn.types.wrench import PlateWrench
    from gaitdyn.uncertainty.bands import Uncertainty

SIDES = ("left", "right")
PUBLISHED = {"thigh_tissue_mm": 20.0, "shank_tissue_mm": 10.0, "other_tissue_mm": 4.0}
"""Sinusoidal model of skin, largest amplitudes, after Cheze, Fregly and Dimnet 1995."""

PLACE = Path(__file__).parents[1] / "gaitdyn" / "resources" / "uncertainty" / "coverage.csv"

COLUMNS = (
    "curve,published_for_it,width_for_it,half_default,width_default,published_default,"
    "width_published_default"
)

FASTEST = 25.0
"""Of its frequencies, rad/s."""

CASES = {
    "skin as published, bands for it": (PUBLISHED, PUBLISHED),
    "skin of half that, default bands": ({}, {}),
    "skin as published, default bands": ({}, PUBLISHED),
}
"""Name -> what the band is told and what is drawn, beside the defaults."""

Counts = dict[str, tuple[int, int, float]]
"""Curve -> frames with the truth in their band, frames that count, sum of their half-widths."""


def covered(
    seed: int,
    errors: InputErrors,
    factors: tuple[float, ...] = (1.0,),
    drawn: InputErrors | None = None,
) -> list[Counts]:
    """Return by curve how many frames of one walk have the truth in their band, and how many count.

    Parameters
    ----------
    seed : int
        Of everything that is drawn.
    errors : InputErrors
        What the band is told.
    factors : tuple of float
        On the half-width of the band; the counts are those of each.
    drawn : InputErrors, optional
        What is drawn; what the band is told without it.
    """
    rng = np.random.default_rng([seed, 7])
    drawn = drawn or errors
    recording = Recording(marker_noise_mm=drawn.marker_noise_mm, seed=seed)
    trial = walk(Walker(), recording)
    with tempfile.TemporaryDirectory() as folder:
        write_trial(Path(folder) / "static.c3d", stand(Walker(), replace(recording, events=False)))
        write_trial(Path(folder) / "walk.c3d", trial, stream=1)
        options = Options(static=str(Path(folder) / "static.c3d"))
        session = read_session(Path(folder) / "walk.c3d", options)
    plates = _plates(session, trial, drawn, rng)
    markers = session.trial.markers_G + _sway(session.trial.labels, trial, drawn, rng)
    session = replace(session, trial=replace(session.trial, plates=plates, markers_G=markers))
    band = find_uncertainty(process_loaded(session, options), errors)
    found = _with_errors(session, options, drawn, rng)
    return [_counted(trial, band, found, factor) for factor in factors]


def _counted(trial: Walk, band: Uncertainty, found: dict[str, Array], factor: float) -> Counts:
    """Return the counts of a walk for a factor on the half-width."""
    truth, counts = trial.columns(), {}
    for side in SIDES:
        half, known = factor * band.half_width(side), trial.leg(side).known
        for j, name in enumerate(band.names):
            off = np.abs(found[side][:, j] - truth[f"{side}_{name}"])
            counted = known & np.isfinite(half[:, j]) & np.isfinite(off)
            inside, total, width = counts.get(name, (0, 0, 0.0))
            counts[name] = (
                inside + int((off <= half[:, j])[counted].sum()),
                total + int(counted.sum()),
                width + float(half[counted, j].sum()) / trial.walker.body.mass_kg,
            )
    return counts


def _with_errors(
    session: Session, options: Options, errors: InputErrors, rng: np.random.Generator
) -> dict[str, Array]:
    """Return the curves of both legs with a drawn body and drawn joint centres."""
    body = _body(calibrate_session(session, options), errors, rng)
    motion = find_motion(session, body, options)
    ground = find_ground(session, body, motion, options)
    sd = np.array([errors.ankle_mm, errors.knee_mm, errors.hip_mm])[:, None] / 1000.0
    pose, legs = motion.pose, {}
    for side in SIDES:
        leg = pose.leg(side)
        above = np.concatenate((leg.R_GS[:, 1:], pose.R_GP[:, None]), axis=1)
        moved = _moved(leg, above, rng.normal(size=(3, 3)) * sd)
        legs[side] = turned_leg(moved, np.radians(rng.normal(size=1) * errors.knee_axis_deg))
    motion = replace(motion, pose=replace(pose, **legs))
    sides = find_loads(session, body, motion, ground, options)
    curves = {}
    for side in SIDES:
        kinetics = sides[side].kinetics
        assert kinetics is not None  # noqa: S101
        curves[side] = leg_curves(kinetics.loads, kinetics.power, motion.pose, side, options)
    return curves


def _moved(leg: LegPose, above: Array, shift: Array) -> LegPose:
    """Return a leg with other centres; z stays as near as it can, x follows from both."""
    centres = leg.r_prox_G + np.einsum("nsij,sj->nsi", above, shift)
    R = leg.R_GS.copy()
    for i in (1, 2):
        y = centres[:, i] - centres[:, i - 1]
        y /= np.linalg.norm(y, axis=1, keepdims=True)
        z = R[:, i, :, 2] - (R[:, i, :, 2] * y).sum(axis=1, keepdims=True) * y
        z /= np.linalg.norm(z, axis=1, keepdims=True)
        R[:, i] = np.stack((np.cross(y, z), y, z), axis=-1)
    return replace(leg, R_GS=R, r_prox_G=centres)


def _sway(
    labels: tuple[str, ...], trial: Walk, errors: InputErrors, rng: np.random.Generator
) -> Array:
    """Return how the skin moves every marker, shape (n, m, 3), G, m."""
    of_skin = {2: errors.thigh_tissue_mm, 1: errors.shank_tissue_mm}
    t, moved = trial.time_s[:, None], []
    for label in labels:
        segment = {"THI": 2, "KNE": 2, "TIB": 1, "ANK": 1, "HEE": 0, "TOE": 0}.get(label[1:])
        side = "left" if label[0] == "L" else "right"
        axes = trial.R_GP if segment is None else trial.leg(side).motion.R_GS[:, segment]
        largest = of_skin.get(segment or 0, errors.other_tissue_mm) / 1000.0
        turn = rng.uniform(0, FASTEST, 3) * t + rng.uniform(0, 2 * np.pi, 3)
        own = largest * rng.uniform(size=3) * np.sin(turn + 0.5 * np.sin(turn))
        moved.append(np.einsum("nij,nj->ni", axes, own))
    return np.stack(moved, axis=1)


def _plates(
    session: Session, trial: Walk, errors: InputErrors, rng: np.random.Generator
) -> tuple[PlateWrench, ...]:
    """Return the plates with the gain and the shift of the foot that steps on each."""
    gain = {side: 1 + rng.normal(size=3) * errors.plate_force_percent / 100 for side in SIDES}
    shift = {side: rng.normal(size=3) * (1, 0, 1) * errors.cop_mm / 1000 for side in SIDES}
    whose = {stance.plate: stance.side for stance in trial.stances if stance.plate is not None}
    changed = []
    for plate in session.trial.plates:
        side = whose.get(plate.number, "left")
        F, M = plate.force_G, plate.moment_G
        up = np.where(np.abs(F[:, 1]) > 1.0, F[:, 1], np.inf)
        at = np.stack((M[:, 2] / up, np.zeros(len(F)), -M[:, 0] / up), axis=1)
        more = F * (gain[side] - 1)
        M = M + np.cross(at, more) + np.cross(shift[side], F + more)
        changed.append(replace(plate, force_G=F + more, moment_G=M))
    return tuple(changed)


def _body(body: SubjectBody, errors: InputErrors, rng: np.random.Generator) -> SubjectBody:
    """Return a body with another table; the place of the foot's mass moves along the foot."""
    e = rng.normal(size=(3, 3))
    rows = tuple(
        replace(
            row,
            mass_fraction=row.mass_fraction * (1 + e[i, 0] * errors.segment_mass_percent / 100),
            cm_along=row.cm_along + e[i, 1] * errors.segment_cm_percent / 100,
            radii=tuple(r * (1 + e[i, 2] * errors.segment_radius_percent / 100) for r in row.radii),
        )
        for i, row in enumerate(body.table.row(name) for name in ("foot", "shank", "thigh"))
    )
    table: SegmentTable = replace(body.table, rows=rows)
    further = 1 + 2 * e[0, 1] * errors.segment_cm_percent / 100
    feet = {side: further * cm for side, cm in body.calibration.foot_cm_F.items()}
    return replace(body, table=table, calibration=replace(body.calibration, foot_cm_F=feet))


def fractions(counts: list[Counts]) -> dict[str, float]:
    """Return the part of the frames with the truth in their band by curve, and of all of them."""
    inside = {name: sum(one[name][0] for one in counts) for name in counts[0]}
    total = {name: sum(one[name][1] for one in counts) for name in counts[0]}
    found = {name: inside[name] / total[name] for name in inside}
    return {"all": sum(inside.values()) / sum(total.values()), **found}


def widths(counts: list[Counts]) -> dict[str, float]:
    """Return the mean half-width of the band of each curve, N m/kg and W/kg."""
    return {
        name: sum(one[name][2] for one in counts) / sum(one[name][1] for one in counts)
        for name in counts[0]
    }


def counts_of(walks: int, errors: InputErrors, drawn: InputErrors) -> list[Counts]:
    """Return :func:`covered` of so many walks, a process for each processor."""
    with ProcessPoolExecutor() as pool:
        every = pool.map(
            covered, range(walks), repeat(errors), repeat((1.0,)), repeat(drawn), chunksize=5
        )
        return [counts for (counts,) in every]


def table_of(walks: int, draws: int = 100) -> dict[str, dict[str, tuple[float, float]]]:
    """Return by case and curve the part of the frames in the band, and its mean half-width."""
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for case, (told, drawn) in CASES.items():
        errors = InputErrors(draws=draws, **told)
        counts = counts_of(walks, errors, InputErrors(**drawn))
        wide = widths(counts)
        found[case] = {n: (p, wide.get(n, np.nan)) for n, p in fractions(counts).items()}
    return found


def write(walks: int, found: dict[str, dict[str, tuple[float, float]]]) -> None:
    """Keep the numbers where :func:`gaitdyn.uncertainty.kept.measured_coverage` reads them."""
    lines = [
        (
            "# Part of the frames with the truth in their 95 % band (%), and mean half-width"
            f" (N m/kg, W/kg), {walks} walks of the synthetic walker, 100 draws a"
        ),
        (
            "# band. Cases: skin as published (thigh 20 mm, shank 10, others 4) with bands that say"
            " so; skin of half that with the default bands; skin as"
        ),
        "# published with the default bands. Written by `python benchmarks/coverage.py --write`.",
        COLUMNS,
    ]
    for name in next(iter(found.values())):
        cells = [f"{100 * of[name][0]:.1f},{of[name][1]:.3f}" for of in found.values()]
        lines.append(f"{name},{','.join(cells)}".replace("nan", ""))
    PLACE.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")


def main() -> int:
    """Print the coverage and the mean half-width of every curve in every case."""
    numbers = [word for word in sys.argv[1:] if word != "--write"]
    walks = int(numbers[0]) if numbers else 200
    found = table_of(walks)
    if "--write" in sys.argv:
        write(walks, found)
    print(f"{walks} walks, 100 draws a band: in the 95 % band, %; half-width, N m/kg and W/kg")
    for name in next(iter(found.values())):
        cells = [f"{100 * of[name][0]:6.1f} {of[name][1]:7.3f}" for of in found.values()]
        print(f"  {name:34s} {'  '.join(cells)}")
    print(*(f"  {case}" for case in found), sep="\n")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())

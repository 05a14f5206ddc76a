"""A trial and its static as the files of a laboratory, the exact truth beside them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.synthetic.body import SIDES, BodySide, WalkerBody
from gaitdyn.synthetic.c3d_file import C3dContent, Value, write_c3d
from gaitdyn.synthetic.kinematics import Course, Walker, pose
from gaitdyn.synthetic.recording import Recording
from gaitdyn.synthetic.session import write_truth_csv
from gaitdyn.synthetic.walk import Walk, stand, walk
from walkers.laboratory import CHILD
from walkers.laboratory_markers import Marked, mark_static, mark_walk
from walkers.laboratory_static import calibration
from walkers.landmarks import landmarks
from walkers.plate_records import CHANNELS, PlateRecord, record

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from walkers.laboratory import Laboratory

    Array = NDArray[np.float64]
    Parameters = tuple[tuple[str, str, Value], ...]

STRIDES = 2.0
SUBJECT = "SYN01"
_LENGTHS = ("leg_length_mm", "thigh_m", "shank_m", "ankle_to_toe_m", "heel_to_toe_m")
LONGER = 1.08
"""Legs of another person, whose static stands under the same name."""


@dataclass(frozen=True, slots=True, eq=False)
class LaboratoryFiles:
    """What was written, and what is true.

    Attributes
    ----------
    walk : Path
    static : Path or None
    truth : Walk
        Joint centres, angles, loads, plates of the walk.
    walk_points, static_points : Marked
        Which landmark each point truly is; None without a static.
    """

    walk: Path
    static: Path | None
    truth: Walk
    walk_points: Marked
    static_points: Marked | None


def walker_of(lab: Laboratory) -> Walker:
    """Return who walks in a laboratory.

    Heel and forefoot markers are 35 mm above the sole, so that all foot markers stand at heights
    that are met; wands stand in the frontal planes.
    """
    rng = lab.rng(0)
    sizes = BodySide(toe_height_m=0.035, plantar_flexion_offset=0.19, leg_length_mm=905.0)
    other = replace(sizes, rotation_offset=0.035, thigh_wand=(0.55, 0.092), shank_wand=(0.5, 0.066))
    body = WalkerBody(
        marker_diameter_mm=lab.marker_diameter_mm, inter_asis_m=0.255, left=other, right=sizes
    )
    body = _smaller(body) if lab.child else body
    course = Course(
        heading_rad=float(np.radians(lab.heading_deg)),
        start_m=(float(rng.uniform(-2.0, 0.5)), 0.0, float(rng.uniform(-0.5, 0.5))),
        start_phase=float(rng.uniform(-0.5, 0.5)),
    )
    return Walker(body=body, course=course)


def true_walk(lab: Laboratory, walker: Walker | None = None) -> Walk:
    """Return the walk of a laboratory with its truth: no noise, plates in the order walked.

    Parameters
    ----------
    lab : Laboratory
    walker : Walker, optional
        Who walks there instead of :func:`walker_of`.
    """
    walker = walker or walker_of(lab)
    recording = Recording(
        rate_hz=lab.rate_hz,
        analog_ratio=lab.analog_ratio,
        strides=STRIDES,
        first_frame=lab.first_frame,
        plates=lab.plates,
        subject=SUBJECT,
        events=lab.events,
    )
    return walk(walker, recording)


def write_laboratory(
    folder: Path, lab: Laboratory, walker: Walker | None = None, *, truth_csv: bool = True
) -> LaboratoryFiles:
    """Write ``walk.c3d``, ``static.c3d``, ``walk.truth.csv``, ``laboratory.json``.

    Parameters
    ----------
    folder : Path
        Made if it does not exist.
    lab : Laboratory
    walker : Walker, optional
        Who walks there instead of :func:`walker_of`.
    truth_csv : bool
        Whether the truth is written, too; the value that is returned has it.

    Returns
    -------
    LaboratoryFiles
    """
    folder.mkdir(parents=True, exist_ok=True)
    truth = true_walk(lab, walker)
    clock = truth.time_s - truth.recording.clock_s
    points = mark_walk(lab, landmarks(truth.walker.body, pose(truth.walker, clock)))
    write_c3d_as(lab, folder / "walk.c3d", truth, points)
    if truth_csv:
        write_truth_csv(folder / "walk.truth.csv", truth)
    static, static_points = None, None
    if lab.static != "none":
        static = folder / "static.c3d"
        static_points = _write_static(lab, static, truth.walker)
    points_of = {"walk": points.keys, "static": static_points.keys if static_points else None}
    document = {"laboratory": asdict(lab), "R_lab_G": lab.R_LG.tolist(), "landmarks": points_of}
    text = json.dumps(document, indent=1) + "\n"
    (folder / "laboratory.json").write_text(text, encoding="utf-8")
    return LaboratoryFiles(folder / "walk.c3d", static, truth, points, static_points)


def _write_static(lab: Laboratory, path: Path, walker: Walker) -> Marked:
    """Write the calibration, of the person who walks or of another of the same name."""
    course = Course(heading_rad=float(np.radians(lab.static_heading_deg)))
    body = _longer(walker.body) if lab.static == "of another person" else walker.body
    walker = replace(walker, body=body, course=course)
    points = mark_static(lab, calibration(lab, walker))
    n = len(points.points_G)
    on_plates = lab.static == "quiet" and lab.static_plates
    recording = Recording(
        rate_hz=lab.rate_hz,
        analog_ratio=lab.analog_ratio if on_plates else 1,
        static_s=(n - 1) / lab.rate_hz,
        first_frame=1,
        static_plates=on_plates,
        events=False,
    )
    write_c3d_as(lab, path, stand(walker, recording), points)
    return points


def _smaller(body: WalkerBody) -> WalkerBody:
    """Return the body of a child of about seven: widths are less small than lengths."""
    left, right = (
        replace(
            leg,
            **{name: CHILD * getattr(leg, name) for name in _LENGTHS},
            knee_width_mm=0.72 * leg.knee_width_mm,
            ankle_width_mm=0.75 * leg.ankle_width_mm,
            thigh_wand=(leg.thigh_wand[0], CHILD * leg.thigh_wand[1]),
            shank_wand=(leg.shank_wand[0], CHILD * leg.shank_wand[1]),
        )
        for leg in (body.left, body.right)
    )
    return replace(
        body, mass_kg=24.0, height_m=1.22, inter_asis_m=CHILD * body.inter_asis_m,
        pelvis_depth_m=CHILD * body.pelvis_depth_m, inter_psis_m=CHILD * body.inter_psis_m,
        left=left, right=right,
    )  # fmt: skip


def _longer(body: WalkerBody) -> WalkerBody:
    """Return a body with longer thighs and shanks."""
    left, right = (
        replace(leg, thigh_m=LONGER * leg.thigh_m, shank_m=LONGER * leg.shank_m)
        for leg in (body.left, body.right)
    )
    return replace(body, left=left, right=right)


def write_c3d_as(lab: Laboratory, path: Path, trial: Walk, marked: Marked) -> None:
    """Write one file in the axes, units, plates and words of a laboratory.

    Parameters
    ----------
    lab : Laboratory
    path : Path
    trial : Walk
        Rates, plates, events, subject.
    marked : Marked
        Points in the place of the trial's own markers.
    """
    trial = _with_spare(lab, trial)
    records, order = plate_records(lab, trial)
    names = CHANNELS[lab.plate_type]
    content = C3dContent(
        rate_hz=lab.rate_hz,
        first_frame=int(trial.frame[0]),
        units=lab.units,
        labels=marked.labels,
        descriptions=marked.descriptions,
        points=marked.points_G @ lab.R_LG.T * lab.per_m,
        analog_labels=tuple(f"{name}_{i + 1}" for i in range(len(records)) for name in names),
        analog_units=tuple(u for r in records for u in _channel_units(lab, r)),
        analog=_analog(lab, trial, records),
        parameters=(*_subject(lab, trial), *_floor(lab, trial, records, order), *_events(trial)),
    )
    write_c3d(path, content)
    if not lab.units_stated:
        _forget_units(path)


def _with_spare(lab: Laboratory, trial: Walk) -> Walk:
    """Return a trial with plates beside the others that nobody steps on, which hum a little."""
    if not lab.spare_plates or not trial.plates:
        return trial
    first = trial.plates[0]
    steps = [np.array([0.1 * i, 0.0, 1.2 + 0.9 * i]) for i in range(lab.spare_plates)]
    beside = [first.centre_G + step for step in steps]
    spare = tuple(replace(first, centre_G=place) for place in beside)
    noise = lab.rng(3).normal(0.0, 0.2, (len(trial.channels), 6 * len(spare)))
    noise[:, [c for c in range(noise.shape[1]) if c % 6 > 2]] *= 0.1
    return replace(
        trial, plates=(*spare, *trial.plates), channels=np.hstack([noise, trial.channels])
    )


def plate_records(lab: Laboratory, trial: Walk) -> tuple[list[PlateRecord], list[int]]:
    """Return the plates of a trial in the order of the file, and that order.

    Parameters
    ----------
    lab : Laboratory
    trial : Walk
    """
    count = len(trial.plates)
    shuffled = lab.plate_order == "shuffled"
    order = list(range(count))[::-1] if shuffled else list(range(count))
    blocks = [trial.channels[:, 6 * i : 6 * i + 6] for i in range(count)]
    return [record(trial.plates[i], lab.plate_type, blocks[i]) for i in order], order


def _analog(lab: Laboratory, trial: Walk, records: list[PlateRecord]) -> Array:
    """Return the samples in the units of the file."""
    found = [np.zeros((len(trial.channels), 0))]
    for plate in records:
        channels = plate.channels.copy()
        channels[:, [*plate.moments, *plate.lengths]] *= lab.per_m
        found.append(channels)
    return np.concatenate(found, axis=1)


def _channel_units(lab: Laboratory, plate: PlateRecord) -> tuple[str, ...]:
    """Return the units of one plate's channels."""
    if plate.matrix is not None:
        return ("V",) * 6
    units = ["N"] * plate.channels.shape[1]
    for i in plate.moments:
        units[i] = f"N{lab.units}"
    for i in plate.lengths:
        units[i] = lab.units
    return tuple(units)


def _subject(lab: Laboratory, trial: Walk) -> Parameters:
    """Return the groups SUBJECTS and PROCESSING."""
    body = trial.walker.body
    found: dict[str, float] = {}
    if lab.parameters != "none":
        found |= {"Bodymass": body.mass_kg, "Height": 1000.0 * body.height_m}
    if lab.parameters in ("all", "without diameter"):
        for side in SIDES:
            leg, letter = body.side(side), side[0].upper()
            found[f"{letter}LegLength"] = leg.leg_length_mm
            found[f"{letter}KneeWidth"] = leg.knee_width_mm
            found[f"{letter}AnkleWidth"] = leg.ankle_width_mm
    if lab.parameters == "all":
        found["MarkerDiameter"] = body.marker_diameter_mm
    return (
        ("SUBJECTS", "USED", 1),
        ("SUBJECTS", "NAMES", [SUBJECT]),
        *(("PROCESSING", name, float(value)) for name, value in found.items()),
    )


def _floor(
    lab: Laboratory, trial: Walk, records: list[PlateRecord], order: list[int]
) -> Parameters:
    """Return the group FORCE_PLATFORM."""
    if not records:
        return (("FORCE_PLATFORM", "USED", 0),)
    count, width = len(records), len(CHANNELS[lab.plate_type])
    corners = np.stack([(trial.plates[i].corners_G @ lab.R_LG.T).T for i in order], axis=-1)
    origins = np.stack([r.origin * [1.0, 1.0, lab.origin_sign] for r in records], axis=-1)
    if lab.plate_type in (2, 4):
        origins = np.stack([r.origin * lab.origin_sign for r in records], axis=-1)
    channel = np.arange(1, width * count + 1).reshape(width, -1, order="F")
    found: list[tuple[str, str, Value]] = [
        ("FORCE_PLATFORM", "USED", count),
        ("FORCE_PLATFORM", "TYPE", [lab.plate_type] * count),
        ("FORCE_PLATFORM", "ZERO", [1, 0]),
        ("FORCE_PLATFORM", "CORNERS", corners * lab.per_m),
        ("FORCE_PLATFORM", "ORIGIN", origins * lab.per_m),
        ("FORCE_PLATFORM", "CHANNEL", channel),
    ]
    if lab.plate_type == 4:
        scale = np.array([1.0, 1.0, 1.0, *[lab.per_m] * 3])[:, None]
        matrices = [scale * r.matrix for r in records if r.matrix is not None]
        found.append(("FORCE_PLATFORM", "CAL_MATRIX", np.stack(matrices, axis=-1)))
    return tuple(found)


def _events(trial: Walk) -> Parameters:
    """Return the group EVENT."""
    events = trial.events if trial.recording.events else ()
    if not events:
        return (("EVENT", "USED", 0),)
    words = {"foot_strike": "Foot Strike", "foot_off": "Foot Off"}
    return (
        ("EVENT", "USED", len(events)),
        ("EVENT", "CONTEXTS", [event.side.capitalize() for event in events]),
        ("EVENT", "LABELS", [words[event.kind] for event in events]),
        ("EVENT", "SUBJECTS", [SUBJECT] * len(events)),
        ("EVENT", "TIMES", np.array([[0.0] * len(events), [e.time_s for e in events]])),
    )


def _forget_units(path: Path) -> None:
    """Rename UNITS of points and channels, which the writer always adds, to no known name."""
    path.write_bytes(path.read_bytes().replace(b"UNITS", b"XNITS"))

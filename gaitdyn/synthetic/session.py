"""Write a synthetic session: a static trial, walking trials, and their truth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.synthetic.body import SIDES
from gaitdyn.synthetic.c3d_file import C3dContent, StoredPoses, Value, write_c3d
from gaitdyn.synthetic.kinematics import Walker
from gaitdyn.synthetic.recording import Recording
from gaitdyn.synthetic.truth_files import write_truth_csv, write_truth_json
from gaitdyn.synthetic.walk import Walk, stand, walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.synthetic.arrays import Array

    Parameters = tuple[tuple[str, str, Value], ...]

CHANNELS = ("Force.Fx", "Force.Fy", "Force.Fz", "Moment.Mx", "Moment.My", "Moment.Mz")


def write_session(
    folder: Path, walker: Walker | None = None, recording: Recording | None = None, trials: int = 2
) -> list[Path]:
    """Write ``static.c3d``, ``walk01.c3d``, ``walk01.truth.csv``, ..., ``truth.json``.

    Every trial starts half a stride later than the previous one, so that the feet change plates.

    Parameters
    ----------
    folder : Path
        Created if it does not exist.
    walker, recording : optional
        Body, gait and course; rates, laboratory and noise (different in every file).
    trials : int
        Number of walking trials.

    Returns
    -------
    list of Path
        The files that were written.
    """
    walker, recording = walker or Walker(), recording or Recording()
    folder.mkdir(parents=True, exist_ok=True)
    static = stand(walker, replace(recording, gaps=(), events=False))
    write_trial(folder / "static.c3d", static)
    paths = [folder / "static.c3d"]
    walks: dict[str, Walk] = {}
    for i in range(trials):
        course = replace(walker.course, start_phase=walker.course.start_phase + 0.5 * i)
        trial = walk(replace(walker, course=course), recording)
        name = f"walk{i + 1:02d}"
        write_trial(folder / f"{name}.c3d", trial, stream=i + 1)
        write_truth_csv(folder / f"{name}.truth.csv", trial)
        walks[name] = trial
        paths += [folder / f"{name}.c3d", folder / f"{name}.truth.csv"]
    write_truth_json(folder / "truth.json", static, walks)
    return [*paths, folder / "truth.json"]


def write_trial(path: Path, trial: Walk, stream: int = 0, poses: StoredPoses | None = None) -> None:
    """Write one trial as C3D, with the noise, gaps, axes and units of its recording.

    Parameters
    ----------
    path : Path
        Ends in ``.c3d``.
    trial : Walk
        From ``walk`` or ``stand``.
    stream : int
        Number of the noise stream of the seed.
    poses : StoredPoses, optional
        Segment poses in addition to the markers.
    """
    recording = trial.recording
    rng = np.random.default_rng([recording.seed, stream])
    moment_unit = f"N{recording.units}"
    units = ("N", "N", "N", moment_unit, moment_unit, moment_unit)
    numbers = range(1, len(trial.plates) + 1)
    content = C3dContent(
        rate_hz=recording.rate_hz,
        first_frame=recording.first_frame,
        units=recording.units,
        labels=trial.labels,
        descriptions=trial.descriptions,
        points=recorded_points(trial, rng),
        analog_labels=tuple(f"{name}{n}" for n in numbers for name in CHANNELS),
        analog_units=units * len(trial.plates),
        analog=recorded_channels(trial, rng),
        parameters=(*_who(trial), *_measurements(trial), *_floor(trial), *_events(trial)),
        rotations=poses,
    )
    write_c3d(path, content)


def recorded_points(trial: Walk, rng: np.random.Generator) -> Array:
    """Return markers as in the file: laboratory axes, file units, noise, gaps as NaN.

    Parameters
    ----------
    trial : Walk
        The truth.
    rng : Generator
        Source of the noise.
    """
    recording = trial.recording
    noise = rng.normal(size=trial.markers_G.shape) * recording.marker_noise_mm / 1000.0
    points = (trial.markers_G @ recording.R_LG.T + noise) * recording.per_m
    for label, first, last in recording.gaps:
        rows = (trial.frame >= first) & (trial.frame <= last)
        points[rows, trial.labels.index(label)] = np.nan
    return points


def recorded_channels(trial: Walk, rng: np.random.Generator) -> Array:
    """Return analog samples as in the file: N and N mm (or N m), noise, baseline.

    Parameters
    ----------
    trial : Walk
        The truth.
    rng : Generator
        Source of the noise.
    """
    recording, count = trial.recording, len(trial.plates)
    spread = np.tile([1.0, 1.0, 1.0, 0.1, 0.1, 0.1], count) * recording.force_noise_n
    drift = np.tile([0.2, -0.3, 1.0, 0.02, 0.01, 0.03], count) * recording.baseline_n
    scale = np.tile([1.0, 1.0, 1.0, *[recording.per_m] * 3], count)
    noise = rng.normal(size=trial.channels.shape) * spread
    return (trial.channels + drift + noise) * scale


def _who(trial: Walk) -> Parameters:
    """Return the groups TRIAL and SUBJECTS, and the axes of the screen."""
    first, last = int(trial.frame[0]), int(trial.frame[-1])
    recording = trial.recording
    return (
        ("TRIAL", "ACTUAL_START_FIELD", [first % 65536, first // 65536]),
        ("TRIAL", "ACTUAL_END_FIELD", [last % 65536, last // 65536]),
        ("POINT", "X_SCREEN", [recording.forward.upper()]),
        ("POINT", "Y_SCREEN", [f"+{recording.up.upper()}"]),
        ("SUBJECTS", "USED", 1),
        ("SUBJECTS", "IS_STATIC", 0 if trial.walker.gait.stride_length else 1),
        ("SUBJECTS", "NAMES", [recording.subject]),
    )


def _measurements(trial: Walk) -> Parameters:
    """Return the group PROCESSING."""
    recording, body = trial.recording, trial.walker.body
    values = {
        "Bodymass": body.mass_kg,
        "Height": 1000.0 * body.height_m,
        "InterAsisDistance": 1000.0 * body.inter_asis_m if recording.inter_asis else 0.0,
    }
    if recording.marker_diameter:
        values["MarkerDiameter"] = body.marker_diameter_mm
    for side in SIDES:
        leg, letter = body.side(side), side[0].upper()
        values[f"{letter}LegLength"] = leg.leg_length_mm
        values[f"{letter}KneeWidth"] = leg.knee_width_mm
        values[f"{letter}AnkleWidth"] = leg.ankle_width_mm
        if recording.offsets:
            values[f"{letter}StaticPlantFlex"] = leg.plantar_flexion_offset
            values[f"{letter}StaticRotOff"] = leg.rotation_offset
    if not recording.parameters:
        return ()
    return tuple(("PROCESSING", name, float(value)) for name, value in values.items())


def _floor(trial: Walk) -> Parameters:
    """Return the group FORCE_PLATFORM."""
    recording, plates = trial.recording, trial.plates
    if not plates:
        return (("FORCE_PLATFORM", "USED", 0),)
    corners = np.stack([(p.corners_G @ recording.R_LG.T).T for p in plates], axis=-1)
    origins = np.stack([p.sensor for p in plates], axis=-1)
    away = -1.0 if recording.negative_origin else 1.0
    channel = np.arange(1, 6 * len(plates) + 1).reshape(6, -1, order="F")
    return (
        ("FORCE_PLATFORM", "USED", len(plates)),
        ("FORCE_PLATFORM", "TYPE", [2] * len(plates)),
        ("FORCE_PLATFORM", "ZERO", [1, 0]),
        ("FORCE_PLATFORM", "CORNERS", corners * recording.per_m),
        ("FORCE_PLATFORM", "ORIGIN", away * origins * recording.per_m),
        ("FORCE_PLATFORM", "CHANNEL", channel),
    )


def _events(trial: Walk) -> Parameters:
    """Return the group EVENT: minutes and seconds, contexts, labels."""
    events = trial.events if trial.recording.events else ()
    if not events:
        return (("EVENT", "USED", 0),)
    words = {"foot_strike": "Foot Strike", "foot_off": "Foot Off"}
    times = np.array([[0.0] * len(events), [event.time_s for event in events]])
    return (
        ("EVENT", "USED", len(events)),
        ("EVENT", "CONTEXTS", [event.side.capitalize() for event in events]),
        ("EVENT", "LABELS", [words[event.kind] for event in events]),
        ("EVENT", "SUBJECTS", [trial.recording.subject] * len(events)),
        ("EVENT", "TIMES", times),
    )

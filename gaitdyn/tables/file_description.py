"""Contents of a file and how it would be processed: the answer of ``gaitdyn info``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.calibrate.axes import axis_names, find_axes, pelvis_displacement
from gaitdyn.calibrate.axis_votes import up_votes
from gaitdyn.calibrate.find_static import find_static
from gaitdyn.calibrate.ladder import with_carried_pelvis
from gaitdyn.calibrate.renaming import mended
from gaitdyn.calibrate.rungs import WIDTH, allowed, rungs_of
from gaitdyn.calibrate.taken import chord_joints
from gaitdyn.clean.baseline import clean_plate
from gaitdyn.core.runs import known_points
from gaitdyn.errors import GaitdynError, ModelNotFound, NobodyWalks, SubjectDataMissing
from gaitdyn.events.contacts import load_runs
from gaitdyn.io.recording import read_recording
from gaitdyn.io.subject import person_names
from gaitdyn.io.trial import to_trial
from gaitdyn.landmarks.virtual import AXES, COMPUTED, TIPS
from gaitdyn.stages.ground_findings import no_kinetics
from gaitdyn.stages.labels import model_of, resolve
from gaitdyn.tables.centres_by_rule import hip_centres, limb_centres
from gaitdyn.tables.marked_person import landmark_rows, task_word, upper_parts
from gaitdyn.tables.measures import measures_taken, with_setters
from gaitdyn.tables.run_start import absent_told, start_of_run
from gaitdyn.types.marker_model import ModelMatch
from gaitdyn.types.options import NO_STATIC, Options
from gaitdyn.types.recording import PlateRecord, Recording
from gaitdyn.types.rungs import PLACES, Taken
from gaitdyn.types.subject import SIDES, Subject


def describe(
    path: str | Path,
    options: Options,
    setters: Mapping[str, str] | None = None,
    *,
    show_names: bool = False,
) -> dict[str, Any]:
    """Return the contents of a C3D file as plain values.

    Parameters
    ----------
    path : str or Path
    options : Options
        Given static trial, model, axes and renamed labels.
    setters : mapping, optional
        Name of an option -> the file that set it.
    show_names : bool
        Also return the names of persons in the file.

    Returns
    -------
    dict
        ``file``, ``markers``, ``poses`` (or None), ``model``, ``axes``, ``plates``, ``emg``,
        ``events``, ``subject`` (of the file, and under ``taken`` what a run takes),
        ``missing`` (why a run computes no kinetics; empty if it does), ``refused`` (why there is no
        run, other than for lack of a model; empty if there is one), ``hip_centres``,
        ``knee_centres``, ``ankle_centres``, ``static``, ``notes``, ``labels`` (the meaning of each
        label), ``upper`` (the markers of trunk, head and arms), ``task`` (one word; None if pelvis
        or feet are not visible).

    Raises
    ------
    FileRefused
        If the file cannot be read.
    """
    as_read = read_recording(path, options.subject_prefix, forces=options.forces)
    recording = mended(as_read, options.rename)
    static = _static(path, recording, options)
    static_recording = _standing(static.pop("path"), options)
    ours, model = _model(recording, static_recording, options)
    start = start_of_run(path, options)
    body = start.body
    if body is not None and body.model.climbs:  # by the places of the landmarks, too
        model["rungs"] = _rungs_of(body.taken)
    person = None if body is None else with_setters(body.subject, setters or {})
    labels = landmark_rows(recording, static_recording)
    description: dict[str, Any] = {
        "file": _file(recording),
        "markers": _markers(recording, labels["unresolved"]),
        "poses": _poses(recording),
        "model": model,
        "axes": _axes(ours, options),
        "plates": _plates(recording),
        "emg": _emg(recording, options),
        "events": [
            {"side": e.side, "event": e.kind, "time_s": round(e.time_s, 3)}
            for e in recording.events
        ],
        "subject": _subject(recording) | {"taken": measures_taken(person)},
        "hip_centres": hip_centres(ours),
        "knee_centres": limb_centres(ours, "knee"),
        "ankle_centres": limb_centres(ours, "ankle"),
        "static": static,
        "notes": [*recording.notes, *absent_told(recording, options), *start.doubts],
        "labels": labels,
    }
    roles = [mark["role"] for mark in labels["landmarks"] if mark["role"]]
    description["upper"] = upper_parts([*roles, *ours.labels])
    description["task"] = task_word(recording, labels["landmarks"], options)
    moves = description["task"] != "standing"
    description["missing"] = _missing(recording, person, options) if moves else ""
    description["refused"] = _refused(start.refusal, recording)
    if show_names:
        description["names"] = person_names(path)
    return description


def _missing(recording: Recording, person: Subject | None, options: Options) -> str:
    """Return why a run of the trial has no kinetics; empty if it has, or if it is refused."""
    if person is None:
        return ""
    usable = any(not plate.problem for plate in recording.plates)
    return no_kinetics(recording, person.mass_kg, options, usable=usable)[1]


def _refused(refusal: GaitdynError | None, recording: Recording) -> str:
    """Return why a run of the trial is refused.

    That no model fits is told with the model, and that nobody walks with the task. One with muscles
    and events is not refused for lack of measures.
    """
    muscles = recording.analog is not None and bool(recording.events)
    elsewhere = (ModelNotFound, NobodyWalks, *((SubjectDataMissing,) if muscles else ()))
    return "" if refusal is None or isinstance(refusal, elsewhere) else str(refusal)


def _standing(path: Path | None, options: Options) -> Recording | None:
    """Return the static trial; None if there is none or it cannot be read."""
    if path is None:
        return None
    try:
        return mended(read_recording(path, options.subject_prefix), options.rename)
    except GaitdynError:
        return None


def _file(recording: Recording) -> dict[str, Any]:
    return {
        "name": recording.name,
        "frames": recording.n_frames,
        "first_frame": recording.first_frame,
        "rate_hz": recording.rate_hz,
        "seconds": round(recording.n_frames / recording.rate_hz, 3),
        "analog_per_frame": recording.samples_per_frame,
        "units": recording.units.get("points", ""),
    }


def _markers(recording: Recording, unresolved: Sequence[dict[str, Any]]) -> dict[str, Any]:
    missing = (~known_points(recording.markers_L)).sum(axis=0).tolist()
    computed = {row["label"]: row["why"] for row in unresolved if row["why"] in COMPUTED}
    drawn = sum(computed.get(label) in (AXES, TIPS) for label in recording.labels)
    pairs = zip(recording.labels, missing, strict=True)
    markers = [(label, n) for label, n in pairs if label not in computed]
    outputs = len(recording.outputs) + len(missing) - len(markers) - drawn
    return {
        "count": len(markers),
        "labels": [label for label, _ in markers],
        "drawn_points": drawn,
        "model_outputs": outputs,
        "never_seen": [label for label, n in markers if n == recording.n_frames],
        "frames_missing": {label: n for label, n in markers if 0 < n < recording.n_frames},
    }


def _poses(recording: Recording) -> dict[str, Any] | None:
    """Describe the segment poses of a file; return None without poses."""
    poses = recording.poses
    if poses is None:
        return None
    missing = (~known_points(poses.origin_L)).sum(axis=0).tolist()
    return {
        "system": poses.system,
        "title": poses.title,
        "rate_hz": poses.rate_hz,
        "frames_missing": dict(zip(poses.segments, missing, strict=True)),
        "not_used": list(poses.unknown),
    }


def _model(
    recording: Recording, static: Recording | None, options: Options
) -> tuple[Recording, dict[str, Any]]:
    """Return the recording under gaitdyn's names, and the model that ``process`` would use."""
    description: dict[str, Any] = {
        "name": None, "title": None, "sides": [], "renamed": [], "missing": {}, "rungs": {},
        "refusal": None,
    }  # fmt: skip
    try:
        named = resolve(recording, static, options)
    except ModelNotFound as refusal:
        return recording, description | {"refusal": str(refusal)}
    match, ours = named.match, named.trial
    if match.model.climbs:
        try:
            ours = with_carried_pelvis(ours, named.static)
        except ModelNotFound as refusal:
            description["refusal"] = str(refusal)
    pairs = zip(recording.labels, named.trial.labels, strict=True)
    changes = {i: f"{old} = {new}" for i, (old, new) in enumerate(pairs) if old != new}
    renamed = [changes[i] for i in sorted(match.places) if i in changes]
    description |= {
        "name": match.model.name,
        "title": match.model.title,
        "sides": match.sides,
        "renamed": renamed if match.model.engine != "poses" else [],
        "missing": {side: match.missing[side] for side in SIDES if side not in match.sides},
        "rungs": _rungs(match, named.trial, named.static),
    }
    return ours, description


def _rungs_of(taken: Iterable[Taken]) -> dict[str, dict[str, str]]:
    """Return side -> place -> the rung that a run takes."""
    rungs: dict[str, dict[str, str]] = {}
    for step in taken:
        rungs.setdefault(step.side, {})[step.place] = step.rung
    return rungs


def _rungs(
    match: ModelMatch, recording: Recording, still: Recording | None
) -> dict[str, dict[str, str]]:
    """Return side -> place -> the rung of the ladder that landmarks and widths allow."""
    if match.model.engine == "chord":
        return {
            side: {step.place: step.rung for step in chord_joints(recording, still, side)}
            for side in match.sides
        }
    if not match.model.climbs:
        return {}
    rungs: dict[str, dict[str, str]] = {}
    for side in match.sides:
        leg, labels = recording.subject.leg(side), match.model.labels
        base = ["moving"] if still is None else ["static"]
        widths = {"knee": leg.knee_width_m, "ankle": leg.ankle_width_m}
        rungs[side] = {}
        for place in PLACES:
            conditions = [*base, *([WIDTH] if widths.get(place) else [])]
            names = [r.name for r in rungs_of(place) if allowed(r, labels, side, conditions)]
            rungs[side][place] = names[0] if names else ""
            base += [place] if names and place == "pelvis" else []
    return rungs


def _axes(recording: Recording, options: Options) -> dict[str, Any]:
    votes = [str(vote) for vote in up_votes(recording)]
    try:
        R_GL = find_axes(recording, options.up, options.forward)
        walked = float(np.linalg.norm(pelvis_displacement(recording)))
    except (GaitdynError, ValueError):
        return {"forward": None, "up": None, "walked_m": None, "votes": votes}
    forward, up = axis_names(R_GL)
    return {"forward": forward, "up": up, "walked_m": round(walked, 3), "votes": votes}


def _plates(recording: Recording) -> list[dict[str, Any]]:
    wrenches = {w.number: w for w in to_trial(recording, np.eye(3)).plates}
    return [_plate(p, recording, wrenches.get(p.number)) for p in recording.plates]


def _plate(record: PlateRecord, recording: Recording, wrench: Any) -> dict[str, Any]:
    description: dict[str, Any] = {
        "number": record.number,
        "type": record.kind,
        "problem": record.problem or None,
        "notes": list(record.notes),
    }
    if wrench is not None:
        plate = clean_plate(wrench)
        up = plate.wrench.up
        first = recording.first_frame
        description |= {
            "baseline_n": round(plate.baseline_N, 2),
            "inverted": plate.inverted,
            "loaded_frames": [
                [a + first, b + first - 1] for a, b in load_runs(up, recording.rate_hz)
            ],
            "peak_n": round(float(up.max()), 1),
        }
    return description


def _subject(recording: Recording) -> dict[str, Any]:
    subject = recording.subject
    description: dict[str, Any] = {
        "mass_kg": subject.mass_kg,
        "height_m": subject.height_m,
        "marker_diameter_mm": _mm(subject.marker_diameter_m),
        "inter_asis_mm": _mm(subject.inter_asis_m),
    }
    for side in SIDES:
        leg = subject.leg(side)
        description[side] = {
            "leg_length_mm": _mm(leg.leg_length_m),
            "knee_width_mm": _mm(leg.knee_width_m),
            "ankle_width_mm": _mm(leg.ankle_width_m),
        }
    return description


def _mm(value: float | None) -> float | None:
    return None if value is None else round(1000 * value, 2)


def _static(path: str | Path, recording: Recording, options: Options) -> dict[str, Any]:
    if options.static == NO_STATIC:
        return {"name": None, "reason": "none was requested", "path": None}
    if options.static is not None:
        frames = options.static_frames
        reason = "given" if frames is None else f"given, frames {frames[0]}-{frames[1]}"
        path = Path(options.static)
        return {"name": path.name, "reason": reason, "path": path}
    try:
        choice = find_static(path, recording, options, model_of(recording, options))
    except (GaitdynError, OSError):
        return {"name": None, "reason": "the folder cannot be searched", "path": None}
    name = None if choice.path is None else choice.path.name
    return {"name": name, "reason": choice.reason, "path": choice.path}


def _emg(recording: Recording, options: Options) -> list[dict[str, Any]]:
    """Return the EMG channels with their names and quality."""
    if recording.analog is None:
        return []
    from gaitdyn.emg.channels import channel_rows

    return channel_rows(recording, options)

"""The files of one run: the trial, its static, and both in G."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.axes import (
    WALKED_M,
    axis_names,
    find_axes,
    pelvis_displacement,
    pelvis_pair,
    seen_labels,
)
from gaitdyn.calibrate.find_static import find_static
from gaitdyn.calibrate.marker_models import (
    PLUG_IN_GAIT,
    choose_model,
    match_model,
    renamed,
    renaming_lines,
)
from gaitdyn.clean.wild import without_wild
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import FileRefused, ModelNotFound, StaticRefused, UsageError
from gaitdyn.io.recording import read_recording
from gaitdyn.io.trial import to_trial
from gaitdyn.types.findings import Finding
from gaitdyn.types.options import NO_STATIC

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.types.marker_model import MarkerModel, ModelMatch
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.trial import Trial

SHORTEST_FRAMES = 20
_LEVEL = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """A trial with its static.

    Attributes
    ----------
    trial : Trial
    static : Trial or None
    model : MarkerModel
    sides : list of {"left", "right"}
        Legs that can be computed.
    findings : list of Finding
    log : list of str
        What was chosen, for the person who runs it.
    """

    trial: Trial
    static: Trial | None
    model: MarkerModel
    sides: list[str]
    findings: list[Finding]
    log: list[str]


def read_session(path: str | Path, options: Options) -> Session:
    """Read a trial and the static that belongs to it.

    Parameters
    ----------
    path : str or Path
    options : Options

    Returns
    -------
    Session

    Raises
    ------
    FileRefused, ModelNotFound, StaticRefused
    """
    recording = _with_events(read_recording(path, options.subject_prefix, options.reader), options)
    match = choose_model(recording, options.model)
    recording, wild = without_wild(recording, match.places, walking=True)
    if any(finding.code != "recording-jumps" for finding in wild):  # a marker may be gone
        match = choose_model(recording, options.model)
    log = _model_log(recording, match)
    if options.events:
        log.append(f"events: {len(options.events)} given, those of the file are not used")
    raw, recording = recording, renamed(recording, match)
    sides = match.sides
    if recording.n_frames < SHORTEST_FRAMES:
        message = (
            f"{recording.name}: {recording.n_frames} frames were found, wanted at least"
            f" {SHORTEST_FRAMES}; export a whole trial"
        )
        raise FileRefused(message)
    parabola = options.profile == "default"
    R_GL = find_axes(recording)
    forward, up = axis_names(R_GL)
    log.append(f"axes: up {up}, walking along {forward} of the laboratory")
    log += _cutoff_log(options, recording.rate_hz)
    findings = _reading_findings(recording) + wild + _missing_legs(match)
    trial, tilted = _level_plates(to_trial(recording, R_GL, parabola=parabola))
    findings += tilted
    static, static_log = _read_static(path, raw, match, options)
    log += static_log
    if static is None:
        return Session(trial, None, match.model, sides, findings, log)
    in_static = match_model(match.model, static)
    static, wild = without_wild(static, in_static.places, walking=False)
    findings += [replace(finding, scope=f"static {finding.scope}") for finding in wild]
    pairs = renaming_lines(static, in_static)
    if pairs and pairs != renaming_lines(raw, match):
        log.append(f"labels of the static: {', '.join(pairs)}")
    static = renamed(static, in_static)
    sides = _check_static(static, recording, in_static, sides)
    static_trial = to_trial(static, find_axes(static), parabola=parabola)
    return Session(trial, static_trial, match.model, sides, findings, log)


def _cutoff_log(options: Options, rate_hz: float) -> list[str]:
    """Return what to say of a cut-off that lies above all that the markers can hold."""
    if options.cutoff_hz is None or options.cutoff_hz < 0.5 * rate_hz:
        return []
    cutoff, most = options.cutoff_hz, 0.5 * rate_hz
    told = f"--cutoff {cutoff:g} Hz is not below half the marker rate ({most:g} Hz)"
    return [f"{told}: the markers keep all their noise"]


def _with_events(recording: Recording, options: Options) -> Recording:
    """Return the recording with the events that were given in the place of the file's.

    Raises
    ------
    UsageError
        When one lies outside the recording.
    """
    if not options.events:
        return recording
    rate, first = recording.rate_hz, recording.first_frame
    start, stop = (first - 1) / rate, (first + recording.n_frames - 2) / rate
    for event in options.events:
        if not start - 0.5 / rate <= event.time_s <= stop + 0.5 / rate:
            message = (
                f"{recording.name}: a given {event.side} {event.kind.replace('_', ' ')} is at"
                f" {event.time_s:g} s; the recording lasts from {start:g} to {stop:g} s"
            )
            raise UsageError(message)
    return replace(recording, events=tuple(sorted(options.events)))


def _level_plates(trial: Trial) -> tuple[Trial, list[Finding]]:
    """Return the trial with the plates whose surface faces up, and a finding for each other."""
    level = tuple(plate for plate in trial.plates if plate.normal_G[1] > _LEVEL)
    findings = []
    for plate in trial.plates:
        if plate not in level:
            scope = f"plate {plate.number}"
            message = f"{scope} is left out: by its corners it faces down or sideways, not up"
            findings.append(Finding("warning", "plate-refused", scope, message))
    return replace(trial, plates=level), findings


def _model_log(recording: Recording, match: ModelMatch) -> list[str]:
    """Return which model was taken and which labels were taken for its markers."""
    if match.model.name == PLUG_IN_GAIT:
        return []
    lines = [f"marker model: {match.model.name} ({match.model.title})"]
    pairs = renaming_lines(recording, match)
    return [*lines, f"labels: {', '.join(pairs)}"] if pairs else lines


def _reading_findings(recording: Recording) -> list[Finding]:
    """Return what was noticed while reading the trial and its plates."""
    findings = [Finding("info", "read", recording.name, note) for note in recording.notes]
    for plate in recording.plates:
        scope = f"plate {plate.number}"
        if plate.problem:
            message = f"plate {plate.number} is left out: {plate.problem}"
            findings.append(Finding("warning", "plate-refused", scope, message))
        findings += [Finding("info", "plate-read", scope, note) for note in plate.notes]
    return findings


def _missing_legs(match: ModelMatch) -> list[Finding]:
    """Return a finding for each leg that is not computed for want of markers."""
    return [
        Finding(
            "warning",
            "leg-missing",
            side,
            f"the {side} leg is not computed: its markers {', '.join(lacking)} are not seen",
            side=side,
        )
        for side, lacking in match.missing.items()
        if side not in match.sides
    ]


def _read_static(
    path: str | Path, recording: Recording, match: ModelMatch, options: Options
) -> tuple[Recording | None, list[str]]:
    """Return the static as read, and what to say of the choice."""
    if options.static == NO_STATIC:
        return None, ["no static: none is to be used"]
    if options.static is not None:
        static = read_recording(options.static, options.subject_prefix, options.reader)
        said = f"static: {static.name} (given)"
    else:
        choice = find_static(path, recording, match)
        if choice.path is None:
            return None, [choice.reason]
        static = read_recording(choice.path, options.subject_prefix, options.reader)
        said = f"static: {static.name} ({choice.reason})"
    return static, [said]


def _check_static(
    static: Recording, recording: Recording, match: ModelMatch, sides: list[str]
) -> list[str]:
    """Return the sides that the static can calibrate.

    Raises
    ------
    StaticRefused
        When it lacks the model's markers, or the person in it walks.
    """
    missing = match.missing
    both = [side for side in sides if not missing[side]]
    if not both:
        lacking = [label for side in sides for label in missing[side]]
        message = (
            f"{static.name} is no static of {recording.name}: it lacks"
            f" {', '.join(dict.fromkeys(lacking))}; name another with --static"
        )
        raise StaticRefused(message)
    walked = float(np.linalg.norm(pelvis_displacement(static)))
    if walked > WALKED_M:
        message = (
            f"{static.name} is no static: the pelvis moves {walked:.2f} m in it, wanted less than"
            f" {WALKED_M:g} m; name a standing trial with --static"
        )
        raise StaticRefused(message)
    return both


def refuse_standing(trial: Trial) -> None:
    """Refuse a static given where a trial belongs.

    Raises
    ------
    ModelNotFound
        When the pelvis and both feet stay where they are.
    """
    seen = seen_labels(trial.labels, trial.markers_G)
    pair = pelvis_pair(seen)
    toes = ("LTOE", "RTOE") if "LASI" in pair else ("LMT5", "RMT5")
    moved = [_travel(trial.marker(label)) for label in pair]
    moved += [_travel(trial.marker(m)) for m in toes if m in seen]
    if max(moved) < WALKED_M:
        message = (
            f"{trial.recording.name}: nobody walks in it (no marker of pelvis or feet moves more"
            f" than {max(moved):.2f} m); give it as --static and name a walking trial"
        )
        raise ModelNotFound(message)


def _travel(marker: np.ndarray) -> float:
    """Return the size of the box that a marker moves in, m."""
    seen = marker[complete_rows(marker)]
    return float(np.linalg.norm(np.ptp(seen, axis=0))) if len(seen) else 0.0

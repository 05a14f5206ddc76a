"""The files of one run: the trial, its static, and both in G."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.axes import WALKED_M, axis_names, find_axes, pelvis_displacement
from gaitdyn.calibrate.find_static import find_static
from gaitdyn.calibrate.markers import missing_markers, require_model, seen_labels, sides_present
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import FileRefused, ModelNotFound, StaticRefused
from gaitdyn.io.recording import read_recording
from gaitdyn.io.trial import to_trial
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.trial import Trial

SHORTEST_FRAMES = 20


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """A trial with its static.

    Attributes
    ----------
    trial : Trial
    static : Trial or None
    sides : list of {"left", "right"}
        Legs that can be computed.
    findings : list of Finding
    log : list of str
        What was chosen, for the person who runs it.
    """

    trial: Trial
    static: Trial | None
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
    recording = read_recording(path)
    sides = require_model(recording)
    if recording.n_frames < SHORTEST_FRAMES:
        message = (
            f"{recording.name}: {recording.n_frames} frames were found, wanted at least"
            f" {SHORTEST_FRAMES}; export a whole trial"
        )
        raise FileRefused(message)
    parabola = options.profile == "default"
    R_GL = find_axes(recording)
    forward, up = axis_names(R_GL)
    log = [f"axes: up {up}, walking along {forward} of the laboratory"]
    findings = _reading_findings(recording)
    trial = to_trial(recording, R_GL, parabola=parabola)
    static, static_log = _read_static(path, recording, options)
    log += static_log
    if static is not None:
        sides = _check_static(static, recording, sides)
        static_trial = to_trial(static, find_axes(static), parabola=parabola)
        return Session(trial, static_trial, sides, findings, log)
    return Session(trial, None, sides, findings, log)


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


def _read_static(
    path: str | Path, recording: Recording, options: Options
) -> tuple[Recording | None, list[str]]:
    if options.static is not None:
        static = read_recording(options.static)
        return static, [f"static: {static.name} (given)"]
    choice = find_static(path, recording)
    if choice.path is None:
        return None, [choice.reason]
    static = read_recording(choice.path)
    return static, [f"static: {static.name} ({choice.reason})"]


def _check_static(static: Recording, recording: Recording, sides: list[str]) -> list[str]:
    """Return the sides that the static can calibrate.

    Raises
    ------
    StaticRefused
        When it lacks the model's markers, or the person in it walks.
    """
    labels = seen_labels(static)
    both = [side for side in sides if side in sides_present(labels)]
    if not both:
        lacking = [m for side in sides for m in missing_markers(labels, side)]
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
    moved = [_travel(trial.marker(label)) for label in ("LASI", "RASI")]
    moved += [_travel(trial.marker(m)) for m in ("LTOE", "RTOE") if m in trial.labels]
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

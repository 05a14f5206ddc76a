"""Process only the EMG of a trial whose markers fit no model; this needs no more than events."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from gaitdyn.calibrate.axes import find_axes
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.errors import (
    AgeMissing,
    AxesRefused,
    GaitdynError,
    MarkersUnfit,
    ModelNotFound,
    SexMissing,
    SubjectDataMissing,
)
from gaitdyn.io.analog import emg_candidates
from gaitdyn.io.c3d.parameters import read_parameters
from gaitdyn.io.file_kinds import holds_forces
from gaitdyn.io.recording import read_recording
from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.muscles import emg_of, muscle_rules
from gaitdyn.quality.verdicts import NO_KINEMATICS
from gaitdyn.stages.trial_events import with_events
from gaitdyn.trial.result import Result
from gaitdyn.types.findings import Finding
from gaitdyn.types.motion import NO_MODEL, Calibration, Pose, unknown_leg
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDES
from gaitdyn.types.trial import Trial


def instead_of(path: str | Path, options: Options, refusal: GaitdynError) -> Result | None:
    """Return the result from EMG and events alone of a trial without a model of the person.

    ``None`` if it lacks either, or if it may have curves with another setting.
    """
    of_setting = isinstance(refusal, (SexMissing, AgeMissing, MarkersUnfit))
    unfit = isinstance(refusal, (ModelNotFound, SubjectDataMissing)) and not of_setting
    return without_model(path, options, refusal) if unfit else None


def without_model(path: str | Path, options: Options, refusal: GaitdynError) -> Result | None:
    """Return the result of a refused trial that has only EMG and strides.

    ``None`` if it lacks either. Every angle, moment and force is left out, the verdict is
    ``fail``, and a finding of level ``error`` gives the reason.

    Parameters
    ----------
    path : str or Path
    options : Options
    refusal : GaitdynError
        Why there is no model of the person.
    """
    if not holds_forces(Path(path).name):  # these formats have neither events nor EMG
        return None
    params = read_parameters(path)[1]
    if not emg_candidates(params) or not (options.events or params.strings("EVENT", "LABELS")):
        return None
    recording = with_events(read_recording(path, options.subject_prefix, options.reader), options)
    result = emg_only_result(recording, options, str(refusal))
    emg = emg_of(result)
    shown = emg is not None and any(c.status in ("ok", "check") for c in emg.channels)
    return result if shown and any(find_cycles(result, side) for side in SIDES) else None


def emg_only_result(recording: Recording, options: Options, refusal: str) -> Result:
    """Return the result of a recording without pose, angles and loads.

    Its findings are the refusal, of level ``error``, and those about the EMG.

    Parameters
    ----------
    recording : Recording
    options : Options
    refusal : str
        Why there is no model of the person.
    """
    reason = f"only electromyography, no angles and no moments: {refusal}"
    finding = Finding("error", NO_KINEMATICS, recording.name, reason)
    trial = _trial_in_ground(recording, options)
    result = Result(
        recording=recording,
        trial=trial,
        static=None,
        options=options,
        subject=recording.subject,
        calibration=Calibration({}, np.nan, np.nan, {}, {}, {}),
        pose=_no_pose(recording.n_frames, known=bool(np.isfinite(trial.R_GL).all())),
        sides={},
        contacts=(),
        events=recording.events,
        noticed=(finding,),
        no_kinetics=refusal,
        log=(reason,),
        model=NO_MODEL,
    )
    rules = load_rules(options.quality)
    about_emg = [f for f in muscle_rules(result, rules) if rules[f.code].level != "off"]
    judged = replace(result, judged=(finding, *about_emg))  # no other rule applies
    judged.kept.update(result.kept)
    return judged


def _trial_in_ground(recording: Recording, options: Options) -> Trial:
    """Return the markers in G, all NaN if the axes of the laboratory are unknown."""
    try:
        R_GL = find_axes(recording, options.up, options.forward)
    except (AxesRefused, ModelNotFound):
        R_GL = np.full((3, 3), np.nan)
    return Trial(recording, R_GL, recording.labels, recording.markers_L @ R_GL.T, ())


def _no_pose(n: int, *, known: bool) -> Pose:
    """Return a pose of NaN; if the axes are known, the walking direction is x of G."""
    legs = {side: unknown_leg(side, n) for side in SIDES}
    axes, origin = np.full((n, 3, 3), np.nan), np.full((n, 3), np.nan)
    walking = np.array([1.0, 0.0, 0.0]) if known else np.full(3, np.nan)
    return Pose(axes, origin, legs["left"], legs["right"], walking)

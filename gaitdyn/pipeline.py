"""Process a trial from C3D file to joint loads, with one call per stage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gaitdyn.calibrate.hip_choice import centre_words
from gaitdyn.errors import GaitdynError, ModelNotFound, SubjectDataMissing
from gaitdyn.quality.named_files import refuse_files
from gaitdyn.quality.rules import checked
from gaitdyn.stages.belts import along_belts
from gaitdyn.stages.body import SubjectBody, calibrate_session
from gaitdyn.stages.ground import find_ground
from gaitdyn.stages.loads import find_loads
from gaitdyn.stages.motion import Motion, find_motion
from gaitdyn.stages.session import Session, read_session, refuse_standing
from gaitdyn.stages.upper import find_upper
from gaitdyn.trial import Result
from gaitdyn.trial.without_model import instead_of
from gaitdyn.types.later import later
from gaitdyn.types.options import Options

STEPS = ("reading", "calibration", "motion", "ground forces", "loads", "quality")
"""Steps of processing a trial, in this order; the last one gathers its findings."""


def process_trial(
    path: str | Path, options: Options | None = None, on_step: Callable[[str], None] | None = None
) -> Result:
    """Process one trial; error messages name the options of the command line.

    Parameters
    ----------
    path : str or Path
        C3D or TRC file of a trial.
    options : Options, optional
    on_step : callable, optional
        Called with the name of each of :data:`STEPS` before the step begins.

    Returns
    -------
    Result

    Raises
    ------
    FileRefused, ModelNotFound, SubjectDataMissing, StaticRefused, NobodyWalks
        With one line: what was found, what was wanted and what to do. A trial without marker model
        or measurements is not refused if it has EMG and strides: its result contains only these,
        and its verdict is ``fail``.
    """
    options, on_step = options or Options(), on_step or _nothing
    on_step("reading")
    try:
        session = read_session(path, options)
    except ModelNotFound as refusal:
        return _muscles_alone(path, options, refusal)
    refuse_standing(session.trial)
    try:
        return _processed(session, options, on_step=on_step)
    except (ModelNotFound, SubjectDataMissing) as refusal:
        return _muscles_alone(path, options, refusal)


def cycles_not_there(path: str | Path, options: Options) -> list[str]:
    """Return what processing says of cycles to leave out that a trial does not have.

    Nothing is computed if none is left out. A trial that will be refused has none.
    """
    try:
        found = process_trial(path, options).findings if options.leave_out else ()
    except (GaitdynError, OSError):
        return []
    return [finding.message for finding in found if finding.code == "no-such-cycle"]


def _muscles_alone(path: str | Path, options: Options, refusal: GaitdynError) -> Result:
    """Return the result from EMG and events alone, without a model of the person.

    Raises
    ------
    GaitdynError
        The refusal, if the trial has no EMG or no events, or without a setting may have curves.
    """
    result = instead_of(path, options, refusal)
    if result is None:
        raise refusal
    return result


def _nothing(_step: str) -> None:
    pass


def process_loaded(
    session: Session,
    options: Options,
    body: SubjectBody | None = None,
    motion: Motion | None = None,
) -> Result:
    """Process a trial and static that were read already; the numbers are the same.

    Parameters
    ----------
    session : Session
        Of :func:`gaitdyn.stages.session.read_session`; its data may have been altered.
    options : Options
    body : SubjectBody, optional
        Calibrated earlier with the same options, as far as they affect it.
    motion : Motion, optional
        Of :func:`gaitdyn.stages.motion.find_motion` with the same options, as far as they affect
        it.
    """
    refuse_standing(session.trial)
    return _processed(session, options, body, motion=motion)


def _processed(
    session: Session,
    options: Options,
    body: SubjectBody | None = None,
    on_step: Callable[[str], None] = _nothing,
    motion: Motion | None = None,
) -> Result:
    """Return the result of a session whose trial shows walking."""
    refuse_files(options)
    on_step("calibration")
    body = body or calibrate_session(session, options)
    on_step("motion")
    motion = motion or find_motion(session, body, options)
    on_step("ground forces")
    ground = find_ground(session, body, motion, options)
    motion = along_belts(motion, ground.belts, options.profile)
    on_step("loads")
    sides = find_loads(session, body, motion, ground, options)
    result = Result(
        recording=session.trial.recording,
        trial=ground.trial,
        static=None if session.static is None else session.static.recording,
        model=body.model.name,
        taken=body.taken,
        options=options,
        subject=body.subject,
        calibration=body.calibration,
        pose=motion.pose,
        sides=sides,
        contacts=ground.contacts,
        events=ground.events,
        noticed=tuple(
            finding for stage in (session, body, motion, ground) for finding in stage.findings
        ),
        no_kinetics=ground.no_kinetics,
        no_kinetics_code=ground.no_kinetics_code,
        log=(*session.log, *body.log),
        feet=motion.feet,
        static_force_n=body.static_force_n,
        engine=body.model.engine,
        rungs=centre_words(body.taken, options.hip_centre),
        upper=later(lambda: find_upper(session, body, motion, sides, options, ground.travel)),
        belts=ground.belts,
        travel=ground.travel,
        task=ground.task,
        session=session,
        body=body,
        motion=motion,
        ground=ground,
    )
    on_step("quality")
    return checked(result)

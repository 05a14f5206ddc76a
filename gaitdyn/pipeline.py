"""From a C3D file to joint loads: the recipe, one call a stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.calibrate.centre_words import centre_words
from gaitdyn.errors import ModelNotFound, SexMissing, SubjectDataMissing
from gaitdyn.quality.rules import checked, load_rules
from gaitdyn.stages.belts import along_belts
from gaitdyn.stages.body import calibrate_session
from gaitdyn.stages.ground import find_ground
from gaitdyn.stages.loads import find_loads
from gaitdyn.stages.motion import find_motion
from gaitdyn.stages.session import read_session, refuse_standing
from gaitdyn.stages.upper import find_upper
from gaitdyn.trial import Result
from gaitdyn.trial.without_model import without_model
from gaitdyn.types.later import later
from gaitdyn.types.options import EMG_SCALES, Options

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gaitdyn.errors import GaitdynError
    from gaitdyn.stages.body import SubjectBody
    from gaitdyn.stages.motion import Motion
    from gaitdyn.stages.session import Session


STEPS = ("reading", "calibration", "motion", "ground forces", "loads", "quality")
"""What a trial goes through, in this order; the last when its findings are asked for."""


def process_trial(
    path: str | Path, options: Options | None = None, told: Callable[[str], None] | None = None
) -> Result:
    """Process one trial; messages of errors speak of the options of the command.

    Parameters
    ----------
    path : str or Path
        C3D or TRC file of a trial.
    options : Options, optional
    told : callable, optional
        Is told the name of each of :data:`STEPS` before it begins.

    Returns
    -------
    Result

    Raises
    ------
    FileRefused, ModelNotFound, SubjectDataMissing, StaticRefused
        With one line that says what was found, what was wanted and what to do. A trial without
        marker model or measurements that holds electromyography and strides is not refused: its
        result has these alone, and the verdict ``fail``.
    """
    options, told = options or Options(), told or _nothing
    told("reading")
    try:
        session = read_session(path, options)
    except ModelNotFound as refusal:
        return _muscles_alone(path, options, refusal)
    refuse_standing(session.trial)
    try:
        return _processed(session, options, told=told)
    except SexMissing:  # a setting asked for it: without that, every curve would be there
        raise
    except (ModelNotFound, SubjectDataMissing) as refusal:
        return _muscles_alone(path, options, refusal)


def _muscles_alone(path: str | Path, options: Options, refusal: GaitdynError) -> Result:
    """Return what electromyography and events give without a model of the person.

    Raises
    ------
    GaitdynError
        The refusal, where there are none.
    """
    found = without_model(path, options, refusal)
    if found is None:
        raise refusal
    return found


def refuse_files(session: Session, options: Options) -> None:
    """Raise for a bad file of options before anything is computed.

    Raises
    ------
    UsageError
    """
    load_rules(options.quality)
    if session.trial.recording.analog is not None and options.emg_normalise not in EMG_SCALES:
        from gaitdyn.emg.maxima import read_maxima

        read_maxima(options.emg_normalise)


def _nothing(_step: str) -> None:
    pass


def process_loaded(
    session: Session,
    options: Options,
    body: SubjectBody | None = None,
    told: Callable[[str], None] = _nothing,
    motion: Motion | None = None,
) -> Result:
    """Process a trial and its static as read: the same numbers, without the files again.

    Parameters
    ----------
    session : Session
        Of :func:`gaitdyn.stages.session.read_session`; a test may alter its data.
    options : Options
    body : SubjectBody, optional
        Calibrated before with options that mean the same for it.
    told : callable, optional
        Is told the name of each of :data:`STEPS` before it begins.
    motion : Motion, optional
        Of :func:`gaitdyn.stages.motion.find_motion` with options that mean the same for it.

    Returns
    -------
    Result
    """
    refuse_standing(session.trial)
    return _processed(session, options, body, told, motion)


def _processed(
    session: Session,
    options: Options,
    body: SubjectBody | None = None,
    told: Callable[[str], None] = _nothing,
    motion: Motion | None = None,
) -> Result:
    """Return the result of a session in which somebody walks."""
    refuse_files(session, options)
    told("calibration")
    body = body or calibrate_session(session, options)
    told("motion")
    motion = motion or find_motion(session, body, options)
    told("ground forces")
    ground = find_ground(session, body, motion, options)
    motion = along_belts(motion, ground.belts, options.profile)
    told("loads")
    sides = find_loads(session, body, motion, ground, options)
    found = Result(
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
    told("quality")
    return checked(found)

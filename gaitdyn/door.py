"""Python interface: process a trial or a session; error messages name arguments, not options."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

from gaitdyn import pipeline
from gaitdyn.errors import GaitdynError, UsageError
from gaitdyn.session import TrialPlan, plan_lines, plan_session, plan_trial
from gaitdyn.session.contents import LABEL_OPTIONS
from gaitdyn.session.session_file import SessionFile
from gaitdyn.session.trial_table import wanted_decision
from gaitdyn.trial import Result
from gaitdyn.trial.noted import with_notes
from gaitdyn.types.arguments import path_of, speaking_of_arguments, told
from gaitdyn.types.options import Options


def process_trial(path: str | Path, options: Options | None = None, **settings: Any) -> Result:
    """Process one trial as ``gaitdyn process`` does, without writing anything.

    A ``session.toml`` in the folder of the trial or in its parent is used. ``settings`` take
    precedence over it, and ``result.log`` lists what it set.

    Parameters
    ----------
    path : str or Path
        C3D or TRC file of a walking trial.
    options : Options, optional
        All settings in one value; if given, no ``session.toml`` is read.
    **settings
        Fields of :class:`gaitdyn.Options`: ``cutoff_hz=6``, ``static="static.c3d"``,
        ``mass_kg=66.5``. They override those of ``options``.

    Returns
    -------
    Result
        Curves, cycles, peaks, gait parameters, verdict; arrays are SI, tables as in the results
        folder.

    Raises
    ------
    FileRefused, ModelNotFound, SubjectDataMissing, StaticRefused, NobodyWalks
        With one line: what was found, what was wanted and what to do.
    UsageError
        When a setting does not exist or has an impossible value, or ``session.toml`` has an error.

    See Also
    --------
    process_session : All trials of a folder.
    read_results : Results that were saved.

    Examples
    --------
    >>> import gaitdyn
    >>> result = gaitdyn.process_trial("data/walk01.c3d", cutoff_hz=6)
    >>> result.verdict, len(result.cycles()), result.options.cutoff_hz
    ('pass', 404, 6)
    """
    with speaking_of_arguments():
        path = path_of("path", path, "a C3D or TRC file")
        plan = plan_trial(path, _given(settings)) if options is None else None
        taken = _with_settings(options, settings) if plan is None else plan.options
        if "reasons" in settings:
            _refuse_idle_reasons(taken)
        if plan is None:
            return _with_bands(pipeline.process_trial(path, taken))
    return _processed(plan)


def process_session(
    folder: str | Path, options: Options | None = None, **settings: Any
) -> list[Result]:
    """Process every walking trial of a folder as ``gaitdyn batch`` does, without writing.

    ``gaitdyn info FOLDER`` shows which files are statics, which are trials, and which static
    belongs to which trial. A ``session.toml`` in the folder or in its parent is used.

    Parameters
    ----------
    folder : str or Path
        A folder of recordings; its subfolders are not searched.
    options : Options, optional
        All settings in one value, for every trial; if given, no ``session.toml`` is read.
    **settings
        Fields of :class:`gaitdyn.Options` for all trials; they override ``session.toml`` or
        those of ``options``.

    Returns
    -------
    list of Result
        In natural order of the file names. A trial that is refused is left out, with a warning
        that gives the reason.

    Raises
    ------
    FileRefused
        When there is no such folder, or no recording in it.
    UsageError
        When a setting is wrong or ``session.toml`` has an error.

    See Also
    --------
    process_trial : One trial.
    read_results : Results that ``gaitdyn batch`` wrote.

    Examples
    --------
    >>> import gaitdyn, pandas
    >>> results = gaitdyn.process_session("data")
    >>> peaks = pandas.concat({r.recording.name: r.peaks() for r in results}, names=["trial"])
    >>> peaks.index.unique("trial").tolist()
    ['walk01.c3d']
    """
    with speaking_of_arguments():
        folder = path_of("folder", folder, "a folder of recordings")
        if options is None:
            plan = plan_session(folder, _given(settings))
        else:
            options = _with_settings(options, settings)
            labels = {name: getattr(options, name) for name in LABEL_OPTIONS}
            plan = plan_session(folder, labels, SessionFile())
    results = []
    for trial in plan.trials:
        if trial.role == "dynamic":
            try:
                results.append(
                    _processed(trial) if options is None else process_trial(trial.path, options)
                )
            except GaitdynError as error:
                why = str(error).removeprefix(f"{trial.path.name}: ")
                warnings.warn(f"{trial.path.name} is left out: {why}", stacklevel=2)
    return results


def _processed(plan: TrialPlan) -> Result:
    """Return the result of a plan; its log begins with the session's settings."""
    with speaking_of_arguments():
        result = pipeline.process_trial(plan.path, plan.options)
        log = (*plan_lines(plan), *result.log)
        return _with_bands(with_notes(result, log=log, visit=plan.visit))


def _with_bands(result: Result) -> Result:
    """Compute the bands that ``uncertainty`` requests; they are kept with the result."""
    if result.options.uncertainty != "none" and result.sides:
        from gaitdyn.uncertainty.on_demand import keepers_of

        for keep in keepers_of(result.options, sensitivity=False, sweeps=()):
            keep(result)
    return result


def _refuse_idle_reasons(options: Options) -> None:
    """Refuse a reason without its decision, as ``session.toml`` does.

    Raises
    ------
    UsageError
        With the decisions that there are.
    """
    made = [name for name in ("events", "assign") if getattr(options, name)]
    made += [f"{side} {number}" for side, number in options.leave_out]
    for name, _ in options.reasons:
        if name not in made:
            raise UsageError(f"reasons names {name!r}, wanted {wanted_decision(made)}")


def _given(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings in the form of :class:`Options`, with a static's frames split from its path.

    Raises
    ------
    UsageError
        When one does not exist or has an impossible value.
    """
    checked = _with_settings(None, settings)
    framed = ["static_frames"] if checked.static_frames is not None else []
    return {name: getattr(checked, name) for name in (*settings, *framed)}


def _with_settings(options: Options | None, settings: dict[str, Any]) -> Options:
    """Return options with some of their fields set.

    Raises
    ------
    UsageError
        When ``options`` is of another type, or a field does not exist.
    """
    options = Options() if options is None else options
    if not isinstance(options, Options):
        message = (
            f"options is {told(options)}, wanted gaitdyn.Options, such as Options(cutoff_hz=6)"
        )
        raise UsageError(message)
    return replace(options, **settings)

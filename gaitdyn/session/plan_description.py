"""Describe a plan in plain values, for ``gaitdyn info SESSION``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gaitdyn.errors import GaitdynError
from gaitdyn.io.labels import mask_file, mask_prefix
from gaitdyn.io.recording import read_recording
from gaitdyn.io.text_files import shown
from gaitdyn.session.person import MUSCLES_ALONE, NO_MASS, UNWEIGHED, people_words
from gaitdyn.session.plan import SessionPlan, TrialPlan
from gaitdyn.tables.measures import with_setters
from gaitdyn.tables.run_start import RunStart, absent_told, names_channels, start_of_run
from gaitdyn.trial.without_model import instead_of
from gaitdyn.types.option_rows import not_usual
from gaitdyn.types.options import NO_STATIC
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDES, Subject

_SHOWN_SEPARATELY = ("static", "assign", "condition", "events", "leave_out", "reasons")
_PATHS = ("forces", "subject", "model", "anthropometry", "quality", "uncertainty")
_LEG = ("leg_length_m", "knee_width_m", "ankle_width_m", "marker_diameter_m")


def describe_session(plan: SessionPlan, *, show_names: bool = False) -> dict[str, Any]:
    """Return what will be done with a session as plain values.

    Parameters
    ----------
    plan : SessionPlan
    show_names : bool
        Give the name of the folder unmasked.

    Returns
    -------
    dict
        ``session``, ``notes``, ``files``, ``subjects``: the measures as processing takes them.
    """
    starts = {trial.path: _start(trial) for trial in plan.trials}
    taken = {path: start.subject for path, start in starts.items()}
    return {
        "session": shown(plan.name if show_names else plan.told_name),
        "notes": [*plan.notes, *([weighed] if (weighed := _weighed_people(plan, taken)) else [])],
        "files": [_file(trial, starts[trial.path]) for trial in plan.trials],
        "subjects": _subjects(plan, taken),
    }


def _start(trial: TrialPlan) -> RunStart:
    """Return what processing reads and takes; nothing for what is not processed or not readable."""
    try:
        return start_of_run(trial.path, trial.options) if trial.role == "dynamic" else RunStart()
    except OSError:  # told as the problem of the trial
        return RunStart()


def _read(trial: TrialPlan) -> Recording:
    return read_recording(trial.path, trial.options.subject_prefix, forces=trial.options.forces)


def _absent(trial: TrialPlan, start: RunStart) -> list[str]:
    """Return which channels of the lists of muscles a walk lacks, also one without a model."""
    if trial.role != "dynamic" or not names_channels(trial.options):
        return []
    try:
        read = start.session.trial.recording if start.session else _read(trial)
        return absent_told(read, trial.options)
    except (GaitdynError, OSError):  # told as the problem of the trial
        return []


def _problem(trial: TrialPlan, start: RunStart) -> str:
    """Return why a trial is refused: as processing says it, of what it does not read as planned."""
    if start.refusal is None:
        return "" if start.body else trial.problem
    alone = instead_of(trial.path, trial.options, start.refusal) is not None
    return str(start.refusal) + (MUSCLES_ALONE if alone else "")


def _weighed_people(plan: SessionPlan, taken: Mapping[Path, Subject | None]) -> str:
    """Return that the masses on the plates of statics, which no file states, show several people.

    Empty if they do not, or if the plan says so without them.
    """
    known = [(path, subject) for path, subject in taken.items() if subject is not None]
    documents = [
        {"subject": asdict(subject) | {"sources": {}}, "private": {"name_codes": []}}
        for _, subject in known
    ]
    return "" if plan.people else people_words([path for path, _ in known], documents)


def _missing(trial: TrialPlan, taken: Subject | None) -> list[str]:
    """Return what is missing; the mass only if it is not weighed on the plates of the static."""
    if taken is None:
        return list(trial.missing)
    weighed = [] if taken.mass_kg else [NO_MASS]
    return [word for text in trial.missing for word in (weighed if text == UNWEIGHED else [text])]


def _file(trial: TrialPlan, start: RunStart) -> dict[str, Any]:
    options, problem = trial.options, _problem(trial, start)
    of_trial = trial.role != "static" and options.static not in (None, NO_STATIC)
    static = Path(options.static or "").name if of_trial else None
    return {
        "file": shown(trial.path.name),
        "role": trial.role,
        "reason": trial.reason,
        "static": None if static is None else shown(static),
        "static_reason": trial.static_reason or None,
        "condition": trial.condition or None,
        "plates": [asdict(a) for a in options.assign],
        "plates_source": trial.sources.get("assign"),
        "events": [
            {"side": e.side, "event": e.kind, "time_s": round(e.time_s, 4)} for e in options.events
        ],
        "leave_out": [f"{side} {number}" for side, number in options.leave_out],
        "reasons": dict(options.reasons),
        "options": {
            name: {
                "value": _option_value(name, getattr(options, name)),
                "source": trial.sources[name],
            }
            for name in not_usual(options, trial.sources)
            if trial.role == "dynamic" and name not in _SHOWN_SEPARATELY
        },
        "description": trial.description or None,
        "missing": _missing(trial, start.subject),
        "notes": [*_absent(trial, start), *start.doubts],
        "problem": problem or None,
        "muscles_alone": problem.endswith(MUSCLES_ALONE),
    }


def _option_value(name: str, value: Any) -> Any:
    """Return the value of an option, files without their folders and persons masked."""
    if name == "subject_prefix":
        return mask_prefix(str(value))
    if name == "subject_parameters":
        return mask_file(Path(value).name)
    if name == "functional":
        return ", ".join(f"{key}={Path(path).name}" for key, path in value)
    return Path(value).name if name in _PATHS else value


def _subjects(plan: SessionPlan, taken: Mapping[Path, Subject | None]) -> list[dict[str, Any]]:
    """Return the measurements, once for all trials that share them.

    A refused file is left out if nothing is known of its subject.
    """
    found: list[tuple[dict[str, Any], list[str]]] = []
    for trial in plan.trials:
        unknown = trial.problem and trial.subject == Subject()
        if trial.role == "dynamic" and not unknown:
            person = taken[trial.path] or trial.subject
            measures = subject_values(with_setters(person, trial.sources))
            files = next((files for earlier, files in found if earlier == measures), None)
            if files is None:
                found.append((measures, [shown(trial.path.name)]))
            else:
                files.append(shown(trial.path.name))
    return [{"files": files, **measures} for measures, files in found]


def subject_values(subject: Subject) -> dict[str, Any]:
    """Return the measurements of a person, each with its source; ``None`` if it is unknown."""

    def measured(of: Any, field: str, prefix: str = "") -> dict[str, Any]:
        value = getattr(of, field)
        if field.endswith("_m") and field != "height_m" and value:
            value = round(1000 * value, 2)
        return {"value": value, "source": subject.sources.get(prefix + field)}

    values: dict[str, Any] = {"id": subject.id or None}
    values |= {f: measured(subject, f) for f in ("sex", "age_years", "mass_kg", "height_m")}
    values["marker_diameter_mm"] = measured(subject, "marker_diameter_m")
    for side in SIDES:
        leg = subject.leg(side)
        values[side] = {f.removesuffix("m") + "mm": measured(leg, f, f"{side}.") for f in _LEG}
    return values

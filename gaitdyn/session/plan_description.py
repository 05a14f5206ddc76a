"""A plan as plain values: the answer of ``gaitdyn info SESSION``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.io.labels import mask, mask_file
from gaitdyn.io.text_files import shown
from gaitdyn.types.options import NO_STATIC, Options
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.session.plan import SessionPlan, TrialPlan
    from gaitdyn.types.subject import Subject

_APART = ("static", "assign", "condition", "events", "leave_out", "reasons")
_PATHS = ("forces", "subject", "model", "anthropometry", "quality", "uncertainty")
_LEG = ("leg_length_m", "knee_width_m", "ankle_width_m", "marker_diameter_m")


def describe_session(plan: SessionPlan, *, show_names: bool = False) -> dict[str, Any]:
    """Return what will be done with a session as plain values.

    Parameters
    ----------
    plan : SessionPlan
    show_names : bool
        Tell the name of the folder as it is.

    Returns
    -------
    dict
        ``session``, ``notes``, ``files``, ``subjects``.
    """
    return {
        "session": shown(plan.name if show_names else plan.told_name),
        "notes": list(plan.notes),
        "files": [_file(trial) for trial in plan.trials],
        "subjects": _subjects(plan),
    }


def _file(trial: TrialPlan) -> dict[str, Any]:
    options = trial.options
    static = None if options.static in (None, NO_STATIC) else Path(options.static or "").name
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
            name: {"value": _told(name, getattr(options, name)), "source": source}
            for name, source in trial.sources.items()
            if trial.role == "dynamic"
            and name not in _APART
            and getattr(options, name) != getattr(Options(), name)
        },
        "description": trial.description or None,
        "missing": list(trial.missing),
        "problem": trial.problem or None,
    }


def _told(name: str, value: Any) -> Any:
    """Return the value of an option: files without their folders, persons masked."""
    if name == "subject_prefix":
        return mask(str(value))
    if name == "subject_parameters":
        return mask_file(Path(value).name)
    if name == "functional":
        return ", ".join(f"{key}={Path(path).name}" for key, path in value)
    return Path(value).name if name in _PATHS else value


def _subjects(plan: SessionPlan) -> list[dict[str, Any]]:
    """Return the measurements, once for all trials that share them."""
    found: list[tuple[dict[str, Any], list[str]]] = []
    for trial in plan.trials:
        if trial.role == "dynamic":
            measures = subject_values(trial.subject)
            files = next((files for known, files in found if known == measures), None)
            if files is None:
                found.append((measures, [shown(trial.path.name)]))
            else:
                files.append(shown(trial.path.name))
    return [{"files": files, **measures} for measures, files in found]


def subject_values(subject: Subject) -> dict[str, Any]:
    """Return the measurements of a person, each with its source; ``None`` where nothing says.

    Parameters
    ----------
    subject : Subject
    """

    def told(of: Any, field: str, place: str = "") -> dict[str, Any]:
        value = getattr(of, field)
        length = field.endswith("_m") and field != "height_m"
        known = round(1000 * value, 2) if length and value else value
        return {"value": known, "source": subject.sources.get(place + field)}

    found: dict[str, Any] = {
        "id": subject.id or None,
        "sex": told(subject, "sex"),
        "age_years": told(subject, "age_years"),
        "mass_kg": told(subject, "mass_kg"),
        "height_m": told(subject, "height_m"),
        "marker_diameter_mm": told(subject, "marker_diameter_m"),
    }
    for side in SIDES:
        leg = subject.leg(side)
        found[side] = {
            field.removesuffix("m") + "mm": told(leg, field, f"{side}.") for field in _LEG
        }
    return found

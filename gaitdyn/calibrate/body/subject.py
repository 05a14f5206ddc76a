"""The measurements of the person that are used, and the source of each."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from gaitdyn.calibrate.body.subject_file import PLAIN_KEYS, read_subject_file
from gaitdyn.calibrate.plug_in_gait.joint_centres import asis_trochanter_m
from gaitdyn.io.model_parameters import read_model_parameters
from gaitdyn.types.findings import Finding
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDES, ArmMeasures, LegMeasures, Subject

_COMPUTED_M = 1e-5


def resolve_subject(
    options: Options, trial: Recording, static: Recording | None
) -> tuple[Subject, list[Finding]]:
    """Return the measurements used: option, subject file, parameter file, static, then trial.

    Zero and missing values are skipped. The inter-ASIS distance that a trial stores was measured in
    an earlier static: with a static at hand it is ignored, as in the vendor's model. Every later
    source that differs from the value used gives a finding; differences above 1 % are reported.

    Returns
    -------
    Subject
        With ``sources``.
    list of Finding
    """
    chain, findings = _sources(options, trial, static)
    sources: dict[str, str] = {}

    def pick(key: str, side: str = "") -> Any:
        values = [(n, getattr(s.leg(side) if side else s, key)) for n, s in chain]
        known = [(source, value) for source, value in values if value]
        if not known:
            return None
        name = f"{side}.{key}" if side else key
        sources[name] = known[0][0]
        findings.extend(_differences(name, known))
        return known[0][1]

    plain = (*sorted(PLAIN_KEYS), "marker_diameter_m", "inter_asis_m")
    merged: dict[str, Any] = {key: pick(key) for key in plain}
    for side in SIDES:
        merged[side] = LegMeasures(**{f.name: pick(f.name, side) for f in fields(LegMeasures)})
    merged["id"] = merged["id"] or ""
    merged["arms"] = _arms([subject for _, subject in chain])
    subject = Subject(**merged, sources=sources)
    resolved = _without_late_diameters(subject, [source for source, _ in chain])
    return resolved, [*findings, *_dropped_diameters(subject, resolved)]


def _sources(
    options: Options, trial: Recording, static: Recording | None
) -> tuple[list[tuple[str, Subject]], list[Finding]]:
    """Return the measurements of each source, the first that counts first, and notes on them."""
    diameter = options.marker_diameter_mm
    given = Subject(
        mass_kg=options.mass_kg,
        height_m=options.height_m,
        marker_diameter_m=None if diameter is None else diameter / 1000,
    )
    chain, notes = [("option", given)], ()
    if options.subject:
        chain.append(("subject file", read_subject_file(options.subject)))
    if options.subject_parameters:
        measured = read_model_parameters(options.subject_parameters)
        chain.append(("parameter file", measured.subject))
        notes = measured.notes
    if static is not None:
        chain.append(("static", static.subject))
    in_trial = trial.subject if static is None else replace(trial.subject, inter_asis_m=None)
    chain.append(("trial", in_trial))
    findings = [Finding("info", "parameter-file", "subject", note) for note in notes]
    return [(source, _measured_only(subject)) for source, subject in chain], findings


def _arms(chain: list[Subject]) -> dict[str, ArmMeasures]:
    """Return each measurement of each arm from the first source that has it."""
    arms: dict[str, ArmMeasures] = {}
    for side in SIDES:
        candidates = [subject.arms[side] for subject in chain if side in subject.arms]
        known = {
            f.name: next(
                (v for v in (getattr(arm, f.name) for arm in candidates) if v is not None), None
            )
            for f in fields(ArmMeasures)
        }
        if (arm := ArmMeasures(**known)) != ArmMeasures():
            arms[side] = arm
    return arms


def _without_late_diameters(subject: Subject, order: list[str]) -> Subject:
    """Return the subject without a side's diameter if an earlier source gives one for all."""
    general = subject.sources.get("marker_diameter_m")
    if general is None:
        return subject
    later = set(order[order.index(general) + 1 :])
    sources, legs = dict(subject.sources), {"left": subject.left, "right": subject.right}
    for side, leg in legs.items():
        if sources.get(f"{side}.marker_diameter_m") in later:
            legs[side] = replace(leg, marker_diameter_m=None)
            del sources[f"{side}.marker_diameter_m"]
    return replace(subject, **legs, sources=sources)


def _dropped_diameters(before: Subject, after: Subject) -> list[Finding]:
    """Return a finding for each diameter of a side that gave way to another one for all."""
    key = "marker_diameter_m"
    used = before.sources.get(key, ""), before.marker_diameter_m
    dropped = sorted(name for name in before.sources.keys() - after.sources.keys())
    return [
        finding
        for name in dropped
        for finding in _differences(
            name, [used, (before.sources[name], getattr(before.leg(name.partition(".")[0]), key))]
        )
    ]


def _measured_only(subject: Subject) -> Subject:
    """Return the subject without ASIS-trochanter distances computed from its leg lengths.

    The vendor stores the computed distance as if it were measured. It must not be kept when the leg
    length is corrected.
    """

    def leg(values: LegMeasures) -> LegMeasures:
        length, depth = values.leg_length_m, values.asis_trochanter_m
        if length and depth and abs(depth - asis_trochanter_m(length)) < _COMPUTED_M:
            return replace(values, asis_trochanter_m=None)
        return values

    return replace(subject, left=leg(subject.left), right=leg(subject.right))


def _words(field: str) -> tuple[str, str, float]:
    """Return name, unit and factor of a measurement, in the unit in which it is given.

    Examples
    --------
    >>> _words("mass_kg"), _words("height_m")
    (('body mass', ' kg', 1.0), ('height', ' m', 1.0))
    >>> _words("left.leg_length_m")
    ('left leg length', ' mm', 1000.0)
    """
    side, _, rest = field.replace(".", " ").rpartition(" ")
    stem, _, unit = rest.rpartition("_")
    name = {"mass": "body mass"}.get(stem, stem.replace("_", " "))
    name = f"{side} {name}".strip()
    if unit == "m" and stem not in _IN_METRES:
        return name, " mm", 1000.0
    return name, f" {unit}" if stem else "", 1.0


_IN_METRES = ("height",)
"""Lengths that are given in m; all others are given in mm."""


def _differences(key: str, known: list[tuple[str, Any]]) -> list[Finding]:
    """Return a finding for each value of later sources that differs."""
    source, used = known[0]
    if not isinstance(used, (int, float)):
        return []
    others: dict[float, list[str]] = {}
    for later, value in known[1:]:
        if value != used:
            others.setdefault(value, []).append(later)
    return [
        difference_of(key, (f"the {source}", used), (f"the {' and the '.join(later)}", value))
        for value, later in others.items()
    ]


def difference_of(key: str, used: tuple[str, float], other: tuple[str, float]) -> Finding:
    """Return the finding that another source gives another value of a measurement.

    Parameters
    ----------
    key : str
        Field of the subject, which may be of a side.
    used, other : (str, float)
        The source in words and its value, SI.

    Examples
    --------
    >>> difference_of("mass_kg", ("the file", 70.0), ("the .mp file", 77.0)).message
    'body mass: 70 kg from the file, 77 kg from the .mp file; 70 kg is used'
    """
    name, unit, factor = _words(key)
    ours, value = (f"{factor * size:g}{unit}" for _, size in (used, other))
    message = f"{name}: {ours} from {used[0]}, {value} from {other[0]}; {ours} is used"
    off = abs(other[1] - used[1]) / (abs(used[1]) or 1.0)
    return Finding("warning", "subject-differs", key, message, off)

"""Which measurements of the person are used, and where each came from."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.calibrate.joint_centres import asis_trochanter_m
from gaitdyn.core.medians import median
from gaitdyn.errors import SubjectDataMissing, UsageError
from gaitdyn.io.model_parameters import read_model_parameters
from gaitdyn.io.plain_files import plain_text
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import LIMITS, SIDES, ArmMeasures, LegMeasures, Subject

if TYPE_CHECKING:
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording

DEFAULT_DIAMETER_M = 0.014
_COMPUTED_M = 1e-5
_PLAIN = {"id", "sex", "age_years", "mass_kg", "height_m"}
_LENGTHS = {
    "leg_length_mm",
    "knee_width_mm",
    "ankle_width_mm",
    "asis_trochanter_mm",
    "marker_diameter_mm",
    "device",
}
_ARM = {f.name.removesuffix("_m") + "_mm" for f in fields(ArmMeasures)}


def read_subject_file(path: str | Path) -> Subject:
    """Read the ``[subject]`` table of a TOML file.

    Raises
    ------
    UsageError
        When the file is not there, is not TOML, or holds a key or a value that cannot be.
    """
    name = Path(path).name
    try:
        document = tomllib.loads(plain_text(path))
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        message = f"--subject {name}: {reason}; wanted a TOML file; check the path"
        raise UsageError(message) from error
    except ValueError as error:
        message = f"--subject {name}: {error}"
        raise UsageError(message) from error
    table = document.get("subject")
    if not isinstance(table, dict):
        message = f"--subject {name}: found no table [subject]; wanted one with mass_kg and so on"
        raise UsageError(message)
    legs = {side: table.pop(side) for side in ("left", "right") if side in table}
    values = _checked(table, name, "", _PLAIN | {"marker_diameter_mm", "inter_asis_mm"})
    sides = {side: _checked(leg, name, f"{side}.", _LENGTHS | _ARM) for side, leg in legs.items()}
    arms = {
        side: ArmMeasures(**_in_metres({key: leg.pop(key) for key in _ARM if key in leg}))
        for side, leg in sides.items()
    }
    lengths = {k: v for k, v in values.items() if k.endswith("_mm")}
    return Subject(
        **{key: value for key, value in values.items() if key not in lengths},
        **_in_metres(lengths),
        left=LegMeasures(**_in_metres(sides.get("left", {}))),
        right=LegMeasures(**_in_metres(sides.get("right", {}))),
        arms=arms,
    )


def _in_metres(lengths: dict[str, Any]) -> dict[str, Any]:
    return {
        key.removesuffix("mm") + "m" if key.endswith("_mm") else key: (
            value / 1000 if key.endswith("_mm") else value
        )
        for key, value in lengths.items()
    }


def _checked(table: Any, file: str, where: str, known: set[str]) -> dict[str, Any]:
    """Return the values of a table after checking keys, types and ranges."""
    if not isinstance(table, dict):
        message = f"--subject {file}: [subject.{where.rstrip('.')}] is {table!r}, wanted a table"
        raise UsageError(message)
    for key, value in table.items():
        wanted = _wanted(key, value) if key in known else f"one of {', '.join(sorted(known))}"
        if wanted:
            found = repr(value) if key in known else "not known"
            message = f"--subject {file}: {where}{key} is {found}, wanted {wanted}"
            raise UsageError(message)
    return table


def _wanted(key: str, value: Any) -> str:
    """Return what a key wants instead of its value; empty when the value is good."""
    if key in ("id", "device"):
        return "" if isinstance(value, str) else "a text"
    if key == "sex":
        return "" if value in ("f", "m") else '"f" or "m"'
    low, high = LIMITS[key]
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "" if number and low <= value <= high else f"a number from {low:g} to {high:g}"


def resolve_subject(
    options: Options, trial: Recording, static: Recording | None
) -> tuple[Subject, list[Finding]]:
    """Return the measurements used: option, subject file, parameter file, static, then trial.

    Zero or missing values never win. The distance of the ASIS that a trial stores is of an earlier
    static: beside a static it does not count, as in the vendor's model. A difference above 1 %
    between what was used and a later source is a finding.

    Parameters
    ----------
    options : Options
    trial : Recording
    static : Recording or None

    Returns
    -------
    Subject
        With ``sources``.
    list of Finding
    """
    diameter = options.marker_diameter_mm
    findings: list[Finding] = []
    chain: list[tuple[str, Subject]] = [
        (
            "option",
            Subject(
                mass_kg=options.mass_kg,
                height_m=options.height_m,
                marker_diameter_m=None if diameter is None else diameter / 1000,
            ),
        )
    ]
    if options.subject:
        chain.append(("subject file", read_subject_file(options.subject)))
    if options.subject_parameters:
        measured = read_model_parameters(options.subject_parameters)
        chain.append(("parameter file", measured.subject))
        findings += [Finding("info", "parameter-file", "subject", n) for n in measured.notes]
    if static is not None:
        chain.append(("static", static.subject))
    own = trial.subject if static is None else replace(trial.subject, inter_asis_m=None)
    chain.append(("trial", own))
    chain = [(source, _measured_only(found)) for source, found in chain]
    sources: dict[str, str] = {}

    def pick(what: str, values: list[tuple[str, Any]]) -> Any:
        known = [(source, value) for source, value in values if value]
        if not known:
            return None
        sources[what] = known[0][0]
        findings.extend(_differences(what, known))
        return known[0][1]

    merged: dict[str, Any] = {
        key: pick(key, [(source, getattr(s, key)) for source, s in chain])
        for key in (*sorted(_PLAIN), "marker_diameter_m", "inter_asis_m")
    }
    for side in ("left", "right"):
        merged[side] = LegMeasures(
            **{
                f.name: pick(
                    f"{side}.{f.name}", [(n, getattr(s.leg(side), f.name)) for n, s in chain]
                )
                for f in fields(LegMeasures)
            }
        )
    merged["id"] = merged["id"] or ""
    merged["arms"] = _arms([found for _, found in chain])
    subject = Subject(**merged, sources=sources)
    return _own_diameters(subject, [source for source, _ in chain]), findings


def _arms(chain: list[Subject]) -> dict[str, ArmMeasures]:
    """Return what the first source that knows says of each arm; zero means not measured."""
    found: dict[str, ArmMeasures] = {}
    for side in SIDES:
        own = [subject.arms[side] for subject in chain if side in subject.arms]
        known = {
            f.name: next((v for v in (getattr(arm, f.name) for arm in own) if v), None)
            for f in fields(ArmMeasures)
        }
        if any(known.values()):
            found[side] = ArmMeasures(**known)
    return found


def _own_diameters(subject: Subject, order: list[str]) -> Subject:
    """Return the subject without diameters of a side where an earlier source gives one for all."""
    of_all = subject.sources.get("marker_diameter_m")
    if of_all is None:
        return subject
    late = set(order[order.index(of_all) + 1 :])
    sources, legs = dict(subject.sources), {"left": subject.left, "right": subject.right}
    for side, leg in legs.items():
        if sources.get(f"{side}.marker_diameter_m") in late:
            legs[side] = replace(leg, marker_diameter_m=None)
            del sources[f"{side}.marker_diameter_m"]
    return replace(subject, **legs, sources=sources)


def _measured_only(subject: Subject) -> Subject:
    """Return the subject without ASIS-trochanter distances that follow from its leg lengths.

    The vendor stores the computed distance as if it were measured; it must not outlive a
    corrected leg length.
    """

    def leg(values: LegMeasures) -> LegMeasures:
        length, depth = values.leg_length_m, values.asis_trochanter_m
        if length and depth and abs(depth - asis_trochanter_m(length)) < _COMPUTED_M:
            return replace(values, asis_trochanter_m=None)
        return values

    return replace(subject, left=leg(subject.left), right=leg(subject.right))


def _words(field: str) -> tuple[str, str]:
    """Return a measurement's name and unit in words: ``mass_kg`` is ``body mass``, `` kg``."""
    side, _, rest = field.rpartition(" ")
    stem, _, unit = rest.rpartition("_")
    name = {"mass": "body mass"}.get(stem, stem.replace("_", " "))
    return f"{side} {name}".strip(), f" {unit}" if stem else ""


def _differences(what: str, known: list[tuple[str, Any]]) -> list[Finding]:
    """Return a finding for each later source that differs."""
    source, used = known[0]
    found = []
    for other, value in known[1:]:
        if isinstance(used, (int, float)) and value != used:
            name, unit = _words(what)
            message = (
                f"{name}: {used:g}{unit} by the {source}, {value:g}{unit} by the {other};"
                f" {used:g}{unit} is used"
            )
            off = abs(value - used) / (abs(used) or 1.0)
            found.append(Finding("warning", "subject-differs", what, message, off))
    return found


def with_diameter(subject: Subject, recordings: list[Recording]) -> tuple[Subject, list[Finding]]:
    """Return the subject with a marker diameter: as given, from the drawn knee centre, or 14 mm.

    Where only those of the two sides are given, the pelvis has their mean. A file that holds the
    vendor's femur origin shows it: |FEO - KNE| = (knee width + diameter)/2.
    """
    if subject.marker_diameter_m:
        return subject, []
    sides = [leg.marker_diameter_m for leg in (subject.left, subject.right)]
    known = [diameter for diameter in sides if diameter]
    if known:
        mean = sum(known) / len(known)
        message = f"the markers of the pelvis have {1000 * mean:g} mm, the mean of the sides"
        return _set_diameter(subject, mean, "mean of the sides"), [
            Finding("info", "marker-diameter", "subject", message, 1000 * mean)
        ]
    for recording in recordings:
        for side, letter in (("left", "L"), ("right", "R")):
            width = subject.leg(side).knee_width_m
            drawn, lateral = letter + "FEO", letter + "KNE"
            if width and recording.has(drawn) and recording.has(lateral):
                gap = np.linalg.norm(recording.marker(drawn) - recording.marker(lateral), axis=1)
                gap = gap[np.isfinite(gap)]
                found = round(2000 * float(median(gap)) - 1000 * width, 1) if gap.size else 0.0
                if 3 <= found <= 30:  # noqa: PLR2004  mm, a marker
                    message = f"the marker diameter is {found:g} mm by {drawn} and {lateral}"
                    return _set_diameter(subject, found / 1000, recording.name), [
                        Finding("info", "marker-diameter", "subject", message, found)
                    ]
    message = (
        f"the marker diameter is not known; {1000 * DEFAULT_DIAMETER_M:g} mm is assumed"
        " (--marker-diameter MM)"
    )
    return _set_diameter(subject, DEFAULT_DIAMETER_M, "default"), [
        Finding("info", "marker-diameter", "subject", message, 1000 * DEFAULT_DIAMETER_M)
    ]


def _set_diameter(subject: Subject, value: float, source: str) -> Subject:
    sources = {**subject.sources, "marker_diameter_m": source}
    return replace(subject, marker_diameter_m=value, sources=sources)


_DRAWN = (
    ("knee_width_m", "FEO", "KNE", (0.04, 0.25)),
    ("ankle_width_m", "TIO", "ANK", (0.02, 0.2)),
)
"""Width, drawn joint centre, lateral marker, and what a width can be, m."""


def with_drawn_widths(
    subject: Subject, recordings: list[Recording]
) -> tuple[Subject, list[Finding]]:
    """Return the subject with the widths that the vendor's drawn joint centres show.

    The vendor draws the knee centre as FEO and the ankle centre as TIO: their distance from the
    lateral marker is (width + diameter)/2. Only for widths that nothing else supplies.

    Parameters
    ----------
    subject : Subject
        With its marker diameter.
    recordings : list of Recording
        Static first.
    """
    found: list[Finding] = []
    legs, sources = {"left": subject.left, "right": subject.right}, dict(subject.sources)
    for side, letter in (("left", "L"), ("right", "R")):
        for field, drawn, lateral, (low, high) in _DRAWN:
            if getattr(legs[side], field):
                continue
            for recording in recordings:
                gap = _drawn_gap(recording, letter + drawn, letter + lateral)
                own = legs[side].marker_diameter_m or subject.marker_diameter_m or 0.0
                width = round(2 * gap - own, 5)
                if not low < width < high:
                    continue
                legs[side] = replace(legs[side], **{field: width})
                sources[f"{side}.{field}"] = recording.name
                name = field.removesuffix("_m").replace("_", " ")
                message = (
                    f"{side} {name} is {1000 * width:.0f} mm by the drawn centre {letter}{drawn}"
                    f" and {letter}{lateral}"
                )
                found.append(Finding("info", "width-from-drawn", side, message, 1000 * width))
                break
    return replace(subject, left=legs["left"], right=legs["right"], sources=sources), found


def _drawn_gap(recording: Recording, drawn: str, lateral: str) -> float:
    """Return the median distance of a drawn centre from a marker, m; NaN where not seen."""
    if not (recording.has(drawn) and recording.has(lateral)):
        return np.nan
    gap = np.linalg.norm(recording.marker(drawn) - recording.marker(lateral), axis=1)
    gap = gap[np.isfinite(gap)]
    return float(median(gap)) if gap.size else np.nan


def widths_known(subject: Subject, sides: list[str]) -> bool:
    """Return whether knee and ankle width of all these legs are known."""
    legs = [subject.leg(side) for side in sides]
    return all(leg.knee_width_m and leg.ankle_width_m for leg in legs)


def require_lengths(subject: Subject, sides: list[str]) -> None:
    """Check that the lengths of the model are known.

    Raises
    ------
    SubjectDataMissing
        Naming what is missing and where to give it.
    """
    lacking = []
    both = ("left", "right")
    lacking += [f"{s}.leg_length_mm" for s in both if not subject.leg(s).leg_length_m]
    for side in sides:
        leg = subject.leg(side)
        lacking += [f"{side}.knee_width_mm"] * (not leg.knee_width_m)
        lacking += [f"{side}.ankle_width_mm"] * (not leg.ankle_width_m)
    if lacking:
        message = (
            f"the model needs {', '.join(lacking)} and neither the files nor the options say;"
            " give them in a subject.toml with --subject"
        )
        raise SubjectDataMissing(message)

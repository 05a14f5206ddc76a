"""Which measurements of the person are used, and where each came from."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.errors import SubjectDataMissing, UsageError
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import LegMeasures, Subject

if TYPE_CHECKING:
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording

DEFAULT_DIAMETER_M = 0.014
_TOLERANCE = 0.01
_PLAIN = ("id", "sex", "age_years", "mass_kg", "height_m")
_LENGTHS = {"leg_length_mm", "knee_width_mm", "ankle_width_mm", "asis_trochanter_mm"}


def read_subject_file(path: str | Path) -> Subject:
    """Read the ``[subject]`` table of a TOML file.

    Raises
    ------
    UsageError
        When the file is not there, is not TOML, or holds a key that is not known.
    """
    name = Path(path).name
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8")).get("subject", {})
    except (OSError, ValueError) as error:
        message = f"--subject {name}: {error}"
        raise UsageError(message) from error
    known = {*_PLAIN, "marker_diameter_mm", "inter_asis_mm", "left", "right"}
    strange = sorted(set(table) - known)
    for side in ("left", "right"):
        strange += [f"{side}.{key}" for key in sorted(set(table.get(side, {})) - _LENGTHS)]
    if strange:
        message = f"--subject {name}: [subject] does not know {', '.join(strange)}"
        raise UsageError(message)

    def leg(values: dict[str, Any]) -> LegMeasures:
        return LegMeasures(**{k.removesuffix("mm") + "m": v / 1000 for k, v in values.items()})

    def length(key: str) -> float | None:
        return table[key] / 1000 if key in table else None

    return Subject(
        **{key: table[key] for key in _PLAIN if key in table},
        marker_diameter_m=length("marker_diameter_mm"),
        inter_asis_m=length("inter_asis_mm"),
        left=leg(table.get("left", {})),
        right=leg(table.get("right", {})),
    )


def resolve_subject(
    options: Options, trial: Recording, static: Recording | None
) -> tuple[Subject, list[Finding]]:
    """Return the measurements used: option, then subject file, then static, then trial.

    Zero or missing values never win. A difference above 1 % between what was used and a later
    source is a finding.

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
    if static is not None:
        chain.append(("static", static.subject))
    chain.append(("trial", trial.subject))
    sources: dict[str, str] = {}
    findings: list[Finding] = []

    def pick(what: str, values: list[tuple[str, Any]]) -> Any:
        known = [(source, value) for source, value in values if value]
        if not known:
            return None
        sources[what] = known[0][0]
        findings.extend(_differences(what, known))
        return known[0][1]

    merged: dict[str, Any] = {
        key: pick(key, [(source, getattr(s, key)) for source, s in chain])
        for key in (*_PLAIN, "marker_diameter_m", "inter_asis_m")
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
    return Subject(**merged, sources=sources), findings


def _differences(what: str, known: list[tuple[str, Any]]) -> list[Finding]:
    """Return a finding for each later source that differs by more than 1 %."""
    source, used = known[0]
    found = []
    for other, value in known[1:]:
        if isinstance(used, (int, float)) and abs(value - used) > _TOLERANCE * abs(used):
            message = (
                f"{what} is {used:g} in the {source} and {value:g} in the {other}; {used:g} is used"
            )
            off = abs(value - used) / abs(used)
            found.append(Finding("warning", "subject-differs", what, message, off, _TOLERANCE))
    return found


def with_diameter(subject: Subject, recordings: list[Recording]) -> tuple[Subject, list[Finding]]:
    """Return the subject with a marker diameter: as given, from the drawn knee centre, or 14 mm.

    A file that holds the vendor's femur origin shows it: |FEO - KNE| = (knee width + diameter)/2.
    """
    if subject.marker_diameter_m:
        return subject, []
    for recording in recordings:
        for side, letter in (("left", "L"), ("right", "R")):
            width = subject.leg(side).knee_width_m
            drawn, lateral = letter + "FEO", letter + "KNE"
            if width and recording.has(drawn) and recording.has(lateral):
                gap = np.linalg.norm(recording.marker(drawn) - recording.marker(lateral), axis=1)
                gap = gap[np.isfinite(gap)]
                found = round(2000 * float(np.median(gap)) - 1000 * width, 1) if gap.size else 0.0
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

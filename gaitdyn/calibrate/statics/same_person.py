"""Whether a static and a walk show the same person: names, shanks, body mass."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import Recording

SHANK_SHARE = 0.03
"""Largest relative difference between the knee-ankle marker distances of static and walk; it is at
most 0.009 in unedited trials of the corpus (``python benchmarks/limits.py``)."""
MASS_SHARE = 0.15
"""Largest relative difference between the body masses that the two files state."""
_SHANKS = (("KNE", "ANK"), ("KJC", "AJC"))


def plain_names(names: Iterable[str]) -> frozenset[str]:
    """Return names without punctuation and capitals, for comparison only, never for printing.

    Examples
    --------
    >>> sorted(plain_names(["Anna B.", "", "anna b"]))
    ['annab']
    """
    plain = ("".join(c for c in name.casefold() if c.isalnum()) for name in names)
    return frozenset(name for name in plain if name)


def shanks_differ(trial: Recording, static: Recording) -> str:
    """Return by how much the shanks of two recordings differ, in words; empty within 3 %.

    Both legs must differ, as one misplaced marker does not make another person. Markers are
    compared with markers, stored centres with stored centres.
    """
    differences = []
    for side, letter in (("left", "L"), ("right", "R")):
        for knee, ankle in ((letter + a, letter + b) for a, b in _SHANKS):
            pair = (knee, ankle)
            if not all(r.has(x) for r in (trial, static) for x in pair):
                continue
            walked, stood = (_distance(r, pair) for r in (trial, static))
            if not (np.isfinite(walked) and np.isfinite(stood)):
                continue
            if abs(stood - walked) <= SHANK_SHARE * walked:
                return ""
            differences.append(f"{side} {1000 * stood:.0f} against {1000 * walked:.0f} mm")
            break
    return ", ".join(differences) if len(differences) == 2 else ""  # noqa: PLR2004  both legs


def _distance(recording: Recording, pair: tuple[str, str]) -> float:
    lengths = np.linalg.norm(recording.marker(pair[0]) - recording.marker(pair[1]), axis=1)
    return known_median(lengths) if np.isfinite(lengths).any() else np.nan


def person_doubt(trial: Recording, static: Recording) -> str:
    """Return why a static shows another person, in words without names; empty if it does not.

    Parameters
    ----------
    trial, static : Recording
        Markers under our names; a file without SUBJECTS:NAMES does not count.
    """
    names, static_names = (plain_names(recording.persons) for recording in (trial, static))
    if names and static_names and not names & static_names:
        return "its SUBJECTS:NAMES are another person's"
    shanks = shanks_differ(trial, static)
    return f"knee to ankle differs on both legs ({shanks}, limit 3 %)" if shanks else ""


def mass_finding(trial: Recording, static: Recording) -> list[Finding]:
    """Return a warning if the two files state body masses more than 15 % apart."""
    mass, static_mass = trial.subject.mass_kg, static.subject.mass_kg
    if not mass or not static_mass or abs(static_mass - mass) <= MASS_SHARE * mass:
        return []
    message = (
        f"{static.name} states a body mass of {static_mass:.1f} kg, {trial.name} of {mass:.1f} kg;"
        " is it the static of this person?"
    )
    value = abs(static_mass - mass) / mass
    return [Finding("warning", "static-mass", static.name, message, value)]

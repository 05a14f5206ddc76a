"""Whether a static and a walk show the same person: names, shanks, body mass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.types.recording import Recording

SHANK_SHARE = 0.03
"""Knee to ankle marker, static against walk: 0.009 at most in untouched trials of the corpus
(``python benchmarks/limits.py``)."""
MASS_SHARE = 0.15
_SHANKS = (("KNE", "ANK"), ("KJC", "AJC"))


def plain_names(names: Iterable[str]) -> frozenset[str]:
    """Return names without signs and capitals, for comparing; never for printing.

    Examples
    --------
    >>> sorted(plain_names(["Anna B.", "", "anna b"]))
    ['annab']
    """
    found = ("".join(c for c in name.casefold() if c.isalnum()) for name in names)
    return frozenset(name for name in found if name)


def shanks_differ(trial: Recording, static: Recording) -> str:
    """Return by how much the shanks of two recordings differ, in words; empty within 3 %.

    Both legs must differ: one misplaced marker is not another person. Markers count against
    markers and stored centres against stored centres.
    """
    told = []
    for side, letter in (("left", "L"), ("right", "R")):
        for knee, ankle in ((letter + a, letter + b) for a, b in _SHANKS):
            pair = (knee, ankle)
            if not all(r.has(x) for r in (trial, static) for x in pair):
                continue
            own, other = (_distance(r, pair) for r in (trial, static))
            if not (np.isfinite(own) and np.isfinite(other)):
                continue
            if abs(other - own) <= SHANK_SHARE * own:
                return ""
            told.append(f"{side} {1000 * other:.0f} against {1000 * own:.0f} mm")
            break
    return ", ".join(told) if len(told) == 2 else ""  # noqa: PLR2004  both legs


def _distance(recording: Recording, pair: tuple[str, str]) -> float:
    lengths = np.linalg.norm(recording.marker(pair[0]) - recording.marker(pair[1]), axis=1)
    return known_median(lengths) if np.isfinite(lengths).any() else np.nan


def person_doubt(trial: Recording, static: Recording) -> str:
    """Return why a static shows another person, in words without names; empty when it does not.

    Parameters
    ----------
    trial, static : Recording
        Markers under our names; a file without SUBJECTS:NAMES says nothing.
    """
    own, other = (plain_names(found.persons) for found in (trial, static))
    if own and other and not own & other:
        return "its SUBJECTS:NAMES are another person's"
    shanks = shanks_differ(trial, static)
    return f"knee to ankle differs on both legs ({shanks}, limit 3 %)" if shanks else ""


def mass_finding(trial: Recording, static: Recording) -> list[Finding]:
    """Return a warning where the two files state body masses more than 15 % apart."""
    own, other = trial.subject.mass_kg, static.subject.mass_kg
    if not own or not other or abs(other - own) <= MASS_SHARE * own:
        return []
    message = (
        f"{static.name} states a body mass of {other:.1f} kg, {trial.name} of {own:.1f} kg;"
        " is it the static of this person?"
    )
    value = abs(other - own) / own
    return [Finding("warning", "static-mass", static.name, message, value)]

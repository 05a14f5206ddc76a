"""Finding the static of a trial among the files beside it, by their headers alone.

A static is taken only when its subject name (or, without names, body mass and leg lengths) and
all markers of the model agree with the trial's; of several the last one before the trial.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.calibrate.axes import WALKED_M, pelvis_pair
from gaitdyn.errors import FileRefused
from gaitdyn.io.peek import Peek, peek, refuse_cut_off

if TYPE_CHECKING:
    from gaitdyn.types.marker_model import ModelMatch
    from gaitdyn.types.recording import Recording

_MOST_FILES = 200
_SAME = 0.01


@dataclass(frozen=True, slots=True)
class StaticChoice:
    """The static found, or ``None``, and why in one sentence."""

    path: Path | None
    reason: str


def find_static(path: str | Path, recording: Recording, match: ModelMatch) -> StaticChoice:
    """Look for the static of a trial in its folder.

    Parameters
    ----------
    path : str or Path
        Of the trial.
    recording : Recording
        The trial as read.
    match : ModelMatch
        Its marker model.

    Returns
    -------
    StaticChoice
    """
    path = Path(path)
    ours = {role: recording.labels[i] for i, role in match.places.items()}
    pair = pelvis_pair(ours)
    pelvis = ours[pair[0]], ours[pair[-1]]
    own, wanted = peek(path, pelvis), set(ours.values())
    found: list[Path] = []
    seen: list[str] = []
    for other in _neighbours(path):
        try:
            doubt = _doubt(own, peek(other, pelvis), wanted)
            if not doubt:
                refuse_cut_off(other)
        except FileRefused:
            continue
        seen.append(f"{other.name}: {doubt or 'fits'}")
        if not doubt:
            found.append(other)
    if found:
        return last_before(path, found)
    listed = "; ".join(seen[:6]) + ("; ..." if len(seen) > 6 else "")  # noqa: PLR2004
    return StaticChoice(None, f"no static found beside the trial ({listed or 'no other C3D file'})")


def last_before(path: Path, found: list[Path]) -> StaticChoice:
    """Return the last of some statics, in natural order, that stands before a trial.

    Parameters
    ----------
    path : Path
        Of the trial.
    found : list of Path
        The statics that fit, at least one, sorted by :func:`natural_order`.
    """
    before = [f for f in found if natural_order(f.name) < natural_order(path.name)]
    if before:
        return StaticChoice(before[-1], "found beside the trial: same subject, all model markers")
    if len(found) == 1:
        return StaticChoice(found[0], "the only static of the same subject beside the trial")
    names = ", ".join(f.name for f in found)
    return StaticChoice(None, f"no static: {names} fit equally; name one with --static")


def _neighbours(path: Path) -> list[Path]:
    """Return the other C3D files of the folder in natural order of their names."""
    others = [
        p
        for p in path.resolve().parent.iterdir()
        if p.suffix.lower() == ".c3d" and p.name != path.name
    ]
    return sorted(others, key=lambda p: natural_order(p.name))[:_MOST_FILES]


def natural_order(name: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts ``walk2`` before ``walk10``."""
    parts = re.split(r"(\d+)", name.lower())
    return [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in parts if p]


def _doubt(own: Peek, other: Peek, wanted: set[str]) -> str:
    """Return why a file cannot be the static of a trial; empty when it can."""
    same = same_person(own, other)
    if not same and (own.subject or other.subject):
        return "another subject"
    if not same:
        return "no subject name, and mass or leg lengths are not known or differ"
    return unfit(other, wanted)


def unfit(other: Peek, wanted: set[str]) -> str:
    """Return why a file cannot be the static of a model; empty when it can."""
    lacking = wanted - other.labels
    if lacking:
        return f"lacks {', '.join(sorted(lacking)[:4])}"
    if other.travel_m is None:
        return "its pelvis is not seen"
    return f"walks {other.travel_m:.1f} m" if other.travel_m > WALKED_M else ""


def same_person(own: Peek, other: Peek) -> bool | None:
    """Return whether two files hold the same person; ``None`` when they do not say.

    By the subject's name or, without names, by body mass and leg lengths.
    """
    if own.subject or other.subject:
        return own.subject == other.subject if own.subject and other.subject else None
    pairs = [(a, b) for a, b in zip(own.body, other.body, strict=True) if a and b]
    if any(abs(a - b) > _SAME * a for a, b in pairs):
        return False
    return True if len(pairs) == len(own.body) else None

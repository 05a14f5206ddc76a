"""Which markers the Plug-in Gait lower limb needs, and what a file lacks of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.core.runs import known_points
from gaitdyn.errors import ModelNotFound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.trial import Trial

MODEL = "plug-in-gait"
PELVIS = ("LASI", "RASI")
BACK = (("LPSI", "RPSI"), ("SACR",))
LEG = ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")
LETTER = {"left": "L", "right": "R"}


def missing_markers(labels: Iterable[str], side: str | None = None) -> list[str]:
    """Return the labels that the model wants and that are not there.

    Parameters
    ----------
    labels : iterable of str
    side : {"left", "right"} or None
        One leg, or both.
    """
    have = set(labels)
    wanted = list(PELVIS)
    for letter in (LETTER[side],) if side else ("L", "R"):
        wanted += [letter + name for name in LEG]
    lacking = [label for label in wanted if label not in have]
    if not any(have.issuperset(back) for back in BACK):
        lacking.append("LPSI + RPSI (or SACR)")
    return lacking


def sides_present(labels: Iterable[str]) -> list[str]:
    """Return the sides whose leg, and the pelvis, have all their markers."""
    have = set(labels)
    return [side for side in ("left", "right") if not missing_markers(have, side)]


def require_model(recording: Recording) -> list[str]:
    """Return the sides that can be computed.

    Raises
    ------
    ModelNotFound
        When neither leg has its markers; the message lists what is there and what is missing.
    """
    seen = seen_labels(recording)
    sides = sides_present(seen)
    if sides:
        return sides
    lacking = missing_markers(seen)
    shown = ", ".join(sorted(seen)[:8]) + (", ..." if len(seen) > 8 else "")  # noqa: PLR2004
    message = (
        f"{recording.name}: no marker model fits; found {len(seen)} markers ({shown}), the model"
        f" {MODEL} wants also {', '.join(lacking[:6])}{', ...' if len(lacking) > 6 else ''};"  # noqa: PLR2004
        " rename the markers or export a trial with them"
    )
    raise ModelNotFound(message)


def seen_labels(recording: Recording) -> set[str]:
    """Return the labels of markers that are seen in at least one frame."""
    known = known_points(recording.markers_L)
    return {label for i, label in enumerate(recording.labels) if known[:, i].any()}


def sacrum(trial: Trial) -> Array:
    """Return the middle of both PSIS markers, or SACR where they are not there, shape (n, 3)."""
    if {"LPSI", "RPSI"} <= set(trial.labels):
        return 0.5 * (trial.marker("LPSI") + trial.marker("RPSI"))
    return trial.marker("SACR")

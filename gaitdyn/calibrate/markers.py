"""Which markers the Plug-in Gait lower limb needs, and what a file lacks of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.core.runs import known_points
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.trial import Trial

PELVIS = ("LASI", "RASI")
BACK = (("LPSI", "RPSI"), ("SACR",))
LEG = ("THI", "KNE", "TIB", "ANK", "TOE", "HEE")
MOVING_LEG = LEG[:-1]
"""What a walk must show of a leg: the heel is a marker of the static, as in the vendor's model."""

SAGITTAL_LEG = ("GTR", "KNE", "ANK", "HEE", "MT5")
REALLY_THERE = 0.5
"""A sacrum marker seen in fewer frames than this part gives way to the PSIS markers."""


def missing_markers(labels: Iterable[str], side: str | None = None) -> list[str]:
    """Return the labels that the model wants of a walk and that are not there.

    Parameters
    ----------
    labels : iterable of str
    side : {"left", "right"} or None
        One leg, or both.
    """
    have = set(labels)
    wanted = list(PELVIS)
    for letter in (LETTER[side],) if side else ("L", "R"):
        wanted += [letter + name for name in MOVING_LEG]
    lacking = [label for label in wanted if label not in have]
    if not any(have.issuperset(back) for back in BACK):
        lacking.append("LPSI + RPSI (or SACR)")
    return lacking


def sacrum(trial: Trial | Recording) -> Array:
    """Return SACR where it is really there, else the middle of both PSIS markers, shape (n, 3).

    The vendor takes a sacrum marker before the PSIS; one that is hardly ever seen is none.
    """
    have = set(trial.labels)
    psis = {"LPSI", "RPSI"} <= have
    if "SACR" in have:
        marker = trial.marker("SACR")
        if not psis or known_points(marker).mean() >= REALLY_THERE:
            return marker
    return 0.5 * (trial.marker("LPSI") + trial.marker("RPSI"))

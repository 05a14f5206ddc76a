"""The change of a score between two sessions: whether it matters, and whether it is measurable."""

from __future__ import annotations

from dataclasses import dataclass

from gaitdyn.metrics.scores import MCID_DEG, gdi_star

SDC_GPS_DEG = 1.3
"""Smallest detectable change of the GPS between sessions, as quoted in Gait Posture 2023, 99:51-53;
markers moved by 3.5 mm change it by 1.1 to 1.9 deg, by 5 mm by 1.6 to 2.8 deg."""


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """The change of a GPS, second session less first.

    Attributes
    ----------
    gps, gdi_star : float
        Change of the GPS, deg, and of GDI*, which has no unit.
    matters, measurable : bool
        Whether the GPS changed by 1.6 deg or more (Baker et al. 2012), and by more than the
        smallest detectable change.
    """

    gps: float
    gdi_star: float
    matters: bool
    measurable: bool


def score_change(before_deg: float, after_deg: float) -> ScoreChange:
    """Return whether the change of a GPS matters and is measurable.

    Parameters
    ----------
    before_deg, after_deg : float
        GPS of both sessions against one reference set.

    Examples
    --------
    >>> change = score_change(9.0, 7.5)
    >>> change.matters, change.measurable
    (False, True)
    """
    change = after_deg - before_deg
    matters, measurable = abs(change) >= MCID_DEG, abs(change) > SDC_GPS_DEG
    points = gdi_star(after_deg) - gdi_star(before_deg)
    return ScoreChange(change, points, matters, measurable)

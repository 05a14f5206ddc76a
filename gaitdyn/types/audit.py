"""Checks of a run on its own joint loads."""

from __future__ import annotations

from gaitdyn.types.frozen import frozen


@frozen()
class Drift:
    """Distance between the ends of restarted forward-dynamics windows and the measured motion.

    Attributes
    ----------
    windows : int
        Number of windows that were integrated.
    median_deg, p95_deg, largest_deg : float
        Angle between the axes at the end of a window; NaN without a window.
    median_mm, p95_mm, largest_mm : float
        Distance between the centres of mass at the end of a window.
    """

    windows: int
    median_deg: float
    p95_deg: float
    largest_deg: float
    median_mm: float
    p95_mm: float
    largest_mm: float


@frozen()
class PowerBalance:
    """Rate of change of the energy of a segment minus the power of all loads on it.

    Attributes
    ----------
    frames : int
        Number of frames that were compared.
    rms_w, largest_w : float
        Residual, W; NaN without a frame.
    rest_w : float
        Root mean square of the residual without the power of joint forces on joint centres that
        move against the segment, W.
    throughput_w : float
        Root mean square of the power delivered by the proximal joint, W.
    """

    frames: int
    rms_w: float
    largest_w: float
    rest_w: float
    throughput_w: float


@frozen()
class LegAudit:
    """The three checks of one leg.

    Attributes
    ----------
    second_opinion : float
        Largest difference between the stacked solve and the substitution, as a share of the largest
        load.
    acceleration_m_s2, angular_acceleration_rad_s2 : float
        Largest difference between the accelerations and those that the computed loads reproduce.
    closure : dict
        Segment -> Drift.
    energy : dict
        Segment -> PowerBalance.
    """

    second_opinion: float
    acceleration_m_s2: float
    angular_acceleration_rad_s2: float
    closure: dict[str, Drift]
    energy: dict[str, PowerBalance]

"""What a run says about its own joint loads."""

from __future__ import annotations

from gaitdyn.types.frozen import frozen


@frozen()
class Drift:
    """How far restarted windows of forward dynamics end from the motion that was measured.

    Attributes
    ----------
    windows : int
        How many were integrated.
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
    """Change of energy of a segment less the power of all loads on it.

    Attributes
    ----------
    frames : int
        How many were compared.
    rms_w, largest_w : float
        Residual, W; NaN without a frame.
    rest_w : float
        Root mean square of the residual without the power of joint forces on joint centres that
        move against the segment, W.
    throughput_w : float
        Root mean square of the power that the proximal joint puts in, W.
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
        Largest difference of the stacked solve and the substitution, of the largest load.
    acceleration_m_s2, angular_acceleration_rad_s2 : float
        Largest difference of the accelerations that the found loads give back.
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

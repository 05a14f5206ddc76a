"""The phases of a gait cycle: where each starts and stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PHASES = (
    "loading response", "mid stance", "terminal stance", "pre-swing",
    "initial swing", "mid swing", "terminal swing",
)  # fmt: skip


def cycle_phases(
    off: float, strike: float, foot_off: float
) -> tuple[tuple[str, float, float], ...]:
    """Return (name, start, stop) of the phases of a cycle, %.

    Parameters
    ----------
    off, strike : float
        Opposite foot-off and foot strike, %.
    foot_off : float
        Foot-off of the side itself, %.

    Examples
    --------
    >>> cycle_phases(10.0, 50.0, 61.0)[3]
    ('pre-swing', 50.0, 61.0)
    """
    if not 0 < off < strike < foot_off < 100:  # noqa: PLR2004  %
        return ()
    edges = (0.0, off, (off + strike) / 2, strike, foot_off)
    return *zip(PHASES[:4], edges[:-1], edges[1:], strict=True), *swing_phases(foot_off)


def swing_phases(foot_off: float) -> tuple[tuple[str, float, float], ...]:
    """Return (name, start, stop) of the thirds of swing, %, from the foot-off, %."""
    third = (100 - foot_off) / 3
    edges = (foot_off, foot_off + third, foot_off + 2 * third, 100.0)
    return tuple(zip(PHASES[4:], edges[:-1], edges[1:], strict=True))


def phase_at(phases: Sequence[tuple[str, float, float]], percent: float) -> str:
    """Return the phase of a moment of the cycle; empty if the phases are not known.

    Examples
    --------
    >>> phase_at((("stance", 0.0, 60.0), ("swing", 60.0, 100.0)), 60.0)
    'swing'
    """
    names = [name for name, start, _ in phases if start <= percent]
    return names[-1] if names else ""


def phase_limits(
    phases: Sequence[tuple[str, float, float]], name: str
) -> tuple[float, float] | None:
    """Return start and stop of a phase, %; ``stance`` and ``swing`` combine several.

    Examples
    --------
    >>> phase_limits(tuple((n, 10.0 * i, 10.0 * i + 10) for i, n in enumerate(PHASES)), "swing")
    (40.0, 70.0)
    """
    wanted = name.replace("_", " ").lower()
    groups = {"stance": (*PHASES[:4], "stance"), "swing": PHASES[4:], "single support": PHASES[1:3]}
    names = groups.get(wanted, (wanted,))
    limits = [(start, stop) for phase, start, stop in phases if phase in names]
    return (limits[0][0], limits[-1][1]) if limits else None

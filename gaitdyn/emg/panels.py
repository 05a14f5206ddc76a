"""Electromyography pooled over trials, ready to be drawn: one panel per side and muscle."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.emg.muscle_table import norm_of
from gaitdyn.emg.norms import UNKNOWN, likeness, likenesses, middle_group, norm_shape
from gaitdyn.emg.session import session_peak
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.emg import Emg, EmgChannel, EmgCurves, EmgStatus


@frozen(arrays=True)
class EmgPanel:
    """One muscle of one side, pooled over the strides of several trials.

    Attributes
    ----------
    side, muscle, label : str
    status : {"ok", "check", "rejected", "not_recorded"}
        Of the trials together: ``ok`` if any trial has it. Any other status is drawn grey, with
        the reason in place of the curves.
    reason : str
    strides : int
    mean, sd : array, shape (101,)
        Envelope; 1 is the peak of the mean over the strides that do not turn. ``sd`` is NaN for one
        stride. Empty without strides.
    on_share : array, shape (101,)
        Share of strides in which the muscle is on, 0 to 1; NaN if that cannot be decided.
    rectified : array, shape (400,)
        Rectified signal of the stride nearest to the mean, in the same unit.
    norm, norm_sd : array, shape (101,), or None
        Shape of the norm with the mean of ``mean``: shapes are compared, never amplitudes.
    norm_r : float or None
        Correlation of ``mean`` with the norm.
    norm_group : str
        Speed group of the norm, the middle one of the trials; ``unknown`` if no speed is known,
        then the norm is that of free speed; ``none`` if a trial is not compared with norms.
    """

    side: str
    muscle: str
    label: str
    status: EmgStatus
    reason: str
    strides: int
    mean: Array
    sd: Array
    on_share: Array
    rectified: Array
    norm: Array | None
    norm_sd: Array | None
    norm_r: float | None
    norm_group: str = UNKNOWN


def emg_panels(trials: Sequence[Emg | None]) -> list[EmgPanel]:
    """Return a panel for each side and muscle that any of the trials names.

    Strides of all trials are pooled in the unit of the file, then divided by the unit of the
    session, see :func:`gaitdyn.emg.session.session_peak`. Left comes before right, muscles in the
    order of the first file. Channels whose muscle or side is not known have no panel.

    Parameters
    ----------
    trials : sequence of Emg or None
        ``StoredTrial.emg`` of the trials of one session and condition.

    Examples
    --------
    >>> emg_panels([None])
    []
    """
    recorded = [emg for emg in trials if emg is not None]
    names = dict.fromkeys((c.side, c.muscle) for emg in recorded for c in emg.channels)
    wanted = [(s, m) for side in SIDES for s, m in names if s == side and m]
    return [_panel(recorded, side, muscle) for side, muscle in wanted]


_MOST_LAG = 20
"""Largest shift between two sessions that is tried, per cent of the cycle."""

_RANK: tuple[EmgStatus, ...] = ("ok", "check", "rejected", "not_recorded")


def _panel(trials: Sequence[Emg], side: str, muscle: str) -> EmgPanel:
    own = [[c for c in emg.channels if (c.side, c.muscle) == (side, muscle)] for emg in trials]
    of_trials = [min(channels, key=_rank) for channels in own if channels]
    best = min(of_trials, key=_rank)
    pooled = [(emg.group, c) for emg in trials if (c := emg.of(side, muscle)) is not None]
    curves, group = [c for _, c in pooled], middle_group([group for group, _ in pooled])
    if not curves:
        return _without_strides(best, of_trials)
    scale = session_peak(curves)
    envelope = np.concatenate([c.envelope * c.scale for c in curves]) / scale
    mean = envelope.mean(axis=0)
    shown = int(((envelope - mean) ** 2).sum(axis=1).argmin())
    rectified = np.concatenate([c.rectified * c.scale for c in curves])[shown] / scale
    norm, norm_sd, r = _norm(group, muscle, mean)
    return EmgPanel(
        side, muscle, best.label, best.status, best.reason, len(envelope), mean, _sd(envelope),
        _on(curves), rectified, norm, norm_sd, r, group,
    )  # fmt: skip


def _rank(channel: EmgChannel) -> int:
    return _RANK.index(channel.status)


def _without_strides(channel: EmgChannel, of_trials: Sequence[EmgChannel]) -> EmgPanel:
    """Return the panel of a muscle without strides: its status, its reason and where it holds."""
    none, reason, count = np.zeros(0), _why_none(channel), len(of_trials)
    alike = sum(_NUMBER.sub("", _why_none(c)) == _NUMBER.sub("", reason) for c in of_trials)
    if count > 1:
        reason += f" (in {count} trials)" if alike == count else f" (in {alike} of {count} trials)"
    return EmgPanel(
        channel.side, channel.muscle, channel.label, channel.status, reason, 0, none, none, none,
        none, None, None, None,
    )  # fmt: skip


_NUMBER = re.compile(r"\d+(\.\d+)?")


def _why_none(channel: EmgChannel) -> str:
    """Return why a channel has no strides; what is said of one that is ``ok`` is a caveat."""
    return "no gait cycle of this side is used" if channel.status == "ok" else channel.reason


def _sd(envelope: Array) -> Array:
    if len(envelope) < 2:  # noqa: PLR2004
        return np.full(envelope.shape[1], np.nan)
    return envelope.std(axis=0, ddof=1)


def _on(curves: Sequence[EmgCurves]) -> Array:
    """Return the share of strides that are on, among those for which that is known."""
    on = np.concatenate([c.on for c in curves])
    on = on[np.isfinite(on).all(axis=1)]
    return on.mean(axis=0) if len(on) else np.full(101, np.nan)


def _norm(group: str, muscle: str, mean: Array) -> tuple[Array | None, Array | None, float | None]:
    """Return the norm's shape and SD, scaled to the mean of a curve, and its correlation."""
    shape = norm_shape(norm_of(muscle), group)
    if shape is None:
        return None, None, None
    level = float(mean.mean())
    return shape.mean * level, shape.sd * level, likeness(mean, shape.mean)


@frozen()
class ShapeChange:
    """One muscle in two sessions: how similar the shapes are, and by how much one is later.

    Attributes
    ----------
    side, muscle : str
    r : float
        Correlation of the mean envelopes; amplitudes depend on electrode placement.
    lag_percent : int
        Shift of the second, in % of the cycle, with which it is most like the first; positive if
        it is later.
    """

    side: str
    muscle: str
    r: float
    lag_percent: int


def shape_changes(first: Sequence[EmgPanel], second: Sequence[EmgPanel]) -> list[ShapeChange]:
    """Return the muscles that two sessions share, compared in shape.

    Parameters
    ----------
    first, second : sequence of EmgPanel
        Of :func:`emg_panels`.
    """
    later = {(panel.side, panel.muscle): panel for panel in second if panel.mean.size}
    pairs = [
        (p, later[p.side, p.muscle]) for p in first if p.mean.size and (p.side, p.muscle) in later
    ]
    return [_change(a, b) for a, b in pairs]


def _change(first: EmgPanel, second: EmgPanel) -> ShapeChange:
    """Return how one muscle changed; the cycle is periodic, so 100 % is 0 % again."""
    a, b = first.mean[:100], second.mean[:100]
    lags = np.arange(-_MOST_LAG, _MOST_LAG + 1)
    r = likenesses(b[(np.arange(len(b)) + lags[:, None]) % len(b)], a)
    best = int(np.lexsort((-np.abs(lags), np.nan_to_num(r)))[-1])  # of equal ones the smallest
    return ShapeChange(first.side, first.muscle, float(r[_MOST_LAG]), int(lags[best]))

"""Two sessions of one person before any curve is tested: their known errors and their doubts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.judge.curves import CurveRule
from gaitdyn.judge.doubt import Doubt
from gaitdyn.judge.finding_words import number
from gaitdyn.judge.refusals import FEWEST_ON, NO_SPEED, STRIDE, doubt_of_growth, doubt_of_walk
from gaitdyn.judge.session import FEWEST_STRIDES, CurveStrides, SessionWalk
from gaitdyn.judge.settings import Whose
from gaitdyn.judge.stance import PERCENT
from gaitdyn.judge.way import not_ahead
from gaitdyn.metrics.norms.speed import SAME_SPEED, match_norm
from gaitdyn.statistics.change import ChangeTest
from gaitdyn.statistics.session_error import SessionError, error_of_sd
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Norm

TABLE = "published errors between sessions"


@frozen(eq=False)
class Tested:
    """A curve before the correction within its family: its test, or why there is none.

    A planned number has its own name and title in the rule of its curve, and ``means``, that of
    both sessions.
    """

    side: str
    rule: CurveRule
    unit: str
    doubts: tuple[Doubt, ...]
    counts: tuple[int, int]
    test: ChangeTest | None = None
    planned: str = ""
    session: SessionError | None = None
    by_speed: Array | None = None
    means: tuple[float, float] | None = None

    @property
    def p(self) -> float:
        """Of the curve alone; NaN if it is not judged."""
        return np.nan if self.test is None else self.test.p


@frozen(eq=False)
class Pair:
    """Two sessions and the known errors between them."""

    before: SessionWalk
    after: SessionWalk
    speed_bands: dict[str, Array] | None
    repeats: Mapping[str, SessionError]
    of_both: tuple[Doubt, ...]
    of_settings: dict[bool, tuple[Doubt, ...]]
    """Doubts about angles under True, about loads under False."""

    markers_on: bool
    """Whether both used one static, or one recording."""

    between: Whose = "session"
    """What they are."""


def speed_bands(
    walks: tuple[SessionWalk, SessionWalk], norm: Norm | None
) -> dict[str, Array] | None:
    """Return how a norm's curves change between the two speeds; None if it cannot say.

    Beyond its groups the outermost one stands for the speed, so far as a difference does not
    matter.
    """
    speeds = [walk.speed for walk in walks]
    if norm is None or None in speeds or any(not_ahead(walk.trials) for walk in walks):
        return None
    of_groups = [group.speed for group in norm.groups if group.speed is not None]
    if len(of_groups) < 2:  # noqa: PLR2004  two speeds
        return None
    low, high = min(of_groups) - SAME_SPEED, max(of_groups) + SAME_SPEED
    if not all(low <= (speed or 0.0) <= high for speed in speeds):
        return None
    first, second = (match_norm(norm, speed).bands for speed in speeds)
    axes = {trial.document["options"]["moments_in"] for walk in walks for trial in walk.trials}
    other_axes = axes != {norm.moments_in}
    return {
        name: np.interp(PERCENT, second[name].percent, second[name].mean)
        - np.interp(PERCENT, band.percent, band.mean)
        for name, band in first.items()
        if name in second and not (other_axes and key_of(name).is_moment)
    }


def session_error(pair: Pair, rule: CurveRule) -> SessionError | None:
    """Return the error of a session; None if the markers stayed on or no error is known."""
    if pair.markers_on:
        return None
    if rule.name in pair.repeats:
        return pair.repeats[rule.name]
    return None if rule.session_sd is None else error_of_sd(rule.session_sd, 101, TABLE)


def doubt_of_error(pair: Pair, session: SessionError | None) -> list[Doubt]:
    """Return a doubt if no error between the sessions is known."""
    if pair.markers_on or session is not None:
        return []
    return [Doubt("no error between sessions is known; make one with gaitdyn repeats build")]


def doubts_of_pair(
    pair: Pair, side: str, rule: CurveRule, counts: tuple[int, int], what: str = STRIDE
) -> list[Doubt]:
    """Return the doubts about a curve of two sessions before its error and its speed are known.

    Parameters
    ----------
    pair : Pair
    side : {"left", "right"}
    rule : CurveRule
    counts : tuple of 2 int
        Of the strides in each session.
    what : str
        What is counted.
    """
    sessions = (("first", pair.before, counts[0]), ("second", pair.after, counts[1]))
    needed = FEWEST_ON if pair.markers_on else FEWEST_STRIDES
    return [
        *pair.of_both,
        *pair.of_settings[rule.is_angle],
        *(
            Doubt(f"{name} {pair.between}: {doubt.reason}", doubt.refuses)
            for name, walk, count in sessions
            for doubt in doubt_of_walk(walk, side, rule, count, needed, what)
        ),
        *doubt_of_growth(pair.before, pair.after, rule),
    ]


def samples_of(
    pair: Pair, strides: tuple[CurveStrides, CurveStrides]
) -> tuple[tuple[Array, Array], list[Doubt]]:
    """Return the sample: strides between sessions, or trials if the markers stayed on."""
    values = strides[0].values, strides[1].values
    if not pair.markers_on:
        return values, []
    if min(len(set(s.trials)) for s in strides) >= FEWEST_ON:
        return (strides[0].by_trial(), strides[1].by_trial()), []
    if FEWEST_STRIDES <= min(map(len, values)) < FEWEST_ON:
        counts = f"{len(values[0])} and {len(values[1])} whole strides"
        return values, [Doubt(f"{counts}, {FEWEST_ON} each are needed with the markers left on")]
    reason = "strides of fewer than three trials per condition resemble each other"
    return values, [Doubt(reason, refuses=False)]


def by_speed(
    pair: Pair, rule: CurveRule, unit: str, read: Callable[[Array], Array | None] = np.asarray
) -> tuple[Array | None, list[Doubt]]:
    """Return the norm's difference between the two speeds if they differ, and a doubt.

    Parameters
    ----------
    pair : Pair
    rule : CurveRule
    unit : str
    read : callable
        What is read off the norm's difference, of shape (101,); None if it does not show it.
    """
    if not rule.by_speed:
        return None, []
    first, second = pair.before.speed, pair.after.speed
    if first is None or second is None:
        return None, [Doubt(NO_SPEED)]
    if abs(second - first) <= SAME_SPEED:
        return None, []
    differs = (
        f"the speed differs, {first:.2f} and {second:.2f} of sqrt(g L), and the curve depends on it"
    )
    if pair.speed_bands is None or rule.name not in pair.speed_bands:
        return None, [Doubt(f"{differs}; give a --norm with groups of such speeds")]
    shift = read(pair.speed_bands[rule.name])
    if shift is None:
        return None, [Doubt(f"{differs}, in this number by an amount that no norm shows")]
    size = number(float(np.max(np.abs(shift))), unit)
    words = f"{differs}: the reference set's own difference, up to {size}, is subtracted"
    return shift, [Doubt(words, refuses=False)]

"""The bands of a reference set for one walking speed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.types.arrays import locked
from gaitdyn.types.norms import (
    Band,
    MatchedNorm,
    Norm,
    NormGroup,
    NormNumber,
    fewest_people,
)

FREE = "free"

SAME_SPEED = 0.05
"""Difference of v / sqrt(g L) above which it changes the curves that depend on the speed."""


def match_norm(norm: Norm, speed_nondimensional: float | None) -> MatchedNorm:
    """Return the bands of a norm for one walking speed.

    Mean and SD are interpolated linearly in v / sqrt(g L) between the two neighbouring groups. A
    curve that one of the two lacks is left out. Outside the range of the groups the outermost one
    is used. Without a speed it is the group called free, else the only or the first one; ``note``
    names it.

    Parameters
    ----------
    norm : Norm
    speed_nondimensional : float or None
        v / sqrt(g L) of the walker, L the leg length.
    """
    speeds = [(group.speed, group) for group in norm.groups if group.speed is not None]
    if not speeds:
        return _unmatched(norm, "the reference set states no speeds")
    if speed_nondimensional is None or not np.isfinite(speed_nondimensional):
        return _unmatched(norm, "the speed or the leg length is not known")
    speeds.sort(key=lambda pair: pair[0])
    v = speed_nondimensional
    for (low, below), (high, above) in pairwise(speeds):
        if low <= v <= high and low < high:
            return _between(norm, below, above, v, (v - low) / (high - low))
    speed, group = speeds[0] if v < speeds[0][0] else speeds[-1]
    if not (word := beyond_speeds(norm, v)):
        return _one(norm, group, f"speed {v:.3f} sqrt(gL): group {group.name} ({speed:.3f})")
    note = f"speed {v:.3f} sqrt(gL) {word} all groups, not extrapolated: group {group.name}"
    return _one(norm, group, f"{note} ({speed:.3f})")


def beyond_speeds(norm: Norm, speed_nondimensional: float) -> str:
    """Return ``below`` or ``above`` for a speed outside the groups of a set, else nothing.

    A set with one speed reaches as far as a difference of speed does not matter; of one that states
    no speeds it is ``not in``.
    """
    speeds = [group.speed for group in norm.groups if group.speed is not None]
    if not speeds:
        return "not in"
    low, high = min(speeds), max(speeds)
    reach = SAME_SPEED if low == high else 0.0
    if low - reach <= speed_nondimensional <= high + reach:
        return ""
    return "below" if speed_nondimensional < low else "above"


def free_numbers(matched: MatchedNorm) -> dict[str, NormNumber]:
    """Return the gait parameters of the group of free speed; empty if a set has none."""
    free = at_free_speed(matched)
    return free.numbers if free is not matched else {}


def without_moments(matched: MatchedNorm) -> MatchedNorm:
    """Return a set without its peaks of moments, for a walk with moments in other axes."""

    def kept(numbers: dict[str, NormNumber]) -> dict[str, NormNumber]:
        return {name: n for name, n in numbers.items() if not key_of(name).is_moment}

    groups = tuple(replace(group, numbers=kept(group.numbers)) for group in matched.norm.groups)
    norm = replace(matched.norm, groups=groups)
    return replace(matched, norm=norm, numbers=kept(matched.numbers))


def at_free_speed(matched: MatchedNorm) -> MatchedNorm:
    """Return the group for free speed of a set, the reference of its scores at every speed.

    It is the group called free, or the only one; a set without either stays as it was matched.
    """
    groups = matched.norm.groups
    free = [group for group in groups if group.name.lower() == FREE or len(groups) == 1]
    if not free or not matched.bands:
        return matched
    return _one(matched.norm, free[0], f"group {free[0].name}")


def _between(norm: Norm, below: NormGroup, above: NormGroup, v: float, t: float) -> MatchedNorm:
    """Return the bands interpolated between two groups at the fraction t."""
    shared = [name for name in below.bands if name in above.bands]
    bands = {name: _mixed(below.bands[name], above.bands[name], t) for name in shared}
    note = (
        f"speed {v:.3f} sqrt(gL): mean and SD interpolated between {below.name} ({below.speed:.3f})"
        f" and {above.name} ({above.speed:.3f})"
    )
    lacking = sorted(set(below.bands) ^ set(above.bands))
    if lacking:
        note += f"; left out, in one of the two only: {', '.join(lacking)}"
    both = [name for name in below.numbers if name in above.numbers]
    numbers = {n: _mixed_numbers(below.numbers[n], above.numbers[n], t) for n in both}
    return MatchedNorm(norm, note, bands, numbers=numbers)


def _mixed(a: Band, b: Band, t: float) -> Band:
    percent = a.percent
    mean = (1 - t) * a.mean + t * np.interp(percent, b.percent, b.mean)
    sd = (1 - t) * a.sd + t * np.interp(percent, b.percent, b.sd)
    size = percent.shape
    known = [rough for rough in (a.roughness, b.roughness) if rough is not None]
    rough = max(known) if len(known) > 1 else None
    mean, sd = locked("mean", mean, size), locked("sd", sd, size)
    return Band(percent, mean, sd, a.unit, rough, count=fewest_people({"a": a, "b": b}))


def _mixed_numbers(a: NormNumber, b: NormNumber, t: float) -> NormNumber:
    mean, sd = ((1 - t) * x + t * y for x, y in ((a.mean, b.mean), (a.sd, b.sd)))
    return NormNumber(mean, sd, a.unit, fewest_people({"a": a, "b": b}))


def _unmatched(norm: Norm, why: str) -> MatchedNorm:
    named = [group for group in norm.groups if group.name.lower() == FREE]
    group = (named or norm.groups)[0]
    only = len(norm.groups) == 1
    which = "the only group," if only else "group" if named else "the first group,"
    one = _one(norm, group, f"not matched for speed, as {why}: {which} {group.name}")
    return replace(one, unmatched=True)


def _one(norm: Norm, group: NormGroup, note: str) -> MatchedNorm:
    return MatchedNorm(norm, note, group.bands, group.name, group.numbers)

"""Crossed cables and crossed legs: what the shape of an envelope says about its name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from gaitdyn.emg.naming import norm_of
from gaitdyn.emg.norms import likeness, norm_shape
from gaitdyn.types.arrays import Array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.emg import EmgChannel

Envelopes: TypeAlias = Array
"""Mean envelopes over the cycles of one side, shape (c, 101); NaN where there is none."""

_AGAINST, _ALIKE, _OTHER_SIDE, _LEGS = 0.1, 0.7, 0.5, 3
_BETTER, _FITS = 0.5, 0.4
"""By how much the channels of a leg together fit the other leg's cycles better, and how well: legs
of 10 laboratories stand at -1.5 to -0.8, exchanged at 0.8 to 1.5, two crossed cables at 0."""

_OTHER = {"left": "right", "right": "left"}
_SIGNALS = (
    "rectus_femoris", "medial_hamstrings", "lateral_hamstrings", "anterior_tibialis",
    "medial_gastrocnemius",
)  # fmt: skip


class _Like(NamedTuple):
    """How like the norms a channel is: its own, its own on the other leg's cycles, and all.

    Own and all are NaN and empty without a cycle of its side; ``phases`` holds the first two for
    that case, too: a stride of a leg begins half a stride after one of the other.
    """

    own: float
    other_side: float
    every: dict[str, float]
    phases: tuple[float, float]


def judged_by_shape(
    channels: Sequence[EmgChannel], envelopes: dict[str, Envelopes], group: str
) -> tuple[list[EmgChannel], list[str]]:
    """Return the channels with those as ``check`` that contradict their norms, and what is crossed.

    Unlike a norm is r < 0.1: channels that hold no muscle have a median of 0.07 to 0.09. Crossed
    legs: the channels of a leg together fit the cycles of the other leg better than their own (mean
    r by 0.5), at least three of them; or three single channels are unlike their norm on their own
    side and like it on the other's (r > 0.5). Crossed cables: two channels of a leg are unlike
    their own norm and like each other's (r > 0.7). A single channel that is unlike its norm has a
    wrong name, a wrong place, or belongs to a person who walks otherwise.

    Parameters
    ----------
    channels : sequence of EmgChannel
    envelopes : dict
        Side -> mean envelopes of all channels over the cycles of that side.
    group : str
        Speed group of the norm.

    Returns
    -------
    channels : list of EmgChannel
    crossed : list of str
        A sentence for each exchange.
    """
    found = list(channels)
    like: dict[int, _Like] = {}
    for i, channel in enumerate(found):
        one = _liked(channel, i, envelopes, group)
        if one is None:
            continue
        like[i] = one
        if one.every:
            best = max(one.every.items(), key=lambda item: item[1])
            found[i] = replace(
                channel, norm_r=one.own, other_side_r=_known(one.other_side),
                likest=f"{best[0]} {best[1]:.2f}",
            )  # fmt: skip
    sound = [i for i in like if found[i].status == "ok"]
    legs = _exchanged_legs(found, like, sound)
    if legs:
        return _crossed_legs(found, [i for i in sound if found[i].side in legs])
    against = [i for i in sound if like[i].own < _AGAINST]
    single = [i for i in against if like[i].other_side > _OTHER_SIDE]
    if len(single) >= _LEGS:
        return _crossed_legs(found, single)
    return _crossed_cables(found, like, against)


def _exchanged_legs(
    channels: Sequence[EmgChannel], like: dict[int, _Like], sound: Sequence[int]
) -> set[str]:
    """Return the sides whose channels together fit the cycles of the other leg."""
    found: dict[str, Array] = {}
    for side in _OTHER:
        own = [like[i].phases for i in sound if channels[i].side == side]
        if own:
            found[side] = np.array([len(own), *np.mean(own, axis=0)])
    legs = {
        side for side, (_, own, other) in found.items() if other - own > _BETTER and other > _FITS
    }
    return legs if sum(found[side][0] for side in legs) >= _LEGS else set()


def _known(r: float) -> float | None:
    return r if np.isfinite(r) else None


def _liked(
    channel: EmgChannel, i: int, envelopes: dict[str, Envelopes], group: str
) -> _Like | None:
    """Return how like the norms a channel is; None without a norm, a side or any cycle."""
    signal = norm_of(channel.muscle)
    if channel.status == "rejected" or not (signal and channel.side):
        return None
    shapes = {s: shape.mean for s in _SIGNALS if (shape := norm_shape(s, group)) is not None}
    own, other = (envelopes[side][i] for side in (channel.side, _OTHER[channel.side]))
    known = np.isfinite(own).all(), np.isfinite(other).all()
    if not any(known) or signal not in shapes:
        return None
    every = {s: likeness(own, shape) for s, shape in shapes.items()} if known[0] else {}
    beside = likeness(other, shapes[signal]) if known[1] else float("nan")
    pair = own if known[0] else _half_later(other), other if known[1] else _half_later(own)
    phases = likeness(pair[0], shapes[signal]), likeness(pair[1], shapes[signal])
    return _Like(every.get(signal, float("nan")), beside, every, phases)


def _half_later(envelope: Array) -> Array:
    """Return an envelope over cycles that begin half a stride later."""
    turned = np.roll(envelope[:-1], len(envelope) // 2)
    return np.append(turned, turned[0])


def _told(channel: EmgChannel, reason: str, partner: int | None = None) -> EmgChannel:
    words = "; ".join(part for part in (reason, channel.reason) if part)
    return replace(channel, status="check", reason=words, partner=partner)


def _crossed_legs(
    channels: list[EmgChannel], legs: list[int]
) -> tuple[list[EmgChannel], list[str]]:
    """Return all named channels of both legs as ``check``: one of them may lie on the wrong leg."""
    labels = ", ".join(channels[i].label for i in legs)
    sentence = (
        f"{labels} fit the cycles of the other leg and not their own: left and right are exchanged,"
        " at the electrodes or in the events"
    )
    sides = {channels[i].side for i in legs}
    for i, channel in enumerate(channels):
        if i in legs:
            channels[i] = _told(channel, "crossed legs: it fits the cycles of the other leg")
        elif channel.status == "ok" and channel.side in sides:
            channels[i] = _told(channel, "crossed legs: others of its leg fit the other one")
    return channels, [sentence]


def _crossed_cables(
    channels: list[EmgChannel], like: dict[int, _Like], against: list[int]
) -> tuple[list[EmgChannel], list[str]]:
    """Return the channels with pairs that fit each other's norm, and others that fit none."""
    sentences: list[str] = []
    paired: set[int] = set()
    for i in against:
        for k in against:
            if i < k and channels[i].side == channels[k].side and not {i, k} & paired:
                a, b = channels[i], channels[k]
                one, two = norm_of(b.muscle), norm_of(a.muscle)
                if min(like[i].every[one], like[k].every[two]) > _ALIKE:
                    paired |= {i, k}
                    sentences.append(
                        f"{a.label} and {b.label} are crossed: {a.label} has the shape of"
                        f" {b.muscle} (r {like[i].every[one]:.2f}, own {like[i].own:.2f}),"
                        f" {b.label} that of {a.muscle} (r {like[k].every[two]:.2f}, own"
                        f" {like[k].own:.2f})"
                    )
                    channels[i] = _told(a, f"crossed cables with {b.label}", b.number)
                    channels[k] = _told(b, f"crossed cables with {a.label}", a.number)
    for i in against:
        if i not in paired:
            likest = channels[i].likest
            own = likest.startswith(f"{norm_of(channels[i].muscle)} ")
            other = "" if own else f"; most like {likest.replace('_', ' ')}"
            words = f"unlike its norm (r {like[i].own:.2f}{other}): look at cable, place and side"
            channels[i] = _told(channels[i], words)
    return channels, sentences

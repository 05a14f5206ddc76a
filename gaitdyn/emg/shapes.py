"""Crossed cables and crossed legs, detected by the shape of the envelopes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from gaitdyn.core.runs import complete_rows
from gaitdyn.emg.muscle_table import norm_of
from gaitdyn.emg.norms import UNKNOWN, likenesses, norm_shape
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.emg import CROSSED_CABLES, CROSSED_LEGS
from gaitdyn.types.subject import OTHER, SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.emg import EmgChannel

Envelopes: TypeAlias = Array
"""Mean envelopes over the cycles of one side, shape (c, 101); NaN without cycles."""

_AGAINST, _ALIKE, _OTHER_SIDE, _LEGS = 0.1, 0.7, 0.5, 3
_BETTER, _FITS = 0.5, 0.4
"""By how much the channels of a leg together must fit the other leg's cycles better, and how well:
the legs of 10 laboratories are at -1.5 to -0.8, exchanged ones at 0.8 to 1.5, two crossed cables
at 0."""

_SIGNALS = (
    "rectus_femoris", "medial_hamstrings", "lateral_hamstrings", "anterior_tibialis",
    "medial_gastrocnemius",
)  # fmt: skip


class _Likeness(NamedTuple):
    """Correlations of a channel with the norms.

    ``norm`` is with its muscle's norm and ``other_side`` the same over the cycles of the other leg;
    ``every`` has all norms. Without a cycle of its side ``norm`` is NaN and ``every`` is empty;
    ``phases`` has the first two even then, since the strides of the legs are half a stride apart.
    """

    norm: float
    other_side: float
    every: dict[str, float]
    phases: tuple[float, float]

    @property
    def fits_other_leg(self) -> bool:
        """Whether it is more like its norm over the cycles of the other leg."""
        return self.phases[1] > self.phases[0]


class _SideFits(NamedTuple):
    """Which channels have cycles of a side, and signal -> correlation of each channel with it.

    The curve of a channel without such cycles is that of the other leg, half a stride later.
    """

    known: Mask
    r: dict[str, Array]


def judged_by_shape(
    channels: Sequence[EmgChannel], envelopes: dict[str, Envelopes], group: str
) -> tuple[list[EmgChannel], list[str]]:
    """Return the channels, with doubtful ones set to ``check``, and a sentence per exchange.

    Unlike a norm means r < 0.1: channels without a muscle have a median of 0.07 to 0.09. Crossed
    legs: at least three channels of a leg together fit the cycles of the other leg better than
    those of their own leg (mean r by 0.5); or three single channels are unlike their norm on their
    side and like it on the other side (r > 0.5). Crossed cables: two channels of a leg are unlike
    their own norm and like each other's (r > 0.7). A single channel that is unlike its norm has a
    wrong name, a wrong electrode position, or belongs to a person who walks differently.

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
    judged = list(channels)
    found: dict[int, _Likeness] = {}
    fits = _side_fits(envelopes, group)
    for i, channel in enumerate(judged):
        fit = _likeness(channel, i, fits)
        if fit is None:
            continue
        found[i] = fit
        if fit.every:
            signal, r = max(fit.every.items(), key=lambda item: item[1])
            judged[i] = replace(
                channel, norm_r=fit.norm,
                other_side_r=fit.other_side if np.isfinite(fit.other_side) else None,
                likest=f"{signal} {r:.2f}",
            )  # fmt: skip
    sound = [i for i in found if judged[i].status == "ok"]
    if legs := _exchanged_legs(judged, found, sound):
        own = [i for i in sound if judged[i].side in legs]
        return _crossed_legs(judged, [i for i in own if found[i].fits_other_leg])
    against = [i for i in sound if found[i].norm < _AGAINST]
    single = [i for i in against if found[i].other_side > _OTHER_SIDE]
    if len(single) >= _LEGS:
        return _crossed_legs(judged, single)
    return _crossed_cables(judged, found, against, group)


def _exchanged_legs(
    channels: Sequence[EmgChannel], found: dict[int, _Likeness], sound: Sequence[int]
) -> set[str]:
    """Return the sides whose channels together fit the cycles of the other leg."""
    by_side: dict[str, tuple[int, float, float]] = {}
    for side in SIDES:
        if phases := [found[i].phases for i in sound if channels[i].side == side]:
            same, other = np.mean(phases, axis=0).tolist()
            by_side[side] = len(phases), same, other
    legs = {
        side for side, (_, same, other) in by_side.items()
        if other - same > _BETTER and other > _FITS
    }  # fmt: skip
    return legs if sum(by_side[side][0] for side in legs) >= _LEGS else set()


def _side_fits(envelopes: dict[str, Envelopes], group: str) -> dict[str, _SideFits]:
    """Return side -> how like the norms the channels are over its cycles."""
    shapes = {s: shape.mean for s in _SIGNALS if (shape := norm_shape(s, group)) is not None}
    fits: dict[str, _SideFits] = {}
    for side, same in envelopes.items():
        known = complete_rows(same)
        later = np.roll(envelopes[OTHER[side]][:, :-1], same.shape[1] // 2, axis=1)
        curves = np.where(known[:, None], same, np.concatenate((later, later[:, :1]), axis=1))
        fits[side] = _SideFits(known, {s: likenesses(curves, shape) for s, shape in shapes.items()})
    return fits


def _likeness(channel: EmgChannel, i: int, fits: dict[str, _SideFits]) -> _Likeness | None:
    """Return how like the norms a channel is; None without a norm, a side or any cycle."""
    signal = norm_of(channel.muscle)
    if channel.status == "rejected" or not (signal and channel.side):
        return None
    same, other = fits[channel.side], fits[OTHER[channel.side]]
    if not (same.known[i] or other.known[i]) or signal not in same.r:
        return None
    every = {s: float(r[i]) for s, r in same.r.items()} if same.known[i] else {}
    phases = float(same.r[signal][i]), float(other.r[signal][i])
    other_side = phases[1] if other.known[i] else float("nan")
    return _Likeness(every.get(signal, float("nan")), other_side, every, phases)


def _to_check(channel: EmgChannel, reason: str) -> EmgChannel:
    words = "; ".join(part for part in (reason, channel.reason) if part)
    return replace(channel, status="check", reason=words)


def _crossed_legs(
    channels: list[EmgChannel], legs: list[int]
) -> tuple[list[EmgChannel], list[str]]:
    """Return the channels with those of both legs set to ``check``: any may be on the wrong leg."""
    labels = ", ".join(channels[i].label for i in legs)
    sentence = (
        f"{labels} fit the cycles of the other leg and not their own: left and right are exchanged,"
        " at the electrodes or in the events"
    )
    sides = {channels[i].side for i in legs}
    for i, channel in enumerate(channels):
        if i in legs:
            channels[i] = _to_check(channel, f"{CROSSED_LEGS}: it fits the cycles of the other leg")
        elif channel.status == "ok" and channel.side in sides:
            channels[i] = _to_check(channel, f"{CROSSED_LEGS}: others of its leg fit the other one")
    return channels, [sentence]


def _crossed_cables(
    channels: list[EmgChannel], likenesses: dict[int, _Likeness], against: list[int], group: str
) -> tuple[list[EmgChannel], list[str]]:
    """Return the channels, marking pairs that fit each other's norm and others that fit none."""
    sentences: list[str] = []
    paired: set[int] = set()
    for i in against:
        for k in against:
            if i < k and channels[i].side == channels[k].side and not {i, k} & paired:
                a, b = channels[i], channels[k]
                r_a = likenesses[i].every[norm_of(b.muscle)]
                r_b = likenesses[k].every[norm_of(a.muscle)]
                if min(r_a, r_b) > _ALIKE:
                    paired |= {i, k}
                    sentences.append(
                        f"{a.label} and {b.label} are crossed: {a.label} has the shape of"
                        f" {b.muscle} (r {r_a:.2f}, own {likenesses[i].norm:.2f}),"
                        f" {b.label} that of {a.muscle} (r {r_b:.2f}, own"
                        f" {likenesses[k].norm:.2f})"
                    )
                    channels[i] = _to_check(a, f"{CROSSED_CABLES} with {b.label}")
                    channels[k] = _to_check(b, f"{CROSSED_CABLES} with {a.label}")
    for i in against:
        if i not in paired:
            likest = channels[i].likest
            is_norm = likest.startswith(f"{norm_of(channels[i].muscle)} ")
            better = "" if is_norm else f"; most like {likest.replace('_', ' ')}"
            r = likenesses[i].norm
            norm = (
                "its norm at free speed, the leg length or the speed being unknown"
                if group == UNKNOWN
                else "its norm"
            )
            reason = f"unlike {norm} (r {r:.2f}{better}): check cable, position and side"
            channels[i] = _to_check(channels[i], reason)
    return channels, sentences

"""A reference set from the cycles of control subjects."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from gaitdyn.errors import NormRefused
from gaitdyn.metrics.norms.curve_names import UNITS
from gaitdyn.metrics.norms.numbers import NUMBERS
from gaitdyn.metrics.norms.own_format import COLUMNS, OWN, ROUGHNESS
from gaitdyn.statistics.threshold import roughness
from gaitdyn.types.arrays import Array, Mask, locked
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import FEWEST_PEOPLE, Band, NormGroup, NormNumber
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from gaitdyn.metrics.norms.speed_groups import SpeedGroup

_Label = TypeVar("_Label", bound="Hashable")
_Whole: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.intp]]"

FEWEST = 2
ENOUGH = 20
"""With this many people or more a reference set causes no warning."""

_PACES = ("speed", "speed_nondimensional")
"""Their mean and SD in a group by speed follow from its limits, not from how people walk."""

_NOT_JUDGED = f", and against fewer than {FEWEST_PEOPLE} nothing is judged"


@frozen(eq=False)
class SignalStrides:
    """One signal of many cycles.

    Attributes
    ----------
    people, sides : tuple of str
        The person and side of each cycle.
    speeds : array, shape (n,)
        v / sqrt(g L); NaN where it is not known.
    values : array, shape (n, 101)
    """

    people: tuple[str, ...]
    sides: tuple[str, ...]
    speeds: Array
    values: Array

    def of(self, group: SpeedGroup) -> SignalStrides:
        """Return the curves without gaps whose speed is in a group."""
        return self._rows(group.rows(self.speeds) & np.isfinite(self.values).all(axis=1))

    def paces(self) -> SignalStrides:
        """Return the cycles whose speed is known, with the speed in place of the curve."""
        with_speed = self._rows(np.isfinite(self.speeds))
        return replace(with_speed, values=with_speed.speeds[:, None])

    def _rows(self, chosen: Mask) -> SignalStrides:
        if chosen.all():
            return self
        yes = chosen.tolist()
        people, sides = tuple(compress(self.people, yes)), tuple(compress(self.sides, yes))
        return SignalStrides(people, sides, self.speeds[chosen], self.values[chosen])


def norm_groups(
    signals: Mapping[str, SignalStrides],
    groups: Sequence[SpeedGroup],
    numbers: Mapping[str, SignalStrides] | None,
) -> tuple[tuple[NormGroup, ...], list[str]]:
    """Return the groups of a reference set, and notes on them.

    The cycles of each side of a person are averaged, then both sides (or the only one), then
    people. The SD is that of a single leg, because a patient's leg is compared with it:
    ``SD^2 = SD_mean^2 + mean_i((L_i - R_i)^2) / 4`` with n - 1 in the first term. The SD of means
    of two legs is too narrow by up to a third. Only cycles whose curve has no gap count.

    Parameters
    ----------
    signals : mapping
        Name as in :data:`gaitdyn.metrics.norms.curve_names.UNITS` -> SignalStrides.
    groups : sequence of SpeedGroup
    numbers : mapping or None
        Gait parameter or peak -> SignalStrides with values of shape (n, 1).

    Raises
    ------
    NormRefused
        If a group has fewer than two people, or an SD is 0 throughout.
    """
    norms, notes = [], []
    for group in groups:
        in_group = {name: strides.of(group) for name, strides in signals.items()}
        norm, group_notes = _norm_group(group, {n: s for n, s in in_group.items() if s.people})
        of_group = {
            name: strides.of(group)
            for name, strides in (numbers or {}).items()
            if group.all_speeds or name not in _PACES
        }
        norms.append(replace(norm, numbers=_numbers(of_group)))
        notes += group_notes
    return tuple(norms), notes


def _norm_group(
    group: SpeedGroup, signals: Mapping[str, SignalStrides]
) -> tuple[NormGroup, list[str]]:
    people = {person for strides in signals.values() for person in strides.people}
    if len(people) < FEWEST:
        raise NormRefused(
            f"group {group.name}: found {counted(len(people), 'subject')};"
            f" wanted {FEWEST} or more, better {ENOUGH}; add sessions, change --groups or --where"
        )
    bands: dict[str, Band] = {}
    few = []
    for name, strides in signals.items():
        if len(set(strides.people)) < FEWEST:
            few.append(name)
            continue
        bands[name] = _band(group.name, name, strides)
    if not bands:
        message = f"group {group.name}: found no curve of two subjects; wanted one; add sessions"
        raise NormRefused(message)
    norm = NormGroup(group.name, _speed(signals), bands)
    least = norm.count or 0
    notes = [f"group {group.name}: left out, of one subject only: {', '.join(few)}"] if few else []
    note = f"group {group.name}: {counted(len(people), 'subject')}"
    if least < len(people):
        note += f", some curves of {least} only"
    if least < len(people) or least < ENOUGH:
        weak = f"; fewer than {ENOUGH} are a weak norm" if least < ENOUGH else ""
        notes.append(note + weak + _NOT_JUDGED * (least < FEWEST_PEOPLE))
    return norm, notes


def _numbers(strides_of: Mapping[str, SignalStrides]) -> dict[str, NormNumber]:
    """Return mean and SD of a leg of the numbers that two people have."""
    numbers: dict[str, NormNumber] = {}
    for name, strides in strides_of.items():
        count = len(set(strides.people))
        if count >= FEWEST:
            legs = legs_of(strides)
            mean, sd = float(legs.people().mean()), float(legs.sd()[0])
            numbers[name] = NormNumber(mean, sd, NUMBERS[name], count)
    return numbers


def _band(group: str, name: str, strides: SignalStrides) -> Band:
    """Return the band of one curve: mean and SD of a leg, roughness, number of people."""
    legs = legs_of(strides)
    means, sd = legs.people(), legs.sd()
    if not sd.any():
        raise NormRefused(
            f"group {group}, {name}: found the same curve for {len(means)} subjects; wanted"
            " different people; see whether one has two pseudonyms"
        )
    percent = np.linspace(0, 100, means.shape[1])
    mean, size = means.mean(axis=0), percent.shape
    mean, sd = locked("mean", mean, size), locked("sd", sd, size)
    rough = roughness(legs.values - legs.values.mean(axis=0))
    return Band(locked("percent", percent, size), mean, sd, UNITS[name], rough, count=len(means))


def _speed(signals: Mapping[str, SignalStrides]) -> float | None:
    """Return the mean speed of the people of the signal with the most cycles."""
    strides = max(signals.values(), key=lambda s: len(s.people))
    paces = strides.paces()
    return float(legs_of(paces).people().mean()) if paces.people else None


@frozen(eq=False)
class Legs:
    """The mean of each leg over its cycles.

    Attributes
    ----------
    names : list of (person, side)
    values : array, shape (legs, k)
    person : array of int, shape (legs,)
        Of each leg, the index of its person.
    """

    names: list[tuple[str, str]]
    values: Array
    person: _Whole

    def people(self) -> Array:
        """Return the mean of both sides of each person, or of the only one, shape (people, k)."""
        return _means(self.values, self.person)

    def sd(self) -> Array:
        """Return the SD of a leg between people, shape (k,).

        ``SD^2 = SD_mean^2 + mean_i((L_i - R_i)^2) / 4``, n - 1 in the SD of the people's means; a
        person with one leg only adds nothing to the second term.
        """
        means = self.people()
        within = np.sum((self.values - means[self.person]) ** 2, axis=0) / (2 * len(means))
        return np.sqrt(means.var(axis=0, ddof=1) + within)


def legs_of(strides: SignalStrides) -> Legs:
    """Return the means of the legs of a signal."""
    names, leg = _keys(list(zip(strides.people, strides.sides, strict=True)))
    _, person = _keys([person for person, _ in names])
    return Legs(names, _means(strides.values, leg), person)


def _keys(labels: Sequence[_Label]) -> tuple[list[_Label], _Whole]:
    unique = list(dict.fromkeys(labels))
    number_of = {label: i for i, label in enumerate(unique)}
    return unique, np.array([number_of[label] for label in labels])


def _means(values: Array, keys: _Whole) -> Array:
    order = np.argsort(keys, kind="stable")
    number = np.bincount(keys)
    starts = np.concatenate(([0], np.cumsum(number)[:-1]))
    return np.add.reduceat(values[order], starts, axis=0) / number[:, None]


def norm_text(
    groups: Sequence[NormGroup], source: str, people: Mapping[str, Sequence[str]] | None = None, *,
    in_house: bool = True,
) -> str:  # fmt: skip
    """Return a reference set in gaitdyn's format, see docs/norms.md.

    Parameters
    ----------
    groups : sequence of NormGroup
    source : str
        Source of the numbers.
    people : mapping, optional
        What is said of them in comments, such as ``model`` -> ``["plug-in-gait"]``.
    in_house : bool
        Whether the people were recorded and processed as the patients will be.
    """
    out = io.StringIO()
    out.write(f"# source: {' '.join(source.split())}\n")
    if in_house:
        out.write(f"# {OWN}\n")
    for key, texts in (people or {}).items():
        out.writelines(f"# {key}: {' '.join(text.split())}\n" for text in texts)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*COLUMNS, ROUGHNESS))
    for group in groups:
        pace = (group.name, "" if group.speed is None else f"{group.speed:.6g}")
        for name in (name for name in UNITS if name in group.bands):
            band = group.bands[name]
            head = (*pace, band.count, name)
            rough = "" if band.roughness is None else f"{band.roughness:.4g}"
            for percent, mean, sd in zip(band.percent, band.mean, band.sd, strict=True):
                writer.writerow(
                    (*head, f"{percent:g}", f"{mean:.10g}", f"{sd:.10g}", band.unit, rough)
                )
        for name, number in group.numbers.items():
            cells = f"{number.mean:.10g}", f"{number.sd:.10g}", number.unit, ""
            writer.writerow((*pace, number.count, name, "", *cells))
    return out.getvalue()

"""A reference set from the cycles of control subjects."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from gaitdyn.errors import NormRefused
from gaitdyn.metrics.curve_names import UNITS
from gaitdyn.metrics.norm_csv import COLUMNS, OWN, ROUGHNESS
from gaitdyn.statistics.threshold import roughness
from gaitdyn.types.arrays import Array, Mask, locked
from gaitdyn.types.norms import FEWEST_PEOPLE, Band, NormGroup
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from gaitdyn.metrics.speed_groups import SpeedGroup

_Label = TypeVar("_Label", bound="Hashable")
_Whole: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.intp]]"

FEWEST = 2
ENOUGH = 20
"""People from which on a reference set is not warned of."""

_NOT_JUDGED = f", and against fewer than {FEWEST_PEOPLE} nothing is judged"


@dataclass(frozen=True, slots=True, eq=False)
class SignalStrides:
    """One signal of many cycles.

    Attributes
    ----------
    people, sides : tuple of str
        Whose cycle, and of which leg.
    speeds : array, shape (n,)
        v / sqrt(g L); NaN where it is not known.
    values : array, shape (n, 101)
    """

    people: tuple[str, ...]
    sides: tuple[str, ...]
    speeds: Array
    values: Array

    def of(self, group: SpeedGroup) -> SignalStrides:
        """Return the whole curves whose speed is in a group."""
        return self._rows(group.rows(self.speeds) & np.isfinite(self.values).all(axis=1))

    def paces(self) -> SignalStrides:
        """Return the cycles whose speed is known, with it in the place of the curve."""
        own = self._rows(np.isfinite(self.speeds))
        return replace(own, values=own.speeds[:, None])

    def _rows(self, chosen: Mask) -> SignalStrides:
        people, sides = (
            tuple(word for word, yes in zip(words, chosen, strict=True) if yes)
            for words in (self.people, self.sides)
        )
        return SignalStrides(people, sides, self.speeds[chosen], self.values[chosen])


def norm_groups(
    signals: Mapping[str, SignalStrides], groups: Sequence[SpeedGroup]
) -> tuple[tuple[NormGroup, ...], list[str]]:
    """Return the groups of a reference set, and what must be said about them.

    The cycles of each side of a person are averaged, then both sides (or the one that is there),
    then people. The SD is that of a leg, which is what a patient's leg is held against:
    ``SD^2 = SD_mean^2 + mean_i((L_i - R_i)^2) / 4`` with n - 1 in the first; the SD of means of two
    legs is too narrow by up to a third. Only cycles whose curve is known from 0 to 100 % count.

    Parameters
    ----------
    signals : mapping
        Name as in :data:`gaitdyn.metrics.curve_names.UNITS` -> Strides.
    groups : sequence of SpeedGroup

    Raises
    ------
    NormRefused
        Where a group has fewer than two people, or an SD is 0 throughout.
    """
    found, notes = [], []
    for group in groups:
        own = {name: strides.of(group) for name, strides in signals.items()}
        norm, said = _norm_group(group, {name: s for name, s in own.items() if s.people})
        found.append(norm)
        notes += said
    return tuple(found), notes


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
    found = NormGroup(group.name, _speed(signals), bands)
    least = found.count or 0
    notes = [f"group {group.name}: left out, of one subject only: {', '.join(few)}"] if few else []
    told = f"group {group.name}: {counted(len(people), 'subject')}"
    if least < len(people):
        told += f", some curves of {least} only"
    if least < len(people) or least < ENOUGH:
        weak = f"; fewer than {ENOUGH} are a weak norm" if least < ENOUGH else ""
        notes.append(told + weak + _NOT_JUDGED * (least < FEWEST_PEOPLE))
    return found, notes


def _band(group: str, name: str, strides: SignalStrides) -> Band:
    """Return mean and SD of a leg, roughness, and how many people they are of."""
    means = person_means(strides)
    sd = leg_sd(strides)
    if not sd.any():
        raise NormRefused(
            f"group {group}, {name}: found the same curve for {len(means)} subjects; wanted"
            " different people; see whether one has two pseudonyms"
        )
    percent = np.linspace(0, 100, means.shape[1])
    mean, size = means.mean(axis=0), percent.shape
    mean, sd = locked("mean", mean, size), locked("sd", sd, size)
    _, legs, _ = leg_means(strides)
    rough = roughness(legs - legs.mean(axis=0))
    return Band(locked("percent", percent, size), mean, sd, UNITS[name], rough, count=len(means))


def _speed(signals: Mapping[str, SignalStrides]) -> float | None:
    """Return the mean speed of the people of the signal that most cycles have."""
    strides = max(signals.values(), key=lambda s: len(s.people))
    paces = strides.paces()
    return float(person_means(paces).mean()) if paces.people else None


def person_means(strides: SignalStrides) -> Array:
    """Return the mean of each person: of the means of both sides, or of the one that is there.

    Parameters
    ----------
    strides : SignalStrides

    Returns
    -------
    array, shape (people, k)
    """
    _, legs, person = leg_means(strides)
    return _means(legs, person, int(person.max()) + 1)


def leg_means(strides: SignalStrides) -> tuple[list[tuple[str, str]], Array, _Whole]:
    """Return (person, side) and mean of each leg, shape (legs, k), and the number of its person."""
    legs, leg = _keys(list(zip(strides.people, strides.sides, strict=True)))
    _, person = _keys([person for person, _ in legs])
    return legs, _means(strides.values, leg, len(legs)), person


def leg_sd(strides: SignalStrides) -> Array:
    """Return the SD of a leg between people, shape (k,).

    ``SD^2 = SD_mean^2 + mean_i((L_i - R_i)^2) / 4``, n - 1 in the SD of the people's means; one
    leg alone adds nothing to the second.

    Parameters
    ----------
    strides : SignalStrides
    """
    _, legs, person = leg_means(strides)
    means = _means(legs, person, int(person.max()) + 1)
    within = np.sum((legs - means[person]) ** 2, axis=0) / (2 * len(means))
    return np.sqrt(means.var(axis=0, ddof=1) + within)


def _keys(labels: Sequence[_Label]) -> tuple[list[_Label], _Whole]:
    unique = list(dict.fromkeys(labels))
    at = {label: i for i, label in enumerate(unique)}
    return unique, np.array([at[label] for label in labels])


def _means(values: Array, keys: _Whole, count: int) -> Array:
    order = np.argsort(keys, kind="stable")
    number = np.bincount(keys, minlength=count)
    starts = np.concatenate(([0], np.cumsum(number)[:-1]))
    return np.add.reduceat(values[order], starts, axis=0) / number[:, None]


def norm_text(
    groups: Sequence[NormGroup], source: str, *, own: bool = True, models: Sequence[str] = ()
) -> str:
    """Return a reference set in gaitdyn's own format, docs/norms.md.

    Parameters
    ----------
    groups : sequence of NormGroup
    source : str
        Where the numbers are from.
    own : bool
        Whether the people were recorded and processed as the patients will be.
    models : sequence of str
        Marker models that they were recorded with; a walk of another is not judged.
    """
    out = io.StringIO()
    out.write(f"# source: {' '.join(source.split())}\n")
    if own:
        out.write(f"# {OWN}\n")
    if models:
        out.write(f"# model: {', '.join(models)}\n")
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
    return out.getvalue()

"""What a view says in its headline: findings in words, or how far the sides are apart."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.judge.curves import curve_rules
from gaitdyn.metrics.scores import PERCENT, VARIABLES
from gaitdyn.report.wording import TITLES, finding_words, headline_without_norm, headline_words
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.judge.finding import CurveFinding
    from gaitdyn.judge.largest import Largest
    from gaitdyn.metrics.knee_axis import KneeAxisRemark
    from gaitdyn.report.view_numbers import NumberRow
    from gaitdyn.statistics.families import Word
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.norms import Band


def view_headline(
    numbers: tuple[NumberRow, ...],
    findings: list[tuple[Word, str]],
    remarks: tuple[KneeAxisRemark, ...],
    means: Mapping[tuple[str, str], Array],
    *,
    scored: bool,
    usable: bool = True,
    aside: bool = False,
    open_of: tuple[int, int] = (0, 0),
) -> tuple[str, str, str]:
    """Return the headline of a view, the same without its findings, and its warning.

    Parameters
    ----------
    numbers : tuple of NumberRow
    findings : list of (word, words)
    remarks : tuple of KneeAxisRemark
    means : mapping
        (side, name) -> mean over the whole strides.
    scored : bool
        Whether a reference is there.
    usable : bool
        Whether any angle is: else the speed alone is told.
    aside : bool
        Whether curves that follow the speed are held against no reference.
    open_of : tuple of int
        Curves that are not judged, and all.
    """
    speed, remarks = numbers[0], remarks if usable else ()
    known = [value for value in speed.values.values() if value is not None]
    z = speed.norm.z(fmean(known)) if speed.norm is not None and known else None
    if scored:
        gps = next(row.values for row in numbers if row.title == "GPS") if usable else {}
        said = headline_words(gps, findings, z, remarks, aside=aside, open_of=open_of)
        short, _ = headline_words(
            gps, findings, z, remarks, aside=aside, brief=True, open_of=open_of
        )
        return said[0], short, said[1]
    _, warning = headline_words({}, (), None, remarks)
    found = asymmetries(means) if usable else []
    apart = [(TITLES[name].lower(), difference) for name, difference in found]
    told = headline_without_norm(speed.values, apart)
    return told, headline_without_norm(speed.values, ()), warning


def asymmetries(means: Mapping[tuple[str, str], Array]) -> list[tuple[str, float]]:
    """Return the angles by how far the sides differ: curve, largest difference, deg.

    At the same per cent of each side's own cycle.
    """
    found = []
    for name in VARIABLES:
        left, right = (means.get((side, name)) for side in SIDES)
        if left is None or right is None:
            continue
        apart = np.abs(left - right)
        if np.isfinite(apart).any():
            found.append((name, float(np.nanmax(apart))))
    return sorted(found, key=lambda pair: -pair[1])


def norm_scores(bands: Mapping[str, Band]) -> dict[str, float]:
    """Return what the people of a reference score against their own mean, deg.

    The root mean square over the cycle of the SD between people is the root mean square of their
    gait variable scores: no further data are needed.
    """
    found = {}
    for name in VARIABLES:
        if name in bands:
            sd = np.interp(PERCENT, bands[name].percent, bands[name].sd)
            found[name] = float(np.sqrt(np.mean(sd**2)))
    return found


def speed_aside(findings: Sequence[CurveFinding]) -> bool:
    """Return whether curves that follow the speed are held against nothing, and others are."""
    follows = {rule.name for rule in curve_rules() if rule.by_speed}
    held = {False: False, True: False}
    for one in findings:
        held[one.curve in follows] |= one.farthest is not None
    return held[False] and not held[True]


def open_curves(findings: Sequence[CurveFinding]) -> tuple[int, int]:
    """Return how many curves are not judged, and how many there are."""
    return sum(one.word == "not judged" for one in findings), len(findings)


def told_findings(
    largest: tuple[Largest, ...], bands: Mapping[str, Band]
) -> list[tuple[Word, str]]:
    """Return the findings that are pictured, in words."""
    names = {internal_name(name): name for name in bands}
    return [(one.word, largest_words(one, names[one.curve], bands)) for one in largest]


def largest_words(one: Largest, name: str, bands: Mapping[str, Band]) -> str:
    """Return a finding in words, such as ``Right knee less flexed``."""
    place = one.places[one.first]
    band = bands[name]
    normal = float(np.interp(place.peak_at, band.percent, band.mean))
    return finding_words(name, one.sides, place.difference, normal)

"""Measure how often a curve without any difference is flagged.

usage: python benchmarks/known_error.py [DRAWS]
DRAWS scales every table (default 1; only then is reports/validation/known-error.md written). All
curves are drawn: smooth Gaussian processes of a known roughness, or two templates whose timing and
amplitude vary between people.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import page
from usage import help_shown

from gaitdyn.statistics.against_norm import NormBand, far_throughout, judge_against_norm
from gaitdyn.statistics.change import (
    ChangeTest,
    judge_band,
    judge_level_and_shape,
    judge_markers_on,
    judge_number,
)
from gaitdyn.statistics.families import rank_chance
from gaitdyn.statistics.people import judge_people
from gaitdyn.statistics.session_error import (
    SessionError,
    error_of_pairs,
    error_of_sd,
    number_sd,
)
from gaitdyn.statistics.threshold import curve_chance, roughness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.random import Generator

    from gaitdyn.types.arrays import Array

POINTS = 101
PERCENT = np.arange(POINTS)
CYCLES = 5


# -- curves ---------------------------------------------------------------------------------------
@lru_cache
def shapes(rough: float) -> Array:
    """Return what turns white numbers into curves of roughness L, shape (modes, 101)."""
    s = 100 / (rough * math.sqrt(2))
    covariance = np.exp(-((PERCENT[:, None] - PERCENT) ** 2) / (4 * s**2))
    values, vectors = np.linalg.eigh(covariance)
    keep = values > 1e-6
    return (vectors[:, keep] * np.sqrt(values[keep])).T


def smooth(rng: Generator, number: int, rough: float) -> Array:
    """Return Gaussian curves of SD 1 and roughness L, shape (number, 101)."""
    modes = shapes(rough)
    return rng.standard_normal((number, len(modes))) @ modes


def mixed(rng: Generator, number: int, sd: float, rough: float, level: float) -> Array:
    """Return curves of which a share of the variance is an offset over the cycle."""
    offset = rng.standard_normal((number, 1)) * math.sqrt(level)
    return sd * (offset + smooth(rng, number, rough) * math.sqrt(1 - level))


def knee(t: Array) -> Array:
    """Return a knee flexion, deg, at fractions of the cycle."""
    return 8 + 12 * np.exp(-(((t - 0.14) / 0.09) ** 2)) + 52 * np.exp(-(((t - 0.72) / 0.11) ** 2))


def ankle_moment(t: Array) -> Array:
    """Return an ankle plantarflexor moment, N m/kg."""
    return 1.4 * np.exp(-(((t - 0.48) / 0.11) ** 2)) - 0.15 * np.exp(-(((t - 0.05) / 0.03) ** 2))


def varied(
    rng: Generator,
    number: int,
    template: Callable[[Array], Array],
    amplitude: float,
    timing: float,
    noise: float,
    rough: float,
) -> Array:
    """Return curves of people whose amplitude and timing differ: their points are not normal."""
    size = 1 + amplitude * rng.standard_normal((number, 1))
    shift = timing * rng.standard_normal((number, 1))
    return size * template(PERCENT / 100 + shift) + noise * smooth(rng, number, rough)


@dataclass(frozen=True)
class Truth:
    """How people of a generator are drawn."""

    name: str
    draw: Callable[[Generator, int], Array]
    default: float
    stride_sd: float
    stride_rough: float


TRUTHS = (
    Truth("pelvic tilt, L 2", lambda g, n: 5 * smooth(g, n, 2), 10, 1.1, 7),
    Truth("knee, L 7", lambda g, n: 6 * smooth(g, n, 7), 10, 2.6, 13),
    Truth("moment, L 18", lambda g, n: 0.15 * smooth(g, n, 18), 20, 0.07, 20),
    Truth(
        "knee, timing and amplitude",
        lambda g, n: varied(g, n, knee, 0.08, 0.015, 4.0, 5), 10, 2.6, 13,
    ),
    Truth(
        "ankle moment, timing and amplitude",
        lambda g, n: varied(g, n, ankle_moment, 0.12, 0.012, 0.08, 15), 20, 0.06, 20,
    ),
)  # fmt: skip


# -- abnormal -------------------------------------------------------------------------------------
def null_against_norm(
    rng: Generator, truth: Truth, people: int, curves: int, patients: int = 10
) -> Array:
    """Return the share of healthy curves flagged: +-2 SD, k with default L, with own L, ranks."""
    hits = np.zeros(4)
    for _ in range(curves // patients):
        norm = means(rng, truth, people)
        mean, sd = norm.mean(axis=0), norm.std(axis=0, ddof=1)
        own = roughness(norm - mean)
        band = NormBand(mean, sd, people, truth.default)
        persons = truth.draw(rng, patients)[:, None]
        strides = truth.stride_sd * smooth(rng, patients * CYCLES, truth.stride_rough)
        for walk in persons + strides.reshape(patients, CYCLES, POINTS):
            found = judge_against_norm(walk, band)
            largest = float(np.abs(found.t).max())
            hits += (
                (np.abs(found.difference) / sd).max() > 2,
                found.p <= 0.05,
                curve_chance(largest, own, found.nu) <= 0.05,  # its L changes nothing else
                rank_chance(walk.mean(axis=0)[None], norm[:, None])[0][0] <= 0.05,
            )
    return 100 * hits / (curves // patients * patients)


def null_throughout(rng: Generator, truth: Truth, people: int, curves: int) -> float:
    """Return the share of healthy curves that are far out over the whole cycle, %."""
    hits, patients = 0, 10
    for _ in range(curves // patients):
        norm = means(rng, truth, people)
        mean, sd = norm.mean(axis=0), norm.std(axis=0, ddof=1)
        persons = means(rng, truth, patients)
        hits += sum(far_throughout(person - mean, sd, people) for person in persons)
    return 100 * hits / (curves // patients * patients)


def means(rng: Generator, truth: Truth, number: int) -> Array:
    """Return the means of five strides of people, shape (number, 101)."""
    strides = truth.stride_sd * smooth(rng, number * CYCLES, truth.stride_rough)
    return truth.draw(rng, number) + strides.reshape(number, CYCLES, POINTS).mean(axis=1)


# -- change ---------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Kind:
    """How strides and sessions of a curve vary."""

    name: str
    sd: float
    rough: float
    level: float
    tau: float
    assumed: float = 0.2
    angle: bool = True


KINDS = (
    Kind("pelvic tilt", 1.1, 7, 0.45, 2.0, 0.5),
    Kind("knee flexion", 2.6, 13, 0.08, 2.5),
    Kind("hip rotation", 1.7, 18, 0.16, 4.5),
    Kind("ankle dorsiflexion", 1.4, 14, 0.12, 2.0),
    Kind("knee moment", 0.071, 23, 0.2, 0.05, angle=False),
)


def sessions(
    rng: Generator,
    kind: Kind,
    strides: int,
    number: int,
    *,
    share: float = 0.8,
    tau: float = 1.0,
    rough: float = 9.0,
) -> Array:
    """Return the strides of sessions of an unchanged person, shape (number, strides, 101)."""
    if not kind.angle:
        rough, share = 12.0, 0.5
    placed = mixed(rng, number, tau * kind.tau, rough, share)
    own = mixed(rng, number * strides, kind.sd, kind.rough, kind.level)
    return placed[:, None] + own.reshape(number, strides, POINTS)


def pairs_of(
    rng: Generator, kind: Kind, strides: int, number: int, **words: float
) -> Iterator[tuple[Array, Array]]:
    """Yield pairs of sessions of unchanged persons, each of shape (strides, 101)."""
    for one in sessions(rng, kind, strides, 2 * number, **words).reshape(
        number, 2, strides, POINTS
    ):
        yield one[0], one[1]


def judged(kind: Kind, first: Array, second: Array, error: SessionError) -> ChangeTest:
    """Return the test of one curve between sessions as the verdicts make it."""
    if kind.angle:
        return judge_level_and_shape(first, second, error, kind.assumed)
    return judge_band(first, second, error)


def null_between_sessions(
    rng: Generator, kind: Kind, strides: int, pairs: int, **words: float
) -> float:
    """Return % flagged in an unchanged person, as judged."""
    error = error_of_sd(kind.tau, POINTS, "table")
    drawn = pairs_of(rng, kind, strides, pairs, **words)
    return 100 * sum(judged(kind, *pair, error).p <= 0.05 for pair in drawn) / pairs


def null_on_strides(rng: Generator, kind: Kind, strides: int, pairs: int, share: float) -> float:
    """Return % flagged in an unchanged person by t curves on strides (SPM)."""
    drawn = pairs_of(rng, kind, strides, pairs, share=share)
    return 100 * sum(spm_on_strides(*pair) <= 0.05 for pair in drawn) / pairs


def spm_on_strides(first: Array, second: Array) -> float:
    """Return p of the two-sample t curve with strides as the sample, as field theory has it."""
    n, m = len(first), len(second)
    residuals = np.concatenate((first - first.mean(axis=0), second - second.mean(axis=0)))
    variance = np.sum(residuals**2, axis=0) / (n + m - 2)
    t = (second.mean(axis=0) - first.mean(axis=0)) / np.sqrt(variance * (1 / n + 1 / m))
    return curve_chance(float(np.abs(t).max()), roughness(residuals), n + m - 2)


def null_own_repeats(rng: Generator, kind: Kind, repeats: int, pairs: int) -> float:
    """Return % flagged with the error of a session from own repeats."""
    hits = 0
    for first, second in pairs_of(rng, kind, 5, pairs):
        own = list(pairs_of(rng, kind, 5, repeats))
        error = error_of_pairs(own, kind.assumed, "repeats")
        hits += judged(kind, first, second, error).p <= 0.05
    return 100 * hits / pairs


def null_trials(rng: Generator, kind: Kind, share: float, pairs: int, trials: int = 5) -> Array:
    """Return % flagged with markers left on, two strides a trial: unit stride, unit trial."""
    rough, hits = (14.0 if kind.angle else 25.0), np.zeros(2)
    for _ in range(pairs):
        stacks = []
        for _ in range(2):
            own = mixed(rng, trials, kind.sd * math.sqrt(share), kind.rough, kind.level)
            rest = mixed(rng, 2 * trials, kind.sd * math.sqrt(1 - share), kind.rough, kind.level)
            stacks.append(own[:, None] + rest.reshape(trials, 2, POINTS))
        first, second = stacks
        one, two = (stack.reshape(-1, POINTS) for stack in stacks)
        hits[0] += judge_markers_on(one, two, rough).p <= 0.05
        hits[1] += judge_markers_on(first.mean(axis=1), second.mean(axis=1), rough).p <= 0.05
    return 100 * hits / pairs


def null_groups(rng: Generator, truth: Truth, first: int, second: int, pairs: int) -> float:
    """Return % of pairs of groups of the same people that are called different."""
    hits = sum(
        judge_people(means(rng, truth, first), means(rng, truth, second)).p <= 0.05
        for _ in range(pairs)
    )
    return 100 * hits / pairs


def place_of_a_bump(rng: Generator, kind: Kind, height: float, pairs: int) -> Array:
    """Return % with a false place outside a bump in swing, and % in which it was found."""
    bump = height * np.exp(-(((PERCENT - 70) / 8.5) ** 2))
    outside = bump < 0.02 * height
    error, hits = error_of_sd(kind.tau, POINTS, "table"), np.zeros(2)
    for first, second in pairs_of(rng, kind, 5, pairs):
        beyond = judged(kind, first, second + bump, error).beyond
        hits += beyond[outside].any(), beyond[~outside].any()
    return 100 * hits / pairs


def planned_changes(rng: Generator, kind: Kind, change: Array, pairs: int) -> Array:
    """Return % in which a change is clear when swing was planned, and among 15 curves."""
    swing, error, hits = PERCENT >= 60, error_of_sd(kind.tau, POINTS, "table"), np.zeros(2)
    for first, second in pairs_of(rng, kind, 5, pairs):
        hits += (
            judge_level_and_shape(first, second + change, error, phase=swing).p <= 0.05,
            15 * judge_level_and_shape(first, second + change, error).p <= 0.05,
        )
    return 100 * hits / pairs


def planned_peaks(
    rng: Generator, change: float, pairs: int, strides: int = 5, repeats: int = 0
) -> Array:
    """Return % in which the peak of a moment is clear when planned, and its curve among 10.

    Parameters
    ----------
    rng : Generator
    change : float
        Of the peak, N m/kg.
    pairs : int
    strides : int
        Of a session.
    repeats : int
        Pairs of sessions from which the error is; 0 for that of the table.
    """
    kind, hits = KINDS[-1], np.zeros(2)
    bump = np.exp(-(((PERCENT - 15) / 8) ** 2))
    table, error = (error_of_sd(kind.tau, points, "table") for points in (POINTS, 1))
    for one, other in pairs_of(rng, kind, strides, pairs):
        if repeats:
            own = 0.5 * bump + sessions(rng, kind, strides, 2 * repeats)
            peaks = own.max(axis=2)
            variance = np.array([number_sd(list(zip(peaks[::2], peaks[1::2], strict=True))) ** 2])
            error = replace(error, band=variance, nu=float(repeats), measured=True)
        first, second = one + 0.5 * bump, other + (0.5 + change) * bump
        hits += (
            judge_number(first.max(axis=1), second.max(axis=1), error).p <= 0.05,
            10 * judge_band(first, second, table).p <= 0.05,
        )
    return 100 * hits / pairs


# -- the page -------------------------------------------------------------------------------------
def tables(scale: float) -> Iterator[str]:
    """Yield the lines of the page."""
    rng = np.random.default_rng(20)
    yield "# How often a verdict is wrong"
    yield ""
    yield (
        "Drawn curves without any difference, % flagged somewhere at a nominal 5 %. What stands in"
        " brackets is asked; `tests/unit/test_known_error.py` holds it at fewer draws."
    )
    yield ""
    yield "## Against a reference set: healthy people flagged, %"
    yield ""
    yield "| people differ by | n | ±2 SD | k, default L (≤ 6) | k, own L (2.5-6.5) | rank |"
    yield "|---|---|---|---|---|---|"
    number = int(4000 * scale)
    for truth in TRUTHS:
        for people in (10, 20, 80):
            a, b, c, d = null_against_norm(rng, truth, people, number)
            yield f"| {truth.name} | {people} | {a:.0f} | {b:.1f} | {c:.1f} | {d:.1f} |"
    yield ""
    yield f"{number} curves a row. The rank of 10 controls cannot be below 1/11."
    yield from _session_table(rng, int(3000 * scale))
    yield from _change_tables(rng, int(600 * scale))
    yield from _throughout_table(np.random.default_rng(21), number)


def _throughout_table(rng: Generator, number: int) -> Iterator[str]:
    """Yield how often a headline names a healthy angle as far out over the cycle."""
    yield ""
    yield f"Far out over the whole cycle, of {number} healthy curves a cell (≤ 6), not a verdict:"
    yield ""
    yield "| people differ by | n 10 | n 20 | n 80 |"
    yield "|---|---|---|---|"
    for truth in (truth for truth in TRUTHS if "moment" not in truth.name):
        cells = [f"{null_throughout(rng, truth, n, number):.1f}" for n in (10, 20, 80)]
        yield f"| {truth.name} | {' | '.join(cells)} |"


def _session_table(rng: Generator, pairs: int) -> Iterator[str]:
    """Yield the table whose limits are nearest: 3000 pairs know 13 % to 1.2."""
    yield ""
    yield "## Between two sessions of an unchanged person, %"
    yield ""
    yield "| curve | strides | judged (1-7.5) | level .4 (≤ 13) | τ 1.5 times | SPM on strides |"
    yield "|---|---|---|---|---|---|"
    for kind in KINDS:
        for strides in (2, 3, 5, 10):
            share = float(rng.choice((0.7, 0.8, 0.9)))
            a = null_between_sessions(rng, kind, strides, pairs, share=share)
            b = null_between_sessions(rng, kind, strides, pairs, share=0.4)
            c = null_between_sessions(rng, kind, strides, pairs // 3, tau=1.5)
            spm = null_on_strides(rng, kind, strides, pairs // 3, share)
            yield f"| {kind.name} | {strides} | {a:.1f} | {b:.1f} | {c:.0f} | {spm:.0f} |"
    yield ""
    yield (
        f"{pairs} pairs a cell, {pairs // 3} in the last two columns, which no limit is near. SPM"
        " on strides treats strides as the sample: the placing of the"
        " markers is not part of their spread, and more strides make it worse."
    )


def _change_tables(rng: Generator, pairs: int) -> Iterator[str]:
    yield ""
    yield f"{pairs} pairs a cell in what follows, with own repeats half of them."
    yield ""
    yield "| own repeats, pairs | " + " | ".join(kind.name for kind in KINDS) + " |"
    yield "|---" * (1 + len(KINDS)) + "|"
    for repeats in (10, 15, 30):
        cells = [f"{null_own_repeats(rng, kind, repeats, pairs // 2):.1f}" for kind in KINDS]
        yield f"| {repeats} | {' | '.join(cells)} |"
    yield ""
    yield "| markers left on, share of a trial | unit stride | unit trial (≤ 6) |"
    yield "|---|---|---|"
    for share in (0.0, 0.2, 0.5):
        a, b = null_trials(rng, KINDS[1], share, pairs)
        yield f"| {share:g} | {a:.1f} | {b:.1f} |"
    yield ""
    yield "| groups of the same people | 5 + 5 | 8 + 8 | 10 + 25 | 30 + 30 |"
    yield "|---|---|---|---|---|"
    for truth in TRUTHS:
        sizes = ((5, 5), (8, 8), (10, 25), (30, 30))
        cells = [f"{null_groups(rng, truth, a, b, pairs):.1f}" for a, b in sizes]
        yield f"| {truth.name} | {' | '.join(cells)} |"
    yield ""
    yield "| knee, bump in swing | false place elsewhere (≤ 5) | found in its place |"
    yield "|---|---|---|"
    for height in (12, 20, 30):
        a, b = place_of_a_bump(rng, KINDS[1], height, pairs)
        yield f"| {height} deg | {a:.1f} | {b:.0f} |"
    yield ""
    yield "| knee, named in advance: swing | clear when planned | clear among 15 curves |"
    yield "|---|---|---|"
    own = np.random.default_rng(22)
    bump = 10 * np.exp(-(((PERCENT - 70) / 8.5) ** 2))
    for name, change in (
        ("nothing changed (≤ 5)", 0 * bump), ("10 deg in swing", bump),
        ("10 deg over the whole cycle", 10 + 0 * bump),
    ):  # fmt: skip
        a, b = planned_changes(own, KINDS[1], change, 3 * pairs)
        yield f"| {name} | {a:.1f} | {b:.1f} |"
    yield from _peak_table(np.random.default_rng(23), 3 * pairs)


def _peak_table(rng: Generator, pairs: int) -> Iterator[str]:
    """Yield how often the peak of a moment is called changed."""
    yield ""
    yield (
        "| knee moment, its peak named in advance | nothing changed (3-7) | 0.2 N m/kg more |"
        " its curve among 10 |"
    )
    yield "|---|---|---|---|"
    for name, strides, repeats in (
        ("error of the table, 2 strides", 2, 0), ("error of the table, 5 strides", 5, 0),
        ("15 own repeats, 5 strides", 5, 15),
    ):  # fmt: skip
        a, _ = planned_peaks(rng, 0.0, pairs, strides, repeats)
        b, c = planned_peaks(rng, 0.2, pairs, strides, repeats)
        yield f"| {name} | {a:.1f} | {b:.1f} | {c:.1f} |"


def main() -> None:
    """Print the tables; write the page where they are whole."""
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    lines = list(tables(scale))
    print("\n".join(lines))
    if scale == 1:
        lines += ["", *page.stamp("python benchmarks/known_error.py")]
        page.FOLDER.joinpath("known-error.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    help_shown(__doc__)
    main()

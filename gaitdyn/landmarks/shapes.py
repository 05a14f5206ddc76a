"""Clusters with other labels in the static: which marker is which follows from their shape.

Numbers that stand for words (``Thigh_Superior``) are given alike in one file, not in two. Where the
labels of a cluster are not those of the static, that of the static is laid on that of the trial
(:mod:`gaitdyn.landmarks.alike`); where one way fits, it decides.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.core.rigid import SMALLEST_CLUSTER
from gaitdyn.landmarks.alike import laid_on, misfit_m
from gaitdyn.landmarks.sides import split_sides
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.types.landmarks import Resolution
    from gaitdyn.types.recording import Recording

_SEGMENTS = {"thigh": ("TH", ("PAT",)), "shank": ("SK", ("PAT", "TTU", "HFI"))}
"""Segment -> stem of its cluster, and landmarks that a cluster's marker may be named like."""

FITS_M = 0.012
"""Markers of one cluster are as far apart in two files as their skin and their labels allow."""


def by_shape(trial: Recording, static: Recording, own: Resolution, other: Resolution) -> Resolution:
    """Return what the labels of a trial mean, clusters of other labels laid on those of its static.

    Parameters
    ----------
    trial, static : Recording
    own, other : Resolution
        Of the trial and of the static.
    """
    for segment in _SEGMENTS:
        fits: dict[str, dict[int, str]] = {}
        for side in SIDES:
            own, fits[side] = _laid(trial, static, own, other, f"{side} {segment}")
        for side, across in zip(SIDES, reversed(SIDES), strict=True):
            if fits[across] and not fits[side]:
                own = _as_across(trial, static, (own, other), fits[across], (side, segment))
    return own


def _laid(
    trial: Recording, static: Recording, own: Resolution, other: Resolution, name: str
) -> tuple[Resolution, dict[int, str]]:
    """Return the resolution of a trial with one cluster under the names of the static, and these.

    No names where no order of its markers fits, or nothing has to be told apart.
    """
    side, segment = name.split()
    stem, soft = _SEGMENTS[segment]
    letter = side[0].upper()
    series = re.compile(rf"{letter}{stem}\d+")
    still, moving = other.roles(), own.roles()
    kept = set(still.values())
    shared = set(trial.labels) & set(static.labels)
    there = [i for i, x in still.items() if series.fullmatch(x) and static.labels[i] not in shared]
    here = [i for i, x in moving.items() if series.fullmatch(x) and trial.labels[i] not in shared]
    if len(here) < SMALLEST_CLUSTER - 1 or len(there) < SMALLEST_CLUSTER:
        return own, {}
    files, texts = [static, trial], [dict(still), dict(moving)]
    more = [i for i, x in moving.items() if x[1:] in soft and x[0] == letter and x not in kept]
    for cluster in ([*here, *more], here) if more else (here,):
        found = _found(files, texts, there, cluster)
        if found:
            roles = {i: still[k] for k, i in found.items()}
            if any(moving[i] != role for i, role in roles.items()):
                off = 1000 * misfit_m(files, list(found.items()))
                own = _under(own, roles, name, "by the distances between the markers", off)
            return own, roles
    return own, {}


def _as_across(
    trial: Recording,
    static: Recording,
    both: tuple[Resolution, Resolution],
    roles: dict[int, str],
    cluster: tuple[str, str],
) -> Resolution:
    """Return the resolution with a cluster that fits in no order named as that of the other leg.

    A marker that was moved leaves no order to fit; words mean the same on both sides.
    """
    (own, other), (side, segment) = both, cluster
    cores = [sided.core for sided in split_sides(trial.labels, lambda _: False)]
    letter, stem = side[0].upper(), _SEGMENTS[segment][0]
    named = {cores[i]: letter + role[1:] for i, role in roles.items()}
    series = re.compile(rf"{letter}{stem}\d+")
    here = [i for i, x in own.roles().items() if series.fullmatch(x)]
    found = {i: named[cores[i]] for i in here if cores[i] in named}
    shared = set(trial.labels) & set(static.labels)
    alike = len(found) == len(here) and set(found.values()) <= set(other.roles().values())
    if len(here) < SMALLEST_CLUSTER or not alike or any(trial.labels[i] in shared for i in here):
        return own
    return _under(own, found, f"{side} {segment}", "no order fits; named as on the other side")


def _found(
    files: list[Recording], texts: list[dict[int, str]], there: list[int], here: list[int]
) -> dict[int, int]:
    """Return marker of the static -> of the trial, where one way to lay them fits."""
    if not SMALLEST_CLUSTER <= len(here) <= len(there):
        return {}
    taken = [set(there), set(here)]
    rest = [{i: x for i, x in t.items() if i not in k} for t, k in zip(texts, taken, strict=True)]
    order = laid_on(files, rest, there, here)
    if order is None:
        return {}
    found = {there[k]: i for k, i in zip(order, here, strict=True)}
    return found if misfit_m(files, list(found.items())) <= FITS_M else {}


def _under(
    own: Resolution, roles: dict[int, str], name: str, how: str, off_mm: float | None = None
) -> Resolution:
    """Return a resolution with the roles of a cluster as in the static, and what is said of it."""
    marks = tuple(
        replace(m, role=roles[m.index], why="by the shape of its cluster in the static")
        if m.index in roles
        else m
        for m in own.landmarks
    )
    labels = {m.index: m.label for m in own.landmarks}
    told = ", ".join(f"{labels[i]} = {role}" for i, role in sorted(roles.items()))
    fits = "" if off_mm is None else f" ({off_mm:.0f} mm off)"
    message = f"{name}: the static has other labels; {how}: {told}{fits}"
    level = "warning" if off_mm is None else "info"
    said = Finding(level, "landmark-by-shape", name, message, off_mm)
    return replace(own, landmarks=marks, findings=(*own.findings, said))

"""Match clusters that have other labels in the static, by their shape.

Numbers that replace words (``Thigh_Superior``) are consistent within one file, not between two. If
the labels of a cluster differ from those in the static, the static cluster is matched to that of
the trial (:mod:`gaitdyn.landmarks.alike`). If one order fits, it decides.
"""

from __future__ import annotations

import re
from dataclasses import replace

from gaitdyn.core.rigid import SMALLEST_CLUSTER
from gaitdyn.landmarks.alike import matching_order, misfit_m
from gaitdyn.landmarks.labels.sides import split_sides
from gaitdyn.types.findings import Finding
from gaitdyn.types.landmarks import Resolution
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDES

_SEGMENTS = {"thigh": ("TH", ("PAT",)), "shank": ("SK", ("PAT", "TTU", "HFI"))}
"""Segment -> stem of its cluster, and landmarks whose names a cluster marker may have."""

FITS_M = 0.012
"""Largest rms change of the shape of one cluster between two files, m, due to skin movement."""


def by_shape(
    trial: Recording, static: Recording, result: Resolution, reference: Resolution
) -> Resolution:
    """Return the resolution of a trial with relabelled clusters matched to those of its static.

    Parameters
    ----------
    trial, static : Recording
    result, reference : Resolution
        Of the trial and of the static.
    """
    for segment in _SEGMENTS:
        fits: dict[str, dict[int, str]] = {}
        for side in SIDES:
            name = f"{side} {segment}"
            result, fits[side] = _match_cluster([static, trial], result, reference, name)
        for side, opposite in zip(SIDES, reversed(SIDES), strict=True):
            if fits[opposite] and not fits[side]:
                result = _named_as_opposite(
                    trial, static, (result, reference), fits[opposite], (side, segment)
                )
    return result


def _match_cluster(
    files: list[Recording], result: Resolution, reference: Resolution, name: str
) -> tuple[Resolution, dict[int, str]]:
    """Return the resolution of a trial with one cluster named as in the static, and these names.

    No names if no order of its markers fits, or the labels are shared with the static.
    """
    side, segment = name.split()
    stem, soft = _SEGMENTS[segment]
    letter = side[0].upper()
    series = re.compile(rf"{letter}{stem}\d+")
    static_roles, trial_roles = reference.roles(), result.roles()
    kept = set(static_roles.values())
    shared = set(files[0].labels) & set(files[1].labels)
    sources, targets = (
        [i for i, x in roles.items() if series.fullmatch(x) and file.labels[i] not in shared]
        for roles, file in zip((static_roles, trial_roles), files, strict=True)
    )
    if len(targets) < SMALLEST_CLUSTER - 1 or len(sources) < SMALLEST_CLUSTER:
        return result, {}
    texts = [dict(static_roles), dict(trial_roles)]
    similar = [
        i for i, x in trial_roles.items() if x[1:] in soft and x[0] == letter and x not in kept
    ]
    for cluster in ([*targets, *similar], targets) if similar else (targets,):
        if pairs := _matched_pairs(files, texts, sources, cluster):
            roles = {i: static_roles[k] for k, i in pairs.items()}
            if any(trial_roles[i] != role for i, role in roles.items()):
                misfit_mm = 1000 * misfit_m(files, list(pairs.items()))
                reason = "by the distances between the markers"
                result = _with_roles(result, roles, name, reason, misfit_mm)
            return result, roles
    return result, {}


def _named_as_opposite(
    trial: Recording,
    static: Recording,
    both: tuple[Resolution, Resolution],
    roles: dict[int, str],
    cluster: tuple[str, str],
) -> Resolution:
    """Return the resolution with a cluster that fits in no order named like that of the other leg.

    If a marker was moved, no order fits; words mean the same on both sides.
    """
    (result, reference), (side, segment) = both, cluster
    cores = [sided.core for sided in split_sides(trial.labels, lambda _: False)]
    letter, stem = side[0].upper(), _SEGMENTS[segment][0]
    named = {cores[i]: letter + role[1:] for i, role in roles.items()}
    series = re.compile(rf"{letter}{stem}\d+")
    members = [i for i, x in result.roles().items() if series.fullmatch(x)]
    new_roles = {i: named[cores[i]] for i in members if cores[i] in named}
    shared = set(trial.labels) & set(static.labels)
    complete = SMALLEST_CLUSTER <= len(members) == len(new_roles)
    known = set(new_roles.values()) <= set(reference.roles().values())
    if not (complete and known) or any(trial.labels[i] in shared for i in members):
        return result
    reason = "no order fits; named as on the other side"
    return _with_roles(result, new_roles, f"{side} {segment}", reason)


def _matched_pairs(
    files: list[Recording], texts: list[dict[int, str]], sources: list[int], targets: list[int]
) -> dict[int, int]:
    """Return marker in the static -> marker in the trial, if one order fits."""
    if not SMALLEST_CLUSTER <= len(targets) <= len(sources):
        return {}
    taken = [set(sources), set(targets)]
    others = [{i: x for i, x in t.items() if i not in k} for t, k in zip(texts, taken, strict=True)]
    order = matching_order(files, others, sources, targets)
    if order is None:
        return {}
    pairs = {sources[k]: i for k, i in zip(order, targets, strict=True)}
    return pairs if misfit_m(files, list(pairs.items())) <= FITS_M else {}


def _with_roles(
    result: Resolution,
    roles: dict[int, str],
    name: str,
    reason: str,
    misfit_mm: float | None = None,
) -> Resolution:
    """Return a resolution with the roles of a cluster as in the static, and a finding."""
    marks = tuple(
        replace(m, role=roles[m.index], why="by the shape of its cluster in the static")
        if m.index in roles
        else m
        for m in result.landmarks
    )
    labels = {m.index: m.label for m in result.landmarks}
    pairs = ", ".join(f"{labels[i]} = {role}" for i, role in sorted(roles.items()))
    fits = "" if misfit_mm is None else f" ({misfit_mm:.0f} mm off)"
    message = f"{name}: the static has other labels; {reason}: {pairs}{fits}"
    level = "warning" if misfit_mm is None else "info"
    finding = Finding(level, "landmark-by-shape", name, message, misfit_mm)
    return replace(result, landmarks=marks, findings=(*result.findings, finding))

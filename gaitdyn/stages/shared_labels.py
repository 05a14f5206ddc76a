"""Markers that share one of our names: copies of one marker, or several of which none is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from gaitdyn.core.runs import ever_known
from gaitdyn.landmarks.labels.copies import without_copies
from gaitdyn.stages.lost_markers import is_upper
from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDE_OF

_STAR = "*"
"""Before a label that is not read as one of our names."""


def one_of_each(recording: Recording, roles: Iterable[str]) -> tuple[Recording, list[Finding]]:
    """Return a recording in which each of our names is that of one marker.

    Of copies in one place the one most often visible keeps the name. Markers that are apart from
    each other lose it: which of them is meant, nothing shows.

    Parameters
    ----------
    recording : Recording
        With markers under our names.
    roles : iterable of str
        Our names.

    Returns
    -------
    recording : Recording
        The others have a star before their labels.
    findings : list of Finding
        A warning for each name that no marker has any more.
    """
    count = Counter(recording.labels)
    shared = [role for role in dict.fromkeys(roles) if count[role] > 1]
    if not shared:
        return recording, []
    labels, findings = list(recording.labels), list[Finding]()
    visible = ever_known(recording.markers_L)
    for role in shared:
        points = [i for i, label in enumerate(recording.labels) if label == role]
        kept, _ = without_copies([i for i in points if visible[i]] or points, recording)
        for i in points if len(kept) > 1 else set(points) - set(kept):
            labels[i] = _STAR + role
        if len(kept) > 1:
            findings.append(_finding(role, len(kept), recording.name))
    return replace(recording, labels=tuple(labels)), findings


def counted_shared(recording: Recording) -> Counter[str]:
    """Return how many markers lost each of our names because they share it."""
    visible = np.asarray(ever_known(recording.markers_L))
    return Counter(
        label.removeprefix(_STAR)
        for label, seen in zip(recording.labels, visible.tolist(), strict=True)
        if seen and label.startswith(_STAR)
    )


def _finding(role: str, number: int, name: str) -> Finding:
    code = "upper-marker" if is_upper(role) else "marker-lost"
    message = (
        f"{role}: {number} markers of {name} have this label; none of them is used; leave it to one"
    )
    side = SIDE_OF[role[0]] if len(role) > 2 and role[0] in SIDE_OF else None  # noqa: PLR2004
    return Finding("warning", code, role, message, float(number), side=side)

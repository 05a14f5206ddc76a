"""Distinguish copies of one marker from several markers with one label."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import known_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Mask
    from gaitdyn.types.recording import Recording

_MEANINGLESS = {"", "*", "UNKNOWN", "TARGET", "MARKER", "NONE"}
_SAME_M = 0.003


def described(recording: Recording) -> tuple[str, ...]:
    """Return the description of each marker, empty if it is meaningless."""
    count = len(recording.labels)
    texts = [text.strip() for text in recording.descriptions[:count]]
    texts += [""] * (count - len(texts))
    return tuple("" if text.upper() in _MEANINGLESS else text for text in texts)


def without_copies(found: Sequence[int], recording: Recording) -> tuple[list[int], dict[int, int]]:
    """Return the distinct markers among points of one label; of copies, the one most often visible.

    Parameters
    ----------
    found : sequence of int
        Indices of the points of the label.
    recording : Recording

    Returns
    -------
    kept : list of int
        One index per marker, in the order of the file.
    copies : dict
        Index of each other point -> index of the kept one that it copies.
    """
    known = dict(zip(found, known_points(recording.markers_L[:, found]).T, strict=True))
    kept: list[int] = []
    copies: dict[int, int] = {}
    for i in sorted(found, key=lambda i: (-int(known[i].sum()), i)):
        same = next((k for k in kept if _is_copy(i, k, recording, known)), None)
        if same is None:
            kept.append(i)
        else:
            copies[i] = same
    return sorted(kept), copies


def _is_copy(i: int, k: int, recording: Recording, known: dict[int, Mask]) -> bool:
    both = known[i] & known[k]
    if not both.any():
        texts = described(recording)
        return texts[i] == texts[k]
    apart = recording.markers_L[both, i] - recording.markers_L[both, k]
    return float(median(np.linalg.norm(apart, axis=-1))) < _SAME_M

"""Walks that are in a session twice: copies of a file, and one recording that was saved again."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from gaitdyn.io.plain_files import file_sha256
from gaitdyn.io.text_files import shown
from gaitdyn.session.contents import RecordingContents
from gaitdyn.session.session_file import SESSION_FILE

T = TypeVar("T")
_END_BYTES = 4096
"""The end of a recording, the last samples of all channels, tells it from others of its size."""
_SAME_M, _FEWEST = 1e-4, 50
"""Markers are those of another recording if this many of their coordinates in the sampled frames
are equal within rounding, and nine tenths of all."""
_SHARE = 0.9


def twice_told(walks: Sequence[RecordingContents]) -> list[str]:
    """Return a note for every walk whose markers are those of another one, of the shortest name.

    Parameters
    ----------
    walks : sequence of RecordingContents
    """
    copy_of = _copies([walk.path for walk in walks])
    again = _saved_again([walk for walk in walks if walk.path not in copy_of])
    notes: list[str] = []
    for path in (walk.path for walk in walks):
        first, what = copy_of.get(path), "is a copy of"
        if first is None:
            first, what = again.get(path), "has the markers of"
        if first is not None:
            notes.append(
                f"{shown(path.name)} {what} {shown(first.name)}: its cycles count once"
                f" in the session's report; leave one out with use = false in {SESSION_FILE}"
            )
    return notes


def _copies(paths: Sequence[Path]) -> dict[Path, Path]:
    """Return the first file of each copy. Only files of one size and one end are hashed."""
    groups = [[path for path in paths if path.is_file() and path.stat().st_size]]
    for key_of in (_size, _end, file_sha256):
        groups = [alike for group in groups for alike in _alike(group, key_of)]
    named = [sorted(group, key=lambda path: len(path.stem)) for group in groups]
    return {copy: first for first, *copies in named for copy in copies}


def _saved_again(walks: Sequence[RecordingContents]) -> dict[Path, Path]:
    """Return the first file of each recording that was saved again, as with events or filled gaps.

    The sampled frames are compared: two walks never show all markers at the same places.
    """
    first_of: dict[Path, Path] = {}
    for alike in _alike([walk for walk in walks if walk.content is not None], _clock):
        group = sorted(alike, key=lambda walk: len(walk.path.stem))
        for i, walk in enumerate(group):
            for earlier in group[:i]:
                if earlier.path not in first_of and _same_markers(earlier, walk):
                    first_of[walk.path] = earlier.path
                    break
    return first_of


def _same_markers(first: RecordingContents, second: RecordingContents) -> bool:
    if first.content is None or second.content is None:
        return False
    one, two = first.content.sample, second.content.sample
    shared = [label for label in one.labels if one.has(label) and two.has(label)]
    if not shared or len(one.markers_L) != len(two.markers_L):
        return False
    apart = np.abs(
        np.stack([one.marker(x) for x in shared]) - np.stack([two.marker(x) for x in shared])
    )
    known = apart[np.isfinite(apart)]
    return known.size >= _FEWEST and bool(np.mean(known <= _SAME_M) >= _SHARE)


def _clock(walk: RecordingContents) -> Hashable:
    return walk.content and (walk.content.frames, walk.content.sample.rate_hz)


def _alike(items: Sequence[T], key_of: Callable[[T], Hashable]) -> list[list[T]]:
    """Return the groups of several items with the same key, in their order."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(key_of(item), []).append(item)
    return [group for group in groups.values() if len(group) > 1]


def _size(path: Path) -> int:
    return path.stat().st_size


def _end(path: Path) -> bytes:
    with path.open("rb") as stream:
        stream.seek(-min(_size(path), _END_BYTES), os.SEEK_END)
        return stream.read()

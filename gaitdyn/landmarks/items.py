"""The labels of one or two files as items: a marker, its words, and where it is in each file."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import known_points
from gaitdyn.landmarks.copies import described, without_copies
from gaitdyn.landmarks.label import (
    cleaned,
    is_unlabelled,
    joined,
    pieces,
    shared_beginning,
    shared_ending,
)
from gaitdyn.landmarks.side_words import side_of_text
from gaitdyn.landmarks.virtual import PLACEHOLDER, computed, placeholders

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.types.arrays import Mask
    from gaitdyn.types.landmarks import BodySide
    from gaitdyn.types.recording import Recording


@dataclass(frozen=True, slots=True)
class MarkerItem:
    """One marker of one or both files.

    Attributes
    ----------
    text : str
        Its label, cleaned.
    at : dict
        Number of the file -> place in its labels.
    description : str
    twice : bool
        The label stands for several markers of this file.
    """

    text: str
    at: dict[int, int]
    description: str = ""
    twice: bool = False


@dataclass(slots=True)
class Gathered:
    """The items of all files, and what was left out: (file, place, why).

    ``told`` are the markers of one label that were told apart: (file, place) -> text.
    """

    items: list[MarkerItem] = field(default_factory=list[MarkerItem])
    left_out: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    copies: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    told: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])


def gather(
    recordings: list[Recording],
    rename: Mapping[str, str],
    said: Mapping[tuple[int, int], str] | None = None,
) -> Gathered:
    """Return the markers of some files of one person; a label in two files means the same.

    Of copies of one marker the best seen one stands for all. ``said`` are the texts, by file and
    place, of markers that were told apart.
    """
    out = Gathered(told=dict(said or {}))
    merged: dict[str, MarkerItem] = {}
    for number, recording in enumerate(recordings):
        known = np.isfinite(recording.markers_L[..., 0])
        told = described(recording)
        texts = list(_read(recording.labels, told, tuple(rename.items())))
        texts = [out.told.get((number, i), text) for i, text in enumerate(texts)]
        why = _left_out(texts, told, recording, known)
        out.left_out += [(number, i, reason) for i, reason in why.items()]
        places: dict[str, list[int]] = defaultdict(list)
        for i, text in enumerate(texts):
            if i not in why:
                places[text].append(i)
        for text, found in places.items():
            kept = found
            if len(found) > 1:
                kept = _kept(found, recording, number, out)
            for i in kept:
                item = MarkerItem(text, {number: i}, told[i], len(kept) > 1)
                before = merged.get(text)
                if len(kept) == 1 and before and not before.twice:
                    before.at[number] = i
                elif len(kept) == 1 and not before:
                    merged[text] = item
                    out.items.append(item)
                else:
                    out.items.append(item)
    return out


@lru_cache(maxsize=16)
def _read(
    labels: tuple[str, ...], described: tuple[str, ...], renamed: tuple[tuple[str, str], ...]
) -> tuple[str, ...]:
    """Return the cleaned label of each marker; a number or a cut label takes its description.

    Those of one laboratory are the same in file after file.
    """
    texts: list[str] = []
    cut, rename = _cut(labels, described), dict(renamed)
    for i, (label, description) in enumerate(zip(labels, described, strict=True)):
        text = cleaned(rename.get(label, label))
        number = not any(c.isalpha() for c in text) and any(c.isalpha() for c in description)
        if number or (i in cut and label not in rename):
            text = cleaned(description)
        texts.append(text)
    beginning, own = shared_beginning(texts, _has_side), set(rename.values())
    ending = shared_ending(texts, _has_side)
    return tuple(
        text if text in own else text.removeprefix(beginning).removesuffix(ending) for text in texts
    )


def _has_side(text: str) -> bool:
    return bool(side_of_text(f"{text} x"))


def _cut(labels: tuple[str, ...], described: tuple[str, ...]) -> set[int]:
    """Return the labels that are the beginning of their description, where most labels are.

    Old files keep four letters of a label; the description then holds the whole of it.
    """
    said = [
        (i, joined(pieces(cleaned(label))), joined(pieces(cleaned(description))))
        for i, (label, description) in enumerate(zip(labels, described, strict=True))
        if description
    ]
    begun = [i for i, label, text in said if label and text.startswith(label)]
    whole = [i for i, label, text in said if label == text]
    return set(begun) if 2 * len(begun) > len(said) > len(whole) else set()


def _left_out(
    texts: list[str], described: tuple[str, ...], recording: Recording, known: Mask
) -> dict[int, str]:
    """Return place -> why a point is not a marker to be named."""
    why = dict.fromkeys(np.flatnonzero(~known.any(axis=0)).tolist(), "never seen")
    said = tuple(map(cleaned, described))
    why |= {i: reason for i, reason in computed(said).items() if said[i][:2].upper() == "V_"}
    why |= computed(tuple(texts))
    why |= {i: "a point that nobody named" for i, text in enumerate(texts) if is_unlabelled(text)}
    return why | dict.fromkeys(placeholders(recording.markers_L), PLACEHOLDER)


def _kept(found: list[int], recording: Recording, number: int, out: Gathered) -> list[int]:
    """Return the markers among points of one label; what is told of the others is noted."""
    kept, copies = without_copies(found, recording)
    seen = known_points(recording.markers_L[:, found]).sum(axis=0)
    frames = dict(zip(found, seen.tolist(), strict=True))
    for i, same in copies.items():
        label = recording.labels[i]
        times = "more frames" if frames[i] < frames[same] else "as many frames"
        why = f"a copy of {label}: point {same + 1} of this label is seen in {times}"
        out.copies.append((number, i, why))
    return kept


def side_in_words(description: str) -> BodySide:
    """Return the side that a description tells, or nothing."""
    return side_of_text(cleaned(description)) if description else ""

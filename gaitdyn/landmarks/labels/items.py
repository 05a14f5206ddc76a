"""Gather labels of one or two files as items: a marker, its text, its index in each file."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import known_points
from gaitdyn.landmarks.labels.copies import described, without_copies
from gaitdyn.landmarks.labels.derived import PROJECTION, of_others, projections
from gaitdyn.landmarks.labels.label import (
    camel,
    cleaned,
    is_unlabelled,
    joined,
    pieces,
)
from gaitdyn.landmarks.labels.of_models import without_models
from gaitdyn.landmarks.labels.shared_parts import (
    shared_beginning,
    shared_ending,
    without_numbered_sides,
    without_numbers,
)
from gaitdyn.landmarks.labels.side_words import PAIRED_WORDS, side_of_text
from gaitdyn.landmarks.labels.virtual import (
    COMPUTED,
    PLACEHOLDER,
    computed,
    drawn_axes,
    placeholders,
)
from gaitdyn.landmarks.labels.words import lexicon
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.types.arrays import Mask
    from gaitdyn.types.landmarks import BodySide
    from gaitdyn.types.recording import Recording


@frozen()
class MarkerItem:
    """One marker of one or both files.

    Attributes
    ----------
    text : str
        Its cleaned label.
    index : dict
        Number of the file -> index in its labels.
    description : str
    shared : bool
        Whether several markers of this file share the label.
    """

    text: str
    index: dict[int, int]
    description: str = ""
    shared: bool = False


@dataclass(slots=True)
class Gathered:
    """The items of all files, and the points left out: (file, index, reason).

    ``separated`` are markers with a shared label that were separated: (file, index) -> text.
    """

    items: list[MarkerItem] = field(default_factory=list[MarkerItem])
    left_out: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    copies: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    separated: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])

    def indices(self, number: int) -> dict[int, int]:
        """Return item -> index in the labels of a file, for the items in it."""
        return {i: item.index[number] for i, item in enumerate(self.items) if number in item.index}


def gather(
    recordings: list[Recording],
    rename: Mapping[str, str],
    separated: Mapping[tuple[int, int], str] | None = None,
) -> Gathered:
    """Return the markers in files of one person; a label in two files means the same.

    Of copies of one marker only the most often visible is used. ``separated`` are the texts, by
    file and index, of markers with a shared label that were separated.
    """
    gathered = Gathered(separated=dict(separated or {}))
    merged: dict[str, MarkerItem] = {}
    for number, recording in enumerate(recordings):
        visible = np.isfinite(recording.markers_L[..., 0])
        descriptions = described(recording)
        texts = list(_read_labels(recording.labels, descriptions, tuple(rename.items())))
        texts = [gathered.separated.get((number, i), text) for i, text in enumerate(texts)]
        reasons = _left_out(texts, descriptions, recording, visible)
        gathered.left_out += [(number, i, reason) for i, reason in reasons.items()]
        indices_of: dict[str, list[int]] = defaultdict(list)
        for i, text in enumerate(texts):
            if i not in reasons:
                indices_of[text].append(i)
        for text, indices in indices_of.items():
            kept = indices
            if len(indices) > 1:
                kept = _distinct_markers(indices, recording, number, gathered)
            shared, earlier = len(kept) > 1, merged.get(text)
            if earlier and not shared:
                earlier.index[number] = kept[0]
                continue
            items = [MarkerItem(text, {number: i}, descriptions[i], shared) for i in kept]
            if not shared:
                merged[text] = items[0]
            gathered.items += items
    return gathered


def computed_points(recording: Recording, rename: Mapping[str, str]) -> set[int]:
    """Return the indices of points that are not markers: outputs of a model, axes, placeholders."""
    left_out = gather([recording], rename).left_out
    return {i for _, i, why in left_out if why in (*COMPUTED, PLACEHOLDER)}


def with_bare_labels(recording: Recording) -> Recording:
    """Return a recording without what all its labels share, such as a person's name before them.

    A label that is a number, or the beginning of its description, gives way to the description.

    Parameters
    ----------
    recording : Recording

    Returns
    -------
    Recording
    """
    return replace(recording, labels=_read_labels(recording.labels, described(recording), ()))


def words_before(labels: Sequence[str]) -> str:
    """Return what nearly all labels begin with, a person's name for all that is known.

    Parameters
    ----------
    labels : sequence of str

    Returns
    -------
    str
        Empty if they have no beginning in common.

    Examples
    --------
    >>> words_before([f"Ann_{side}{x}" for side in "LR" for x in ("ASI", "KNE", "TOE")])
    'Ann'
    """
    beginning = shared_beginning(labels, _has_side, _is_word)
    return beginning.strip("".join(c for c in beginning if not c.isalnum()))


@lru_cache(maxsize=16)
def _read_labels(
    labels: tuple[str, ...], described: tuple[str, ...], renamed: tuple[tuple[str, str], ...]
) -> tuple[str, ...]:
    """Return the cleaned label of each marker, or its description if truncated or a number.

    Cached, since labels of one laboratory repeat from file to file.
    """
    texts: list[str] = []
    truncated, rename = _truncated(labels, described), dict(renamed)
    for i, (label, description) in enumerate(zip(labels, described, strict=True)):
        text = cleaned(rename.get(label, label))
        number = not any(c.isalpha() for c in text) and any(c.isalpha() for c in description)
        if number or (i in truncated and label not in rename):
            text = cleaned(description)
        texts.append(text)
    texts = without_models(texts, lambda text: _is_word(text) or _has_side(text))
    texts = without_numbered_sides(without_numbers(texts), _has_side)
    beginning, new_labels = shared_beginning(texts, _has_side, _is_word), set(rename.values())
    ending = shared_ending(texts, _has_side)
    return tuple(
        text if text in new_labels else text.removeprefix(beginning).removesuffix(ending)
        for text in texts
    )


def _has_side(text: str) -> bool:
    return bool(side_of_text(f"{text} x")) or joined(pieces(text)) in PAIRED_WORDS


def _is_word(text: str) -> bool:
    return any(text.upper() in lexicon(whole=whole) for whole in (False, True))


def _truncated(labels: tuple[str, ...], described: tuple[str, ...]) -> set[int]:
    """Return the labels that are the beginning of their description, if most labels are.

    Old files store four letters of a label; the description then contains the full label.
    """
    described_labels = [
        (i, joined(pieces(cleaned(label))), joined(pieces(cleaned(description))))
        for i, (label, description) in enumerate(zip(labels, described, strict=True))
        if description
    ]
    begun = [i for i, label, text in described_labels if label and text.startswith(label)]
    whole = [i for i, label, text in described_labels if label == text]
    return set(begun) if 2 * len(begun) > len(described_labels) > len(whole) else set()


def _left_out(
    texts: list[str], described: tuple[str, ...], recording: Recording, visible: Mask
) -> dict[int, str]:
    """Return index -> why a point is not a marker to be named."""
    reasons = dict.fromkeys(np.flatnonzero(~visible.any(axis=0)).tolist(), "never seen")
    descriptions = tuple(map(cleaned, described))
    reasons |= {
        i: reason
        for i, reason in computed(descriptions).items()
        if descriptions[i][:2].upper() == "V_"
    }
    reasons |= computed(tuple(texts))
    reasons |= of_others(texts, reasons, recording.markers_L)
    reasons |= drawn_axes(tuple(texts), recording.markers_L)
    reasons |= dict.fromkeys(projections(tuple(texts), recording.markers_L), PROJECTION)
    reasons |= dict.fromkeys(of_objects(texts), "of an object, not of the person")
    reasons |= {
        i: "a point that nobody named" for i, text in enumerate(texts) if is_unlabelled(text)
    }
    return reasons | dict.fromkeys(placeholders(recording.markers_L), PLACEHOLDER)


def of_objects(texts: Sequence[str]) -> list[int]:
    """Return the labels in which a word names a walking aid or furniture, as crutch_R_tip."""
    every, whole = " ".join(texts).upper(), lexicon(whole=True)
    objects = {word for word, means in whole.items() if "OBJECT" in means and word in every}
    return [
        i for i, text in enumerate(texts)
        if objects and any(word.upper() in objects for x in pieces(text) for word in camel(x))
    ]  # fmt: skip


def _distinct_markers(
    indices: list[int], recording: Recording, number: int, gathered: Gathered
) -> list[int]:
    """Return the distinct markers among points of one label; record the others as copies."""
    kept, copies = without_copies(indices, recording)
    counts = known_points(recording.markers_L[:, indices]).sum(axis=0)
    frames = dict(zip(indices, counts.tolist(), strict=True))
    for i, same in copies.items():
        label = recording.labels[i]
        how_often = "more frames" if frames[i] < frames[same] else "as many frames"
        reason = f"a copy of {label}: point {same + 1} of this label is visible in {how_often}"
        gathered.copies.append((number, i, reason))
    return kept


def side_in_words(description: str) -> BodySide:
    """Return the side stated in a description, or an empty string."""
    return side_of_text(cleaned(description)) if description else ""

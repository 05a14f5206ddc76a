"""How a marker model fits a file, and the file under its names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from gaitdyn.calibrate.ladder.model import has_leg
from gaitdyn.calibrate.models.files import one_side
from gaitdyn.calibrate.plug_in_gait.markers import missing_markers, pelvis_lacks, sagittal_leg
from gaitdyn.core.rigid import SMALLEST_CLUSTER
from gaitdyn.core.runs import ever_known
from gaitdyn.landmarks.labels.copies import without_copies
from gaitdyn.types.findings import Finding
from gaitdyn.types.marker_model import MarkerModel, ModelMatch
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import LETTER, SIDES
from gaitdyn.types.words import counted

_ONE_OF = (("KNE", "KJC"), ("ANK", "AJC"), ("TOE", "MT1", "MT5"))
"""Markers of a leg that the landmark engine needs, one of each, besides HEE and the pelvis."""


def match_model(
    model: MarkerModel, recording: Recording, roles: tuple[str, ...] = ()
) -> ModelMatch:
    """Return how a model fits the markers that are visible in a file.

    Labels among ``roles`` were given by hand: if one is a name of ours, it means that marker.
    """
    return next(matches_of((model,), recording, roles))


def matches_of(
    models: Iterable[MarkerModel], recording: Recording, roles: tuple[str, ...]
) -> Iterator[ModelMatch]:
    """Yield how each model fits a file; the markers of the file are indexed only once."""
    visible = ever_known(recording.markers_L)
    index = _index(recording.labels, visible.tobytes())
    for model in models:
        yield _match(model, index, recording, roles)


_Index: TypeAlias = "dict[str, list[int]]"
"""Label -> indices of the markers that have it."""


@lru_cache(maxsize=8)
def _index(labels: tuple[str, ...], visible: bytes) -> tuple[_Index, _Index]:
    """Return the indices of the visible markers by their label, as written and case-folded."""
    written, folded = dict[str, list[int]](), dict[str, list[int]]()
    for i in np.flatnonzero(np.frombuffer(visible, bool)).tolist():
        written.setdefault(labels[i], []).append(i)
        folded.setdefault(labels[i].casefold(), []).append(i)
    return written, folded


def _match(
    model: MarkerModel, index: tuple[_Index, _Index], recording: Recording, roles: tuple[str, ...]
) -> ModelMatch:
    """Return how a model fits the visible markers, indexed by label as written and case-folded.

    Case is ignored if no label is written as in the model. A label that several markers share is
    not used.
    """
    texts = recording.descriptions
    written, folded = index
    markers: dict[str, int] = {}
    for role, names in model.labels.items():
        for name in (role, *names) if role in roles else names:
            label, _, description = name.partition("|")
            found = written.get(label) or folded.get(label.casefold(), [])
            if description:
                found = [
                    i
                    for i in found
                    if i < len(texts) and texts[i].casefold() == description.casefold()
                ]
            found = [i for i in found if i not in markers.values()]
            found = found if len(found) < 2 else without_copies(found, recording)[0]  # noqa: PLR2004
            if len(found) == 1:
                markers[role] = found[0]
                break
    missing: dict[str, list[str]] = {side: _missing(model, set(markers), side) for side in SIDES}
    return ModelMatch(
        model=model,
        places={i: role for role, i in markers.items()},
        sides=_legs_of(model) if model.climbs else [side for side in SIDES if not missing[side]],
        missing=missing,
    )


def _missing(model: MarkerModel, have: set[str], side: str) -> list[str]:
    """Return the markers that a model lacks for one leg, under our names."""
    if model.climbs:
        return []
    if model.engine == "chord":
        return missing_markers(have, side)
    letter = LETTER[side]
    if model.engine == "sagittal":
        return [label for label in sagittal_leg(have, letter) if label not in have]
    lacking = pelvis_lacks(have)
    for first, *others in _ONE_OF:
        if first not in model.optional and not {letter + x for x in (first, *others)} & have:
            lacking.append(f"{letter}{first} (or {', '.join(letter + x for x in others)})")
    lacking += [letter + "HEE"] * (letter + "HEE" not in have)
    return lacking or _untracked(model, have, letter)


def _legs_of(model: MarkerModel) -> list[str]:
    """Return the legs with markers in a model that climbs the ladder."""
    return [side for side in SIDES if has_leg(model.labels, LETTER[side])]


def _untracked(model: MarkerModel, have: set[str], letter: str) -> list[str]:
    """Return what pelvis and thigh lack to be tracked: each needs three points.

    The shank needs three too if the knee marker is optional: its cluster identifies the model.
    """
    lacking, shank = [], ("shank",) if "KNE" in model.optional else ()
    for segment in ("pelvis", "thigh", *shank):
        names = [one_side(name, letter) for name in model.tracking[segment]]
        if sum(name in have or name.startswith("@") for name in names) < SMALLEST_CLUSTER:
            lacking.append(f"three of {' '.join(names)}")
    return lacking


def renamed(recording: Recording, match: ModelMatch) -> Recording:
    """Return the recording with the markers of a model under our names.

    A label of the file that now means another marker gets a star in front of it.
    """
    taken = set(match.places.values())
    labels = tuple(
        match.places.get(i, f"*{label}" if label in taken else label)
        for i, label in enumerate(recording.labels)
    )
    return replace(recording, labels=labels)


def renaming_lines(recording: Recording, match: ModelMatch) -> list[str]:
    """Return how labels of a file were interpreted, as lines ``file label = our name``."""
    labels = ((recording.labels[i], role) for i, role in sorted(match.places.items()))
    return [f"{label} = {role}" for label, role in labels if label != role]


def unused_of_one_label(recording: Recording, match: ModelMatch) -> list[Finding]:
    """Return a note on points that are not used because another has their label.

    Parameters
    ----------
    recording : Recording
        With the labels of the file.
    match : ModelMatch
        Of this recording.

    Returns
    -------
    list of Finding
        ``landmark-copies``, or nothing.
    """
    used = {recording.labels[i] for i in match.places}
    unused = [
        label for i, label in enumerate(recording.labels) if label in used and i not in match.places
    ]
    if not unused:
        return []
    listed = ", ".join(dict.fromkeys(unused))
    message = f"{counted(len(unused), 'point')} with the label of another ({listed}): not used"
    return [Finding("info", "landmark-copies", "labels", message, float(len(unused)))]

"""Find the person in each file, from sure names."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.landmarks.body.evidence import PlaceEvidence, evidence_of
from gaitdyn.landmarks.body.places import places
from gaitdyn.landmarks.body.standing import Heights, StandingPerson, find_body, quiet_frames
from gaitdyn.types.later import Later

if TYPE_CHECKING:
    from collections.abc import Collection

    from gaitdyn.landmarks.body.case import Case
    from gaitdyn.landmarks.labels.reading import LabelWords
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.landmarks import BodySide

_SURE_WORD, _SURE_READING = 0.45, 0.55
_RARE = 0.1
_LOOSE = 0.08
_CLUSTERS = {"THX", "SHX", "FTX", "PEX"}
_PELVIS = {"ASIS", "PSIS", "ILC"}


def find_persons(case: Case) -> None:
    """Add person and marker positions of each file to the case, computed on first access."""
    sure_codes = sure_names(case.words)
    for number, recording in enumerate(case.files):
        index_of = case.gathered.indices(number)
        case.rare.append(_rare(recording.markers_L[:, list(index_of.values()), 0], index_of))
        case.views.append(Later(partial(_view, case, number, index_of, sure_codes)))


def _view(
    case: Case, number: int, index_of: dict[int, int], sure_codes: list[str]
) -> tuple[StandingPerson | None, PlaceEvidence]:
    """Return the person of a file, and the evidence on its marker positions.

    ``index_of`` is the index of each item in the file, ``sure_codes`` the sure code of each item.
    """
    recording, rare, items = case.files[number], case.rare[number], list(index_of)
    points, moving = recording.markers_L[:, list(index_of.values())], number != case.static_index
    if not moving:
        points = points[quiet_frames(points, recording.rate_hz)]
    names = {i: "" if i in rare else sure_codes[i] for i in items}
    pairs = pairs_of(case.words, items)
    pelvis = [(a, b) for a, b in pairs if sure_codes[items[a]] in _PELVIS]
    person = find_body(points, expected_heights(list(names.values())), pelvis, pairs)
    by_item = None if person is None else _by_item(person, items, len(case.items))
    sides: list[BodySide] = [words.sided.side for words in case.words]
    return by_item, evidence_of(by_item, sides, names, moving=moving)


def sure_names(words: list[LabelWords]) -> list[str]:
    """Return the code that each name surely means, or an empty string.

    A series is identified by its position: its name does not show where it is.
    """
    codes = [_top(w, _SURE_WORD if w.meaning.exact else _SURE_READING) for w in words]
    return [
        "" if w.group >= 0 and code not in _CLUSTERS else code
        for w, code in zip(words, codes, strict=True)
    ]


def _rare(x: Array, items: Collection[int]) -> dict[int, int]:
    """Return item -> frames, for markers visible in less than a tenth of the person's frames."""
    known = np.isfinite(x)
    with_person = known.sum(axis=1) >= min(3, len(items))
    frames = known[with_person].sum(axis=0)
    fewest = _RARE * int(with_person.sum())
    return {i: n for i, n in zip(items, frames.tolist(), strict=True) if n < fewest}


def expected_heights(codes: list[str]) -> Heights:
    """Return the heights expected from names; NaN for landmarks without a definite height."""
    found_places = [places().get(code) for code in codes]
    reliable = [p if p is not None and p.height_sd <= _LOOSE else None for p in found_places]
    wanted = [np.nan if p is None else p.height for p in reliable]
    spread = [np.nan if p is None else p.height_sd for p in reliable]
    return Heights(np.array(wanted), np.array(spread))


def _top(words: LabelWords, least: float) -> str:
    """Return the code that a word surely means, or an empty string."""
    codes = words.meaning.codes
    best = max(codes, key=lambda code: codes[code], default="")
    return best if best and codes[best] >= least else ""


def pairs_of(words: list[LabelWords], items: list[int]) -> list[tuple[int, int]]:
    """Return the left and right item of each core with one marker per side."""
    items_of: dict[tuple[str, str], list[int]] = defaultdict(list)
    for k, i in enumerate(items):
        if words[i].sided.side:
            items_of[words[i].sided.core, words[i].sided.side].append(k)
    return [
        (left[0], right[0])
        for (core, side), left in items_of.items()
        if side == "left"
        and len(left) == 1
        and len(right := items_of.get((core, "right"), [])) == 1
    ]


def _by_item(body: StandingPerson, items: list[int], count: int) -> StandingPerson:
    measured = (body.height, body.outward, body.ahead, body.resting)
    at_items = [np.full(count, np.nan) for _ in measured]
    for array, values in zip(at_items, measured, strict=True):
        array[items] = values
    in_frames = [np.full((len(body.to_left), count), np.nan) for _ in range(2)]
    for array, values in zip(in_frames, (body.to_left, body.to_front), strict=True):
        array[:, items] = values
    return StandingPerson(body.standing, *at_items, *in_frames)

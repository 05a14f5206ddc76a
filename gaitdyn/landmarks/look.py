"""The person in each file, from the names that are sure."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.landmarks.evidence import PlaceEvidence, ground_of
from gaitdyn.landmarks.places import places
from gaitdyn.landmarks.standing import Heights, StandingPerson, find_body, quiet_frames
from gaitdyn.types.later import Later

if TYPE_CHECKING:
    from collections.abc import Collection

    from gaitdyn.landmarks.case import Case
    from gaitdyn.landmarks.reading import LabelWords
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.landmarks import BodySide

_SURE_WORD, _SURE_READING = 0.45, 0.55
_SEEN = 0.1
_LOOSE = 0.08
_CLUSTERS = {"THX", "SHX", "FTX", "PEX"}
_PELVIS = {"ASIS", "PSIS", "ILC"}


def look(case: Case) -> None:
    """Find the person in each file, when asked for, and put what stands where into the case."""
    top = sure_names(case.words)
    for number, recording in enumerate(case.files):
        here = {i: item.at[number] for i, item in enumerate(case.items) if number in item.at}
        case.rare.append(_rare(recording.markers_L[:, list(here.values()), 0], here))
        case.sights.append(Later(partial(_sight, case, number, here, top)))


def _sight(
    case: Case, number: int, at: dict[int, int], top: list[str]
) -> tuple[StandingPerson | None, PlaceEvidence]:
    """Return the person of a file, and what stands where.

    ``at`` is the place of each item of the file, ``top`` what the names of all items surely mean.
    """
    recording, rare, here = case.files[number], case.rare[number], list(at)
    points, moving = recording.markers_L[:, list(at.values())], number != case.still
    if not moving:
        points = points[quiet_frames(points, recording.rate_hz)]
    names = {i: "" if i in rare else top[i] for i in here}
    pairs = pairs_of(case.words, here)
    pelvis = [(a, b) for a, b in pairs if top[here[a]] in _PELVIS]
    found = find_body(points, heights_of(list(names.values())), pelvis, pairs)
    body = None if found is None else _by_item(found, here, len(case.items))
    sides: list[BodySide] = [words.sided.side for words in case.words]
    return body, ground_of(body, sides, names, moving=moving)


def sure_names(words: list[LabelWords]) -> list[str]:
    """Return the code that each name surely means, nothing for the others.

    A series is told by its place: its name does not tell where it is.
    """
    tops = [_top(w, _SURE_WORD if w.meaning.exact else _SURE_READING) for w in words]
    return [
        "" if w.group >= 0 and code not in _CLUSTERS else code
        for w, code in zip(words, tops, strict=True)
    ]


def _rare(x: Array, here: Collection[int]) -> dict[int, int]:
    """Return item -> frames of the markers that less than a tenth of a person's frames show."""
    known = np.isfinite(x)
    person = known.sum(axis=1) >= min(3, len(here))
    frames = known[person].sum(axis=0)
    least = _SEEN * int(person.sum())
    return {i: n for i, n in zip(here, frames.tolist(), strict=True) if n < least}


def heights_of(top: list[str]) -> Heights:
    """Return the heights that names want; one that stands at no height of its own has none."""
    found = [places().get(code) for code in top]
    good = [p if p is not None and p.height_sd <= _LOOSE else None for p in found]
    wanted = [np.nan if p is None else p.height for p in good]
    spread = [np.nan if p is None else p.height_sd for p in good]
    return Heights(np.array(wanted), np.array(spread))


def _top(words: LabelWords, least: float) -> str:
    """Return the code that a word surely means, or nothing."""
    codes = words.meaning.codes
    best = max(codes, key=lambda code: codes[code], default="")
    return best if best and codes[best] >= least else ""


def pairs_of(words: list[LabelWords], here: list[int]) -> list[tuple[int, int]]:
    """Return left and right of each core that stands for one marker of a side."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for k, i in enumerate(here):
        if words[i].sided.side:
            found[words[i].sided.core, words[i].sided.side].append(k)
    return [
        (left[0], right[0])
        for (core, side), left in found.items()
        if side == "left" and len(left) == 1 and len(right := found.get((core, "right"), [])) == 1
    ]


def _by_item(body: StandingPerson, here: list[int], count: int) -> StandingPerson:
    out = [np.full(count, np.nan) for _ in range(3)]
    for array, values in zip(out, (body.height, body.outward, body.ahead), strict=True):
        array[here] = values
    wide = [np.full((len(body.to_left), count), np.nan) for _ in range(2)]
    for array, values in zip(wide, (body.to_left, body.to_front), strict=True):
        array[:, here] = values
    return StandingPerson(body.standing, *out, *wide)

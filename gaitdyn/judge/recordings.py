"""Which trials were made of one recording: of the same file, or of one that was saved again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.packing import unpack_whole
from gaitdyn.store.headings import without_strides
from gaitdyn.store.modelled import has_no_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.arrays import Array, Places

_POINTS, _SHARE, _FEWEST = 3, 0.95, 25
"""Two trials show one movement if so many points of the figure are at the same whole millimetre in
this share of the rows in which both are known, of at least so many. A recording that is saved again
keeps the markers of pelvis and feet but near filled gaps; joint centres depend on the static."""
_SAMPLED, _SHARE_OF_FEW = 16, 0.5
"""Of about so many rows so many are looked at first: two walks share hardly any."""


def recording_groups(trials: Sequence[StoredTrial]) -> list[list[StoredTrial]]:
    """Return the trials by recording, each recording at the place of its first trial."""
    groups: list[list[StoredTrial]] = []
    for trial in trials:
        same = next((group for group in groups if same_recording(group[0], trial)), None)
        if same is None:
            groups.append([trial])
        else:
            same.append(trial)
    return groups


def counting_once(trials: Sequence[StoredTrial]) -> list[StoredTrial]:
    """Return the trials, the strides of each recording in one of them alone.

    Of several results of one recording, or of one that was saved again, the one with the most
    strides keeps them, or the first of them: the others' strides are no further sample.
    """
    kept = {id(max(same, key=_strides_of)) for same in recording_groups(trials)}
    return [t if id(t) in kept or not t.cycles else without_strides(t) for t in trials]


def _strides_of(trial: StoredTrial) -> tuple[bool, int]:
    """Return what decides whose strides count: a trial with a model, then their number."""
    return not has_no_model(trial), len(trial.cycles)


def same_recording(first: StoredTrial, second: StoredTrial) -> bool:
    """Return whether two trials are of one recording, by the hash of its file or its movement.

    A recording of two people is not the same for both, see ``subject_prefix``.
    """
    shared = recordings_of(first).keys() & recordings_of(second).keys()
    return bool(shared) or _same_movement(first, second)


def recorded_once(first: Sequence[StoredTrial], second: Sequence[StoredTrial]) -> str:
    """Return that trials of two sessions are of the same recordings; empty if none are."""
    pairs = (
        (next((one for one in first if same_recording(one, trial)), None), trial)
        for trial in second
    )
    shared = {one.name: trial.name for one, trial in pairs if one is not None}
    if not shared:
        return ""
    names = ", ".join(a if a == b else f"{a} (there {b})" for a, b in shared.items())
    one = len(shared) == 1
    return (
        f"{names} {'is' if one else 'are'} the same recording{'' if one else 's'} in both: what"
        " differs there is the processing, not the person"
    )


def recordings_of(trial: StoredTrial) -> dict[tuple[str, str], str]:
    """Return the hash of the recording of a trial, with the person in it -> its file name."""
    person = str(trial.document["options"].get("subject_prefix") or "")
    files = [file for file in trial.document["inputs"] if file["role"] == "trial"]
    return {(str(file["sha256"]), person): str(file["name"]) for file in files}


def _same_movement(first: StoredTrial, second: StoredTrial) -> bool:
    """Return whether the figures of two trials are at the same places at the same times."""
    one, two = first.view.get("figure"), second.view.get("figure")
    if not one or not two or one["rate_hz"] != two["rate_hz"]:
        return False
    shared = [name for name in one["points"] if name in two["points"]]
    if len(shared) < _POINTS:  # as of recordings of muscles alone
        return False
    places, others = _places(first), _places(second)
    later = round((two["time_s"] - one["time_s"]) * one["rate_hz"])  # rows
    start, stop = max(0, later), min(len(places), len(others) + later)
    if 2 * (stop - start) < min(len(places), len(others)):
        return False
    here, there = places[start:stop], others[start - later : stop - later]
    columns = [[figure["points"].index(name) for name in shared] for figure in (one, two)]
    step = max(1, len(here) // _SAMPLED)
    known, equal = _at_one_place(here[::step], there[::step], columns)
    if int((equal >= _SHARE_OF_FEW * known).sum()) < _POINTS:
        return False
    known, equal = _at_one_place(here, there, columns)
    return int(((known >= _FEWEST) & (equal >= _SHARE * known)).sum()) >= _POINTS


def _at_one_place(
    here: Array, there: Array, columns: Sequence[Sequence[int]]
) -> tuple[Places, Places]:
    """Return in how many rows each shared point of two figures is known in both, and the same."""
    here, there = here[:, columns[0]], there[:, columns[1]]
    known = np.isfinite(here + there).all(axis=2).sum(axis=0)
    return known, (here == there).all(axis=2).sum(axis=0)


def _places(trial: StoredTrial) -> Array:
    """Return the points of a trial's figure, shape (n, points, 3), mm."""
    figure = trial.view["figure"]
    return trial.once(
        "places of the figure",
        lambda: unpack_whole(figure["places"]).reshape(-1, len(figure["points"]), 3),
    )

"""The marker model that fits a file, and the file under its names."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from gaitdyn.calibrate.ladder import LADDER, has_leg, ladder_match, outclimbs, roles_by_name
from gaitdyn.calibrate.markers import SAGITTAL_LEG, missing_markers
from gaitdyn.calibrate.model_files import load_model, one_side, shipped_models
from gaitdyn.calibrate.posed import posed, takes_poses
from gaitdyn.core.rigid import SMALLEST_CLUSTER
from gaitdyn.core.runs import ever_known
from gaitdyn.errors import ModelNotFound
from gaitdyn.landmarks.copies import without_copies
from gaitdyn.landmarks.label import cleaned, is_unlabelled
from gaitdyn.types.marker_model import MarkerModel, ModelMatch
from gaitdyn.types.subject import LETTER, SIDES
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gaitdyn.types.recording import Recording

PLUG_IN_GAIT, AUTO = "plug-in-gait", "auto"
_NEARLY = 2
"""A sagittal model is named as the nearest one if a leg lacks no more markers than this."""

_ONE_OF = (("KNE", "KJC"), ("ANK", "AJC"), ("TOE", "MT1", "MT5"))
"""Markers of a leg that the landmark engine needs, one of each, besides HEE and the pelvis."""


def match_model(
    model: MarkerModel, recording: Recording, roles: tuple[str, ...] = ()
) -> ModelMatch:
    """Return how a model fits the markers that are visible in a file.

    Labels among ``roles`` were given by hand: if one is a name of ours, it means that marker.
    """
    return next(_matches((model,), recording, roles))


def _matches(
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
    missing = {side: _missing(model, set(markers), side) for side in SIDES}
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
        return [letter + role for role in SAGITTAL_LEG if letter + role not in have]
    lacking = [name for name in ("LASI", "RASI") if name not in have]
    if not ({"LPSI", "RPSI"} <= have or "SACR" in have):
        lacking.append("LPSI + RPSI (or SACR)")
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


def choose_model(
    recording: Recording,
    name: str = "auto",
    roles: tuple[str, ...] = (),
    *,
    static: Recording | None = None,
) -> ModelMatch:
    """Return the requested model, or the first one that fits both legs, or the ladder.

    The ladder uses whatever the markers allow. A model that fits one leg precedes it only if the
    ladder does not reach more legs, a sagittal model only if there is no pelvis.

    Parameters
    ----------
    recording : Recording
    name : str
        ``auto``, ``ladder``, a model that ships or a ``.toml`` file.
    roles : tuple of str
        Labels that were given by hand (:func:`match_model`).
    static : Recording, optional
        Its landmarks count for the ladder too.

    Raises
    ------
    ModelNotFound
        If none fits; the message has what was found and what the nearest one lacks.
    """
    if takes_poses(recording, name):
        return posed(recording)[1]
    fits = first_that_fits(recording, roles) if name == AUTO else None
    if fits is not None and fits.model.engine != "landmarks":
        return fits  # whatever the ladder finds
    models = shipped_models() if name == "auto" else (load_model(name),) if name != LADDER else ()
    matches = list(_matches(models, recording, roles))
    climbed = None
    if name in ("auto", LADDER):
        still = None if static is None else roles_by_name(static)
        climbed = ladder_match(roles_by_name(recording), still)
    if (best := _best(matches, climbed, static)) is not None:
        return best
    if climbed is not None and not matches:
        matches = [climbed]
    nearest = _nearest(matches)
    lacking = list(dict.fromkeys(x for side in SIDES for x in nearest.missing[side]))
    visible = np.flatnonzero(ever_known(recording.markers_L))
    labels = sorted(recording.labels[i] for i in visible)
    known_roles = sorted(climbed.places.values()) if climbed is not None else []
    resolved = f" (resolved: {_first(known_roles)})" if known_roles else ""
    found = f"{counted(len(labels), 'marker')} ({_first(labels)})"
    if problem := _unreadable(labels):
        raise ModelNotFound(f"{recording.name}: no marker model fits; found {found}, {problem}")
    todo = "rename the markers or describe them with --model FILE.toml"
    if hidden := _hidden(recording, labels, lacking):
        todo = f"the file has {_first(hidden)} but shows them in no frame: reconstruct them"
    raise ModelNotFound(
        f"{recording.name}: no marker model fits; found {found},"
        f" the nearest model, {nearest.model.name}, also needs {_first(lacking)}{resolved}; {todo}"
    )


def _hidden(recording: Recording, visible: list[str], lacking: list[str]) -> list[str]:
    """Return the labels of a file that a model lacks because no frame shows their markers."""
    wanted = set(re.findall(r"\w+", " ".join(lacking)))
    own = (cleaned(label).lstrip("*") for label in recording.labels if label not in visible)
    return sorted(wanted.intersection(own))


_CUT = 4
"""Letters of a label in old files, which cut it."""


def _unreadable(labels: list[str]) -> str:
    """Return why no label can name a landmark and what to do; empty if one can."""
    if labels and all(is_unlabelled(cleaned(label)) for label in labels):
        return (
            "whose labels are numbers; export the trial with names, or name each marker:"
            f' --rename {labels[0]}=LASI, or "{labels[0]}" = "LASI" in [rename] of session.toml'
        )
    if len(labels) >= 2 * len(set(labels)) > 0 and max(map(len, labels)) <= _CUT:
        count = counted(len(set(labels)), "different label")
        return f"which have {count}; export the trial with whole labels or descriptions of them"
    return ""


def first_that_fits(recording: Recording, roles: tuple[str, ...]) -> ModelMatch | None:
    """Return the first shipped model with a pelvis whose labels fit both legs, or None.

    Parameters
    ----------
    recording : Recording
    roles : tuple of str
        Labels that were given by hand (:func:`match_model`).
    """
    models = (model for model in shipped_models() if model.engine != "sagittal")
    matches = _matches(models, recording, roles)
    return next((match for match in matches if len(match.sides) == len(SIDES)), None)


def _best(
    matches: list[ModelMatch], climbed: ModelMatch | None, static: Recording | None
) -> ModelMatch | None:
    """Return the model to use: one for both legs first, then the ladder, the one-plane model last.

    The ladder precedes a landmark model if it finds a joint better and none worse.
    """
    reach = 0 if climbed is None else len(climbed.sides)
    for legs in (2, 1):
        for match in matches:
            if len(match.sides) == legs and match.model.engine != "sagittal":
                better = climbed if reach >= legs else None
                return outclimbed(match, better, static) or match
        if reach >= legs:
            return climbed
    for legs in (2, 1):
        for match in matches:
            if len(match.sides) == legs:
                return match
    return None


def outclimbed(
    match: ModelMatch, climbed: ModelMatch | None, static: Recording | None
) -> ModelMatch | None:
    """Return the ladder if it finds a joint better than a landmark model and none worse, or None.

    Parameters
    ----------
    match : ModelMatch
    climbed : ModelMatch or None
        Of the ladder.
    static : Recording or None
        Labels as in the file.
    """
    if climbed is None or match.model.engine != "landmarks":
        return None
    named = set(match.places.values())
    if static is not None:
        named |= set(match_model(match.model, static).places.values())
    return climbed if outclimbs(climbed.model.labels, named) else None


def _nearest(matches: list[ModelMatch]) -> ModelMatch:
    """Return the model with most markers in a file; a sagittal one only if it nearly fits."""
    named = [
        match
        for match in matches
        if match.model.engine != "sagittal" or min(map(len, match.missing.values())) <= _NEARLY
    ]
    lacking = {match.model.name: sum(map(len, match.missing.values())) for match in matches}
    return max(named or matches, key=lambda m: (len(m.places), -lacking[m.model.name]))


def _first(names: list[str], count: int = 7) -> str:
    return ", ".join(names[:count]) + (", ..." if len(names) > count else "")


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

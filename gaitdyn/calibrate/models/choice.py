"""Which marker model a file is processed with."""

from __future__ import annotations

import re

import numpy as np

from gaitdyn.calibrate.ladder.model import LADDER, ladder_match, outclimbs, roles_by_name
from gaitdyn.calibrate.models.files import load_model, shipped_models
from gaitdyn.calibrate.models.fitted import match_model, matches_of
from gaitdyn.calibrate.posture.posed import posed, takes_poses
from gaitdyn.core.runs import ever_known
from gaitdyn.errors import ModelNotFound
from gaitdyn.landmarks.labels.label import cleaned, is_unlabelled
from gaitdyn.types.marker_model import ModelMatch
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import counted

PLUG_IN_GAIT, AUTO = "plug-in-gait", "auto"
_NEARLY = 2
"""A sagittal model is named as the nearest one if a leg lacks no more markers than this."""

_CUT = 4
"""Letters of a label in old files, which cut it."""


def choose_model(
    recording: Recording,
    name: str = AUTO,
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
    models = [*shipped_models()] if name == AUTO else [load_model(name)] if name != LADDER else []
    matches = list(matches_of(models, recording, roles))
    climbed = None
    if name in (AUTO, LADDER):
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
    named = f" ({_first([label or 'one without a name' for label in labels])})" if labels else ""
    found = f"{counted(len(labels), 'marker')}{named}"
    if problem := _unreadable(labels):
        raise ModelNotFound(f"{recording.name}: no marker model fits; found {found}, {problem}")
    todo = "rename the markers or describe them with --model FILE.toml"
    if hidden := _hidden(recording, labels, lacking):
        todo = f"the file has {_first(hidden)} but shows them in no frame: reconstruct them"
    refusal, nearly = "no marker model fits", f"the nearest model, {nearest.model.name}, also"
    if name not in (AUTO, LADDER):
        refusal, nearly = f"the model {nearest.model.name} does not fit", "it also"
        todo = f"{_other_words(nearest, labels, lacking)}{todo}, or leave --model out"
    raise ModelNotFound(
        f"{recording.name}: {refusal}; found {found}, {nearly} needs"
        f" {_first(lacking)}{resolved}; {todo}"
    )


def _other_words(match: ModelMatch, visible: list[str], lacking: list[str]) -> str:
    """Return which labels a model reads as our names that a file has and the model lacks."""
    wanted = set(re.findall(r"\w+", " ".join(lacking))).intersection(visible)
    wanted -= set(match.places.values())
    labels = [
        f"{role} from {names[0].partition('|')[0]}"
        for role, names in match.model.labels.items()
        if role in wanted and names
    ]
    return f"it reads {_first(labels)}; " if labels else ""


def _hidden(recording: Recording, visible: list[str], lacking: list[str]) -> list[str]:
    """Return the labels of a file that a model lacks because no frame shows their markers."""
    wanted = set(re.findall(r"\w+", " ".join(lacking)))
    own = (cleaned(label).lstrip("*") for label in recording.labels if label not in visible)
    return sorted(wanted.intersection(own))


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
    matches = matches_of(models, recording, roles)
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

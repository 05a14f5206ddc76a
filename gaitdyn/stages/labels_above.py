"""Add markers of trunk, head and arms that are known by words and place, beside a model of legs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.stages.lost_markers import is_upper
from gaitdyn.stages.upper import VERTEBRAE, shows_thorax
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.landmarks import Resolution
    from gaitdyn.types.marker_model import ModelMatch
    from gaitdyn.types.recording import Recording

_WRIST = ("WRX", "WRR", "WRU")
_FEWEST = 2
"""Labels beside those of the model: one cannot name a thorax."""


def landmarks_beside(
    match: ModelMatch, trial: Recording, static: Recording | None
) -> tuple[Resolution | None, Resolution | None]:
    """Return what labels and positions say beside a model of the legs, as far as it can matter.

    The labels of the vendor's model are taken at their word below the waist.

    Parameters
    ----------
    match : ModelMatch
        Of the trial.
    trial, static : Recording
        With the labels of the files.
    """
    spare = len(trial.labels) - len(match.places)
    if match.model.engine == "sagittal":
        return None, None
    if match.model.engine == "chord" and (spare < _FEWEST or not _may_add(trial)):
        return None, None
    from gaitdyn.landmarks import resolve as landmarks_of

    return landmarks_of(trial, static)


def with_upper(
    match: ModelMatch, recording: Recording, landmarks: Resolution | None
) -> tuple[ModelMatch, list[Finding]]:
    """Return a match with markers of trunk, head and arms that the model does not name.

    They are added if they define a thorax, which the labels alone do not; beside our names of a
    thorax those of an arm or a head are added that lacks markers. With the doubts about them.

    Parameters
    ----------
    match : ModelMatch
    recording : Recording
        With the labels of the file.
    landmarks : Resolution or None
        Of the same file.
    """
    if landmarks is None:
        return match, []
    above = {
        i: role
        for i, role in landmarks.roles().items()
        if i not in match.places and (is_upper(role) or role in VERTEBRAE)
    }
    if _names_thorax(recording):
        lacking = _lacking(recording)
        above = {i: role for i, role in above.items() if role in lacking}
    elif not shows_thorax(above.values()):
        return match, []
    labels = {recording.labels[i] for i in above}
    doubts = [finding for finding in landmarks.findings if finding.scope in labels]
    return replace(match, places=match.places | above), doubts


def _may_add(trial: Recording) -> bool:
    """Return whether words allow markers above the pelvis beside those with our names."""
    from gaitdyn.landmarks import likeliest_by_words, may_name_thorax

    if not _names_thorax(trial):
        return may_name_thorax(trial)
    from gaitdyn.upper.arms import ONE_WRIST
    from gaitdyn.upper.markers import HEAD

    lacking = _lacking(trial)
    if not lacking:
        return False
    likeliest = likeliest_by_words(trial)
    heads = likeliest["HED"] >= len(HEAD) and not lacking.isdisjoint(HEAD)
    wrists = {letter + name for letter in LETTER.values() for name in ONE_WRIST}
    arms = likeliest["ACR"] and likeliest["ELL"] and any(likeliest[c] for c in _WRIST)
    return heads or (bool(arms) and not lacking.isdisjoint(wrists))


def _names_thorax(recording: Recording) -> bool:
    """Return whether labels are our names of a thorax, in any case."""
    return shows_thorax(label.upper() for label in recording.labels)


def _lacking(recording: Recording) -> set[str]:
    """Return our names that a head or an arm lacks which cannot be built from the labels alone."""
    from gaitdyn.upper.arms import ARM_MARKERS, ONE_WRIST
    from gaitdyn.upper.markers import HEAD

    named = {label.upper() for label in recording.labels}
    lacking = set[str]() if named.issuperset(HEAD) else {*HEAD}
    for letter in LETTER.values():
        whole = {letter + "SHO", letter + "ELB"} <= named
        if not whole or named.isdisjoint(letter + name for name in ONE_WRIST):
            lacking |= {letter + name for name in ARM_MARKERS}
    return lacking - named

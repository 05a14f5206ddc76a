"""Markers of the vendor's model under other labels, and wands that are not where it wants them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gaitdyn.calibrate.ladder.wand_sides import may_be_astray
from gaitdyn.types.findings import Finding
from gaitdyn.types.marker_model import ModelMatch
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import LETTER

_MEDIAL = ("LKNM", "RKNM", "LMED", "RMED", "LELM", "RELM")
_WANDS = (("THI", "knee", ("KNM", "KAX", "KD1")), ("TIB", "ankle", ("MED",)))
"""Wand, joint whose axis it shows, markers that show it better; all without the side."""


def with_medial(match: ModelMatch, recording: Recording, *, standing: bool = True) -> ModelMatch:
    """Return the match of a static with medial markers that have other labels added.

    The vendor's model knows only ``LKNM`` and ``LMED``; laboratories also write ``LMKNE`` or
    ``LMMA``. Without a static they are those of the walk, unless they are doubtful.
    """
    lacking = {x for x in _MEDIAL if x not in match.places.values()}
    if not lacking or len(match.places) == len(recording.labels):
        return match
    from gaitdyn.landmarks import resolve as landmarks_of
    from gaitdyn.landmarks import static_roles

    if standing:
        roles = static_roles(recording)
    else:
        marks = landmarks_of(recording)[0].landmarks
        roles = {mark.index: mark.role for mark in marks if mark.sure != "doubtful"}
    medial = {i: x for i, x in roles.items() if x in lacking and i not in match.places}
    return replace(match, places=match.places | medial)


def wands_astray(
    trial: Recording, static: Recording | None, matches: Sequence[ModelMatch]
) -> list[Finding]:
    """Return a warning for each wand of the vendor's model that is not at the side of its segment.

    A joint with a medial marker, or a knee with a device, does not need its wand.
    """
    named = {role for match in matches for role in match.places.values()}
    joints = {
        letter + wand: joint
        for letter in LETTER.values()
        for wand, joint, others in _WANDS
        if not named & {letter + other for other in others}
    }
    standing = trial if static is None else static
    if (
        matches[0].model.engine != "chord"
        or not joints
        or not may_be_astray(standing, matches[-1].places)
    ):
        return []
    from gaitdyn.landmarks import resolve as landmarks_of

    roles = {trial.labels[i]: role for i, role in matches[0].places.items()}
    return [
        _astray(doubt, joint)
        for doubt in landmarks_of(trial, static)[0].findings
        if doubt.code == "landmark-no-wand" and (joint := joints.get(roles.get(doubt.scope, "")))
    ]


def _astray(doubt: Finding, joint: str) -> Finding:
    """Return the warning on a wand that the vendor's model takes the axis of a joint from."""
    message = (
        f"{doubt.scope} is {abs(doubt.value or 0.0):.0f} degrees from the side of its segment, but"
        f" the axis of the {joint} is taken from it; put it in the frontal plane, mark the medial"
        " side of the joint, or use --model ladder"
    )
    return replace(doubt, level="warning", code="wand-astray", joint=joint, message=message)

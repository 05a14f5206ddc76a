"""The model of a laboratory without a known marker set: what its markers allow, rung by rung."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.ladder.rungs import allowed, rungs_of
from gaitdyn.calibrate.plug_in_gait.markers import pelvis_lacks
from gaitdyn.core.medians import median
from gaitdyn.core.rigid import SMALLEST_CLUSTER, move, rigid_motion
from gaitdyn.core.runs import complete_rows, ever_known
from gaitdyn.errors import ModelNotFound
from gaitdyn.types.arrays import Array
from gaitdyn.types.marker_model import PELVIS_MARKERS, MarkerModel, ModelMatch
from gaitdyn.types.recording import Recording
from gaitdyn.types.rungs import Place
from gaitdyn.types.subject import LETTER, SIDES

LADDER = "ladder"

MIDLINE = ("SACR",)
LIMB_ROLES = (
    "ASI", "PSI", "ICR", "GTR", "THI", "KNE", "KNM", "PAT", "HFI", "TTU", "TIB", "ANK", "MED",
    "HEE", "HEL", "HEM", "TOE", "TO2", "HLX", "MT1", "MT5", "M1B", "M5B", "NAV", "HJC", "KJC",
    "AJC", "KAX", "KD1", "KD2", "SHO",
)  # fmt: skip
"""Roles of landmarks without their side."""

_SERIES = re.compile(r"^(?:PEL\d+|[LR](?:TH|SK|FT|HE)\d+)$")

PELVIS_TRACKS = ("LASI", "RASI", "LPSI", "RPSI", "SACR", "LICR", "RICR")
_TRACKS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "thigh": (("TH",), ("THI", "GTR", "KNE", "KNM", "PAT", "@hip")),
    "shank": (("SK",), ("HFI", "TTU", "TIB", "ANK", "MED", "@knee")),
    "foot": (
        ("FT", "HE"),
        ("HEE", "TOE", "MT1", "MT5", "TO2", "M1B", "M5B", "NAV", "HEL", "HEM", "HLX", "@ankle"),
    ),
}
"""Segment -> stems of its clusters, and other markers that may track it, most rigid first."""

_CARRIED = {
    letter + ending: f"{side} {segment}"
    for side, letter in LETTER.items()
    for segment, (stems, singles) in _TRACKS.items()
    for ending in (*singles, *(f"{stem}0" for stem in stems))
}
"""Marker, or 0 behind the stem of a cluster for all of its numbers -> segment."""

_PELVIS = frozenset((*PELVIS_TRACKS, "PEL1", "PEL2", "PEL3", "PEL4"))
_ENOUGH = {"thigh": 3, "shank": 4, "foot": 4}
"""A cluster of three or more is used alone; without one, markers are added up to this number."""


def segment_of(role: str) -> str:
    """Return the segment that carries a marker, from its role; empty for centres and others.

    Examples
    --------
    >>> segment_of("SACR"), segment_of("LKNM"), segment_of("RSK2"), segment_of("LHJC")
    ('pelvis', 'left thigh', 'right shank', '')
    """
    if role in PELVIS_TRACKS or role.startswith("PEL"):
        return "pelvis"
    first = f"{role[:3]}0" if role[3:].isdigit() else ""
    return _CARRIED.get(role) or _CARRIED.get(first, "")


def roles_by_name(recording: Recording) -> dict[int, str]:
    """Return index -> role of the visible markers whose labels already are role names."""
    visible = ever_known(recording.markers_L)
    roles: dict[int, str] = {}
    for i, label in enumerate(recording.labels):
        if visible[i] and is_role(label) and label not in roles.values():
            roles[i] = label
    return roles


def is_role(label: str) -> bool:
    """Return whether a label is one of our roles.

    Examples
    --------
    >>> [is_role(label) for label in ("LASI", "RTH3", "SACR", "LKNE", "KNE", "LXYZ")]
    [True, True, True, True, False, False]
    """
    if label in MIDLINE or _SERIES.match(label):
        return True
    return label[:1] in ("L", "R") and label[1:] in LIMB_ROLES


def ladder_match(
    trial_roles: Mapping[int, str], static_roles: Mapping[int, str] | None = None
) -> ModelMatch:
    """Return the model that climbs as far as the markers of a trial and its static allow.

    Parameters
    ----------
    trial_roles, static_roles : mapping
        Index of a marker in the recording -> its role, such as ``LKNE``.

    Returns
    -------
    ModelMatch
        Its places are those of the trial. ``sides`` is empty if not even a pelvis can be found;
        ``missing`` lists what a side lacks for all its joints.
    """
    walk = set(trial_roles.values())
    still = set(static_roles.values()) if static_roles else set()
    everything = walk | still
    both = walk & still if still else walk
    lacking = _pelvis_lacks(everything, walk)
    if static_roles is None and sum(x.startswith("PEL") for x in walk) >= SMALLEST_CLUSTER:
        lacking = []  # a static may add landmarks for the cluster to carry
    sides: list[str] = []
    if not lacking:
        sides = [s for s in SIDES if has_leg(everything, LETTER[s])] or list(SIDES)
    missing: dict[str, list[str]] = {
        s: [] if s in sides else lacking + _leg_lacks(everything, s) for s in SIDES
    }
    model = MarkerModel(
        name=LADDER,
        title="the best rung that the landmarks of each segment allow",
        source="each rung names its own",
        engine="landmarks",
        labels={role: (role,) for role in sorted(everything)},
        tracking=_tracking(both, everything),
        climbs=True,
    )
    return ModelMatch(model, dict(trial_roles), sides, missing)


def outclimbs(landmarks: Iterable[str], named: Iterable[str]) -> bool:
    """Return whether the ladder finds a hip, knee or ankle better than a model, and none worse.

    A named model knows only its labels; a file may also have stored centres or medial markers.

    Parameters
    ----------
    landmarks : iterable of str
        Roles of all landmarks of walk and static.
    named : iterable of str
        Those that the named model uses.
    """
    ours, theirs = set(landmarks), set(named)
    steps = [
        (_depth(place, ours, side), _depth(place, theirs, side))
        for side in SIDES
        for place in _COMPARED
    ]
    return all(a <= b for a, b in steps) and any(a < b for a, b in steps)


_COMPARED: tuple[Place, ...] = ("hip", "knee", "ankle")


def _depth(place: Place, have: set[str], side: str) -> int:
    """Return how many rungs are better than the best one that some landmarks allow."""
    rungs = rungs_of(place)
    words = ("width", "pelvis")
    return next((i for i, r in enumerate(rungs) if allowed(r, have, side, words)), len(rungs))


def with_carried_pelvis(recording: Recording, static: Recording | None) -> Recording:
    """Return a trial with ASIS, PSIS and sacrum that only its static shows, carried by the pelvis.

    The markers of the pelvis that both show (a cluster, PSIS, crests) carry the missing ones as a
    rigid body. Axes, walking direction and angles then use them like any other marker.

    Parameters
    ----------
    recording, static : Recording
        Labels are roles.

    Raises
    ------
    ModelNotFound
        If the trial lacks an ASIS and no static can supply it.
    """
    have = set(roles_by_name(recording).values())
    if {"LASI", "RASI"} <= have and ("SACR" in have or {"LPSI", "RPSI"} <= have):
        return recording
    still = set() if static is None else set(roles_by_name(static).values())
    tracks = [x for x in sorted(have & still) if x.startswith("PEL") or x in PELVIS_TRACKS]
    wanted = [x for x in PELVIS_MARKERS if x in still and x not in have]
    lacking = _pelvis_lacks(have | still, have)
    if static is None or lacking or len(tracks) < SMALLEST_CLUSTER:
        problem = f"shares {' and '.join(tracks) or 'none of them'} with the static, wanted three"
        if lacking:
            problem = f"lacks {', '.join(lacking)}"
        raise ModelNotFound(
            f"{recording.name}: the pelvis shows {', '.join(sorted(have & _PELVIS)) or 'nothing'}"
            f" and {problem};"
            " name a standing trial that shows them and the markers of the walk with --static"
        )
    middle = {x: _median(static, x) for x in (*tracks, *wanted)}
    moving = np.stack([recording.marker(x) for x in tracks], axis=1)
    R, t, _ = rigid_motion(np.stack([middle[x] for x in tracks]), moving)
    carried = np.stack([move(R, t, middle[x]) for x in wanted], axis=1)
    kept = [i for i, x in enumerate(recording.labels) if x not in wanted]
    labels = (*(recording.labels[i] for i in kept), *wanted)
    words = recording.descriptions
    if words:
        words = (*(words[i] for i in kept), *("carried by the pelvis" for _ in wanted))
    markers = np.concatenate([recording.markers_L[:, kept], carried], axis=1)
    return replace(recording, labels=labels, markers_L=markers, descriptions=words)


def _median(recording: Recording, label: str) -> Array:
    marker = recording.marker(label)
    return median(marker[complete_rows(marker)], axis=0)


def _pelvis_lacks(have: set[str], walk: set[str]) -> list[str]:
    """Return what a pelvis lacks: ASIS and PSIS or sacrum anywhere, three markers in the walk."""
    lacking = pelvis_lacks(have)
    moving = [x for x in walk if x in PELVIS_TRACKS or x.startswith("PEL")]
    if not lacking and len(moving) < SMALLEST_CLUSTER:
        lacking.append("three markers of the pelvis in the walk")
    return lacking


def _leg_lacks(have: set[str], side: str) -> list[str]:
    letter = LETTER[side]
    wanted = (("KNE", "KJC"), ("ANK", "AJC"), ("HEE", "TOE", "MT5"))
    return [
        f"{letter}{roles[0]} (or {', '.join(letter + x for x in roles[1:])})"
        for roles in wanted
        if not any(letter + role in have for role in roles)
    ]


def has_leg(have: Iterable[str], letter: str) -> bool:
    """Return whether a leg has any marker below the pelvis."""
    pelvis = {"ASI", "PSI", "ICR", "HJC", "SHO"}
    return any(x[:1] == letter and x[1:] not in pelvis for x in have)


def _tracking(have: set[str], everything: set[str]) -> dict[str, tuple[str, ...]]:
    """Return which markers track the pelvis and each segment of each leg."""
    pelvis = [x for x in sorted(have) if x.startswith("PEL")]
    pelvis += [x for x in PELVIS_TRACKS if x in have]
    tracking: dict[str, tuple[str, ...]] = {"pelvis": tuple(pelvis)}
    for side, letter in LETTER.items():
        for segment in _TRACKS:
            names = _of_leg(segment, letter, have, everything)
            tracking[f"{side} {segment}"] = tuple(dict.fromkeys(names))
    return tracking


def _of_leg(segment: str, letter: str, have: set[str], everything: set[str]) -> list[str]:
    """Return the markers of one leg that track a segment: its cluster, else all available."""
    stems, singles = _TRACKS[segment]
    cluster = sorted(x for x in have if x[:1] == letter and x[1:3] in stems and x[3:].isdigit())
    if segment != "foot" and len(cluster) >= SMALLEST_CLUSTER:
        return cluster
    names = cluster + [letter + x for x in singles if letter + x in have]
    joint = singles[-1]
    if len(names) < _ENOUGH[segment]:
        names.append(joint)
    return [x for x in names if x in everything or x.startswith("@")]

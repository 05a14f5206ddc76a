"""What the markers of a file show before it is processed: a task, landmarks, parts of the body."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.calibrate.axes import WALKED_M, find_axes
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import GaitdynError
from gaitdyn.events.task import recognise
from gaitdyn.landmarks import resolve
from gaitdyn.stages.upper import NEEDED, ONE_OF, VERTEBRAE
from gaitdyn.types.subject import LETTER, SIDES
from gaitdyn.upper.markers import HEAD, ONE_WRIST

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gaitdyn.types.landmarks import Resolution
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording


def task_word(
    recording: Recording, rows: Sequence[Mapping[str, Any]], options: Options
) -> str | None:
    """Return what a person does by the paths of pelvis and feet, ``standing`` where nobody moves.

    Of the markers themselves: a run tells the same from its poses. None where pelvis and feet are
    not seen.

    Parameters
    ----------
    recording : Recording
        Labels of the file.
    rows : sequence of mapping
        Landmarks of :func:`gaitdyn.tables.marked_person.landmark_rows`.
    options : Options
        ``up`` and ``forward``.
    """
    at = {row["role"]: recording.labels.index(row["label"]) for row in rows if row["role"]}
    ends = {s: pair for s in SIDES if (pair := _foot_ends(at, s[0].upper())) is not None}
    if not {"LASI", "RASI"} <= set(at) or len(ends) < len(SIDES):
        return None
    named = replace(
        recording, labels=tuple(at), markers_L=recording.markers_L[:, list(at.values())]
    )
    try:
        R_GL = find_axes(named, options.up, options.forward)
    except GaitdynError:
        return None
    markers = named.markers_L @ R_GL.T
    of = dict(zip(named.labels, np.moveaxis(markers, 1, 0), strict=True))
    pelvis = 0.5 * (of["LASI"] + of["RASI"])
    feet = {side: (of[pair[0]], of[pair[1]]) for side, pair in ends.items()}
    moved = [np.ptp(x[complete_rows(x)], axis=0) for pair in feet.values() for x in (pelvis, *pair)]
    if max(float(np.linalg.norm(box)) for box in moved) < WALKED_M:
        return "standing"
    return recognise(pelvis, feet, np.array([1.0, 0.0, 0.0]), recording.rate_hz)


def _foot_ends(at: dict[str, int], letter: str) -> tuple[str, str] | None:
    """Return the markers at heel and toes of a foot, None where they are not there."""
    toes = [letter + role for role in ("TOE", "MT5", "MT1") if letter + role in at]
    return (letter + "HEE", toes[0]) if toes and letter + "HEE" in at else None


def landmark_rows(recording: Recording, static: Recording | None = None) -> dict[str, Any]:
    """Return landmarks, what is not a landmark, and findings of a file.

    Parameters
    ----------
    recording : Recording
    static : Recording, optional
        Judged together with it; its landmarks that the recording lacks are told too.
    """
    own, other = resolve(recording, static)
    return {
        "landmarks": _marks(own),
        "static_only": [] if other is None else _lacking(own, other),
        "unresolved": [{"label": u.label, "why": u.why} for u in own.unresolved],
        "findings": [
            {"level": f.level, "code": f.code, "scope": f.scope, "message": f.message}
            for f in own.findings
        ],
    }


def _marks(found: Resolution) -> list[dict[str, Any]]:
    return [
        {
            "label": mark.label, "landmark": mark.code, "side": mark.side or None,
            "role": mark.role or None, "sure": mark.sure, "why": mark.why,
        }
        for mark in found.landmarks
    ]  # fmt: skip


def _lacking(own: Resolution, other: Resolution) -> list[dict[str, Any]]:
    """Return the landmarks of the static that the trial does not show."""
    there = {mark.role for mark in own.landmarks if mark.role}
    return [row for row in _marks(other) if row["role"] and row["role"] not in there]


def upper_parts(names: Iterable[str]) -> dict[str, str]:
    """Return thorax, head and arms with the markers that show them, or what they lack.

    Parameters
    ----------
    names : iterable of str
        Landmarks under the names of the models.

    Returns
    -------
    dict
        ``thorax``, ``head``, ``left arm``, ``right arm`` and ``whole body`` -> words; empty without
        any marker of the trunk.

    Examples
    --------
    >>> upper_parts(["CLAV", "C7", "STRN"])["head"]
    'lacks LFHD, RFHD, LBHD, RBHD'
    >>> upper_parts(["LASI"])
    {}
    """
    have = set(names)
    if not have & (NEEDED | ONE_OF):
        return {}
    lower = [name for name in ("STRN", *VERTEBRAE) if name in have]
    lacking = [name for name in ("CLAV", "C7") if name not in have]
    lacking += [] if lower else ["STRN or T10"]
    found = {"thorax": _told(["CLAV", "C7", *lower[:2]], lacking)}
    found["head"] = _told(HEAD, [name for name in HEAD if name not in have])
    for side, letter in LETTER.items():
        wrist = [letter + name for name in ONE_WRIST if letter + name in have]
        needed = [letter + "SHO", letter + "ELB"]
        missing = [name for name in needed if name not in have]
        missing += [] if wrist else [f"{letter}WRA or {letter}WRB"]
        hand = [letter + "FIN"] if letter + "FIN" in have else []
        found[f"{side} arm"] = _told([*needed, *wrist, *hand], missing)
    absent = [part for part, words in found.items() if words.startswith("lacks")]
    found["whole body"] = "centre of mass and loads at the waist"
    if absent:
        found["whole body"] = f"no centre of mass, no loads at the waist: no {', no '.join(absent)}"
    if lacking:
        found["whole body"] = "nothing above the legs is computed without the thorax"
    return found


def _told(names: Iterable[str], lacking: list[str]) -> str:
    return f"lacks {', '.join(lacking)}" if lacking else " ".join(names)

"""Information from the markers of a file before processing: task, landmarks, parts of the body."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gaitdyn.calibrate.axes import WALKED_M, find_axes
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import GaitdynError
from gaitdyn.events.task import recognise
from gaitdyn.landmarks import resolve
from gaitdyn.stages.upper import NEEDED, ONE_OF, VERTEBRAE
from gaitdyn.types.arrays import Array
from gaitdyn.types.landmarks import Resolution
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import LETTER, SIDES
from gaitdyn.upper.arms import ONE_WRIST, WRIST_PAIRS
from gaitdyn.upper.markers import HEAD


def task_word(
    recording: Recording, rows: Sequence[Mapping[str, Any]], options: Options
) -> str | None:
    """Return the task according to the paths of pelvis and feet; ``standing`` if nobody moves.

    The task is recognised from the markers; a run recognises it from the poses. None if pelvis or
    feet are not visible.

    Parameters
    ----------
    recording : Recording
        Recording with the labels of the file.
    rows : sequence of mapping
        Landmarks from :func:`gaitdyn.tables.marked_person.landmark_rows`.
    options : Options
        ``up`` and ``forward``.
    """
    index_of = {row["role"]: recording.labels.index(row["label"]) for row in rows if row["role"]}
    feet_ends = {s: ends for s in SIDES if (ends := _foot_ends(index_of, LETTER[s])) is not None}
    if not {"LASI", "RASI"} <= set(index_of) or len(feet_ends) < len(SIDES):
        return None
    named = replace(
        recording, labels=tuple(index_of), markers_L=recording.markers_L[:, list(index_of.values())]
    )
    try:
        R_GL = find_axes(named, options.up, options.forward)
    except GaitdynError:
        return None
    markers = named.markers_L @ R_GL.T
    path_of = dict(zip(named.labels, np.moveaxis(markers, 1, 0), strict=True))
    pelvis = 0.5 * (path_of["LASI"] + path_of["RASI"])
    feet: dict[str, tuple[Array, Array]] = {
        side: (path_of[heel], path_of[toe]) for side, (heel, toe) in feet_ends.items()
    }
    paths = [x[complete_rows(x)] for x in (pelvis, *(x for pair in feet.values() for x in pair))]
    if not all(map(len, paths)):
        return None
    moved = [np.ptp(path, axis=0) for path in paths]
    if max(float(np.linalg.norm(extent)) for extent in moved) < WALKED_M:
        return "standing"
    return recognise(pelvis, feet, np.array([1.0, 0.0, 0.0]), recording.rate_hz)


def _foot_ends(labels: dict[str, int], letter: str) -> tuple[str, str] | None:
    """Return the markers at heel and toes of a foot, or None if one is missing."""
    toes = [letter + role for role in ("TOE", "MT5", "MT1") if letter + role in labels]
    return (letter + "HEE", toes[0]) if toes and letter + "HEE" in labels else None


def landmark_rows(recording: Recording, static: Recording | None) -> dict[str, Any]:
    """Return the landmarks, the other points and the findings of a file.

    Parameters
    ----------
    recording : Recording
    static : Recording or None
        Static trial, resolved together with it; landmarks that only it has are returned, too.
    """
    of_trial, of_static = resolve(recording, static)
    return {
        "landmarks": _marks(of_trial),
        "static_only": [] if of_static is None else _lacking(of_trial, of_static),
        "unresolved": [{"label": u.label, "why": u.why} for u in of_trial.unresolved],
        "findings": [
            {"level": f.level, "code": f.code, "scope": f.scope, "message": f.message}
            for f in of_trial.findings
        ],
    }


def _marks(resolution: Resolution) -> list[dict[str, Any]]:
    return [
        {
            "label": mark.label, "landmark": mark.code, "side": mark.side or None,
            "role": mark.role or None, "sure": mark.sure, "why": mark.why,
        }
        for mark in resolution.landmarks
    ]  # fmt: skip


def _lacking(of_trial: Resolution, of_static: Resolution) -> list[dict[str, Any]]:
    """Return the landmarks of the static that the trial does not show."""
    roles = {mark.role for mark in of_trial.landmarks if mark.role}
    return [row for row in _marks(of_static) if row["role"] and row["role"] not in roles]


def upper_parts(names: Iterable[str]) -> dict[str, str]:
    """Return thorax, head and arms with their markers, or with the markers they lack.

    Parameters
    ----------
    names : iterable of str
        Landmarks, with the names used by the models.

    Returns
    -------
    dict
        ``thorax``, ``head``, ``left arm``, ``right arm`` and ``whole body`` -> words; empty without
        any marker of trunk, head or arms.

    Examples
    --------
    >>> upper_parts(["CLAV", "C7", "STRN"])["head"]
    'lacks LFHD, RFHD, LBHD, RBHD'
    >>> upper_parts(["LSHO", "LELB", "LWRA"])["left arm"]
    "LSHO LELB LWRA; the wrist's one marker counts as its centre"
    >>> upper_parts(["LASI"])
    {}
    """
    present = set(names)
    arms = {letter + name for letter in LETTER.values() for name in ("SHO", "ELB", *ONE_WRIST)}
    if not present & {*NEEDED, *ONE_OF, *HEAD, *arms}:
        return {}
    lower_trunk = [name for name in ("STRN", *VERTEBRAE) if name in present]
    lacking = [name for name in ("CLAV", "C7") if name not in present]
    lacking += [] if lower_trunk else ["STRN or T10"]
    parts = {"thorax": _marker_words(["CLAV", "C7", *lower_trunk[:2]], lacking)}
    parts["head"] = _marker_words(HEAD, [name for name in HEAD if name not in present])
    for side, letter in LETTER.items():
        wrist = [letter + name for name in ONE_WRIST if letter + name in present]
        needed = [letter + "SHO", letter + "ELB"]
        missing = [name for name in needed if name not in present]
        missing += [] if wrist else [f"{letter}WRA or {letter}WRB"]
        hand = [letter + "FIN"] if letter + "FIN" in present else []
        words = _marker_words([*needed, *wrist, *hand], missing)
        paired = any({letter + a, letter + b} <= present for a, b in WRIST_PAIRS)
        coarse = "" if paired or missing else "; the wrist's one marker counts as its centre"
        parts[f"{side} arm"] = words + coarse
    incomplete = [part for part, words in parts.items() if words.startswith("lacks")]
    parts["whole body"] = "centre of mass and loads at the waist"
    if incomplete:
        without = ", no ".join(incomplete)
        parts["whole body"] = f"no centre of mass, no loads at the waist: no {without}"
    if lacking:
        parts["whole body"] = "nothing above the legs is computed without the thorax"
    return parts


def _marker_words(names: Iterable[str], lacking: list[str]) -> str:
    return f"lacks {', '.join(lacking)}" if lacking else " ".join(names)

"""What a file shows, in one word, before it is processed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.calibrate.axes import WALKED_M, find_axes
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import GaitdynError
from gaitdyn.events.task import recognise
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
        Landmarks of :func:`gaitdyn.tables.landmark_rows.landmark_rows`.
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

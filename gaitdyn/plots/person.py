"""The person of a file from front and side, each landmark with its label."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.headline import EDGE_MM, header_height, headline
from gaitdyn.plots.marks import (
    AMBER,
    COLOUR,
    FAINT,
    GREY,
    INK,
    PALE,
    Line,
    Sheet,
    Stroke,
    TextLine,
    segment,
)

if TYPE_CHECKING:
    from gaitdyn.plots.marks import Mark
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.landmarks import Landmark, Resolution
    from gaitdyn.types.recording import Recording

_WIDTH, _VIEW, _TALLEST = 200.0, 92.0, 175.0
_COLUMN, _ROW = 21.0, 2.45
_DOT = 0.55
_SIZE_PT = 5.2
_LEADER = Stroke(FAINT, 0.5, level=1)
_FLOOR = Stroke(PALE, 0.8, level=1)
_MARGIN_M = 0.06


def person_sheet(recording: Recording, resolution: Resolution) -> Sheet | None:
    """Return the drawing, or ``None`` when the file shows no person whose up is known.

    The frame is the one that shows most landmarks. A label stands in the colour of its side, a
    doubtful one in amber.

    Parameters
    ----------
    recording : Recording
    resolution : Resolution
        Of this recording.
    """
    standing, marks = resolution.standing, list(resolution.landmarks)
    if standing is None or not marks:
        return None
    at = recording.markers_L[:, [mark.index for mark in marks]]
    frame = int(np.isfinite(at[..., 0]).sum(axis=1).argmax())
    shown = [k for k in range(len(marks)) if np.isfinite(at[frame, k, 0])]
    marks, points = [marks[k] for k in shown], at[frame, shown]
    up = np.zeros(3)
    up["XYZ".index(standing.up[1])] = 1.0 if standing.up[0] == "+" else -1.0
    left = np.array(standing.left_L)
    if not np.isfinite(left).all():
        return None
    forward = np.cross(left, up) * (-1.0 if standing.mirrored else 1.0)
    high = points @ up - standing.floor_m
    words = [_key(frame + recording.first_frame, standing.up), _counts(len(marks), resolution)]
    views = ((points @ left, "from the front"), (points @ forward, "from the right side"))
    wide = max(0.3, *(float(np.ptp(across)) for across, _ in views))
    top = max(float(high.max()), 0.3) + _MARGIN_M
    scale = min((_VIEW - 2 * _COLUMN) / wide, _TALLEST / top)
    height = header_height(words, _WIDTH) + scale * top + 8.0 + 2 * EDGE_MM
    drawn, _ = headline(f"Landmarks of {recording.name}", words, _WIDTH, height)
    for n, (across, name) in enumerate(views):
        x = EDGE_MM + n * _VIEW
        drawn += _view(x, (across, high), scale, marks)
        drawn.append(TextLine(x + _VIEW / 2, EDGE_MM - 4.5, name, 7.0, GREY, "center"))
    return Sheet(_WIDTH, height, tuple(drawn))


def _key(frame: int, up: str) -> str:
    return (
        f"frame {frame}; up is {up}; label and landmark; amber: doubtful; grey: recognised and not"
        " used"
    )


def _counts(shown: int, resolution: Resolution) -> str:
    return (
        f"{shown} of {len(resolution.landmarks)} landmarks are seen in this frame,"
        f" {len(resolution.unresolved)} points of the file are not landmarks"
    )


def _view(x: float, where: tuple[Array, Array], scale: float, marks: list[Landmark]) -> list[Mark]:
    """Return one view; labels stand in a column on either side."""
    across, high = where
    middle = (float(across.min()) + float(across.max())) / 2
    at = np.stack([x + _VIEW / 2 + scale * (across - middle), EDGE_MM + scale * high], axis=-1)
    edges = x + _COLUMN, x + _VIEW - _COLUMN
    out: list[Mark] = [segment((edges[0], EDGE_MM), (edges[1], EDGE_MM), _FLOOR)]
    right = at[:, 0] > np.median(at[:, 0])
    return (
        out + _column(edges[0] - 2.0, ~right, at, marks) + _column(edges[1] + 2.0, right, at, marks)
    )


def _column(edge: float, here: Mask, at: Array, marks: list[Landmark]) -> list[Mark]:
    """Return the points of one half of a view, each led to its label at the edge."""
    rows = np.flatnonzero(here)
    rows = rows[np.argsort(at[rows, 1])]
    out: list[Mark] = []
    for k, y in zip(rows, spread(at[rows, 1], EDGE_MM).tolist(), strict=True):
        colour = _colour(marks[k])
        text = f"{marks[k].label}  {marks[k].code}"
        out += [
            Line(np.array([at[k], [edge, y]]), _LEADER),
            Line(at[k] + np.array([[-_DOT, 0.0], [_DOT, 0.0]]), Stroke(colour, 3.0)),
            TextLine(edge, y - 0.6, text, _SIZE_PT, colour, "right" if edge < at[k, 0] else "left"),
        ]
    return out


def _colour(mark: Landmark) -> str:
    if not mark.role:
        return GREY
    return AMBER if mark.sure == "doubtful" else COLOUR.get(mark.side, INK)


def spread(heights: Array, lowest: float = 0.0) -> Array:
    """Return heights in rising order pushed apart until no two labels overlap.

    Examples
    --------
    >>> spread(np.array([1.0, 1.0, 9.0]), lowest=1.0).tolist()
    [1.0, 3.45, 9.0]
    """
    out = heights.astype(float).copy()
    for _ in range(200):
        gaps = _ROW - np.diff(out)
        close = gaps > 1e-6  # noqa: PLR2004
        if not close.any():
            break
        push = np.where(close, gaps / 2, 0.0)
        out[:-1] -= push
        out[1:] += push
    for k in range(len(out)):
        out[k] = max(out[k], lowest if k == 0 else out[k - 1] + _ROW)
    return out

"""The person of a file from front and side, each landmark with its label."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.headline import EDGE_MM, header_height, headline
from gaitdyn.plots.marks import AMBER, COLOUR, FAINT, GREY, INK, PALE, Line, Sheet, Stroke, Words

if TYPE_CHECKING:
    from gaitdyn.plots.marks import Mark
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.landmarks import Landmark, Resolution
    from gaitdyn.types.recording import Recording

_WIDTH, _VIEW, _TALL = 190.0, 87.0, 190.0
_COLUMN, _ROW = 24.0, 2.45
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
    words = [
        f"frame {frame + recording.first_frame}; up is {standing.up}; label and landmark; amber:"
        " doubtful; grey: recognised and not used",
        f"{len(marks)} of {len(resolution.landmarks)} landmarks are seen in this frame,"
        f" {len(resolution.unresolved)} points of the file are no landmark",
    ]
    height = header_height(words, _WIDTH) + _TALL + 2 * EDGE_MM
    drawn, _ = headline(f"Landmarks of {recording.name}", words, _WIDTH, height)
    top = max(float(high.max()), 0.3) + _MARGIN_M
    views = ((points @ left, "from the front"), (points @ forward, "from the right side"))
    for n, (across, name) in enumerate(views):
        x = EDGE_MM + n * _VIEW
        drawn += _view(x, (across, high), top, marks)
        drawn.append(Words(x + _VIEW / 2, EDGE_MM - 4.5, name, 7.0, GREY, "center"))
    return Sheet(_WIDTH, height, tuple(drawn))


def _view(x: float, where: tuple[Array, Array], top: float, marks: list[Landmark]) -> list[Mark]:
    """Return one view: points at one scale, labels in a column on either side."""
    across, high = where
    room = _VIEW - 2 * _COLUMN
    middle = (float(across.min()) + float(across.max())) / 2
    wide = max(float(np.ptp(across)), 0.3)
    scale = min(room / wide, (_TALL - 6.0) / top)
    px = x + _VIEW / 2 + scale * (across - middle)
    py = EDGE_MM + scale * high
    out: list[Mark] = [_line((x + _COLUMN, EDGE_MM), (x + _VIEW - _COLUMN, EDGE_MM), _FLOOR)]
    right = px > np.median(px)
    for here, edge, align in (
        (~right, x + _COLUMN - 2.0, "right"),
        (right, x + _VIEW - _COLUMN + 2.0, "left"),
    ):
        rows = np.flatnonzero(here)
        rows = rows[np.argsort(py[rows])]
        for k, y in zip(rows, spread(py[rows]), strict=True):
            colour = _colour(marks[k])
            out += [
                _line((px[k], py[k]), (edge, y), _LEADER),
                _line((px[k] - _DOT, py[k]), (px[k] + _DOT, py[k]), Stroke(colour, 3.0)),
                Words(edge, y - 0.6, f"{marks[k].label}  {marks[k].code}", _SIZE_PT, colour, align),
            ]  # fmt: skip
    return out


def _line(start: tuple[float, float], end: tuple[float, float], stroke: Stroke) -> Line:
    return Line(np.array([start, end]), stroke)


def _colour(mark: Landmark) -> str:
    if not mark.role:
        return GREY
    return AMBER if mark.sure == "doubtful" else COLOUR.get(mark.side, INK)


def spread(heights: Array) -> Array:
    """Return heights in rising order pushed apart until no two labels overlap.

    Examples
    --------
    >>> bool(np.diff(spread(np.array([1.0, 1.0, 1.0]))).min() > 2.4)
    True
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
    return out

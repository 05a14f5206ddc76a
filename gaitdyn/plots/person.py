"""Draw the person in a file from the front and the side, each landmark with its label."""

from __future__ import annotations

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
    Mark,
    Sheet,
    Stroke,
    TextLine,
    segment,
    shortened,
)
from gaitdyn.plots.typeface import regular_width
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
    """Draw the landmarks; return ``None`` if no standing person with a known vertical is found.

    The frame is the one with the most visible landmarks. A label has the colour of its side; a
    doubtful one is amber.

    Parameters
    ----------
    recording : Recording
    resolution : Resolution
        Landmarks of this recording.
    """
    standing, marks = resolution.standing, list(resolution.landmarks)
    if standing is None or not marks:
        return None
    markers_L = recording.markers_L[:, [mark.index for mark in marks]]
    frame = int(np.isfinite(markers_L[..., 0]).sum(axis=1).argmax())
    visible = [k for k in range(len(marks)) if np.isfinite(markers_L[frame, k, 0])]
    marks, points = [marks[k] for k in visible], markers_L[frame, visible]
    up = np.zeros(3)
    up["XYZ".index(standing.up[1])] = 1.0 if standing.up[0] == "+" else -1.0
    left = np.array(standing.left_L)
    if not np.isfinite(left).all():
        return None
    forward = np.cross(left, up) * (-1.0 if standing.mirrored else 1.0)
    heights = points @ up - standing.floor_m
    lines = [_key(frame + recording.first_frame, standing.up), _counts(len(marks), resolution)]
    views = ((points @ left, "from the front"), (points @ forward, "from the right side"))
    widest = max(0.3, *(float(np.ptp(across)) for across, _ in views))
    tallest = max(float(heights.max()), 0.3) + _MARGIN_M
    scale = min((_VIEW - 2 * _COLUMN) / widest, _TALLEST / tallest)
    drawn: list[Mark] = []
    for n, (across, name) in enumerate(views):
        x = EDGE_MM + n * _VIEW
        drawn += _view(x, (across, heights), scale, marks)
        drawn.append(TextLine(x + _VIEW / 2, EDGE_MM - 4.5, name, 7.0, GREY, "center"))
    top = max(EDGE_MM + scale * tallest, *(m.y + _ROW for m in drawn if isinstance(m, TextLine)))
    height = header_height(lines, _WIDTH) + top + 8.0 + EDGE_MM
    drawn += headline(f"Landmarks of {recording.name}", lines, _WIDTH, height)[0]
    return Sheet(_WIDTH, height, tuple(drawn))


def _key(frame: int, up: str) -> str:
    return (
        f"frame {frame}; up is {up}; label and landmark; amber: doubtful; grey: recognised but not"
        " used"
    )


def _counts(shown: int, resolution: Resolution) -> str:
    return (
        f"visible in this frame: {shown} of {len(resolution.landmarks)} landmarks; points of the"
        f" file that are not landmarks: {len(resolution.unresolved)}"
    )


def _view(
    x: float, coordinates: tuple[Array, Array], scale: float, marks: list[Landmark]
) -> list[Mark]:
    """Draw one view, with a column of labels on each side."""
    across, high = coordinates
    middle = (float(across.min()) + float(across.max())) / 2
    points = np.stack([x + _VIEW / 2 + scale * (across - middle), EDGE_MM + scale * high], axis=-1)
    edges = x + _COLUMN, x + _VIEW - _COLUMN
    drawn: list[Mark] = [segment((edges[0], EDGE_MM), (edges[1], EDGE_MM), _FLOOR)]
    right = points[:, 0] > np.median(points[:, 0])
    drawn += _column(edges[0] - 2.0, ~right, points, marks)
    return drawn + _column(edges[1] + 2.0, right, points, marks)


def _column(edge: float, in_half: Mask, at: Array, marks: list[Landmark]) -> list[Mark]:
    """Draw the points of one half of a view, each with a line to its label at the edge."""
    rows = np.flatnonzero(in_half)
    rows = rows[np.argsort(at[rows, 1])]
    drawn: list[Mark] = []
    for k, y in zip(rows, spread_heights(at[rows, 1], EDGE_MM).tolist(), strict=True):
        colour = _colour(marks[k])
        code = f"  {marks[k].code}"
        room = _COLUMN - 2.0 - regular_width(code, _SIZE_PT)
        text = shortened(marks[k].label, room, _SIZE_PT, regular_width) + code
        drawn += [
            Line(np.array([at[k], [edge, y]]), _LEADER),
            Line(at[k] + np.array([[-_DOT, 0.0], [_DOT, 0.0]]), Stroke(colour, 3.0)),
            TextLine(edge, y - 0.6, text, _SIZE_PT, colour, "right" if edge < at[k, 0] else "left"),
        ]
    return drawn


def _colour(mark: Landmark) -> str:
    if not mark.role:
        return GREY
    return AMBER if mark.sure == "doubtful" else COLOUR.get(mark.side, INK)


def spread_heights(heights: Array, lowest: float) -> Array:
    """Return ascending heights, moved apart until no two labels overlap.

    Examples
    --------
    >>> spread_heights(np.array([1.0, 1.0, 9.0]), lowest=1.0).tolist()
    [1.0, 3.45, 9.0]
    """
    result = heights.astype(float).copy()
    for _ in range(200):
        gaps = _ROW - np.diff(result)
        close = gaps > 1e-6  # noqa: PLR2004
        if not close.any():
            break
        push = np.where(close, gaps / 2, 0.0)
        result[:-1] -= push
        result[1:] += push
    for k in range(len(result)):
        result[k] = max(result[k], lowest if k == 0 else result[k - 1] + _ROW)
    return result

"""The small picture beside a finding: the curve, the reference, and where they part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.clinic.palette import SIDE, mean_stroke, stroke
from gaitdyn.plots.clinic.panel import band_marks, foot_off_tick
from gaitdyn.plots.frames import Frame, known_lines
from gaitdyn.plots.marks import Line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.clinic.shown import PanelCurve
    from gaitdyn.plots.marks import Mark
    from gaitdyn.types.norms import Band

WIDTH, HEIGHT = 112.0, 56.0


def thumb_drawing(
    shown: Sequence[PanelCurve], spans: Sequence[tuple[float, float]], band: Band | None
) -> list[Mark]:
    """Return the picture of a finding: its sides, the band, brackets under the stretches.

    Parameters
    ----------
    shown : sequence of PanelCurve
        A curve of each side.
    spans : sequence of (float, float)
        Where each is farthest out, %.
    band : Band or None
    """
    means = [one.mean for one in shown if one.mean is not None]
    ends = [] if band is None else [band.mean - 2 * band.sd, band.mean + 2 * band.sd]
    values = np.concatenate([*means, *ends])
    known = values[np.isfinite(values)]
    low, high = float(known.min()), float(known.max())
    room = 0.04 * (high - low or 1.0)
    below = 4.0 + 4.0 * len(shown)
    frame = Frame(0.0, below, WIDTH, HEIGHT - below, (0.0, 100.0), (low - room, high + room))
    marks: list[Mark] = [] if band is None else band_marks(frame, band)
    at = np.linspace(0.0, 100.0, 101)
    for i, (one, (start, stop)) in enumerate(zip(shown, spans, strict=True)):
        if one.mean is not None:
            marks += known_lines(
                frame, at, one.mean, mean_stroke(one.side, 1.9), f"{one.side} mean"
            )
        if one.foot_off is not None:
            marks.append(foot_off_tick(frame, one.side, one.foot_off))
        x = frame.at(np.array([max(start - 1.0, 0.0), min(stop + 1.0, 100.0)]), frame.y[0])[:, 0]
        y = below - 4.0 - 4.0 * i
        marks.append(Line(np.stack((x, [y, y]), axis=1), stroke(SIDE[one.side], 2.6), "bracket"))
    return marks

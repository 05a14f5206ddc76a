"""The small picture next to a finding: the curve, the reference, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.plots.clinic.palette import SIDE, mean_stroke, stroke
from gaitdyn.plots.clinic.panel import band_marks, foot_off_tick
from gaitdyn.plots.clinic.shown import PanelCurve
from gaitdyn.plots.frames import Frame, known_lines
from gaitdyn.plots.marks import Line, Mark
from gaitdyn.types.norms import Band

WIDTH, HEIGHT = 112.0, 56.0


def thumb_drawing(
    shown: Sequence[PanelCurve], spans: Sequence[tuple[float, float]], band: Band | None
) -> list[Mark]:
    """Draw a finding: the curves of its sides, the band, and brackets below the phases.

    Parameters
    ----------
    shown : sequence of PanelCurve
        One curve per side.
    spans : sequence of (float, float)
        Phase in which each curve is farthest outside, %.
    band : Band or None
    """
    means = [curve.mean for curve in shown if curve.mean is not None]
    ends = [] if band is None else [band.mean - 2 * band.sd, band.mean + 2 * band.sd]
    values = np.concatenate([*means, *ends])
    known = values[np.isfinite(values)]
    low, high = float(known.min()), float(known.max())
    margin = 0.04 * (high - low or 1.0)
    below = 4.0 + 4.0 * len(shown)
    frame = Frame(0.0, below, WIDTH, HEIGHT - below, (0.0, 100.0), (low - margin, high + margin))
    marks: list[Mark] = [] if band is None else band_marks(frame, band)
    percent = np.linspace(0.0, 100.0, 101)
    for i, (curve, (start, stop)) in enumerate(zip(shown, spans, strict=True)):
        if curve.mean is not None:
            line = mean_stroke(curve.side, 1.9)
            marks += known_lines(frame, percent, curve.mean, line, f"{curve.side} mean")
        if curve.foot_off is not None:
            marks.append(foot_off_tick(frame, curve.side, curve.foot_off))
        x = frame.at(np.array([max(start - 1.0, 0.0), min(stop + 1.0, 100.0)]), frame.y[0])[:, 0]
        y = below - 4.0 - 4.0 * i
        marks.append(Line(np.stack((x, [y, y]), axis=1), stroke(SIDE[curve.side], 2.6), "bracket"))
    return marks

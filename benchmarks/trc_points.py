"""The markers of a TRC file as a recording, for the truth of labels alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject

if TYPE_CHECKING:
    from pathlib import Path

_METRES = {"mm": 1e-3, "cm": 1e-2, "m": 1.0}


def read_trc(path: Path) -> Recording:
    """Return the labels and markers of a TRC file; nothing else of it."""
    lines = path.read_text("latin-1").splitlines()
    head = dict(zip(lines[1].split(), lines[2].split(), strict=False))
    labels = [cell.strip() for cell in lines[3].split("\t")[2:] if cell.strip()]
    rows = [line.split("\t") for line in lines[4:] if line.split("\t")[0].strip().isdigit()]
    width = 3 * len(labels)
    table = np.full((len(rows), width), np.nan)
    for row, cells in zip(table, rows, strict=True):
        values = [float(c) if c.strip() else np.nan for c in cells[2 : 2 + width]]
        row[: len(values)] = values
    points = table.reshape(len(rows), len(labels), 3) * _METRES[head["Units"]]
    points[(points == 0).all(axis=-1)] = np.nan
    return Recording(
        path.name, "", float(head["DataRate"]), 1, 1, tuple(labels), points, {}, (), (), Subject()
    )

"""``stances.csv``: 101 rows a stance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.types.cycles import StanceCurves

_KEYS = ("side", "stance", "percent")


def write_stances(place: Path, stances: Sequence[StanceCurves]) -> None:
    """Write ``stances.csv``: 101 rows a stance, columns as in ``cycles.csv``."""
    names = list(dict.fromkeys(name for curves in stances for name in curves.names))
    lines = [",".join([*_KEYS, *names])]
    for curves in stances:
        at = {name: i for i, name in enumerate(curves.names)}
        empty = np.full(len(curves.values), np.nan)
        table = np.stack([curves.values[:, at[n]] if n in at else empty for n in names], axis=1)
        form = f"{curves.stance.side},{curves.stance.number},%d," + ",".join(["%.10g"] * len(names))
        lines += [form % (i, *row) for i, row in enumerate(table.tolist())]
    text = "\n".join([*lines, ""]).replace("nan", "")
    (place / "stances.csv").write_text(text, encoding="utf-8", newline="\n")

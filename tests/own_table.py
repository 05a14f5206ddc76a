"""A body-segment table with the numbers of one body, so that nothing is left to a regression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

Array = np.ndarray[Any, np.dtype[Any]]
Part = tuple[float, Array, Array]
"""Mass, kg; centre of mass from the proximal joint, m; inertia about it, kg m2; a right segment."""

ENDS = {
    "foot": ("ANK", "TOE"),
    "shank": ("knee centre", "ankle centre"),
    "thigh": ("hip centre", "knee centre"),
}
COLUMNS = (
    "segment,sex,proximal,distal,mass,cm_along,r_x,r_y,r_z,source,cm_x,cm_y,cm_z,r_xy,r_xz,r_yz"
)


def write_own_table(
    path: Path, parts: dict[str, Part], lengths: tuple[float, float, float], body_kg: float
) -> None:
    """Write foot, shank and thigh as a table.

    Parameters
    ----------
    path : Path
        Ends in ``.csv``.
    parts : dict
        ``foot``, ``shank``, ``thigh`` -> Part.
    lengths : tuple
        Of the three, m, as gaitdyn measures them.
    body_kg : float
    """
    lines = [COLUMNS]
    for (name, ends), length in zip(ENDS.items(), lengths, strict=True):
        mass, cm, inertia = parts[name]
        off = inertia[[0, 0, 1], [1, 2, 2]]
        radii = np.sqrt(np.diag(inertia) / mass) / length
        products = np.sign(off) * np.sqrt(np.abs(off) / mass) / length
        first = [name, "", *ends, f"{mass / body_kg:.12f}", ""]
        numbers = [f"{x:.12f}" for x in radii]
        more = [f"{x:.12f}" for x in (*cm / length, *products)]
        lines.append(",".join([*first, *numbers, "own", *more]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

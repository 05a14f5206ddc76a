"""Which curve stands where: the panels of the kinematics and the kinetics, no drawing library.

Limits are fixed so that two sessions compare (clinical conventions; N/kg is 9.81 times body weight
for the ground force). The words are the directions of the upper and the lower end of an axis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gaitdyn.catalogue.keys import key_of, swapped_name
from gaitdyn.dynamics.clinical import OPPOSITE
from gaitdyn.io.shipped import shipped_rows

if TYPE_CHECKING:
    from collections.abc import Container


@dataclass(frozen=True, slots=True)
class Panel:
    """One small graph.

    Attributes
    ----------
    name : str
        Column of ``cycles.csv``; of a moment the internal one in segment axes, see
        :func:`fitting_panel`.
    title : str
    unit : str
    limits : tuple of float
    top, bottom : str
        What a positive and a negative value mean.
    of_stance : bool
        Whether it is there while the foot stands alone, and complete with that.
    """

    name: str
    title: str
    unit: str
    limits: tuple[float, float]
    top: str
    bottom: str
    of_stance: bool = False


Grid = tuple[tuple[Panel, ...], ...]

_AXES = {"z": "to the right", "x": "forward", "y": "up"}
"""Axes of the laboratory in the order of the planes in which they turn."""


def _grid(name: str) -> Grid:
    """Return a grid of ``resources/report/panels.csv``."""
    rows: dict[str, list[Panel]] = {}
    for r in _ROWS:
        if r["grid"] == name:
            limits, stance = (float(r["low"]), float(r["high"])), bool(r["of_stance"])
            panel = Panel(
                r["curve"], r["title"], r["unit"], limits, r["top"], r["bottom"], of_stance=stance
            )
            rows.setdefault(r["row"], []).append(panel)
    return tuple(map(tuple, rows.values()))


_ROWS = shipped_rows("report/panels.csv")
KINEMATICS = _grid("kinematics")
"""Rows pelvis, hip, knee, ankle and foot; columns sagittal, frontal, transverse."""
TRUNK = _grid("trunk")
"""Rows trunk against the walking direction, trunk against pelvis; where the markers are there."""
KINETICS = _grid("kinetics")
"""Rows hip, knee, ankle, ground force; columns the three planes (or directions) and power."""
ARMS = _grid("arms")
"""Moments of arms and low back in one row; where their markers are there."""
JOINT_FORCES = _grid("joint_forces")
"""Net forces of the proximal on the distal segment in axes of the distal one."""
INDUCED = _grid("induced")
"""Acceleration of the centre of mass by what makes it."""


def fitting_panel(panel: Panel, names: Container[str]) -> Panel:
    """Return a moment's panel under the name that it has in the data.

    External moments have the opposite words, moments in the axes of the laboratory the letters
    x, y, z and limits alike on both sides. Other panels come back as they are.

    Parameters
    ----------
    panel : Panel
    names : container of str
        Columns that are there.

    Examples
    --------
    >>> fitting_panel(KINETICS[1][0], {"knee_moment_flexion"}).top
    'flexion'
    """
    key = key_of(panel.name)
    if not key.is_moment or panel.name in names or key.component not in OPPOSITE:
        return panel
    opposite = swapped_name(panel.name, names)
    if opposite is not None:
        return replace(panel, name=opposite, top=panel.bottom, bottom=panel.top)
    lab = key.in_laboratory()
    if lab.name not in names:
        return panel
    reach, axis = max(abs(limit) for limit in panel.limits), lab.component
    return Panel(
        lab.name,
        f"{key.part.capitalize()} moment about {axis} ({_AXES[axis]})",
        panel.unit,
        (-reach, reach),
        f"+{axis}",
        f"\u2212{axis}",
    )

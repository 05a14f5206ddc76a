"""The panels of kinematics and kinetics and their layout, without a drawing library.

Limits are fixed so that two sessions can be compared (clinical conventions; for the ground reaction
force, one body weight is 9.81 N/kg). Words name the directions of both ends of an axis.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from gaitdyn.catalogue.keys import key_of, swapped_name
from gaitdyn.dynamics.clinical import OPPOSITE
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.types.frozen import frozen


@frozen()
class Panel:
    """One small graph.

    Attributes
    ----------
    name : str
        Column of ``cycles.csv``; for a moment, the internal one in segment axes, see
        :func:`fitting_panel`.
    title : str
    unit : str
    limits : tuple of float
    top, bottom : str
        Meaning of positive and negative values.
    of_stance : bool
        Whether the curve exists only in stance, and is complete if stance is.
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
"""Axes of the laboratory, in the order of the planes perpendicular to them."""


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
"""Rows: pelvis, hip, knee, ankle and foot; columns: sagittal, frontal, transverse."""
TRUNK = _grid("trunk")
"""Rows: trunk relative to the walking direction and to the pelvis; if there are markers."""
KINETICS = _grid("kinetics")
"""Rows: hip, knee, ankle, ground force; columns: the three planes (or directions) and power."""
ARMS = _grid("arms")
"""Moments of arms and low back in one row; if there are markers."""
JOINT_FORCES = _grid("joint_forces")
"""Net forces of the proximal on the distal segment, in axes of the distal segment."""
INDUCED = _grid("induced")
"""Acceleration of the centre of mass by cause."""


def fitting_panel(panel: Panel, names: Container[str]) -> Panel:
    """Return the panel of a moment with the name that the moment has in the data.

    External moments have the opposite words. Moments in laboratory axes have the letters x, y, z
    and symmetric limits. Other panels are returned unchanged.

    Parameters
    ----------
    panel : Panel
    names : container of str
        Columns of the data.

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

"""A figure of a few curves of one result, on the scales of the report if it shows them."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import key_of, sideless
from gaitdyn.cycles.normalise import PER_KG
from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.dynamics.clinical import MOMENTS, UPPER_MOMENTS
from gaitdyn.errors import UsageError
from gaitdyn.kinematics.angles import ANGLES
from gaitdyn.plots.frames import known_range
from gaitdyn.plots.grid import grid_sheet
from gaitdyn.plots.grid_style import over_time
from gaitdyn.plots.headline import filter_line, moment_line, trial_name
from gaitdyn.plots.panels import JOINT_FORCES, KINEMATICS, KINETICS, Panel, fitting_panel
from gaitdyn.types.arguments import told
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.figure import Figure

    from gaitdyn.types.curves import Curve
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.result import Processed

_ACROSS = 3
_OF_BODY = ("com_x", "com_y", "com_z", "com_velocity", "margin_of_stability")
_OF_GROUND = ("grf_x", "grf_y", "grf_z", "free_moment")


def plot_curves(
    result: Processed, curves: Sequence[Curve], cycles: Sequence[CycleCurves], name: str
) -> Figure:
    """Return a figure of the curves with a name, or with names that begin with it.

    Parameters
    ----------
    result : Processed
    curves : sequence of Curve
    cycles : sequence of CycleCurves
        Cycles of these curves; without any, they are drawn over time.
    name : str
        Name without the side, such as ``knee_moment``.

    Raises
    ------
    UsageError
        If no curve has such a name.
    """
    from gaitdyn.plots.render import figure_of

    if not isinstance(name, str):
        message = f"name is {told(name)}, wanted one text, the beginning of a curve's name"
        raise UsageError(f"{message}, such as 'knee_moment'")
    strips, abscissa = over_time(result, curves, cycles)
    known = list(dict.fromkeys(n for strip in strips for n in strip.names))
    names = [n for n in known if n == name] or [n for n in known if n.startswith(f"{name}_")]
    if not names:
        absent = _absent(name, known, result) if known else ""
        place = "" if _begins_one(_meant(name), known) else _place(name, curves)
        raise UsageError(place or absent or _no_curve(name, known))
    usual_panels = {p.name: p for p in _panels(known)}
    units = {sideless(c.name): c.unit for c in curves}
    panels = [usual_panels.get(n) or _panel(n, units.get(n, ""), strips) for n in names]
    wholes = {panel.title.rpartition(", ")[0] for panel in panels}
    words = wholes.pop() if len(wholes) == 1 else ""
    heading = f"{words or _title(name)} \u2013 {trial_name(result)}"
    of_moments = any(key_of(n).is_moment for n in names)
    lines = [". ".join([*([moment_line(result)] if of_moments else []), filter_line(result)])]
    rows = tuple(tuple(panels[i : i + _ACROSS]) for i in range(0, len(panels), _ACROSS))
    return figure_of(grid_sheet(rows, strips, abscissa, (heading, lines), "not known"))


def _place(name: str, curves: Sequence[Curve]) -> str:
    """Return the message for the name of places in the laboratory, which no figure has, or ""."""
    meant = _meant(name)
    columns = [
        curve.name
        for curve in curves
        if key_of(curve.name).is_place and f"{sideless(curve.name)}_".startswith(f"{meant}_")
    ]
    if not columns:
        return ""
    return (
        f"{told(name)} is a place in the laboratory, which a figure over the gait cycle does not"
        f" show; result.to_frame() has it: {columns[0]} and others"
    )


def _absent(name: str, known: Sequence[str], result: Processed) -> str:
    """Return why this trial lacks a curve that other trials have; "" for an unknown name."""
    from gaitdyn.upper.angles import ANGLES as UPPER_ANGLES

    meant = _meant(name)
    above = [*_of_joints(UPPER_ANGLES, UPPER_MOMENTS), *_OF_BODY]
    is_above = _begins_one(_stem(meant), above)
    is_missing = is_above or _begins_one(_stem(meant), [*_of_joints(ANGLES, MOMENTS), *_OF_GROUND])
    if not is_missing or _begins_one(meant, known) or _begins_one(_stem(meant), known):
        return ""
    why = "the findings of the result say why"
    if is_above and result.pose.planar:
        why = "movement in one plane does not show it"
    elif is_above and result.upper is None:
        why = "it needs markers of the trunk, C7, CLAV and STRN or T10"
    elif not key_of(meant).is_angle and result.no_kinetics:
        why = result.no_kinetics
    return f"this trial has no curve {told(name)}: {why}"


def _of_joints(angles: Iterable[str], moments: Iterable[str]) -> list[str]:
    loads = [f"{joint}_{what}" for joint in moments for what in ("moment", "force", "power")]
    return [*(f"{part}_angle" for part in angles), *loads]


def _meant(name: str) -> str:
    """Return a name without the side before it."""
    side, _, rest = name.partition("_")
    return rest if side in SIDES else name


def _begins_one(word: str, names: Iterable[str]) -> bool:
    return any(f"{name}_".startswith(f"{word}_") for name in names)


def _no_curve(name: str, known: Sequence[str]) -> str:
    """Return the message for an unknown name, with the name that was probably meant."""
    meant, stems = _meant(name), list(dict.fromkeys(map(_stem, known)))
    near = get_close_matches(meant, [*stems, *known], 1, 0.6)
    matches = [meant] if _begins_one(meant, known) else near
    if matches:
        sides = " (a figure holds both sides)" if meant != name else ""
        return f"there is no curve {told(name)}; did you mean {matches[0]!r}{sides}?"
    if not stems:
        return f"there is no curve {told(name)}, nor any other; the findings of the result say why"
    return f"there is no curve {told(name)}; wanted one of {', '.join(stems)}"


def _stem(name: str) -> str:
    """Return the part of a name that its components share.

    >>> _stem("knee_moment_extension"), _stem("margin_of_stability_lateral")
    ('knee_moment', 'margin_of_stability')
    """
    words = name.split("_")
    return "_".join(words[: 3 if words[1:2] == ["of"] else 2])


def _panels(names: Sequence[str]) -> list[Panel]:
    grids = (*KINEMATICS, *KINETICS, *JOINT_FORCES)
    return [fitting_panel(panel, names) for row in grids for panel in row]


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _panel(name: str, unit: str, strips: Sequence[CurveStrip]) -> Panel:
    """Return a panel for a curve that the report does not show, with a scale that contains it."""
    values = np.concatenate([strip.curve(name) for strip in strips])
    low, high = known_range(values, (-1.0, 1.0))
    margin = max(0.05 * (high - low), 1e-3)
    limits = (low - margin, high + margin)
    ends = ("generation", "absorption") if unit == "W" else ("", "")
    return Panel(name, _title(name), PER_KG.get(unit, unit), limits, *ends)

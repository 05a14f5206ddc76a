"""Layout of the panels: one column per joint, one row per plane, for angles and for loads."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

from gaitdyn.catalogue.keys import internal_name, key_of
from gaitdyn.plots.panels import ARMS, KINEMATICS, KINETICS, TRUNK, Panel, fitting_panel
from gaitdyn.types.frozen import frozen

_TITLES = {
    "hip_angle_internal_rotation": "Hip rotation",
    "knee_angle_adduction": "Knee adduction (varus)",
    "knee_angle_internal_rotation": "Knee rotation",
    "grf_x": "Fore-aft force",
    "grf_y": "Vertical force",
    "grf_z": "Sideways force",
}
_ENDS = {
    "pelvis_angle_tilt": ("forward", "back"),
    "pelvis_angle_rotation": ("fwd", "back"),
    "foot_angle_progression": ("in", "out"),
    "grf_y": ("up", ""),
    "grf_z": ("medial", "lateral"),
}
_WORDS = {
    "anterior": "forward",
    "extension": "ext",
    "flexion": "flex",
    "abduction": "abd",
    "adduction": "add",
    "internal_rotation": "int rot",
    "external_rotation": "ext rot",
    "internal": "int",
    "external": "ext",
    "generation": "gen",
    "absorption": "abs",
    "backward": "back",
    "forward": "fwd",
    "plantar": "plant",
    "dorsi": "dors",
}
KEY = ""
"""Name of the cell that contains the key instead of a panel."""

_KINEMATIC = (
    ("pelvis_angle_tilt", "hip_angle_flexion", "knee_angle_flexion", "ankle_angle_dorsiflexion"),
    ("pelvis_angle_obliquity", "hip_angle_adduction", "knee_angle_adduction", KEY),
    (
        "pelvis_angle_rotation", "hip_angle_internal_rotation", "knee_angle_internal_rotation",
        "foot_angle_progression",
    ),
)  # fmt: skip
_KINETIC = (
    ("hip_moment_extension", "knee_moment_extension", "ankle_moment_plantarflexion", "grf_y"),
    ("hip_moment_abduction", "knee_moment_abduction", KEY, "grf_x"),
    ("hip_power", "knee_power", "ankle_power", KEY),
)
_TRANSVERSE = (
    (
        "hip_moment_external_rotation", "knee_moment_external_rotation",
        "ankle_moment_external_rotation", "grf_z",
    ),
)  # fmt: skip
_INVERSION = "ankle_angle_inversion"
_TRUNK = ("trunk_angle_tilt", "trunk_angle_obliquity", "trunk_angle_rotation")
"""Fifth column, if the results have these angles."""

_PANELS = {
    panel.name: panel
    for grid in (KINEMATICS, KINETICS, TRUNK, ARMS)
    for row in grid
    for panel in row
}


@frozen()
class Cell:
    """One cell of a grid.

    Attributes
    ----------
    panel : Panel or None
        None in the cell of the key.
    title : str
        Short title.
    last : bool
        Whether it is the lowest in its column, with numbers on its horizontal axis.
    """

    panel: Panel | None
    title: str = ""
    last: bool = False


Grid = tuple[tuple[Cell, ...], ...]


def kinematic_grid(names: Container[str], *, inverts: bool = False) -> Grid:
    """Return the grid of angles: columns pelvis, hip, knee, ankle and foot, rows the three planes.

    If there are angles of the trunk, its column comes last.

    Parameters
    ----------
    names : container of str
        Curves in the results.
    inverts : bool
        Whether the markers show inversion of the foot; if not, the key takes its cell.
    """
    rows = _KINEMATIC
    if inverts and _INVERSION in names:
        rows = tuple(tuple(name or _INVERSION for name in row) for row in rows)
    if any(name in names and name in _PANELS for name in _TRUNK):
        rows = tuple((*row, name) for row, name in zip(rows, _TRUNK, strict=True))
    return _cells(rows, names)


def kinetic_grid(names: Container[str]) -> Grid:
    """Return the grid of moments, powers and ground reaction force: hip, knee, ankle, force.

    Parameters
    ----------
    names : container of str
        Curves in the results.
    """
    return _cells(_KINETIC, names)


def transverse_grid(names: Container[str]) -> Grid:
    """Return the grid of transverse moments and the sideways force, which are seldom needed.

    Moments of arms and low back follow below if the results have them.
    """
    arms = tuple(tuple(panel.name for panel in row) for row in ARMS)
    has_arms = any(fitting_panel(panel, names).name in names for row in ARMS for panel in row)
    return _cells((*_TRANSVERSE, *(arms if has_arms else ())), names)


def trunk_grid() -> Grid:
    """Return the grid of trunk angles relative to the walking direction and to the pelvis."""
    names = tuple(tuple(panel.name for panel in row) for row in TRUNK)
    return _cells(names, {name for row in names for name in row})


def cells_of(grid: Grid) -> list[Cell]:
    """Return the cells with a panel, in their order."""
    return [cell for row in grid for cell in row if cell.panel is not None]


def _cells(rows: Iterable[tuple[str, ...]], names: Container[str]) -> Grid:
    rows = tuple(rows)
    return tuple(
        tuple(
            _cell(name, names, last=not any(lower[j] for lower in rows[i + 1 :]))
            for j, name in enumerate(row)
        )
        for i, row in enumerate(rows)
    )


def _cell(name: str, names: Container[str], *, last: bool) -> Cell:
    if name == KEY:
        return Cell(None)
    panel = fitting_panel(_PANELS[name], names)
    top, bottom = _ENDS.get(name, (panel.top, panel.bottom))
    words = (_WORDS.get(top, top), _WORDS.get(bottom, bottom))
    return Cell(replace(panel, top=words[0], bottom=words[1]), short_title(panel), last)


def short_title(panel: Panel) -> str:
    """Return a title that fits a narrow panel.

    Examples
    --------
    >>> short_title(_PANELS["hip_moment_extension"]), short_title(_PANELS["grf_y"])
    ('Hip ext moment', 'Vertical force')
    """
    if panel.name in _TITLES:
        return _TITLES[panel.name]
    key = key_of(panel.name)
    if key.quantity == "power":
        return f"{key.part.capitalize()} power"
    if not key.is_moment:
        return panel.title
    if key.component in ("x", "y", "z"):
        return f"{key.part.capitalize()} moment {key.component}"
    if key.component in ("plantarflexion", "dorsiflexion"):
        return f"{key.component.removesuffix('ion').capitalize()}or moment"
    return f"{key.part.capitalize()} {_WORDS.get(key.component, key.component)} moment"


def is_load(name: str) -> bool:
    """Return whether a curve is a moment, a power or a force."""
    key = key_of(internal_name(name))
    return key.is_moment or key.is_ground or key.quantity in ("power", "force")

"""The key of a curve, or of a number read off it, and its spelling as a column name.

This is the only module that parses column names. It answers whether a column is a moment, of which
joint, and what the same numbers are called in the other convention.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from functools import cache, lru_cache

from gaitdyn.dynamics.clinical import MOMENTS, OPPOSITE, UPPER_MOMENTS
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

QUANTITIES = ("angle", "moment", "force", "center", "power", "work")
GROUND = ("grf", "cop")
XYZ = ("x", "y", "z")
AXES = "zxy"
"""Axes of the laboratory in the order of the planes of rotation about them."""

OTHER = {**OPPOSITE, **{other: word for word, other in OPPOSITE.items()}}
_INTERNAL: dict[str, tuple[str, ...]] = {**MOMENTS, **UPPER_MOMENTS}


@frozen()
class Key:
    """What a column contains.

    Attributes
    ----------
    side : str
        ``left``, ``right``, or empty if there is no side or the table has a column for it.
    part : str
        Joint or segment, such as ``knee``; empty for the ground.
    quantity : str
        One of :data:`QUANTITIES` or :data:`GROUND`; empty for anything else.
    component : str
        Positive direction, plane or axis, followed by the peak or cause; empty for a total.
    """

    side: str
    part: str
    quantity: str
    component: str = ""

    @property
    def name(self) -> str:
        """The column's name.

        Examples
        --------
        >>> Key("left", "knee", "moment", "extension").name
        'left_knee_moment_extension'
        """
        words = (self.side, self.part, self.quantity, self.component)
        return "_".join(word for word in words if word)

    @property
    def is_moment(self) -> bool:
        """Whether it is a component of a joint moment, or a number read off one."""
        return self.quantity == "moment" and bool(self.component) and self.part != "free"

    @property
    def is_angle(self) -> bool:
        """Whether it is an angle, or a number read off one."""
        return self.quantity == "angle"

    @property
    def is_power_part(self) -> bool:
        """Whether it is a component of a joint power, or a number read off one, not the total."""
        return self.quantity == "power" and bool(self.component)

    @property
    def is_place(self) -> bool:
        """Whether it is a component of a position in the laboratory."""
        return self.quantity in ("center", "cop")

    @property
    def is_ground(self) -> bool:
        """Whether it is a ground reaction force."""
        return self.quantity == "grf"

    def swapped(self) -> Key | None:
        """Return the key in the other convention, with the opposite word; None if there is none.

        Examples
        --------
        >>> key_of("hip_moment_extension_max").swapped().name
        'hip_moment_flexion_max'
        """
        if not self.is_moment:
            return None
        longest_first = sorted(OTHER, key=len, reverse=True)
        word = next((w for w in longest_first if self._begins(w)), None)
        if word is None:
            return None
        return replace(self, component=OTHER[word] + self.component.removeprefix(word))

    def internal(self) -> Key:
        """Return the key with the words of the internal convention."""
        words = (w for w in _INTERNAL.get(self.part, ()) if w in OTHER)
        word = next((w for w in words if self._begins(OTHER[w])), None)
        if not self.is_moment or word is None:
            return self
        return replace(self, component=word + self.component.removeprefix(OTHER[word]))

    def plane(self) -> int:
        """Return the plane of a joint moment in any convention and axes: 0 is sagittal, 1, 2.

        Examples
        --------
        >>> key_of("knee_moment_adduction").plane(), key_of("ankle_moment_z").plane()
        (1, 0)
        """
        component = self.internal().component
        return AXES.index(component) if component in AXES else _INTERNAL[self.part].index(component)

    def in_laboratory(self) -> Key:
        """Return the same joint moment about the laboratory axis of its plane."""
        return replace(self, component=AXES[self.plane()])

    def _begins(self, word: str) -> bool:
        return self.component == word or self.component.startswith(f"{word}_")


@lru_cache(maxsize=4096)
def key_of(name: str) -> Key:
    """Return the key of a column, or of a number such as those of ``peaks.csv``.

    Parameters
    ----------
    name : str
        With or without the side.

    Examples
    --------
    >>> key_of("left_knee_angle_internal_rotation")
    Key(side='left', part='knee', quantity='angle', component='internal_rotation')
    >>> key_of("grf_y"), key_of("speed").name
    (Key(side='', part='', quantity='grf', component='y'), 'speed')
    """
    side = next((s for s in SIDES if name.startswith(f"{s}_")), "")
    words = name.removeprefix(f"{side}_").split("_") if side else name.split("_")
    if words[0] in GROUND:
        return Key(side, "", words[0], "_".join(words[1:]))
    for i, word in enumerate(words[1:], 1):
        if word in QUANTITIES:
            return Key(side, "_".join(words[:i]), word, "_".join(words[i + 1 :]))
    return Key(side, "_".join(words), "", "")


@lru_cache(maxsize=4096)
def sideless(name: str) -> str:
    """Return the name of a column without its side.

    Examples
    --------
    >>> sideless("left_knee_angle_flexion"), sideless("grf_y")
    ('knee_angle_flexion', 'grf_y')
    """
    return replace(key_of(name), side="").name


@cache
def internal_name(name: str) -> str:
    """Return the column of a moment or its peak with the words of the internal convention.

    Examples
    --------
    >>> internal_name("knee_moment_flexion"), internal_name("hip_moment_flexion_max")
    ('knee_moment_extension', 'hip_moment_extension_max')
    >>> internal_name("a_b")
    'a_b'
    """
    return key_of(name).internal().name


def swapped_name(name: str, names: Container[str] | None = None) -> str | None:
    """Return the name of the same numbers in the other convention; None if they have none.

    Parameters
    ----------
    name : str
    names : container of str, optional
        Existing columns.
    """
    swapped = key_of(name).swapped()
    if swapped is None or (names is not None and swapped.name not in names):
        return None
    return swapped.name

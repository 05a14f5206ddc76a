"""The curves that are judged and their errors: the table ``curves.csv``."""

from __future__ import annotations

from functools import cache

from gaitdyn.catalogue.keys import key_of
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES


@frozen()
class CurveRule:
    """One curve of the table.

    Attributes
    ----------
    name, title, family : str
        Column of ``cycles.csv``, its title, and the family for Holm's correction.
    test : str
        Between sessions: ``level and shape`` or ``band``.
    session_sd : float or None
        SD between sessions, in the unit of the curve.
    level_of_strides, norm_roughness : float
    between_laboratories : float or None
    by_speed : bool
    caution : str
        Why a verdict against a reference set is at most possible; empty if it may be clear.
    """

    name: str
    title: str
    family: str
    test: str
    session_sd: float | None
    level_of_strides: float
    norm_roughness: float
    between_laboratories: float | None
    by_speed: bool
    caution: str = ""

    @property
    def is_angle(self) -> bool:
        """Whether it is an angle rather than a load or a power."""
        return key_of(self.name).quantity == "angle"

    @property
    def quantity(self) -> str:
        """The quantity whose verdict applies: ``kinematics`` or ``kinetics``."""
        return "kinematics" if self.is_angle else "kinetics"

    @property
    def of_ground(self) -> bool:
        """Whether it is a ground force."""
        return key_of(self.name).quantity == "grf"

    @property
    def impact(self) -> bool:
        """Whether filters decide it after the strike: every load but the moment of the ankle."""
        key = key_of(self.name)
        return not self.is_angle and not (key.is_moment and key.part == "ankle")


@cache
def curve_rules() -> tuple[CurveRule, ...]:
    """Return the curves in the order of the table.

    Examples
    --------
    >>> rules = curve_rules()
    >>> rules[0].title, rules[0].session_sd, sum(rule.family == "angles" for rule in rules)
    ('pelvic tilt', 2.0, 9)
    """
    return tuple(_rule(row) for row in shipped_rows("statistics/curves.csv"))


def _rule(row: dict[str, str]) -> CurveRule:
    def number(name: str) -> float | None:
        return float(row[name]) if row[name] else None

    return CurveRule(
        row["curve"], row["title"], row["family"], row["test"],
        number("session_sd"), float(row["level_of_strides"]), float(row["norm_roughness"]),
        number("between_laboratories"), row["by_speed"] == "yes", row["caution"],
    )  # fmt: skip


def judged_curves(pelvis: str = "left") -> tuple[tuple[str, CurveRule], ...]:
    """Return (side, rule) of every curve, with the pelvis once: 15 angles of nine.

    Parameters
    ----------
    pelvis : {"left", "right"}
        The side whose cycle the pelvis is judged in.
    """
    return tuple(
        (side, rule)
        for rule in curve_rules()
        for side in SIDES
        if side == pelvis or key_of(rule.name).part != "pelvis"
    )

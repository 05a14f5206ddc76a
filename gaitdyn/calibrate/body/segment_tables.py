"""Body-segment tables: mass, centre of mass and inertia of segments as factors of mass and length.

A table has one row per segment, and per sex or age if it distinguishes them. A factor refers to the
length between the end points of its row.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import lru_cache

import numpy as np

from gaitdyn.errors import SexMissing, UsageError
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIGN

VENDOR_TABLE = "plug-in-gait"


@frozen()
class SegmentRow:
    """One row of a body-segment table.

    Attributes
    ----------
    segment, sex : str
        ``sex`` is empty if the row holds for both.
    proximal, distal : str
        End points of the length to which the factors refer; the corresponding point of the marker
        model is in parentheses, or is the whole text.
    mass_fraction : float
        Of body mass, one segment.
    cm_along : float
        Centre of mass from the proximal end point, fraction of the length; NaN if ``cm_axes`` gives
        it.
    radii : tuple of 3 float
        Radii of gyration about the x, y and z axes of the segment through the centre of mass,
        fractions of the length.
    source : str
    cm_axes : tuple of 3 float, optional
        Centre of mass from the proximal joint centre in the axes of a right segment, fractions
        of the length.
    products : tuple of 3 float
        Signed radii of I_xy, I_xz, I_yz of a right segment, fractions of the length:
        I_xy = sign(r) (r length)^2 mass, an element of the inertia tensor.
    age_years : float, optional
        Age to which the numbers refer; between two ages they are interpolated linearly.
    """

    segment: str
    sex: str
    proximal: str
    distal: str
    mass_fraction: float
    cm_along: float
    radii: tuple[float, float, float]
    source: str
    cm_axes: tuple[float, float, float] | None = None
    products: tuple[float, float, float] = (0.0, 0.0, 0.0)
    age_years: float | None = None

    @property
    def ends(self) -> tuple[str, str]:
        """The end points as points of the marker model, such as ``("ANK", "TOE")``."""
        return _point(self.proximal), _point(self.distal)


@lru_cache(maxsize=256)
def _point(text: str) -> str:
    """Return the point of the marker model that a table names in brackets."""
    return re.sub(r"^.*\(([^()]*)\)$", r"\1", text.strip())


@frozen()
class SegmentTable:
    """A named body-segment table."""

    name: str
    rows: tuple[SegmentRow, ...]

    @property
    def ages(self) -> tuple[float, ...]:
        """The ages of its rows, ascending; empty for a table without ages."""
        return tuple(sorted({row.age_years for row in self.rows if row.age_years is not None}))

    def at_age(self, age_years: float) -> SegmentTable:
        """Return the table for one age, interpolated linearly between neighbouring rows.

        Below the youngest and above the oldest row its numbers are used as they are; rows without
        an age are kept.
        """
        groups: dict[tuple[str, str], list[SegmentRow]] = {}
        for row in self.rows:
            groups.setdefault((row.segment, row.sex), []).append(row)
        return SegmentTable(self.name, tuple(_between(rows, age_years) for rows in groups.values()))

    def row(self, segment: str, sex: str = "") -> SegmentRow:
        """Return the row of a segment: that of the sex if there is one, else that of both.

        Raises
        ------
        UsageError
            If the table does not have the segment.
        SexMissing
            If the table has rows by sex and none for this one.
        """
        rows = [row for row in self.rows if row.segment == segment]
        if not rows:
            raise UsageError(f"the table {self.name} has no row for the {segment}")
        fitting = [row for row in rows if row.sex in {"", sex}]
        if not fitting:
            known = f"{sex!r}" if sex else "not known"
            raise SexMissing(
                f"the table {self.name} has rows by sex and the subject's is {known};"
                ' give sex = "f" or "m" in subject.toml'
            )
        return max(fitting, key=lambda row: row.sex)


def _between(rows: list[SegmentRow], age_years: float) -> SegmentRow:
    """Return the row for an age from those of one segment and sex."""
    rows = sorted(rows, key=lambda row: row.age_years or 0.0)
    if rows[0].age_years is None:
        return rows[0]
    ages = [row.age_years or 0.0 for row in rows]

    def interpolated(numbers: list[tuple[float, ...]]) -> tuple[float, float, float]:
        x, y, z = (
            float(np.interp(age_years, ages, column)) for column in zip(*numbers, strict=True)
        )
        return x, y, z

    centres = [row.cm_axes for row in rows if row.cm_axes is not None]
    return replace(
        rows[0],
        mass_fraction=float(np.interp(age_years, ages, [row.mass_fraction for row in rows])),
        cm_along=float(np.interp(age_years, ages, [row.cm_along for row in rows])),
        radii=interpolated([row.radii for row in rows]),
        products=interpolated([row.products for row in rows]),
        cm_axes=interpolated(list(centres)) if centres else None,
        age_years=None,
    )


def segment_inertia(row: SegmentRow, mass_kg: float, length_m: float, side: str) -> Array:
    """Return the inertia tensor of a segment about its centre of mass, shape (3, 3), kg m2.

    Segment axes x forward, y up, z to the right on both sides. A left segment is the right one
    mirrored through the sagittal plane: I_xz and I_yz change sign.

    Parameters
    ----------
    row : SegmentRow
    mass_kg, length_m : float
        Of the segment.
    side : {"left", "right"}
    """
    tensor = np.diag(mass_kg * (np.array(row.radii) * length_m) ** 2)
    xy, xz, yz = (mass_kg * math.copysign((r * length_m) ** 2, r) for r in row.products)
    right = -SIGN[side]
    tensor[0, 1] = tensor[1, 0] = xy
    tensor[0, 2] = tensor[2, 0] = right * xz
    tensor[1, 2] = tensor[2, 1] = right * yz
    return tensor

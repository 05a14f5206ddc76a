"""Body-segment tables: mass, centre of mass and inertia of foot, shank and thigh.

A table is a CSV resource with one row a segment (and sex, where the table asks for it); a factor
belongs to the length between the end points of its own row.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from gaitdyn.core.rotations import rotate_back
from gaitdyn.errors import SubjectDataMissing, UsageError
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import Calibration, LegBody, LegPose

DEFAULT_TABLE = "dempster-winter"
VENDOR_TABLE = "plug-in-gait"


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """One row of a body-segment table.

    Attributes
    ----------
    proximal, distal : str
        End points of the length that the factors belong to.
    mass_fraction : float
        Of body mass, one segment.
    cm_along : float
        Centre of mass from the proximal end point, fraction of the length.
    radii : tuple of 3 float
        Radii of gyration about the centre of mass about the segment's x, y, z axes, fractions of
        the length.
    source : str
    """

    segment: str
    sex: str
    proximal: str
    distal: str
    mass_fraction: float
    cm_along: float
    radii: tuple[float, float, float]
    source: str


@dataclass(frozen=True, slots=True)
class SegmentTable:
    """A named body-segment table."""

    name: str
    rows: tuple[SegmentRow, ...]

    def row(self, segment: str, sex: str = "") -> SegmentRow:
        """Return the row of a segment.

        Raises
        ------
        SubjectDataMissing
            When the table has rows for men and women and the sex is not known.
        """
        found = [row for row in self.rows if row.segment == segment]
        if len(found) > 1:
            found = [row for row in found if row.sex == sex]
        if not found:
            message = (
                f"the table {self.name} has rows by sex and the subject's is not known;"
                ' give sex = "f" or "m" in --subject'
            )
            raise SubjectDataMissing(message)
        return found[0]


def table_names() -> list[str]:
    """Return the names of the tables that ship with gaitdyn."""
    folder = files("gaitdyn") / "resources" / "anthropometry"
    return sorted(p.name.removesuffix(".csv") for p in folder.iterdir() if p.name.endswith(".csv"))


def load_table(name: str) -> SegmentTable:
    """Read a table that ships with gaitdyn.

    Raises
    ------
    UsageError
        When there is no such table.
    """
    resource = files("gaitdyn") / "resources" / "anthropometry" / f"{name}.csv"
    if not resource.is_file():
        message = f"no anthropometric table {name!r}; wanted one of {', '.join(table_names())}"
        raise UsageError(message)
    lines = resource.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return SegmentTable(name, tuple(_row(row) for row in rows))


def _row(row: dict[str, str]) -> SegmentRow:
    return SegmentRow(
        segment=row["segment"],
        sex=row["sex"],
        proximal=row["proximal"],
        distal=row["distal"],
        mass_fraction=float(row["mass"]),
        cm_along=float(row["cm_along"]),
        radii=(float(row["r_x"]), float(row["r_y"]), float(row["r_z"])),
        source=row["source"],
    )


def leg_body(
    pose: LegPose, calibration: Calibration, table: SegmentTable, body_mass_kg: float, sex: str = ""
) -> LegBody:
    """Return the rigid segments of one leg: lengths and inertia from the static, constant.

    Parameters
    ----------
    pose : LegPose
    calibration : Calibration
        Lengths between the end points of the table and the place of the foot's centre of mass.
    table : SegmentTable
    body_mass_kg : float
    sex : {"", "f", "m"}

    Returns
    -------
    LegBody
    """
    rows = [table.row(name, sex) for name in ("foot", "shank", "thigh")]
    ankle, knee, hip = np.moveaxis(pose.r_prox_G, 1, 0)
    r_cm = np.stack(
        (
            ankle + pose.R_GS[:, 0] @ calibration.foot_cm_F[pose.side],
            knee + rows[1].cm_along * (ankle - knee),
            hip + rows[2].cm_along * (knee - hip),
        ),
        axis=1,
    )
    mass = np.array([row.mass_fraction for row in rows]) * body_mass_kg
    lengths = np.array(calibration.lengths_m[pose.side])
    radii = np.array([row.radii for row in rows])
    diagonal = mass[:, None] * (radii * lengths[:, None]) ** 2
    return LegBody(mass, diagonal[..., None] * np.eye(3), r_cm)


def foot_centre_of_mass(
    R_GF: Array, ankle_G: Array, proximal_G: Array, distal_G: Array, cm_along: float
) -> Array:
    """Return the centre of mass of the foot from the ankle centre in foot axes, shape (3,), m.

    The point ``cm_along`` between the table's end points in the static trial, held fixed in the
    foot from then on.
    """
    cm = proximal_G + cm_along * (distal_G - proximal_G)
    return np.nanmean(rotate_back(R_GF, cm - ankle_G), axis=0)

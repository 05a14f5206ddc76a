"""Which body-segment table a person gets: that of children by age, else by size; or by hand."""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.segment_tables import VENDOR_TABLE, SegmentTable, load_table
from gaitdyn.errors import SubjectDataMissing
from gaitdyn.types.findings import Finding
from gaitdyn.types.options import Options
from gaitdyn.types.subject import Subject

AUTO = "auto"
ADULTS, CHILDREN = "dempster-winter", "jensen"

_ADULT_YEARS, _ADULT_KG, _ADULT_M = 16.0, 40.0, 1.50
"""Half of the boys of 12 years weigh less than 40 kg, and half are shorter than 1.50 m."""

_AGES = np.arange(4.0, 13.0)
_HEIGHTS_M = (1.025, 1.092, 1.157, 1.220, 1.281, 1.337, 1.388, 1.437, 1.493)
_MASSES_KG = (16.3, 18.5, 20.8, 23.2, 25.8, 28.7, 32.1, 36.1, 40.7)
"""Medians of boys, CDC growth charts of the year 2000 (Kuczmarski et al. 2002, Vital Health Stat
11:246), half a month past each birthday. Those of girls are within 2 cm."""


def child_age(subject: Subject) -> tuple[float, str] | None:
    """Return the age that a child is taken for, years, and what says so; None for an adult.

    An age that is known decides. Without one a person below 40 kg who is not known to be 1.50 m
    tall or more is a child, of the age at which half of the boys have that height, else that
    mass.

    Parameters
    ----------
    subject : Subject

    Examples
    --------
    >>> from gaitdyn.types.subject import Subject
    >>> child_age(Subject(mass_kg=30.0, height_m=1.337))
    (9.0, 'the height of 1.34 m, the median of boys of that age')
    """
    age, mass, height = subject.age_years, subject.mass_kg, subject.height_m
    if age is not None:
        return (age, "the age") if age < _ADULT_YEARS else None
    tall, heavy = height is not None and height >= _ADULT_M, mass is None or mass >= _ADULT_KG
    if tall or heavy:
        return None
    if height is not None:
        told = f"the height of {height:.2f} m, the median of boys of that age"
        return float(np.interp(height, _HEIGHTS_M, _AGES)), told
    told = f"the mass of {mass:.1f} kg, the median of boys of that age"
    return float(np.interp(mass or 0.0, _MASSES_KG, _AGES)), told


def table_name(options: Options, subject: Subject) -> str:
    """Return the table of a run: the vendor's, the one asked for, or the one of the person."""
    if options.profile == "plug-in-gait":
        return VENDOR_TABLE
    if options.anthropometry != AUTO:
        return options.anthropometry
    return ADULTS if child_age(subject) is None else CHILDREN


def choose_table(options: Options, subject: Subject) -> tuple[SegmentTable, list[Finding]]:
    """Return the body-segment table of a person, and what is to be said about it.

    Parameters
    ----------
    options : Options
    subject : Subject

    Raises
    ------
    SubjectDataMissing
        Where rows by age are asked for and nothing tells the age.
    """
    table, child = load_table(table_name(options, subject)), child_age(subject)
    if not table.ages:
        return table, [] if child is None else [_adult_table(table, child)]
    age = subject.age_years if child is None else child[0]
    if age is None:
        raise SubjectDataMissing(
            f"the table {table.name} has rows by age and the subject's is not known; give age_years"
            " in --subject, or --anthropometry of adults"
        )
    told = "the age" if child is None else child[1]
    return table.at_age(age), [_by_age(table, age, told)]


def _by_age(table: SegmentTable, age: float, told: str) -> Finding:
    youngest, oldest = table.ages[0], table.ages[-1]
    message = f"body segments by the table {table.name} at {age:.1f} years: {told}"
    if not youngest <= age <= oldest:
        message += f"; its rows end at {youngest:g} and {oldest:g} years, the nearest is taken"
    return Finding("info", "children-table", "subject", message, age)


def _adult_table(table: SegmentTable, child: tuple[float, str]) -> Finding:
    age, told = child
    message = (
        f"the subject counts as a child of {age:.1f} years ({told}) and the body-segment table"
        f" {table.name} was measured on adults"
    )
    if table.name != VENDOR_TABLE:
        message += f"; --anthropometry {CHILDREN} has that of boys"
    return Finding("info", "adult-table", "subject", message, age, _ADULT_YEARS)

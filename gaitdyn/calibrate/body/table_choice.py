"""The choice of a body-segment table: for children by age or else size, or by option."""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.body.segment_tables import VENDOR_TABLE, SegmentTable
from gaitdyn.calibrate.body.table_files import load_table
from gaitdyn.errors import AgeMissing
from gaitdyn.types.findings import Finding
from gaitdyn.types.options import Options
from gaitdyn.types.subject import Subject

AUTO = "auto"
ADULTS, CHILDREN = "dempster-winter", "jensen"

_ADULT_YEARS, _ADULT_KG, _ADULT_M, _GROWN_M = 16.0, 40.0, 1.50, 1.73
"""Half of the boys aged 12 weigh less than 40 kg, and half are shorter than 1.50 m."""

_AGES = np.arange(4.0, 13.0)
_HEIGHTS_M = (1.025, 1.092, 1.157, 1.220, 1.281, 1.337, 1.388, 1.437, 1.493)
_MASSES_KG = (16.3, 18.5, 20.8, 23.2, 25.8, 28.7, 32.1, 36.1, 40.7)
"""Medians of boys half a month past each birthday, CDC growth charts of the year 2000 (Kuczmarski
et al. 2002, Vital Health Stat 11(246):1-190). Those of girls are within 2 cm."""


def child_age(subject: Subject) -> tuple[float, str] | None:
    """Return the assumed age of a child, years, and the evidence for it; None for an adult.

    A known age decides. Without one, a person below 40 kg who is not known to be 1.50 m or taller
    is a child. Its age is that at which the median boy has this height or, without a height, this
    mass.

    Examples
    --------
    >>> from gaitdyn.types.subject import Subject
    >>> child_age(Subject(mass_kg=30.0, height_m=1.337))
    (9.0, 'the height of 1.34 m is the median of boys of that age')
    """
    age, mass, height = subject.age_years, subject.mass_kg, subject.height_m
    if age is not None:
        return (age, "the age") if age < _ADULT_YEARS else None
    tall, heavy = height is not None and height >= _ADULT_M, mass is None or mass >= _ADULT_KG
    if tall or heavy:
        return None
    if height is not None:
        evidence = f"the height of {height:.2f} m is the median of boys of that age"
        return float(np.interp(height, _HEIGHTS_M, _AGES)), evidence
    evidence = f"the mass of {mass:.1f} kg is the median of boys of that age"
    return float(np.interp(mass or 0.0, _MASSES_KG, _AGES)), evidence


def table_name(options: Options, subject: Subject) -> str:
    """Return the table of a run: the vendor's, the requested one, or the one for the person."""
    if options.profile == "plug-in-gait":
        return VENDOR_TABLE
    if options.anthropometry != AUTO:
        return options.anthropometry
    return ADULTS if child_age(subject) is None else CHILDREN


def choose_table(options: Options, subject: Subject) -> tuple[SegmentTable, list[Finding]]:
    """Return the body-segment table of a person and the findings about it.

    Raises
    ------
    AgeMissing
        If a table with rows by age is requested and the age is not known.
    """
    table, child = load_table(table_name(options, subject)), child_age(subject)
    if not table.ages:
        return table, [] if child is None else [_adult_table(table, child)]
    age = subject.age_years if child is None else child[0]
    if age is None:
        raise AgeMissing(
            f"the table {table.name} has rows by age and the subject's is not known; give age_years"
            " in subject.toml, or a table of adults with --anthropometry"
        )
    evidence = "the age" if child is None else child[1]
    return table.at_age(age), [_age_finding(table, age, evidence)]


def age_and_height(subject: Subject) -> list[Finding]:
    """Return a finding on a stated age and height; the table of rules judges whether they fit."""
    age, height = subject.age_years, subject.height_m
    if age is None or height is None:
        return []
    ages, heights = (0.0, 2.0, *_AGES, _ADULT_YEARS), (0.5, 0.87, *_HEIGHTS_M, _GROWN_M)
    usual = float(np.interp(age, ages, heights))
    message = (
        f"an age of {age:g} years and a height of {height:.2f} m do not fit (median {usual:.2f} m):"
        " one of them is wrong"
    )
    return [Finding("warning", "age-for-height", "subject", message, height / usual - 1.0)]


def _age_finding(table: SegmentTable, age: float, evidence: str) -> Finding:
    youngest, oldest = table.ages[0], table.ages[-1]
    message = f"body segments from the table {table.name} for {age:.1f} years ({evidence})"
    if not youngest <= age <= oldest:
        message += f"; its rows end at {youngest:g} and {oldest:g} years, the nearest is used"
    return Finding("info", "children-table", "subject", message, age)


def _adult_table(table: SegmentTable, child: tuple[float, str]) -> Finding:
    age, evidence = child
    message = (
        f"the subject counts as a child of {age:.1f} years ({evidence}), but the body-segment table"
        f" {table.name} was measured on adults"
    )
    if table.name != VENDOR_TABLE:
        message += f"; --anthropometry {CHILDREN} was measured on boys"
    return Finding("info", "adult-table", "subject", message, age, _ADULT_YEARS)

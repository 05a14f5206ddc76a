"""Parse ``--where``: turn ``key=value`` into a list of conditions on cycles."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from gaitdyn.errors import UsageError
from gaitdyn.judge.way import NOT_AHEAD
from gaitdyn.types.arguments import one_of, told
from gaitdyn.types.cycles import TURNING, TURNING_DEG
from gaitdyn.types.frozen import frozen
from gaitdyn.types.texts import number_in

HEADING = "heading_change"
"""Parameter of a stride: change of its heading, deg, positive to the left."""

_TURNS = f"""EXISTS (
    SELECT 1 FROM parameter AS heading WHERE heading.cycle_id = cycle.id
    AND heading.quantity_id IN (SELECT id FROM quantity WHERE name = '{HEADING}')
    AND abs(heading.value) > {TURNING_DEG})"""  # noqa: S608  constants only
STRAIGHT = f"NOT {_TURNS}"
"""Strides of straight walking; the others form a separate condition."""

CONDITION = (
    f"CASE WHEN {_TURNS} THEN ltrim(trial.condition || ', {TURNING}', ', ') ELSE trial.condition"
    " END"
)
"""The condition under which a stride was walked."""

SHANK = (
    "(SELECT json_extract(document, '$.model.axes.' || cycle.side || '.shank') FROM provenance"
    " WHERE provenance.trial_id = trial.id)"
)
"""What the z axis of the shank of a cycle is aligned with."""

_WAY = f"""CASE WHEN EXISTS (
    SELECT 1 FROM quality WHERE quality.trial_id = trial.id AND quality.code = '{NOT_AHEAD}')
    THEN 'other' ELSE 'forward' END"""  # noqa: S608  constants only

GROUND = """CASE WHEN (
    SELECT json_array_length(document, '$.belts') FROM provenance
    WHERE provenance.trial_id = trial.id) > 0 THEN 'belt' ELSE 'floor' END"""
"""What the person of a trial walks on: the belts of a treadmill, or the floor."""

_WORDS = {
    "subject": "subject.pseudonym",
    "sex": "subject.sex",
    "session": "session.name",
    "trial": "trial.name",
    "condition": CONDITION,
    "model": "trial.model",
    "profile": "trial.profile",
    "moments_in": "trial.moments_in",
    "convention": "trial.convention",
    "verdict": "trial.verdict",
    "side": "cycle.side",
    "kinetics": "cycle.kinetics",
    "shank": SHANK,
    "way": _WAY,
    "ground": GROUND,
}
PERSONS = {"age": "trial.age_years", "mass": "trial.mass_kg", "height": "trial.height_m"}
"""Measurements of a person -> their columns."""

_NUMBERS = {
    **PERSONS,
    "speed": "cycle.speed",
    "speed_nondimensional": "cycle.speed_nondimensional",
    "cycle": "cycle.number",
}
_VALUES = {
    "side": ("left", "right"),
    "verdict": ("pass", "check", "fail"),
    "kinetics": ("ok", "partial", "skipped"),
    "way": ("forward", "other"),
    "ground": ("belt", "floor"),
    "results": ("newest", "all"),
}
KEYS = (*_WORDS, *_NUMBERS, "results")
"""The keys of conditions."""

_PART = re.compile(r'\s*(\w+)\s*(<=|>=|!=|=|<|>)\s*("(?:[^"]|"")*"|[^,"]*?)\s*(,|$)')
_NEWEST = "trial.newest = 1"
_ALL_RESULTS = {("=", "all"), ("!=", "newest")}


@frozen()
class Condition:
    """One condition on cycles.

    Attributes
    ----------
    key : str
        One of :data:`KEYS`.
    operator : {"=", "!=", "<", "<=", ">", ">="}
        For words only the first two.
    value : str or float
    """

    key: str
    operator: str
    value: str | float


def parse_where(text: str | None) -> tuple[Condition, ...]:
    """Return the conditions of a comma-separated list, all of which must be true.

    Parameters
    ----------
    text : str or None
        Such as ``condition=barefoot,side=left,speed>=1.0``; a value with a comma is written in
        double quotes, and a quote within them is doubled.

    Raises
    ------
    UsageError
        Naming the part, and what was wanted.

    Examples
    --------
    >>> parse_where('condition="shoes, old",age<18')
    (Condition(key='condition', operator='=', value='shoes, old'),
     Condition(key='age', operator='<', value=18.0))
    """
    conditions: list[Condition] = []
    start = 0
    text = "" if text is None else text
    if not isinstance(text, str):
        raise UsageError(f"where is {told(text)}, wanted a text such as 'side=left,speed>=1.0'")
    while start < len(text):
        match = _PART.match(text, start)
        if match is None or (match[4] == "," and match.end() == len(text)):
            raise UsageError(
                f"--where {text[start:]!r} cannot be read; wanted KEY=VALUE, separated by commas,"
                " as in condition=barefoot,side=left,speed>=1.0; put a value with a comma in"
                " double quotes"
            )
        conditions.append(_condition(match[1], match[2], match[3]))
        start = match.end()
    return tuple(conditions)


def _condition(key: str, operator: str, value: str) -> Condition:
    if key not in KEYS:
        raise UsageError(f"--where {key!r} is not known; wanted one of {', '.join(KEYS)}")
    if value.startswith('"'):
        value = value[1:-1].replace('""', '"')
    if key in _NUMBERS:
        return Condition(key, operator, _number(key, value))
    if operator not in {"=", "!="}:
        message = f"--where {key}{operator}{value}: {key} is a word; wanted {key}= or {key}!="
        raise UsageError(message)
    allowed = _VALUES.get(key)
    if allowed and value not in allowed:
        raise UsageError(f"--where {key}{operator}{value}: wanted {one_of(allowed)}")
    return Condition(key, operator, value)


def _number(key: str, text: str) -> float:
    value = number_in(text, math.nan)
    if not math.isfinite(value):
        raise UsageError(f"--where {key}: {text!r} is not a number; wanted one, as in {key}>=1.0")
    return value


def column_of(key: str) -> str | None:
    """Return the column of a key with free text; None for numbers and keys with fixed values."""
    return None if key in _VALUES else _WORDS.get(key)


def where_sql(conditions: Sequence[Condition]) -> tuple[str, list[Any]]:
    """Return the SQL after WHERE, and its values; its columns are from a fixed list.

    Without a condition on ``results``, only the newest result of each recording is used.
    """
    parts, values = [], []
    if not any(c.key == "results" and (c.operator, c.value) in _ALL_RESULTS for c in conditions):
        parts.append(_NEWEST)
    for condition in conditions:
        if condition.key == "results":
            continue
        column = (_WORDS | _NUMBERS)[condition.key]
        operator = {"=": "=", "!=": "IS NOT"}.get(condition.operator, condition.operator)
        if operator not in {"=", "IS NOT", "<", "<=", ">", ">="}:
            raise UsageError(f"operator {operator!r} is not known; wanted = != < <= > >=")
        parts.append(f"{column} {operator} ?")
        values.append(condition.value)
    return " AND ".join(parts) or "1", values

"""Read the table ``[report]`` of a ``session.toml``, for the header of the report."""

from __future__ import annotations

from datetime import date
from typing import Any

from gaitdyn.session.toml_text import TomlText
from gaitdyn.types.visit import FIELDS, Visit

_TABLE, _ROWS, _PLANNED = "report", "examination", "planned"


def read_visit_table(toml: TomlText) -> Visit:
    """Return the entries for the header of a session's report.

    Raises
    ------
    UsageError
        Naming file and line, what was found and what was wanted.
    """
    table = toml.tables.get(_TABLE, {})
    wanted = "a table such as [report] with date and diagnosis"
    toml.check_table((_TABLE,), table, wanted, (*FIELDS, _ROWS, _PLANNED))
    texts = tuple((name, _text(toml, name, table[name])) for name in FIELDS if name in table)
    planned = _planned(toml, table[_PLANNED]) if _PLANNED in table else ()
    return Visit(texts, _rows(toml, table.get(_ROWS, [])), planned)


def _planned(toml: TomlText, value: Any) -> tuple[str, ...]:
    """Return the curves named before a second session, after checking that each can be parsed."""
    from gaitdyn.judge.changes.planned import planned_of

    wanted = 'at most three texts such as ["left knee_angle_flexion swing"]'
    toml.check_list((_TABLE, _PLANNED), value, str, wanted)
    toml.parsed((_TABLE, _PLANNED), planned_of, value)
    return tuple(value)


def _text(toml: TomlText, name: str, value: Any) -> str:
    if name == "date" and isinstance(value, date):
        return value.isoformat()[:10]
    if not isinstance(value, str) or "\0" in value:
        toml.refuse((_TABLE, name), value, "a text")
    return value.strip()


def _rows(toml: TomlText, value: Any) -> tuple[tuple[str, ...], ...]:
    wanted = 'rows of texts such as [["hip flexion", "110", "105"]]'
    toml.check_list((_TABLE, _ROWS), value, list, wanted)
    for row in value:
        if not all(isinstance(cell, (str, int, float)) for cell in row):
            toml.refuse((_TABLE, _ROWS), row, wanted)
    return tuple(tuple(str(cell) for cell in row) for row in value)

"""Read the tables ``[options]`` of ``session.toml``, which have the names of command options."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from gaitdyn.calibrate.body.table_files import load_table
from gaitdyn.calibrate.models.files import load_model
from gaitdyn.errors import MarkersUnfit
from gaitdyn.session.toml_text import TomlText
from gaitdyn.types.arguments import at_home
from gaitdyn.types.option_rows import ROWS, OptionRow, is_file
from gaitdyn.types.options import Options
from gaitdyn.types.words import parse_band

_ROWS = {row.name: row for row in ROWS if row.session}
KNOWN = tuple(sorted(_ROWS))
_OF_A_TRIAL = 'in [trials."FILE"]'
_COMMAND_LINE = "on the command line"
_ELSEWHERE = {
    "static": f"in the first line of the file, or {_OF_A_TRIAL}",
    **dict.fromkeys(("forces", "assign", "leave_out"), _OF_A_TRIAL),
    **{name: f"in [{name}]" for name in ("rename", "functional", "emg")},
    "emg_muscles": "in [emg]",
    **dict.fromkeys(("norm", "report", "publish_anyway", "sweep", "sensitivity"), _COMMAND_LINE),
}
"""Where a name belongs that is not set in ``[options]``."""

_LOADED = {"model": (load_model, ("auto", "ladder")), "anthropometry": (load_table, ("auto",))}
"""Option that names something that ships -> what loads it, and the words that choose it later."""


def read_options(
    toml: TomlText, where: tuple[str, ...], table: Any, folder: Path
) -> dict[str, Any]:
    """Return the fields of :class:`Options` that a table sets.

    Names are those of ``gaitdyn process``, with ``-`` or ``_``; paths are relative to ``folder``.

    Parameters
    ----------
    toml : TomlText
    where : tuple of str
        Names of the tables that lead here.
    table : object
        As read.
    folder : Path

    Raises
    ------
    UsageError
        Naming file and line, what was found and what was wanted.
    """
    toml.check_table(where, table, "a table of options")
    fields: dict[str, Any] = {}
    for key, value in table.items():
        key_path = (*where, key)
        row = _ROWS.get(key.replace("-", "_"))
        if row is None:
            toml.refuse_unknown(key_path, KNOWN, _ELSEWHERE)
        if row.kind in ("number", "frequency"):
            fields[row.field] = _number(toml, key_path, row, value)
        elif row.kind == "switch":
            if not isinstance(value, bool):
                toml.refuse(key_path, value, "true or false")
            fields[row.field] = value
        elif not isinstance(value, str):
            toml.refuse(key_path, value, "a text")
        elif row.kind == "band":
            fields[row.field] = toml.parsed(key_path, parse_band, value)
        else:
            named = row.role and is_file(row, value)
            fields[row.field] = str(folder / at_home(value)) if named else value
            if row.field in _LOADED and not named:
                toml.parsed(
                    key_path, lambda value, name=row.field: _check_ships(name, value), value
                )
        toml.parsed(
            key_path, lambda value, name=row.field: Options(**{name: value}), fields[row.field]
        )
    return fields


def _check_ships(field: str, name: str) -> None:
    """Refuse a name that nothing has that ships with gaitdyn."""
    load, words = _LOADED[field]
    if name not in words:
        with suppress(MarkersUnfit):  # segment poses, which only some recordings have
            load(name)


def _number(toml: TomlText, key_path: tuple[str, ...], row: OptionRow, value: Any) -> Any:
    """Return a number, ``None`` for ``none``, or ``same`` for the cut-off of the forces."""
    may_be_none = row.kind == "frequency"
    if may_be_none and value == "none":
        return None
    if row.field == "force_cutoff_hz" and value == "same":
        return value
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        toml.refuse(key_path, value, 'a number or "none"' if may_be_none else "a number")
    return float(value)

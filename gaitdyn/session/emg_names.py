"""Read which muscle each EMG channel records, from ``emg.toml`` or a table ``[emg]``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from gaitdyn.session.toml_text import TomlText
from gaitdyn.types.subject import SIDES

EMG_FILE = "emg.toml"
_WANTED = (
    'a side and a muscle such as "left tibialis_anterior", a table { muscle = "soleus", side ='
    ' "left" }, or "none"'
)
_KEYS = ("muscle", "side")
_QUOTED = "muscle or side; a label with a point or blank needs quotes, and the table is [emg]"

Names = tuple[tuple[str, str, str], ...]


def read_emg_file(path: Path) -> Names:
    """Return label, muscle and side of each line of an ``emg.toml``.

    The lines are in a table ``[emg]`` or at the top level.

    Raises
    ------
    UsageError
        Naming file and line, what was found and what was wanted.
    """
    toml = TomlText(path)
    inside = "emg" in toml.tables
    where = ("emg",) if inside else ()
    return read_emg_table(toml, where, toml.tables["emg"] if inside else toml.tables)


def read_emg_table(toml: TomlText, where: tuple[str, ...], table: Any) -> Names:
    """Return label, muscle and side of each line of a table.

    Parameters
    ----------
    toml : TomlText
    where : tuple of str
        Names of the tables that lead here.
    table : object
        As read.

    Raises
    ------
    UsageError
    """
    toml.check_table(where, table, "a table of labels")
    return tuple((label, *_muscle(toml, (*where, label), text)) for label, text in table.items())


def _muscle(toml: TomlText, where: tuple[str, ...], value: Any) -> tuple[str, str]:
    """Return muscle and side of one line."""
    from gaitdyn.emg.naming import NONE, read_name

    if isinstance(value, dict):
        for key in [key for key in value if key not in _KEYS]:
            toml.refuse_key((*where, key), _QUOTED)
        value = f"{value.get('side', '')} {value.get('muscle', '')}"
    if not isinstance(value, str) or not value.strip():
        toml.refuse(where, value, _WANTED)
    words = value.strip().lower().split()
    if words == [NONE]:
        return NONE, ""
    side = next((word for word in words if word in SIDES), "")
    muscle = "_".join(word for word in words if word not in SIDES)
    name = read_name(muscle)
    if name.muscle and not name.note:
        return name.muscle, side
    if not re.fullmatch(r"[a-z][a-z_]+", muscle):
        toml.refuse(where, value, _WANTED)
    return muscle, side


def with_emg_file(given: dict[str, Any], folder: Path, session: dict[str, Any]) -> dict[str, Any]:
    """Return the options with the EMG channels of the folder's ``emg.toml`` added.

    Channels that are already set, in ``given`` or in ``session.toml``, are not replaced.

    Parameters
    ----------
    given : dict
        Fields of :class:`Options` from the command line; they win.
    folder : Path
        Of the trials.
    session : dict
        Fields that ``session.toml`` sets; they win too.
    """
    path = folder / EMG_FILE
    if "emg_channels" in given or "emg_channels" in session or not path.is_file():
        return given
    return {**given, "emg_channels": read_emg_file(path)}

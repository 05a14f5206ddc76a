"""A TOML file that tells the line of what is wrong in it."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, NoReturn

from gaitdyn.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_BYTES = 1_000_000


class TomlText:
    """The tables of a TOML file, and where each key stands.

    Attributes
    ----------
    name : str
        Of the file.
    tables : dict
        Its contents.

    Raises
    ------
    UsageError
        When the file cannot be read or is no TOML.
    """

    def __init__(self, path: Path) -> None:
        self.name = path.name
        if not path.is_file():
            message = f"{self.name}: found no such file; wanted a short text"
            raise UsageError(message)
        try:
            if path.stat().st_size > LARGEST_BYTES:
                message = f"{self.name}: found more than {LARGEST_BYTES} bytes; wanted a short text"
                raise UsageError(message)
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "no text in UTF-8"
            message = f"{self.name}: {reason.lower()}"
            raise UsageError(message) from error
        self._lines = text.splitlines()
        try:
            self.tables: dict[str, Any] = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            message = f"{self.name}: {error}"
            raise UsageError(message) from error

    def refuse(self, where: tuple[str, ...], found: Any, wanted: str) -> NoReturn:
        """Refuse the file.

        Parameters
        ----------
        where : tuple of str
            Names of the tables and the key.
        found : object
            What stands there.
        wanted : str

        Raises
        ------
        UsageError
        """
        told = ".".join(where)
        message = f"{self.name}{self._line(where)}: {told} is {_short(found)}, wanted {wanted}"
        raise UsageError(message)

    def refuse_key(self, where: tuple[str, ...], known: object) -> NoReturn:
        """Refuse a key that is not known.

        Raises
        ------
        UsageError
        """
        message = f"{self.name}{self._line(where)}: found {where[-1]!r}, wanted {known}"
        raise UsageError(message)

    def _line(self, where: tuple[str, ...]) -> str:
        """Return ``, line 7`` of a key, or nothing where it cannot be found.

        The search starts behind the header that names the table, if there is one.
        """
        start = 0
        for table in where[:-1]:
            headers = (i for i, row in enumerate(self._lines) if _is_header(row, table))
            start = next((i for i in headers if i >= start), start)
        for i, row in enumerate(self._lines[start:], start + 1):
            key = row.split("=")[0].strip().strip("\"'")
            if key == where[-1] or _is_header(row, where[-1]):
                return f", line {i}"
        return ""


def _is_header(row: str, table: str) -> bool:
    row = row.strip()
    return row.startswith("[") and table in row.strip("[]").replace('"', "").replace("'", "")


def _short(found: Any) -> str:
    text = repr(found)
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004  a line stays a line

"""A TOML file that tells the line of what is wrong in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from gaitdyn.errors import UsageError
from gaitdyn.io.toml_lines import Place, line_of, read_toml

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
            raise UsageError(f"{self.name}: found no such file; wanted a short text")
        try:
            if path.stat().st_size > LARGEST_BYTES:
                message = f"{self.name}: found more than {LARGEST_BYTES} bytes; wanted a short text"
                raise UsageError(message)
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "no text in UTF-8"
            raise UsageError(f"{self.name}: {reason.lower()}") from error
        self._lines = text.splitlines()
        try:
            self.tables: dict[str, Any] = read_toml(text)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{self.name}: {error}") from error

    def refuse(self, where: Place, found: Any, wanted: str) -> NoReturn:
        """Refuse the file.

        Parameters
        ----------
        where : tuple of str and int
            Names of the tables and the key; the number of an entry of ``[[table]]``.
        found : object
            What stands there.
        wanted : str

        Raises
        ------
        UsageError
        """
        told = ".".join(part for part in where if isinstance(part, str))
        message = f"{self.name}{self._line(where)}: {told} is {_short(found)}, wanted {wanted}"
        raise UsageError(message)

    def refuse_key(self, where: Place, known: object) -> NoReturn:
        """Refuse a key that is not known.

        Raises
        ------
        UsageError
        """
        raise UsageError(f"{self.name}{self._line(where)}: found {where[-1]!r}, wanted {known}")

    def _line(self, where: Place) -> str:
        """Return ``, line 7`` of a key, or nothing where it cannot be found."""
        return line_of(self._lines, where)


def _short(found: Any) -> str:
    text = repr(found)
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004  a line stays a line

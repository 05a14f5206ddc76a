"""A TOML file whose errors are reported with their line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar
from unicodedata import normalize

from gaitdyn.errors import UsageError
from gaitdyn.io.plain_files import named_text
from gaitdyn.io.toml_lines import Place, line_of, read_toml, wanted_key
from gaitdyn.types.arguments import told

T = TypeVar("T")
LARGEST_BYTES = 1_000_000
NOWHERE: Mapping[str, str] = MappingProxyType({})


class TomlText:
    """The tables of a TOML file, and the line of each key.

    Attributes
    ----------
    name : str
        Of the file.
    tables : dict
        Its contents.

    Raises
    ------
    UsageError
        When the file cannot be read or is not TOML.
    """

    def __init__(self, path: Path) -> None:
        self.name = path.name
        if not path.is_file():
            raise UsageError(f"{self.name}: found no such file; wanted a TOML file; check the path")
        text = named_text(path, self.name, "a TOML file", LARGEST_BYTES)
        text = _with_names_on_disk(text, path.parent)
        self._lines = text.splitlines()
        try:
            self.tables: dict[str, Any] = read_toml(text)
        except ValueError as error:
            raise UsageError(f"{self.name}: {error}") from error

    def refuse(self, where: Place, found: Any, wanted: str) -> NoReturn:
        """Refuse the file.

        Parameters
        ----------
        where : tuple of str and int
            Names of the tables and the key; the number of an entry of ``[[table]]``.
        found : object
            The value of the key; None if it is missing, since TOML has no such value.
        wanted : str

        Raises
        ------
        UsageError
        """
        key = ".".join(part for part in where if isinstance(part, str))
        line = line_of(self._lines, where)
        is_what = "missing" if found is None else told(found)
        raise UsageError(f"{self.name}{line}: {key} is {is_what}, wanted {wanted}")

    def refuse_key(self, where: Place, known: object) -> NoReturn:
        """Refuse an unknown key.

        Raises
        ------
        UsageError
        """
        line = line_of(self._lines, where)
        raise UsageError(f"{self.name}{line}: found {told(where[-1])}, wanted {known}")

    def refuse_unknown(
        self, where: Place, keys: Sequence[str], elsewhere: Mapping[str, str] = NOWHERE
    ) -> NoReturn:
        """Refuse a key that is not one of some: say where it belongs, or which one is wanted.

        Parameters
        ----------
        where : tuple of str and int
        keys : sequence of str
        elsewhere : mapping
            Key -> where it belongs, such as ``in [rename]``.

        Raises
        ------
        UsageError
        """
        key = str(where[-1])
        place = elsewhere.get(key.replace("-", "_"))
        self.refuse_key(where, f"it {place}" if place else wanted_key(key, keys))

    def check_table(
        self,
        where: Place,
        value: Any,
        wanted: str,
        keys: Sequence[str] | None = None,
        elsewhere: Mapping[str, str] = NOWHERE,
    ) -> None:
        """Refuse a value that is not a table, or a table with other keys than ``keys``.

        Raises
        ------
        UsageError
        """
        if not isinstance(value, dict):
            self.refuse(where, value, wanted)
        for key in value if keys else ():
            if keys and key not in keys:
                self.refuse_unknown((*where, key), keys, elsewhere)

    def check_list(self, where: Place, value: Any, kind: type, wanted: str) -> None:
        """Refuse a value that is not a list of values of one kind.

        Raises
        ------
        UsageError
        """
        if not isinstance(value, list) or not all(isinstance(entry, kind) for entry in value):
            self.refuse(where, value, wanted)

    def text(self, where: Place, value: Any) -> str:
        """Return a text; refuse an empty one, and any other value.

        Raises
        ------
        UsageError
        """
        if not isinstance(value, str) or not value.strip() or "\0" in value:
            self.refuse(where, value, "a text")
        return value

    def parsed(self, where: Place, parse: Callable[[Any], T], value: Any) -> T:
        """Return a parsed value; refuse the file with what the parser wanted.

        Raises
        ------
        UsageError
        """
        try:
            return parse(value)
        except UsageError as error:
            self.refuse(where, value, str(error).rpartition("wanted ")[2])


def _with_names_on_disk(text: str, folder: Path) -> str:
    """Return a text in which files of a folder have the names that the disk has.

    Files that come from a Mac may have letters and accents apart, which look the same.
    """
    if text.isascii():
        return text
    text = normalize("NFC", text)
    with suppress(OSError):  # a folder that cannot be listed
        for path in folder.iterdir():
            text = text.replace(normalize("NFC", path.name), path.name)
    return text

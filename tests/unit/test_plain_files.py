"""Small files named by the user are read with no more memory than they have bytes."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, Literal
from unicodedata import normalize

import pytest

from gaitdyn.calibrate.body.table_files import load_table
from gaitdyn.calibrate.models.files import load_model
from gaitdyn.errors import UsageError
from gaitdyn.io.plain_files import plain_bytes
from gaitdyn.io.toml_lines import read_toml_file
from gaitdyn.session.toml_text import TomlText

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Form = Literal["NFC", "NFD"]


def test_the_limit_of_size_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_bytes(b"x" * 1000)
    tracemalloc.start()
    try:
        assert plain_bytes(path, 1 << 28) == b"x" * 1000
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_folder_and_an_impossible_name_are_refused_like_files(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        plain_bytes(tmp_path)
    with pytest.raises(OSError, match="null"):
        plain_bytes(f"{tmp_path}/a\0b")


def test_a_larger_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_bytes(b"x" * 1001)
    with pytest.raises(OSError, match="wanted at most"):
        plain_bytes(path, 1000)


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252"])
@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("model.toml", lambda path: load_model(str(path))),
        ("table.csv", lambda path: load_table(str(path))),
        ("quality.toml", lambda path: read_toml_file(path, "--quality")),
        ("emg.toml", TomlText),
    ],
)
def test_settings_saved_in_another_encoding_are_refused_in_one_way(
    tmp_path: Path, name: str, read: Callable[[Path], object], encoding: str
) -> None:
    path = tmp_path / name
    path.write_text("# Gr\u00f6\u00dfe\r\n", encoding=encoding, newline="")
    words = rf"{name}: the text is not in utf-8 \(save it.*; wanted [^;]*$"  # the path is right
    with pytest.raises(UsageError, match=words):
        read(path)


@pytest.mark.parametrize(("typed", "on_disk"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_names_typed_with_letters_of_another_form_are_those_of_the_disk(
    tmp_path: Path, typed: Form, on_disk: Form
) -> None:
    """A file that comes from a Mac may have letters and accents apart; both look the same."""
    name = normalize(on_disk, "G\u00e4ng 1.c3d")
    (tmp_path / name).touch()
    path = tmp_path / "session.toml"
    text = normalize(typed, '[trials."G\u00e4ng 1.c3d"]\ncondition = "barfu\u00df"\n')
    path.write_text(text, encoding="utf-8")
    assert list(TomlText(path).tables["trials"]) == [next(p.name for p in tmp_path.glob("*.c3d"))]

"""Small files named by the user are read with no more memory than they have bytes."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest

from gaitdyn.io.plain_files import plain_bytes

if TYPE_CHECKING:
    from pathlib import Path


def test_the_limit_of_size_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_bytes(b"x" * 1000)
    tracemalloc.start()
    try:
        assert plain_bytes(path, 1 << 28) == b"x" * 1000
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_larger_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_bytes(b"x" * 1001)
    with pytest.raises(OSError, match="wanted at most"):
        plain_bytes(path, 1000)

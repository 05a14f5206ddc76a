"""What tests read of what was written: rows of a table, a PDF, the one line of a refusal."""

from __future__ import annotations

import csv
import re
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def rows_of(path: Path, **dialect: Any) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, **dialect))


def inflated(content: bytes) -> bytes:
    """Return a PDF with its streams inflated."""
    found = content
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL):
        try:
            found += zlib.decompress(stream)
        except zlib.error:
            continue
    return found


def one_line(done: Any, code: int) -> str:
    """Return what a command says that ended with a code: one line, and no traceback."""
    assert done.returncode == code, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
    return done.stderr

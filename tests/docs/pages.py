"""The pages of the guide, their fences and their links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOP = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "data/README.md")]
GUIDE = sorted((ROOT / "docs").rglob("*.md"))
REPORTS = sorted((ROOT / "reports").rglob("*.md"))
PAGES = [page for page in (*TOP, *GUIDE, *REPORTS) if page.is_file()]

_FENCE = re.compile(
    r"(?P<mark><!-- not run: (?P<reason>[^\n]+?) -->\n+)?"
    r"^(?P<indent> *)```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^(?P=indent)```",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: its language, its text, and why it does not run, if it does not."""

    language: str
    text: str
    line: int
    not_run: str


def name_of(page: Path) -> str:
    """Return the place of a page in the project."""
    return page.relative_to(ROOT).as_posix()


def fences(page: Path) -> list[Fence]:
    """Return the fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Fence(
            found["language"],
            found["text"],
            text.count("\n", 0, found.start("text")) + 1,
            found["reason"] or "",
        )
        for found in _FENCE.finditer(text)
    ]


def without_code(text: str) -> str:
    """Return a page without its fenced blocks and its code in lines."""
    return re.sub(r"`[^`\n]*`", "", _FENCE.sub("", text))

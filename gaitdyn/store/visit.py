"""``visit.json``: what the laboratory says of a visit; ``comments.txt``: what a reader wrote."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.types.visit import FIELDS, Visit

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gaitdyn.store.stored import StoredTrial

VISIT, COMMENTS = "visit.json", "comments.txt"
_LONGEST = 20_000
"""Letters of comments that are read."""


def write_visit(place: Path, visit: Visit, before: Path | None = None) -> None:
    """Write what was said of a visit into a results folder, and keep the comments of the last run.

    Parameters
    ----------
    place : Path
        The folder that is being written.
    visit : Visit
        Nothing is written of an empty one.
    before : Path, optional
        The folder that it replaces.
    """
    if visit:
        told = {
            "texts": dict(visit.texts),
            "examination": visit.examination,
            "planned": visit.planned,
        }
        text = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
        (place / VISIT).write_text(text, encoding="utf-8", newline="\n")
    if before is not None and (before / COMMENTS).is_file():
        shutil.copyfile(before / COMMENTS, place / COMMENTS)


def one_visit(trials: Iterable[StoredTrial]) -> Visit:
    """Return what the first of some trials tells, and the curves that any of them planned."""
    found = [trial.visit for trial in trials if trial.visit]
    planned = tuple(dict.fromkeys(text for visit in found for text in visit.planned))
    return replace(found[0], planned=planned) if found else Visit()


def read_visit(folder: Path) -> Visit:
    """Return what a results folder tells of the visit; nothing where it cannot be read."""
    try:
        told = json.loads((folder / VISIT).read_text(encoding="utf-8"))
        texts = tuple((n, str(told["texts"][n])) for n in FIELDS if told["texts"].get(n))
        rows = tuple(tuple(str(cell) for cell in row) for row in told["examination"])
        planned = tuple(str(text) for text in told.get("planned", ()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Visit()
    return Visit(texts, rows, planned)


def read_comments(folders: Iterable[Path]) -> str:
    """Return the comments in results folders or in the folders above them, each once."""
    found: dict[str, None] = {}
    for folder in folders:
        for place in (folder, folder.parent):
            try:
                text = (place / COMMENTS).read_text(encoding="utf-8-sig", errors="replace")
            except OSError:
                continue
            found[text[:_LONGEST].strip().replace("\0", "")] = None
            break
    return "\n\n".join(text for text in found if text)

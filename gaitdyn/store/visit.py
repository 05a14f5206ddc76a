"""``visit.json``: the laboratory's notes on a visit; ``comments.txt``: comments of a reader."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gaitdyn.io.plain_files import parent_of, plain_bytes
from gaitdyn.types.visit import FIELDS, Visit

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gaitdyn.store.stored import StoredTrial

VISIT, COMMENTS = "visit.json", "comments.txt"
_LONGEST = 20_000
"""Number of characters of comments that are read."""

_OF_CHANGES = ("date", "aids")


def write_visit(folder: Path, visit: Visit, before: Path | None = None) -> None:
    """Write the notes on a visit into a results folder, with a copy of a reader's comments.

    The copy is for the page that is made there; :func:`without_copy` removes it.

    Parameters
    ----------
    folder : Path
        The folder that is being written.
    visit : Visit
        An empty one is not written.
    before : Path, optional
        The folder that it replaces; the comments are in it or in its parent folder.
    """
    if visit:
        text = json.dumps(document_of_visit(visit), ensure_ascii=False, indent=1) + "\n"
        (folder / VISIT).write_text(text, encoding="utf-8", newline="\n")
    places = [] if before is None else [before / COMMENTS, before.parent / COMMENTS]
    for comments in [path for path in places if path.is_file()][:1]:
        shutil.copyfile(comments, folder / COMMENTS)


def without_copy(folder: Path) -> None:
    """Remove the copy of the comments: the file itself moves there from the replaced folder."""
    (folder / COMMENTS).unlink(missing_ok=True)


def one_visit(trials: Iterable[StoredTrial]) -> Visit:
    """Return the first visit of some trials, with what was planned in all of them."""
    visits = [trial.visit for trial in trials if trial.visit]
    planned = tuple(dict.fromkeys(text for visit in visits for text in visit.planned))
    return replace(visits[0], planned=planned) if visits else Visit()


def read_visit(folder: Path) -> Visit:
    """Return the notes on the visit in a results folder; an empty visit if they cannot be read."""
    try:
        return visit_in(json.loads(plain_bytes(folder / VISIT)))
    except (OSError, ValueError, RecursionError):
        return Visit()


def visit_for_changes(visit: Visit) -> Visit:
    """Return the notes that decide whether a change is judged, and what was planned."""
    texts = tuple((name, text) for name, text in visit.texts if name in _OF_CHANGES)
    return Visit(texts, planned=visit.planned)


def document_of_visit(visit: Visit) -> dict[str, Any]:
    """Return the notes on a visit as they are written."""
    return {
        "texts": dict(visit.texts),
        "examination": visit.examination,
        "planned": visit.planned,
    }


def visit_in(document: Any) -> Visit:
    """Return the notes that :func:`document_of_visit` wrote; an empty visit of anything else."""
    try:
        texts = tuple((n, str(document["texts"][n])) for n in FIELDS if document["texts"].get(n))
        rows = tuple(tuple(str(cell) for cell in row) for row in document["examination"])
        planned = tuple(str(text) for text in document.get("planned", ()))
    except (KeyError, TypeError, AttributeError):
        return Visit()
    return Visit(texts, rows, planned)


def read_comments(folders: Iterable[Path]) -> str:
    """Return the comments in results folders or in their parent folders, each once."""
    comments: dict[str, None] = {}
    for folder in folders:
        for path in (folder / COMMENTS, parent_of(folder) / COMMENTS):
            try:
                text = plain_bytes(path).decode("utf-8-sig", "replace")
            except OSError:
                continue
            comments[text[:_LONGEST].strip().replace("\0", "")] = None
            break
    return "\n\n".join(text for text in comments if text)

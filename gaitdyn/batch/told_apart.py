"""Names that tell sessions apart whose folders have one name, as ``visit1`` of every person."""

from __future__ import annotations

from pathlib import PurePath, PurePosixPath
from typing import TYPE_CHECKING, Any

from gaitdyn.store.folder import folder_name

if TYPE_CHECKING:
    from collections.abc import Sequence


MOST_PARENTS = 3


def with_parents(source: PurePath, depth: int) -> str:
    """Return the name of a folder with those of its parents.

    Examples
    --------
    >>> visit = PurePath("/data/PatB/visit1")
    >>> with_parents(visit, 1), with_parents(visit, 2)
    ('visit1 (PatB)', 'visit1 (data, PatB)')
    """
    parents = [parent.name for parent in source.parents if parent.name][:depth]
    return f"{folder_name(source.name or 'session')} ({', '.join(reversed(parents))})"


def told_apart(sessions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return sessions, each named with its parents' folders if another has its folder's name.

    The folders of the results keep their names: the first of them has none of its person. Sources
    that are recorded as hashes have no path and keep the name that they have.

    Parameters
    ----------
    sessions : sequence of dict
        Contents of ``session.json``.
    """
    by_leaf: dict[str, set[PurePath]] = {}
    for source in filter(None, map(_source, sessions)):
        by_leaf.setdefault(source.name, set()).add(source)
    return [
        session | {"session": _name(source, by_leaf[source.name])}
        if (source := _source(session)) and len(by_leaf[source.name]) > 1
        else session
        for session in sessions
    ]


def _source(session: dict[str, Any]) -> PurePath | None:
    """Return the folder of the recordings; None if it is not recorded as a path."""
    source = session.get("source")
    path = source.get("path") if isinstance(source, dict) else None
    return PurePosixPath(path) if isinstance(path, str) and PurePosixPath(path).name else None


def _name(source: PurePath, alike: set[PurePath]) -> str:
    """Return the name of a folder with as many parents as tell it from those of its name."""
    for depth in range(1, MOST_PARENTS + 1):
        names = {with_parents(other, depth) for other in alike}
        if len(names) == len(alike):
            return with_parents(source, depth)
    return with_parents(source, MOST_PARENTS)

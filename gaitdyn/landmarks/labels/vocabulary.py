"""Read the table of spellings: the landmarks a core is used for, and by which sources."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from gaitdyn.io.shipped import shipped_cells
from gaitdyn.types.frozen import frozen

_ONE_SOURCE, _MANY = 0.65, 5
_CORE = 3
"""Fewest letters of a core that is known as a limb marker."""


@frozen()
class Spelling:
    """One row: a landmark, one of its cores, and the sources that use it."""

    code: str
    core: str
    kind: str
    midline: bool
    sources: tuple[str, ...]


@frozen(eq=False)
class Vocabulary:
    """The spellings of all landmarks.

    Attributes
    ----------
    rows : dict
        Core -> its rows.
    """

    rows: dict[str, tuple[Spelling, ...]]

    def without(self, source: str) -> Vocabulary:
        """Return the table without the contributions of one source."""
        kept = (
            Spelling(s.code, s.core, s.kind, s.midline, tuple(x for x in s.sources if x != source))
            for rows in self.rows.values()
            for s in rows
        )
        return _gathered([s for s in kept if s.sources])

    def meanings(self, core: str, *, midline: bool) -> dict[str, float]:
        """Return landmark code -> weight of a core that is used for markers.

        Weights sum to 0.65 to 1 depending on the number of independent sources.
        """
        rows = [s for s in self.rows.get(core, ()) if s.kind == "real" and s.midline == midline]
        return _weighted(rows)

    def drawn(self, core: str, *, midline: bool, keypoints: bool) -> dict[str, float]:
        """Return code -> weight of a core that is used for computed points.

        ``keypoints`` is whether the file contains key points of a video: then words for joints are
        joint centres.
        """
        kinds = ("virtual", "keypoint") if keypoints else ("virtual",)
        rows = [s for s in self.rows.get(core, ()) if s.kind in kinds and s.midline == midline]
        named = [s for s in rows if s.code != "VIR"]
        return _weighted(named or rows)

    def sources(self, core: str) -> int:
        """Return the number of sources that use a core for a marker."""
        return len({x for s in self.rows.get(core, ()) if s.kind == "real" for x in s.sources})

    def is_midline(self, core: str) -> bool:
        """Return whether a core is known only as a point without side."""
        rows = self.rows.get(core, ())
        return bool(rows) and all(s.midline for s in rows)

    def is_limb(self, core: str) -> bool:
        """Return whether a core of at least three letters is known as a marker with a side."""
        rows = self.rows.get(core, ())
        return len(core) >= _CORE and any(s.kind == "real" and not s.midline for s in rows)


def _weighted(rows: list[Spelling]) -> dict[str, float]:
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        counts[row.code] += len(row.sources)
    total = sum(counts.values())
    if not total:
        return {}
    sure = _ONE_SOURCE + (1 - _ONE_SOURCE) * min(1.0, (total - 1) / (_MANY - 1))
    return {code: sure * n / total for code, n in counts.items()}


def _gathered(spellings: list[Spelling]) -> Vocabulary:
    rows: dict[str, list[Spelling]] = defaultdict(list)
    for spelling in spellings:
        rows[spelling.core].append(spelling)
    return Vocabulary({core: tuple(found) for core, found in rows.items()})


@cache
def shipped_vocabulary() -> Vocabulary:
    """Return the table shipped with gaitdyn."""
    rows = shipped_cells("landmarks/spellings.csv")[1:]
    return _gathered(
        [
            Spelling(code, core, kind, side == "midline", tuple(who.split()))
            for code, core, kind, side, who in rows
        ]
    )

"""Everything that a page says of its groups: what is abnormal in each, what changed between two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaitdyn.judge.abnormal import Abnormal, find_abnormal
from gaitdyn.judge.changed import Changes, find_changes
from gaitdyn.judge.files import write_abnormal, write_changes
from gaitdyn.store.headings import turns
from gaitdyn.store.pages import older_tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gaitdyn.judge.whose import Whose
    from gaitdyn.statistics.session_error import SessionError
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.norms import MatchedNorm, Norm


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What is found in the groups of a page.

    Attributes
    ----------
    abnormal : tuple of Abnormal
        One a group; nothing without a reference set. Its ``findings`` hold words, places, sizes,
        p, sentences, and for each curve the difference, its limit and the cells of the strip.
    pairs : tuple of Changes
        From the first group to each other one.
    """

    abnormal: tuple[Abnormal, ...]
    pairs: tuple[Changes, ...]

    @property
    def changes(self) -> Changes | None:
        """Of two groups."""
        return self.pairs[0] if len(self.pairs) == 1 else None


def judge_groups(
    groups: Sequence[Sequence[StoredTrial]], norms: Sequence[MatchedNorm] = (), *,
    repeats: Mapping[str, SessionError] | None = None, planned: Sequence[str] = (),
    whose: Sequence[Whose] | None = None,
) -> Judgement:  # fmt: skip
    """Return what is abnormal in each group of trials, and what changed from the first one.

    Parameters
    ----------
    groups : sequence of sequence of StoredTrial
        Each of one session and condition. A group of strides that turn is left out of everything.
    norms : sequence of MatchedNorm
        One a group, matched to its speed, or none.
    repeats : mapping, optional
        Of :func:`gaitdyn.judge.read_repeats`.
    planned : sequence of str
        Such as ``left knee_angle_flexion swing``, at most three.
    whose : sequence of Whose, optional
        Of each pair, whether it is of one person; else told from the trials.
    """
    straight = [i for i, trials in enumerate(groups) if not all(turns(t) for t in trials)]
    abnormal = tuple(find_abnormal(groups[i], norms[i]) for i in straight if norms)
    norm: Norm | None = norms[straight[0]].norm if norms and straight else None
    pairs = tuple(
        find_changes(
            groups[straight[0]], groups[i], norm=norm, repeats=repeats, planned=planned, whose=one,
        )
        for i, one in zip(straight[1:], whose or [None] * len(straight[1:]), strict=True)
    )  # fmt: skip
    return Judgement(abnormal, pairs)


def write_judgement(
    folder: Path, found: Judgement, *, force: bool = False, before: str = ""
) -> list[Path]:
    """Write the tables of a judgement: ``change.csv`` of two groups, else ``abnormal.csv``.

    What an earlier report of the same name left of them goes, where this one writes none.

    Parameters
    ----------
    folder : Path
    found : Judgement
    force : bool
        Replace files of these names that gaitdyn did not write.
    before : str
        Put before the names, such as ``walk01-``.

    Returns
    -------
    list of Path
        Nothing where nothing was asked: one group and no reference set.

    Raises
    ------
    OutputRefused
    """
    written: list[Path] = []
    if found.changes is not None:
        written = write_changes(folder, found.changes, force=force, before=before)
    elif len(found.abnormal) == 1:
        written = write_abnormal(folder, found.abnormal[0], force=force, before=before)
    for path in older_tables(folder, before, {path.name for path in written}):
        path.unlink()
    return written

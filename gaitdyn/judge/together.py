"""All judgements of a page: what is abnormal in each group, what changed between two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from gaitdyn.judge.abnormal import Abnormal, find_abnormal
from gaitdyn.judge.changes.changed import Changes, find_changes
from gaitdyn.judge.changes.whose import PersonCheck
from gaitdyn.judge.files import ABNORMAL, CHANGE, refuse_table, write_abnormal, write_changes
from gaitdyn.statistics.session_error import SessionError
from gaitdyn.store.headings import turns
from gaitdyn.store.pages import older_tables
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import MatchedNorm, Norm


@frozen(eq=False)
class Judgement:
    """The findings on the groups of a page.

    Attributes
    ----------
    abnormal : tuple of Abnormal
        One per group; empty without a reference set. Its ``findings`` have words, places, sizes,
        p, sentences, and for each curve the difference, its limit and the cells of the strip.
    pairs : tuple of Changes
        To each group but the first, from the first one or the first of the same person.
    firsts : tuple of int
        The group, among those that walk straight, from which each pair is.
    """

    abnormal: tuple[Abnormal, ...]
    pairs: tuple[Changes, ...]
    firsts: tuple[int, ...]

    @property
    def compared(self) -> tuple[Changes, ...]:
        """The pairs that are shown side by side: without other people of the same visit."""
        return tuple(pair for pair in self.pairs if not pair.whose.apart)

    @property
    def changes(self) -> Changes | None:
        """The changes between two groups; None for another number, or two people of a visit."""
        return self.compared[0] if len(self.pairs) == len(self.compared) == 1 else None


def judge_groups(
    groups: Sequence[Sequence[StoredTrial]], norms: Sequence[MatchedNorm] = (), *,
    repeats: Mapping[str, SessionError] | None = None, planned: Sequence[str] = (),
    person_checks: Sequence[PersonCheck] | None = None, firsts: Sequence[int] | None = None,
) -> Judgement:  # fmt: skip
    """Return the abnormal curves of each group of trials, and the changes from the first one.

    Parameters
    ----------
    groups : sequence of sequence of StoredTrial
        Each of one session and condition. Groups of strides that turn are left out.
    norms : sequence of MatchedNorm
        One per group, matched to its speed, or empty.
    repeats : mapping, optional
        From :func:`gaitdyn.judge.read_repeats`.
    planned : sequence of str
        Such as ``left knee_angle_flexion swing`` or ``left knee_moment_extension_max``, at most
        three; if empty, those in the files of the visits.
    person_checks : sequence of PersonCheck, optional
        For each pair, whether it is of one person; by default decided from the trials.
    firsts : sequence of int, optional
        For each pair, the group from which it is, among those that walk straight; by default the
        first.
    """
    straight = [i for i, trials in enumerate(groups) if not all(turns(t) for t in trials)]
    abnormal = tuple(find_abnormal(groups[i], norms[i]) for i in straight if norms)
    norm: Norm | None = norms[straight[0]].norm if norms and straight else None
    others = straight[1:]
    firsts = tuple(firsts or [0] * len(others))
    pairs = tuple(
        find_changes(
            groups[straight[first]], groups[i], norm=norm, repeats=repeats, planned=planned,
            person_check=check,
        )
        for i, first, check in zip(
            others, firsts, person_checks or [None] * len(others), strict=True
        )
    )  # fmt: skip
    return Judgement(abnormal, pairs, firsts)


def refuse_tables(
    folder: Path, judgement: Judgement, *, force: bool = False, before: str = ""
) -> None:
    """Refuse what :func:`write_judgement` would refuse, before anything is written.

    Raises
    ------
    OutputRefused
    """
    if judgement.changes is not None:
        refuse_table(folder, CHANGE, before, force=force)
    elif len(judgement.abnormal) == 1:
        refuse_table(folder, ABNORMAL, before, force=force)


def write_judgement(
    folder: Path, judgement: Judgement, *, force: bool = False, before: str = ""
) -> list[Path]:
    """Write the tables of a judgement: ``change.csv`` of two groups, or ``abnormal.csv`` of one.

    Tables of an earlier report of the same name that this one does not write are removed.

    Parameters
    ----------
    folder : Path
    judgement : Judgement
    force : bool
        Replace files of these names that gaitdyn did not write.
    before : str
        A prefix of the names, such as ``walk01-``.

    Returns
    -------
    list of Path
        Empty for one group without a reference set.

    Raises
    ------
    OutputRefused
    """
    written: list[Path] = []
    if judgement.changes is not None:
        written = write_changes(
            folder, judgement.changes, abnormal=judgement.abnormal, force=force, before=before
        )
    elif len(judgement.abnormal) == 1:
        written = write_abnormal(folder, judgement.abnormal[0], force=force, before=before)
    for path in older_tables(folder, before, {path.name for path in written}):
        path.unlink()
    return written

"""Which groups of a report are compared, and with which."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.judge.changes.whose import PersonCheck, check_persons
from gaitdyn.report.groups import Group
from gaitdyn.store.headings import without_turning


def firsts_of_groups(groups: Sequence[Group]) -> tuple[tuple[int, PersonCheck], ...]:
    """Return with which group each straight walking group but the first is compared.

    It is the first one, or for a further person of one visit the first group of that person. A
    group in another condition than the first one is compared with an earlier session in its own
    condition, if there is one: from barefoot before to orthosis after, two things change.

    Parameters
    ----------
    groups : sequence of Group
        With the entries that identify the persons.

    Returns
    -------
    tuple of (int, PersonCheck)
        The number of that group among those that walk straight, and whether both are of one person.
    """
    straight = [group for group in groups if not group.turning]
    found: list[tuple[int, PersonCheck]] = []
    for group in straight[1:]:
        check, earlier = _check(straight[0], group), range(1, len(found) + 1)
        if check.apart:
            near = [j for j in earlier if found[j - 1][1].apart]
        else:
            near = [j for j in earlier if _again(straight[j], group, straight[0])]
        own = ((j, _check(straight[j], group)) for j in near)
        found.append(next(((j, same) for j, same in own if not same.two), (0, check)))
    return tuple(found)


def compared_groups(groups: Sequence[Group], firsts: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return which groups are compared: each but the first, with the group that it is compared to.

    Strides that turn are compared with the straight ones of their own session and condition, or
    without these with the first group.

    Parameters
    ----------
    groups : sequence of Group
    firsts : sequence of int
        From :func:`firsts_of_groups`, for the straight groups but the first.

    Returns
    -------
    tuple of (int, int)
        The numbers of both among ``groups``, the earlier one first.
    """
    straight = [i for i, group in enumerate(groups) if not group.turning]
    found = {i: straight[first] for i, first in zip(straight[1:], firsts, strict=True)}
    own = {(groups[i].session, groups[i].trials[0].condition): i for i in reversed(straight)}
    for i, group in enumerate(groups):
        if group.turning:
            found[i] = own.get((group.session, without_turning(group.trials[0].condition)), 0)
    return tuple((found.get(i, 0), i) for i in range(1, len(groups)))


def _again(before: Group, group: Group, first: Group) -> bool:
    """Return whether a group repeats an earlier session in a condition that the first has not."""
    conditions = [one.trials[0].condition for one in (before, group, first)]
    return conditions[0] == conditions[1] != conditions[2] and before.session != group.session


def _check(first: Group, other: Group) -> PersonCheck:
    same = other.session is not None and other.session == first.session
    return check_persons(first.trials, other.trials, one_visit=same)


def people_apart(groups: Sequence[Group]) -> bool:
    """Return whether the groups are of several people of one visit, who are not compared.

    Parameters
    ----------
    groups : sequence of Group
        With the entries that identify the persons.
    """
    return any(_check(groups[0], other).apart for other in groups[1:])

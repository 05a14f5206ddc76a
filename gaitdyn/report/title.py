"""The title of a report: what it shows, and what is compared with what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.report.contents import all_trials
from gaitdyn.report.groups import STRAIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.changes.whose import PersonCheck
    from gaitdyn.report.groups import Group

_LETTERS = 30
"""Names in a title that is longer than this leave no room for the person beside it."""


def title_of(groups: Sequence[Group], person_checks: Sequence[PersonCheck]) -> str:
    """Return the title of a report: its trial or trials, or the groups that it compares.

    Parameters
    ----------
    groups : sequence of Group
    person_checks : sequence of PersonCheck
        Groups of two persons are shown, not compared.
    """
    straight = [group for group in groups if not group.turning]
    names = [*dict.fromkeys(trial.name for trial in all_trials(groups))]
    named = names[0] if len(names) == 1 else f"{len(names)} trials: {_listed(names)}"
    if len(straight) == 1 and len({group.session for group in groups}) == 1:
        return f"{named}, straight and turning" if len(groups) > 1 else named
    two_people = any(check.two for check in person_checks)
    if len(straight) > 2:  # noqa: PLR2004  a series, or conditions
        word = "shown" if two_people else "compared"
        return f"{len(straight)} {word}: {_listed([group.label for group in straight])}"
    if len(groups) > 1:
        word = " and " if two_people else " against "
        apart = straight if len(straight) > 1 else groups
        return word.join(group.label or STRAIGHT for group in apart)
    return named


def _listed(names: Sequence[str]) -> str:
    """Return names in a row, or the first and the last of too many for a title."""
    words = ", ".join(names)
    return words if len(words) <= _LETTERS else f"{names[0]} \u2026 {names[-1]}"

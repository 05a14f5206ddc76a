"""Build a reference set from the cycles in an archive."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gaitdyn.archive.control_walks import ControlWalks, read_walks
from gaitdyn.archive.mixed import (
    mixed_axes,
    mixed_conditions,
    mixed_grounds,
    mixed_settings,
    mixed_shanks,
)
from gaitdyn.archive.where import Condition
from gaitdyn.errors import NormRefused, OutputRefused
from gaitdyn.metrics.norms.ages import ages_in
from gaitdyn.metrics.norms.build import SignalStrides, norm_groups, norm_text
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.metrics.norms.own_format import (
    AGES,
    CONDITION,
    GROUND,
    MODEL,
    MOMENTS,
    SETTINGS,
    SHANK,
    settings_words,
)
from gaitdyn.metrics.norms.people import people_file, people_text
from gaitdyn.metrics.norms.speed_groups import SpeedGroup, parse_groups
from gaitdyn.store.single_file import new_file
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Norm, NormGroup
from gaitdyn.types.words import counted

_NO_PACE = (
    "groups by speed: the set has no norm of the walking speed itself; for one build it from the"
    " free walks alone, without --groups"
)


@frozen(eq=False)
class BuiltNorm:
    """A reference set before it is written.

    Attributes
    ----------
    groups : tuple of NormGroup
    source : str
    notes : tuple of str
        What its users must know.
    people : dict
        Comments of the set on its people: marker models, ages, conditions, axes of the moments.
    signals : dict
        Name -> the SignalStrides it was built from.
    speeds : tuple of SpeedGroup
    """

    groups: tuple[NormGroup, ...]
    source: str
    notes: tuple[str, ...]
    people: dict[str, list[str]]
    signals: dict[str, SignalStrides]
    speeds: tuple[SpeedGroup, ...]


def build_norm(
    connection: sqlite3.Connection,
    where: Sequence[Condition] = (),
    groups: str | None = None,
    source: str = "",
) -> BuiltNorm:
    """Return mean, SD and number of people of every curve a reference set can have.

    Strides that turn are always left out. Trials whose verdict is fail, and walks backward or
    sideways, are left out unless ``where`` has a condition on verdicts, or on the way. The notes
    report what is left out.

    Parameters
    ----------
    connection : sqlite3.Connection
    where : sequence of Condition
    groups : str, optional
        See :func:`gaitdyn.metrics.norms.speed_groups.parse_groups`.
    source : str
        Where the people are from.

    Raises
    ------
    NormRefused
        With fewer than two subjects, or moments in axes of different kinds.
    UsageError
    """
    walks = read_walks(connection, where)
    longest = _longest(walks)
    speeds = parse_groups(groups, longest.speeds)
    norms, notes = norm_groups(walks.signals, speeds, walks.numbers)
    ages = "" if ages_in("", source) else walks.ages
    people, pairs = sorted(set(longest.people)), walks.profiles_and_models
    count = f"{counted(len(people), 'subject')}, {counted(len(longest.people), 'cycle')}"
    origin = ", ".join(filter(None, (source or "own laboratory", count, ages)))
    how = "; ".join(f"profile {profile}, model {model}" for profile, model in pairs)
    comments = {
        MODEL: [", ".join(sorted({model for _, model in pairs}))],
        AGES: [ages] if ages else [],
        CONDITION: walks.conditions if all(walks.conditions) else [],
        GROUND: walks.grounds,
        MOMENTS: [f"{kind} axes" for kind in walks.axes],
        SHANK: list(walks.knees.shank_axes) if walks.knees else [],
        SETTINGS: [settings_words(walks.settings)],
    }
    notes += _notes(walks, longest, speeds, people)
    return BuiltNorm(norms, f"{origin}, {how}", tuple(notes), comments, walks.signals, speeds)


def _longest(walks: ControlWalks) -> SignalStrides:
    """Return the signal with the most cycles of walks whose moments can be pooled.

    Raises
    ------
    NormRefused
    """
    for message in (*mixed_axes(walks.axes), *(mixed_shanks(walks.knees) if walks.knees else ())):
        raise NormRefused(message)
    if not walks.signals:
        message = "found no cycle with these conditions; wanted control subjects; change --where"
        raise NormRefused(message)
    return max(walks.signals.values(), key=lambda s: len(s.people))


def _notes(
    walks: ControlWalks,
    longest: SignalStrides,
    speeds: Sequence[SpeedGroup],
    people: Sequence[str],
) -> list[str]:
    """Return what users of the set must know beside the notes on its groups."""
    outside = ~np.any([group.rows(longest.speeds) for group in speeds], axis=0)
    unknown = np.isnan(longest.speeds)
    kinds = (
        (outside & ~unknown, "at speeds outside the groups"),
        (outside & unknown, "whose speed is not known or in doubt"),
    )
    strides = [f"{counted(int(of.sum()), 'stride')} {words}" for of, words in kinds if of.any()]
    left_out = [*walks.left_out, *strides]
    return [
        *([] if all(group.all_speeds for group in speeds) else [_NO_PACE]),
        *(f"left out: {reason}" for reason in left_out),
        *walks.alike,
        *mixed_conditions(walks.conditions),
        *mixed_grounds(walks.grounds),
        *mixed_settings(walks.settings),
        *walks.age_notes,
        *_doubts_about_people(people, walks.doubled),
    ]


def _doubts_about_people(
    people: Sequence[str], doubled: Sequence[tuple[str, Sequence[str]]]
) -> list[str]:
    """Return notes on people that may count twice: their recordings are shared, or have no name."""
    notes = [
        f"the recording {name} counts as {len(names)} people, {' and '.join(names)}; if it is one"
        " person, leave the others out, such as with --where"
        f" subject!={names[-1]}"
        for name, names in doubled
    ]
    unnamed = sum(person.startswith("unnamed-") for person in people)
    if unnamed:
        notes.append(
            f"{counted(unnamed, 'subject')} without pseudonym: each static counts as one person"
        )
    return notes


def write_norm(norm: BuiltNorm, path: Path, *, force: bool = False, curves: bool = False) -> Norm:
    """Write a reference set and return it as the report will read it.

    It is written to a temporary file, read back, and then moved into place.

    Parameters
    ----------
    norm : BuiltNorm
    path : Path
    force : bool
        Replace an existing file.
    curves : bool
        Write the numbered curves of the people to a second file, from which ranks are computed.

    Raises
    ------
    OutputRefused
        When the file exists and ``force`` is not given, or cannot be written.
    NormRefused
        When it could not be read back, for example because of a reversed sign.
    """
    people = people_file(path)
    if people.is_file() and not curves:
        raise OutputRefused(
            f"{people.name} belongs to an older set; build with --curves, or move it away"
        )
    with new_file(path, force=force) as new:
        new.write_text(
            norm_text(norm.groups, norm.source, norm.people), encoding="utf-8", newline="\n"
        )
        found = read_norm(new)
        if curves:  # not beside a set that is refused
            text = people_text(norm.signals, norm.speeds)
            with new_file(people, force=force) as beside:
                beside.write_text(text, encoding="utf-8", newline="\n")
        return found

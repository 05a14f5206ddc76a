"""The words and numbers of a report, the same for the page and for the PDF."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING

from gaitdyn.judge.settings import mixed_settings
from gaitdyn.report.first_screen.notices import different_subjects, recorded_again
from gaitdyn.report.numbers import mean_sd
from gaitdyn.report.strides import cycles_used, kinetic_cycles, values_of
from gaitdyn.store.outward import pseudonymised_label
from gaitdyn.store.persons import known_subject, why_two_persons
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import measure_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gaitdyn.judge.changes.whose import PersonCheck
    from gaitdyn.report.groups import Group
    from gaitdyn.store.stored import StoredTrial


WORDS = {
    "pass": "no warnings",
    "check": "usable with care: read the reasons",
    "fail": "do not use: read the reasons",
}
_WARNED = "usable: the warnings below change no verdict"
_BUT_AXES = "; check the knee axis"
_FEW = 3

NOT_GIVEN = "not given"
SEVERAL = "several people"


@frozen()
class TextTable:
    """A table of texts.

    Attributes
    ----------
    title : str
    columns : tuple of str
    rows : tuple of tuple of str
    notes : tuple of str
        Lines below it.
    prose : bool
        Whether its cells are sentences, which may be broken into lines.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    prose: bool = False


@frozen()
class Headline:
    """What a clinician asks first.

    Attributes
    ----------
    verdict : {"pass", "check", "fail"}
        The worst of all trials.
    words : str
        The verdict in words.
    reasons : tuple of str
    facts : tuple of (str, str)
        Cycles used, speed.
    subject : tuple of (str, tuple of (str, str))
        Label of a group and the known facts about its subject.
    """

    verdict: str
    words: str
    reasons: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    subject: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


def all_trials(groups: Sequence[Group]) -> list[StoredTrial]:
    """Return the trials of all groups."""
    return [trial for group in groups for trial in group.trials]


def headline(
    groups: Sequence[Group],
    named: Sequence[Group] = (),
    person_checks: Sequence[PersonCheck] = (),
    axes: Sequence[str] = (),
) -> Headline:
    """Return verdict, reasons, cycles used, speed and who was measured.

    Parameters
    ----------
    groups : sequence of Group
        Under pseudonyms, as they are reported.
    named : sequence of Group
        The same groups as read, with whatever identifies the persons; ``groups`` if empty.
    person_checks : sequence of PersonCheck
        For each group but the first, whether it is of the same person.
    axes : sequence of str
        The remarks on knee axes, which change no verdict.
    """
    known_persons = all_trials(named or groups)
    trials = all_trials(groups)
    order = list(WORDS)
    worst = max((t.document["verdict"] for t in trials), key=order.index)
    mixed = [
        pseudonymised_label(x, known_persons)
        for g in named or groups
        if (x := different_subjects(g))
    ]
    worst = "fail" if mixed else worst
    doubts = [text for group in groups for text in recorded_again(group)]
    settings = (", ".join(mixed_settings(group.trials)) for group in groups)
    doubts += [f"trials processed differently: {words}" for words in settings if words]
    worst = max(worst, "check" if doubts else "pass", key=order.index)
    reasons = [*mixed, *doubts, *_reasons(trials), *_few(groups), *axes]
    reasons += [
        pseudonymised_label(c.sentence, known_persons) for c in person_checks if c.differences
    ]
    shown = [g for g in groups if not g.turning] or groups
    subjects = tuple((g.label, subject_facts(g.trials)) for g in shown)
    words = WORDS[worst]
    if worst == "pass":
        levels = {row["level"] for trial in trials for row in trial.tables["quality"]}
        words = _WARNED if "warning" in levels else words
        words += _BUT_AXES * bool(axes)
    return Headline(worst, words, tuple(reasons), tuple(_facts(groups)), subjects)


def _facts(groups: Sequence[Group]) -> Iterator[tuple[str, str]]:
    """Yield the name and the words of the cycles, the speed and the belts of each group."""
    for group in groups:
        tail = f" ({group.label})" if group.label else ""
        yield f"Cycles{tail}", cycles_used(group.trials)
        yield f"Speed{tail}", speed_words(group.trials)
        if belts := belt_words(group.trials):
            yield f"Treadmill{tail}", belts


def _reasons(trials: Sequence[StoredTrial]) -> list[str]:
    """Return errors, then warnings, then why kinetics are missing, each with its trials.

    The straight and the turning part of a recording are one trial. Of more than two findings of one
    code the first stands for all: a table below has each.
    """
    numbered = list(enumerate(trials))
    found = [
        ((level, row["code"]), row["message"], i)
        for level in ("error", "warning")
        for i, trial in numbered
        for row in trial.tables["quality"]
        if row["level"] == level
    ]
    found += [(("", text), text, i) for i, trial in numbered for text in missing_kinetics(trial)]
    names: dict[tuple[str, str], dict[str, dict[Path, str]]] = {}
    for kind, text, i in found:
        names.setdefault(kind, {}).setdefault(text, {})[trials[i].path] = trials[i].name
    lines, count = [], len({trial.path for trial in trials})
    for (_, code), with_text in names.items():
        texts = [
            text if len(of) == count else f"{_among([*of.values()])}: {text}"
            for text, of in with_text.items()
        ]
        more = f"{texts[0]} (and {len(texts) - 1} more findings of {code})"
        lines += texts if len(texts) < _FEW else [more]
    return lines


def _few(groups: Sequence[Group]) -> list[str]:
    """Return a line for each group with a side that has kinetics of fewer than three cycles."""
    lines = []
    for group in groups:
        counts = [sum(len(kinetic_cycles(t, side)) for t in group.trials) for side in SIDES]
        if sum(counts) > 0 and min(counts) < _FEW:
            counted = ", ".join(f"{s} {n}" for s, n in zip(SIDES, counts, strict=True))
            tail = f" ({group.label})" if group.label else ""
            lines.append(f"few cycles with all moments{tail}: {counted}; at least {_FEW} are usual")
    return lines


def _among(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) < 4 else f"{len(names)} trials"  # noqa: PLR2004


def missing_kinetics(trial: StoredTrial) -> list[str]:
    """Return why cycles of a trial lack kinetics, one line per side and reason."""
    groups: dict[tuple[str, str], list[int]] = {}
    for row in trial.document["status"]:
        if row["status"] != "ok":
            groups.setdefault((row["side"], row["reason"]), []).append(row["cycle"])
    lines = []
    for (side, reason), cycles in groups.items():
        numbers = sorted(set(cycles))
        word = "cycles" if len(numbers) > 1 else "cycle"
        lines.append(f"no full kinetics in {side} {word} {', '.join(map(str, numbers))}: {reason}")
    return lines


def belt_words(trials: Sequence[StoredTrial]) -> str:
    """Return the speeds of the belts, each text once; an empty text overground."""
    speeds = [
        ", ".join(
            f"{' and '.join(belt['sides'])} {float(belt['speed_m_s']):.2f} m/s"
            + ("" if belt["steady"] else ", changing")
            for belt in trial.document.get("belts", ())
        )
        for trial in trials
    ]
    return "; ".join(dict.fromkeys(text for text in speeds if text))


def speed_words(trials: Sequence[StoredTrial]) -> str:
    """Return the mean walking speed of all cycles, with its non-dimensional value if known."""
    speed = values_of(trials, "gait_parameters", "speed")
    if not speed:
        return "not known: no complete gait cycle"
    number = values_of(trials, "gait_parameters", "speed_nondimensional")
    tail = f"; {fmean(number):.3f} of \u221a(g \u00d7 leg length)" if number else ""
    return f"{mean_sd(speed)} m/s{tail}"


def subject_facts(trials: Sequence[StoredTrial]) -> tuple[tuple[str, str], ...]:
    """Return the known facts about the subject; for pooled persons only that they differ."""
    if why := why_two_persons(trials):
        return (("Subject", f"{SEVERAL} ({why})"),)
    subject = known_subject(trials)

    def shown(key: str) -> str:
        value = subject.get(key)
        return NOT_GIVEN if value is None else measure_words(key, value)

    legs = []
    for side in SIDES:
        length = (subject.get(side) or {}).get("leg_length_m")
        legs.append(f"{side} " + (NOT_GIVEN if length is None else f"{1000 * length:.0f} mm"))
    return (
        ("Pseudonym", subject.get("id") or NOT_GIVEN),
        ("Sex", {"f": "female", "m": "male"}.get(subject.get("sex") or "", NOT_GIVEN)),
        ("Age", shown("age_years")),
        ("Mass", shown("mass_kg")),
        ("Height", shown("height_m")),
        ("Leg length", ", ".join(legs) if any("mm" in leg for leg in legs) else NOT_GIVEN),
    )


def trimmed(table: TextTable) -> TextTable:
    """Return a table without empty columns and without the name of a single trial."""
    cells = [{row[i] for row in table.rows} for i in range(len(table.columns))]
    keep = [
        i
        for i, (name, values) in enumerate(zip(table.columns, cells, strict=True))
        if not values or ((i == 0 or any(values)) and not (name == "Trial" and len(values) == 1))
    ]
    return replace(
        table,
        columns=tuple(table.columns[i] for i in keep),
        rows=tuple(tuple(row[i] for i in keep) for row in table.rows),
    )

"""The words and numbers of a report, the same for the page and for the PDF."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

from gaitdyn.quality.verdicts import SWING_ENDS
from gaitdyn.report.notices import different_subjects, same_recording
from gaitdyn.store.outward import pseudonymised_label
from gaitdyn.store.persons import why_two_persons
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import measure_words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from gaitdyn.judge.whose import PersonCheck
    from gaitdyn.report.groups import Group
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.cycles import CycleCurves


WORDS = {
    "pass": "no warnings",
    "check": "usable with care: read the reasons",
    "fail": "do not use: read the reasons",
}
_FEW = 3
DASH = "\u2013"
"""Stands for an unknown value."""

NOT_GIVEN = "not given"
SEVERAL = "several persons"


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of texts.

    Attributes
    ----------
    title : str
    columns : tuple of str
    rows : tuple of tuple of str
    notes : tuple of str
        Lines below it.
    prose: bool
        Whether its cells are sentences, which may be broken into lines.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    prose: bool = False


@dataclass(frozen=True, slots=True)
class Headline:
    """What a clinician asks first.

    Attributes
    ----------
    verdict : {"pass", "check", "fail"}
        The worst of all trials.
    reasons : tuple of str
    facts : tuple of (str, str)
        Cycles used, speed.
    subject : tuple of (str, tuple of (str, str))
        Label of a group and the known facts about its subject.
    """

    verdict: str
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
    copies = [text for group in groups for text in same_recording(group)]
    worst = max(worst, "check" if copies else "pass", key=order.index)
    reasons = [*mixed, *copies, *_reasons(trials), *_few(groups)]
    reasons += [
        pseudonymised_label(c.sentence, known_persons) for c in person_checks if c.differences
    ]
    facts = []
    for group in groups:
        tail = f" ({group.label})" if group.label else ""
        facts += [(f"Cycles{tail}", cycles_used(group.trials))]
        facts += [(f"Speed{tail}", speed_words(group.trials))]
        belts = belt_words(group.trials)
        facts += [(f"Treadmill{tail}", belts)] if belts else []
    subjects = tuple((g.label, subject_facts(g.trials)) for g in groups)
    return Headline(worst, tuple(reasons), tuple(facts), subjects)


def _reasons(trials: Sequence[StoredTrial]) -> list[str]:
    """Return errors, then warnings, then why kinetics are missing, each with its trials.

    Of more than two findings of one code the first stands for all: a table below has each.
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
    names: dict[tuple[str, str], dict[str, list[str]]] = {}
    for kind, text, i in dict.fromkeys(found):
        names.setdefault(kind, {}).setdefault(text, []).append(trials[i].name)
    lines = []
    for (_, code), with_text in names.items():
        texts = [
            text if len(of) == len(trials) else f"{_among(of)}: {text}"
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


def cycles_used(trials: Sequence[StoredTrial]) -> str:
    """Return how many cycles each side has, with all leg angles and with all moments."""
    words = []
    for side in SIDES:
        cycles = [c for t in trials for c in t.cycles if c.cycle.side == side]
        if not cycles:
            words.append(f"{side} none")
            continue
        with_angles = stride_count(verdicts_of(trials, side, "kinematics"))
        with_moments = sum(len(kinetic_cycles(trial, side)) for trial in trials)
        words.append(
            f"{side} {len(cycles)}, {with_angles} of them with all leg angles and"
            f" {with_moments} with all moments"
        )
    return "; ".join(words)


def verdicts_of(trials: Iterable[StoredTrial], side: str, quantity: str) -> list[dict[str, Any]]:
    """Return the verdict of each trial on one quantity of one side."""
    return [
        verdict
        for trial in trials
        for verdict in trial.document.get("verdicts") or []
        if (verdict["side"], verdict["quantity"]) == (side, quantity)
    ]


def stride_count(verdicts: Iterable[dict[str, Any]]) -> int:
    """Return the number of known gait cycles behind some verdicts."""
    return sum(int(verdict["cycles"]) for verdict in verdicts)


def kinetic_cycles(trial: StoredTrial, side: str) -> list[int]:
    """Return the cycles with moments of all joints from 0 to 100 % and no failed rule."""
    return trial.once(("kinetic cycles", side), lambda: _whole_cycles(trial, side))


def _whole_cycles(trial: StoredTrial, side: str, ends: Collection[str] = ()) -> list[int]:
    """Return the cycles whose joints are all known, or in part for one of the codes ``ends``."""
    states: dict[int, list[bool]] = {}
    for row in trial.document["status"]:
        if row["side"] == side and row["joint"] in JOINTS:
            ended = row["status"] == "partial" and row.get("code") in ends
            good = (row["status"] == "ok" or ended) and row.get("verdict") != "fail"
            states.setdefault(row["cycle"], []).append(good)
    return [number for number, good in states.items() if all(good)]


def rows_of(
    trials: Iterable[StoredTrial], table: str, name: str, side: str = "", *, kinetic: bool = False
) -> list[dict[str, str]]:
    """Return the rows of a quantity with a value, over the cycles of some trials.

    Parameters
    ----------
    trials : iterable of StoredTrial
    table : {"gait_parameters", "peaks"}
    name : str
    side : str
        Both sides when empty.
    kinetic : bool
        Only cycles of whole steps with moments from 0 to 100 %.
    """
    rows = []
    for trial in trials:
        whole = {s: kinetic_cycles(trial, s) for s in SIDES} if kinetic else {}
        rows += [
            row
            for row in _rows_by_name(trial, table).get(name, ())
            if side in ("", row["side"])
            and (not kinetic or int(row["cycle"]) in whole[row["side"]])
        ]
    return rows


def _rows_by_name(trial: StoredTrial, table: str) -> dict[str, list[dict[str, str]]]:
    """Return quantity -> its rows with a value in a table."""

    def grouped() -> dict[str, list[dict[str, str]]]:
        rows: dict[str, list[dict[str, str]]] = {}
        for row in trial.tables[table]:
            if row["value"]:
                rows.setdefault(row["quantity"], []).append(row)
        return rows

    return trial.once(("rows by name", table), grouped)


def values_of(trials: Iterable[StoredTrial], table: str, name: str, side: str = "") -> list[float]:
    """Return the known values of a quantity over the cycles of some trials."""
    return [float(row["value"]) for row in rows_of(trials, table, name, side)]


def decimal(value: float, digits: int, sign: str = "") -> str:
    """Return a number with a true minus sign, never a negative zero.

    Examples
    --------
    >>> decimal(-0.04, 1), decimal(-1.25, 2), decimal(0.5, 1, "+")
    ('0.0', '\u22121.25', '+0.5')
    """
    text = f"%{sign}.{digits}f" % value
    if text[0] == "-":
        return text.replace("-", "\u2212" if text.strip("-0.") else sign)
    return text


def mean_sd(values: Sequence[float], digits: int = 2) -> str:
    """Return ``mean \u00b1 SD``; for two values their mean and both, for none a dash.

    Examples
    --------
    >>> mean_sd([1.0, 2.0, 3.0], 1), mean_sd([1.0, 2.0], 1), mean_sd([1.5]), mean_sd([])
    ('2.0 \u00b1 1.0', '1.5 (1.0; 2.0)', '1.50', '\u2013')
    """
    if not values:
        return DASH
    if len(values) == 1:
        return decimal(values[0], digits)
    if len(values) < _FEW:
        return f"{decimal(fmean(values), digits)} ({'; '.join(decimal(v, digits) for v in values)})"
    mean = fmean(values)
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (len(values) - 1))
    return f"{decimal(mean, digits)} \u00b1 {spread:.{digits}f}"


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
    subject: dict[str, Any] = trials[0].document["subject"]

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


def counted_cycles(trials: Sequence[StoredTrial]) -> list[CycleCurves]:
    """Return the strides whose loads count: of a whole step and known from 0 to 100 %.

    If a side has none of these, its strides of a whole step count whose swing alone is not known
    to its end; their mean ends where they do.
    """
    counted: list[CycleCurves] = []
    for side in SIDES:
        counted += _cycles_in(trials, side, kinetic_cycles) or _cycles_in(trials, side, whole_steps)
    return counted


def _cycles_in(
    trials: Sequence[StoredTrial], side: str, numbers: Callable[[StoredTrial, str], list[int]]
) -> list[CycleCurves]:
    return [
        curves
        for trial in trials
        for curves in trial.cycles
        if curves.cycle.side == side and curves.cycle.number in numbers(trial, side)
    ]


def whole_steps(trial: StoredTrial, side: str) -> list[int]:
    """Return the strides with a whole step, even if the end of the swing is not known."""
    return _whole_cycles(trial, side, SWING_ENDS)

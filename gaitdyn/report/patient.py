"""The patient and the visit: the header of a clinic's report."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.report.compared.comparison import opens_with
from gaitdyn.report.contents import NOT_GIVEN, SEVERAL, TextTable, subject_facts
from gaitdyn.report.first_screen.walk_norms import on_belts
from gaitdyn.report.groups import Group
from gaitdyn.report.report import Report
from gaitdyn.report.views import GroupView
from gaitdyn.store.persons import known_subject, why_two_persons
from gaitdyn.store.visit import one_visit
from gaitdyn.types.words import all_of, measure_words

_FIELDS = (
    ("date", "Date"),
    ("laboratory", "Laboratory"),
    ("diagnosis", "Diagnosis"),
    ("aids", "Aids"),
    ("referral", "Reason for referral"),
)


_BETWEEN = " \u00b7 "


def fact_line(report: Report, view: GroupView | None = None) -> str:
    """Return the line next to the title: age and sex, mass, height, dates, condition, the lacking.

    Parameters
    ----------
    report : Report
    view : GroupView, optional
        For the sheets of this view alone. By default the line has the person at the first visit
        and at the one that a page opens with; facts that both share are given once. Of three
        visits or more by different people it only says so.
    """
    straight = report.straight
    ends = dict.fromkeys((*straight[:1], report.views[opens_with(report)], *straight[-1:]))
    shown = [view] if view else list(ends)
    dated = [view] if view else report.views
    walked = [view] if view else straight or dated
    of_visits = {"date": _dates(dated), "condition": _conditions(walked)}
    different = any(pair.whose.two for pair in report.judgement.pairs)
    several = different and view is None and len(straight) > 2  # noqa: PLR2004  more than A and B
    words = _facts_of_each(shown, [[SEVERAL] if several else _person_facts(v) for v in shown])
    words += [text for text in of_visits.values() if text]
    lacking = _not_given(shown) + [name for name, text in of_visits.items() if not text]
    words += [f"not given: {', '.join(lacking)}"] if lacking else []
    return _BETWEEN.join(words)


def _facts_of_each(views: Sequence[GroupView], facts: Sequence[list[str]]) -> list[str]:
    """Return the facts that all views share, and behind the label of a view those of it alone."""
    shared = [fact for fact in facts[0] if all(fact in others for others in facts)]
    words = [*shared]
    for view, own in zip(views, facts, strict=True):
        rest = ", ".join(fact for fact in own if fact not in shared)
        words += [f"{view.label}: {rest}"] if rest else []
    return words


def _dates(views: Sequence[GroupView]) -> str:
    dates = (one_visit(view.trials).text("date") for view in views)
    known = list(dict.fromkeys(date for date in dates if date))
    return all_of(known) if known else ""


def _conditions(views: Sequence[GroupView]) -> str:
    conditions = (trial.condition for view in views for trial in view.trials)
    return ", ".join(dict.fromkeys(condition for condition in conditions if condition))


def _not_given(views: Sequence[GroupView]) -> list[str]:
    """Return what of age and sex is not known of the person of each view."""
    subjects = [known_subject(view.trials) for view in views if not why_two_persons(view.trials)]
    keys = {"age": "age_years", "sex": "sex"}
    return [name for name, key in keys.items() if any(s.get(key) in (None, "") for s in subjects)]


def sheet_facts(report: Report, view: GroupView) -> str:
    """Return the line next to the title of a sheet: its facts, and its label if it says more."""
    facts = fact_line(report, view)
    named = not view.label or view.label in facts.split(_BETWEEN)
    return facts if named else _BETWEEN.join((facts, view.label))


def _person_facts(view: GroupView) -> list[str]:
    """Return pseudonym, age and sex, mass and height of a person at a visit, and a treadmill."""
    if why_two_persons(view.trials):
        return [SEVERAL]
    subject = known_subject(view.trials)
    age, sex = subject.get("age_years"), subject.get("sex")
    words = [
        str(subject.get("id") or ""),
        {"f": "female", "m": "male"}.get(sex or "", ""),
        measure_words("age_years", age) if age is not None else "",
    ]
    words += [measure_words(k, subject[k]) for k in ("mass_kg", "height_m") if subject.get(k)]
    words += ["on a treadmill"] if on_belts(view.trials) else []
    return [word for word in words if word]


def who_rows(report: Report) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """Return the facts about the visit, then about the subject of each group.

    What differs between visits stands in the part of each; of three groups or more, what they share
    about the subject is told with the visit. Facts that nobody gave share the last row of their
    part; a single group is one part with the visit.
    """
    groups = _straight_groups(report)
    facts = [_facts(group) for group in groups]
    visit = [name for _, name in _FIELDS]
    once = [name for name, _ in facts[0]] if len(groups) != _PAIR else visit
    shared = [f for f in facts[0] if f[0] in once and all(f in of_group for of_group in facts)]
    own = [[fact for fact in of_group if fact not in shared] for of_group in facts]
    parts = [("", shared), *((g.label, rest) for g, rest in zip(groups, own, strict=True))]
    return [(label, _lacking_last(rest)) for label, rest in parts if rest]


_PAIR = 2
"""Groups whose subjects stand side by side."""


def _facts(group: Group) -> list[tuple[str, str]]:
    """Return the facts about the visit and the subject of a group, and its condition."""
    visit = one_visit(group.trials)
    condition = ", ".join(dict.fromkeys(t.condition for t in group.trials if t.condition))
    return [
        *((name, visit.text(key) or NOT_GIVEN) for key, name in _FIELDS),
        *subject_facts(group.trials),
        ("Condition", condition or NOT_GIVEN),
    ]


def _lacking_last(facts: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    given = [fact for fact in facts if fact[1] != NOT_GIVEN]
    lacking = ", ".join(name.lower() for name, text in facts if text == NOT_GIVEN)
    return (*given, ("Not given", lacking)) if lacking else tuple(given)


def _straight_groups(report: Report) -> list[Group]:
    """Return the groups without strides that turn; those are part of another group's trial."""
    straight = [group for group in report.groups if not group.turning]
    return straight or list(report.groups[:1])


def all_comments(report: Report) -> str:
    """Return the comments of the sessions and of readers, each once.

    Those of sessions that differ have the session's name; a reader's file repeats what it answers.
    """
    groups = _straight_groups(report)
    labels: dict[str, list[str]] = {}
    for group in groups:
        labels.setdefault(one_visit(group.trials).text("comments"), []).append(group.label)
    read = f"\n\n{report.comments}\n\n"
    texts: list[str] = []
    for text, of_text in labels.items():
        own = f"{' and '.join(of_text)}: {text}" if len(labels) > 1 else text
        if not any(f"\n\n{one}\n\n" in read for one in (own, text)):
            texts += [own] if text else []
    return "\n\n".join(text for text in (*texts, report.comments) if text)


def examination_tables(report: Report) -> list[TextTable]:
    """Return the physical examination as entered; of each visit if they differ.

    Rows of three cells are measure, left, right.
    """
    groups = _straight_groups(report)
    visits: dict[tuple[str, tuple[tuple[str, ...], ...]], list[str]] = {}
    for group in groups:
        visit = one_visit(group.trials)
        visits.setdefault((visit.text("date"), visit.examination), []).append(group.label)
    alike = len({rows for _, rows in visits}) == 1
    told = list(visits.items())[: 1 if alike else None]
    return [
        _examination("" if alike else " and ".join(labels), rows)
        for (_, rows), labels in told
        if rows
    ]


def _examination(label: str, rows: Sequence[tuple[str, ...]]) -> TextTable:
    width = max(len(row) for row in rows)
    heads = ("", "Left", "Right") if width == 3 else ("",) * width  # noqa: PLR2004
    return TextTable(", ".join(filter(None, ("Physical examination", label))), heads, tuple(rows))

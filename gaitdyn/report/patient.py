"""Who was measured, when and why: the header of a clinic's report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.report.comparison import opens_with
from gaitdyn.report.contents import SEVERAL, TextTable, subject_facts
from gaitdyn.store.headings import turns
from gaitdyn.store.persons import two_persons
from gaitdyn.store.visit import one_visit

if TYPE_CHECKING:
    from gaitdyn.report.groups import Group
    from gaitdyn.report.report import Report
    from gaitdyn.report.views import GroupView

_FIELDS = (
    ("date", "Date"),
    ("laboratory", "Laboratory"),
    ("diagnosis", "Diagnosis"),
    ("aids", "Aids"),
    ("referral", "Reason for referral"),
)


def fact_line(report: Report, view: GroupView | None = None) -> str:
    """Return the line beside the title: age and sex, mass, height, dates, condition.

    Parameters
    ----------
    report : Report
    view : GroupView, optional
        Of it alone, for its own sheets; else each person as at the first visit and at the one that
        a page opens with, what both have in common once.
    """
    views = [v for v in report.views if not all(turns(t) for t in v.trials)]
    ends = dict.fromkeys((*views[:1], report.views[opens_with(report)]))
    shown = [view] if view else list(ends)
    who = [_who(one) for one in shown]
    shared = [word for word in who[0] if all(word in other for other in who)]
    words = list(shared)
    for one, own in zip(shown, who, strict=True):
        rest = ", ".join(word for word in own if word not in shared)
        words += [f"{one.label}: {rest}"] if rest else []
    dated = [view] if view else report.views
    dates = [one_visit(one.trials).text("date") for one in dated]
    words.append(" and ".join(dict.fromkeys(d for d in dates if d)) or "date not recorded")
    conditions = list(dict.fromkeys(t.condition for one in ([view] if view else views or dated)
                                    for t in one.trials))  # fmt: skip
    told = ", ".join(word for word in conditions if word)
    words.append(told or "condition not given")
    return " \u00b7 ".join(words)


def _who(view: GroupView) -> list[str]:
    """Return pseudonym, age and sex, mass and height of a person at a visit."""
    if two_persons(view.trials):
        return [SEVERAL]
    subject = view.trials[0].document["subject"]
    age, sex = subject.get("age_years"), subject.get("sex")
    who = [
        f"{age:g} years" if age is not None else "",
        {"f": "female", "m": "male"}.get(sex or "", ""),
    ]
    known = " ".join(word for word in who if word)
    if age is None and not sex:
        known = "age and sex not given"
    elif age is None:
        known += ", age not given"
    words = [str(subject.get("id") or ""), known]
    words += [f"{subject['mass_kg']:.0f} kg"] if subject.get("mass_kg") else []
    words += [f"{subject['height_m']:.2f} m"] if subject.get("height_m") else []
    return [word for word in words if word]


def who_rows(report: Report) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """Return what is known of the visit, then of the subject of each group."""
    visit = tuple((name, report.visit.text(key) or "not given") for key, name in _FIELDS)
    conditions = {
        g.label: ", ".join(dict.fromkeys(t.condition for t in g.trials if t.condition))
        for g in report.groups
    }
    found = [("", visit)]
    for group in _walking_straight(report):
        facts = (
            *subject_facts(group.trials),
            ("Condition", conditions[group.label] or "not given"),
        )
        found.append((group.label, facts))
    return found


def _walking_straight(report: Report) -> list[Group]:
    """Return the groups without strides that turn, which are of a trial that has another group."""
    straight = [g for g in report.groups if not all(turns(t) for t in g.trials)]
    return straight or list(report.groups[:1])


def all_comments(report: Report) -> str:
    """Return what the session says and what readers wrote, each once."""
    told = dict.fromkeys((report.visit.text("comments"), report.comments))
    return "\n\n".join(text for text in told if text)


def examination_table(report: Report) -> TextTable | None:
    """Return the physical examination as it was given."""
    rows = tuple(tuple(row) for row in report.visit.examination)
    if not rows:
        return None
    width = max(len(row) for row in rows)
    heads = ("", "Left", "Right")[:width] if width <= 3 else ("",) * width  # noqa: PLR2004
    return TextTable("Physical examination", heads, rows)

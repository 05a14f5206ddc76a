"""The page of laboratories.py: what came of them, in tables."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Literal

from page import stamp, table
from walkers.laboratory import CHOICES, HARDER
from walkers.laboratory_rungs import TOLERANCES

if TYPE_CHECKING:
    from laboratories import Outcome

Kind = Literal["processed", "in part", "refused", "said", "silent", "crash"]
KINDS: tuple[Kind, ...] = ("processed", "in part", "refused", "said", "silent", "crash")
MEANING = {
    "processed": "all that the landmarks allow, within tolerance",
    "in part": "some of it, within tolerance",
    "refused": "an error that says why",
    "said": "out of tolerance, with a finding on that joint and side",
    "silent": "out of tolerance, and nothing says so",
    "crash": "another exception than gaitdyn's own",
}

TEXT = (
    "Each is the synthetic walker, recorded as one laboratory might: its own labels, marker",
    "set, axes, units, plates, rates, gaps, calibration (`benchmarks/walkers/laboratory.py`).",
    "Nothing is filtered, so that what is off comes from landmarks, centres and axes.",
    "Angles and moments are held against the walker's, joint by joint.",
)
TOLERANCE_TEXT = (
    "Sagittal / frontal / transverse, the largest difference in any frame. A result is judged",
    "by the rungs that it states. Where a joint stands on several (hip centre, knee, ankle),",
    "they err independently (a thigh turned by the knee's rung, a hip centre off by its",
    "regression): their tolerances add as squares, each rung counted once. A diameter that no",
    "file states adds 0.85 N m and 0.2 degrees a mm of radius. A coarse rung must be said.",
)
LOWER_TEXT = (
    "Of the result that is judged by them: the marker set has its own, or a label is not read."
)
HARDER_TEXT = (
    "Labels are those of marker sets of many laboratories, written in several ways, with a person",
    "before them; children, second persons, walking aids, plates that nobody steps on, every",
    "direction of walking and rates from 50 to 500 Hz are among them.",
)


def reason(outcome: Outcome) -> str:
    """Return a refusal without what belongs to one file."""
    text = outcome.reason.partition(": ")[2] or outcome.reason
    text = re.sub(r"found \d+ markers \(.*?\), the nearest model.*", "found other markers", text)
    return re.sub(r"\d+(\.\d+)?", "N", text).split(";")[0][:110]


def _counts(found: list[Outcome]) -> tuple[str, ...]:
    kinds = Counter(outcome.kind for outcome in found)
    return (str(len(found)), *(str(kinds[kind]) for kind in KINDS))


def _by_choice(found: list[Outcome]) -> list[str]:
    rows = []
    harder = any(outcome.lab.marker_set for outcome in found)
    choices = CHOICES | HARDER if harder else CHOICES
    for name, values in choices.items():
        for value in (*CHOICES.get(name, ()), *values) if harder else values:
            own = [outcome for outcome in found if getattr(outcome.lab, name) == value]
            rows.append((name, str(value), *_counts(own)))
    return table(("choice", "is", "laboratories", *KINDS), rows)


def _by_plane(values: tuple[float, float, float]) -> str:
    return " / ".join(f"{value:g}" for value in values)


def _limits() -> list[str]:
    head = ("rung", "angle, deg", "moment, N m", "why")
    rows = [
        (name, _by_plane(t.angle_deg), _by_plane(t.moment_nm), t.why)
        for name, t in TOLERANCES.items()
    ]
    return table(head, rows)


def silent(found: list[Outcome]) -> list[str]:
    """Return the table of the curves that are wrong while nothing says so."""
    rows = [
        (str(o.lab.seed), row.column, f"{row.error:.1f}", f"{row.limit:.1f}", o.model, o.lab.said())
        for o in found
        for row in o.rows
        if row.silent
    ]
    head = ("seed", "curve", "off by", "tolerance", "model", "choices")
    return table(head, rows) if rows else ["None."]


def _listed(found: list[Outcome], kind: Kind) -> list[str]:
    reasons = Counter(reason(outcome) for outcome in found if outcome.kind == kind)
    first = {reason(o): o.lab.seed for o in reversed(found) if o.kind == kind}
    rows = [(text, str(n), str(first[text])) for text, n in reasons.most_common(40)]
    return table(("reason", "laboratories", "first seed"), rows) if rows else ["None."]


def _refusals(found: list[Outcome]) -> str:
    """Return how many were refused for what the laboratory did, in one sentence."""
    refused = [o for o in found if o.kind == "refused"]
    person = sum(o.lab.static == "of another person" for o in refused)
    rest = [o for o in refused if o.lab.static != "of another person"]
    cut = sum(o.lab.style == "cut to four letters" for o in rest)
    return (
        f"{person} for a static of another person, {cut} whose labels are cut to four letters and"
        f" described nowhere, so that side or landmark are lost, {len(rest) - cut} others."
    )


def _lower(found: list[Outcome]) -> list[str]:
    """Return the table of lower rungs than the markers allow."""
    texts = Counter(text for outcome in found for text in outcome.lower)
    first = {text: o.lab.seed for o in reversed(found) for text in o.lower}
    rows = [(text, str(n), str(first[text])) for text, n in texts.most_common()]
    return table(("rung", "laboratories", "first seed"), rows) if rows else ["None."]


def page(found: list[Outcome], command: str) -> list[str]:
    """Return the lines of the page of some outcomes, and of the command that made it."""
    kinds = Counter(outcome.kind for outcome in found)
    harder = any(outcome.lab.marker_set for outcome in found)
    done = sum(kinds[kind] for kind in ("processed", "in part", "said"))
    lines = [
        "# Laboratories that nobody has seen" + (", harder ones" if harder else ""),
        "",
        *stamp(command, "ezc3d"),
        f"{len(found)} laboratories drawn from seeds 0 to {len(found) - 1}: {done} processed",
        f"({kinds['in part']} of them in part, {kinds['said']} out of tolerance and said),",
        f"{kinds['refused']} refused with a reason,",
        f"{kinds['silent']} wrong and silent, {kinds['crash']} crashes.",
        "",
        *TEXT,
        *(HARDER_TEXT if harder else ()),
        "",
        *table(("outcome", "means", "laboratories"),
               [(kind, MEANING[kind], str(kinds[kind])) for kind in KINDS]),
    ]  # fmt: skip
    for title, section in _sections(found).items():
        lines += ["", f"## {title}", "", *section]
    return lines


def _sections(found: list[Outcome]) -> dict[str, list[str]]:
    """Return the lines of each section by its title."""
    return {
        "Tolerance of each rung": [*TOLERANCE_TEXT, "", *_limits()],
        "Wrong and silent": silent(found),
        "Refused": [_refusals(found), "", *_listed(found, "refused")],
        "What is lacking in those processed in part": _listed(found, "in part"),
        "Lower rungs than the markers allow": [LOWER_TEXT, "", *_lower(found)],
        "By choice": _by_choice(found),
    }

"""Write docs/quality.md from the table of quality rules.

usage: python benchmarks/quality_page.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from usage import help_shown

from gaitdyn.quality.rules import QualityRule, load_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE = Path(__file__).resolve().parents[1] / "docs" / "quality.md"

OPENING = """# Quality: what is checked and what to do

Every code of `quality.csv` ([results.md](results.md)) is in a table below, by subject and code:
what is measured, its limit, why it matters and what to do. Before them: what the verdicts mean,
which values are left empty, and how to set your own limits. Which rule catches which fault in real
trials: [faults.md](../reports/validation/faults.md). `python benchmarks/quality_page.py` writes
this page from `gaitdyn/resources/quality/rules.toml`.

Tables: [tables].

## Verdicts
- **A side** has a word for `kinematics`, for `kinetics` and, if recorded, for `emg`. It is `fail`
  if an error concerns it, `check` if a warning does or no cycle is known, otherwise `pass`.
  Kinetics that do not exist, for lack of plates or a body mass, are `check`; the console calls them
  "no kinetics", the report "no moments". A single cycle can pass, with its spread unknown. In
  `result.json`: `verdicts`, with `{side, quantity, word, cycles, reasons}`; `cycles` counts the
  known ones.
- **What counts**: information never does, nor does a finding within its limit, whatever the level
  of its rule. Rules on plates and loads count for kinetics only, and so does a difference between
  two sources of the body mass. If the plates and another file contradict the body mass, there is
  one warning, `force-against-mass`; what else it causes is information.
- **One cycle**: a finding about a cycle, or a step that is not used (`contact-rejected`,
  `contact-partial`, or `contacts-not-whole` for more than five), affects only that cycle. A code of
  `status` does not change the verdict of the side, unless no cycle has a whole step on a plate;
  then its kinetics do not pass.
- **A plate**: a finding about it counts for each foot with a used step on it; without one, for each
  foot that stands on it.
- **The trial** has the worst word of its kinematics and kinetics, and `fail` without any angle.
  Findings `emg-...` do not affect it.
- **Electromyography** is `pass` if every named muscle of the side has a usable channel, and `check`
  if one has none or the leg has no electrodes; the first reason counts the muscles.
- **A joint in a cycle** is `fail` if an error concerns it, `check` if a warning does or its
  kinetics are missing, otherwise `pass`: `verdict` and `reasons` of each row of `status` in
  `result.json`. A finding with a side, cycle, joint or time concerns only these; one without
  concerns all.

An orthosis, a prosthesis or an assistive device makes the kinetics of its side `check`. Name it in
the subject file, for example `device = "ankle-foot orthosis"` under `[subject.left]`.

## Values left empty
- **Impossible values** are `fail` and empty in every table. A rule that empties kinematics empties
  the angles and centres of its joint, everything computed from them and all loads of that side (for
  the pelvis, of both sides). An angle that leaps out of its range and back in at most a tenth of
  the frames costs only these and 0.3 s around them, unless another finding doubts the markers of
  the side throughout. A rule that empties kinetics empties the loads of the side for 0.3 s around
  it. `--publish-anyway` writes these values, marked; the verdict stays.
- **A stance measured in part** by the plates has no kinetics and no ground force (the profile
  `plug-in-gait` keeps the vendor's mask). Its strike and foot-off are known from the markers to
  some 20 ms: loads of the swing may lack the ground force for that long at either end.
- **Markers**: samples that no limb can reach, frozen markers, frames in which a marker leaves its
  segment and frames beside a jump of the whole recording become gaps before anything is computed:
  `marker-far`, `marker-jumps`, `marker-frozen`, `marker-astray`, `marker-rare`, `recording-jumps`.

## Findings
- **Your own limits**: `gaitdyn process --quality FILE.toml`, with tables such as `[peak-force]`
  that contain `limit`, `low`, `least`, `flight` (the limit in running and jumps, if it is larger)
  or `level` (`info`, `warning`, `error`, `off`). Settings that change the numbers are options
  (`--baseline`, `--cutoff`) or fixed (the share of body weight in `contact-partial`).
- **In `result.json`**, `findings` has the rows of `quality.csv` in order, with side, cycle, joint,
  `start_s`, `stop_s` (the clock of `time_s`) and `first_frame`, `last_frame` (inclusive, numbered
  as `frame`), null if a finding has none, and `action`: what to do, as in the report's table of
  warnings.
- **Many steps**: a finding that more than half of the whole steps of a foot on one plate have, four
  at least, is one row, with the words and the value of the step farthest beyond the limit. A
  cycle between them without such a step keeps its own verdict.
- **Over time**: `figures/quality.png`, also in the report, shows events, the verdict of every joint
  in every cycle, plate contacts, marker gaps and findings. Green means `pass`; a cycle without
  known kinetics is grey, and a rejected contact has no side.
- **Audit rules** (`closure-...`, `energy-...`, [audit.md](audit.md)) run when results are written,
  unless `--no-audit` is given; a script gets them from `result.findings`. For the profile
  `plug-in-gait` only `closure-frame` applies.
- **A wrong mass or wrongly scaled forces** show only against a reference: a static on plates, or
  0.6 s of walking with all standing feet wholly on plates. Mean vertical force there is m (g + mean
  acceleration), with the pelvis taken as the centre of mass. Mass, static and walking are compared
  with each other; without either reference, `no-force-reference` is reported. A gain error that
  hides an opposite error of the mass is not detected. The
  smallest shift of plates that is reported, and what no rule can detect:
  [faults.md](../reports/validation/faults.md#what-cannot-be-seen).
- **Aids**: a leaning trunk, a rail or a crutch may cause some findings about plates; the message
  then names it.

## How to read the tables
A limit is the largest value that is good; with "at least" it is the smallest, and two numbers are
both. After "least" stands a second limit, for what the cell before says. An empty "concerns" means
kinematics and kinetics; `upper` (trunk, head and arms) counts for kinematics only. *Untouched* are
real trials as recorded: the limit lies beyond what nearly all of them measure
([limits.md](../reports/validation/limits.md) lists it for every rule with a limit).
"""

SUBJECTS = {
    "Markers, labels and axes": r"gap-.*|marker-(?!diameter|inside).*|segment-length|labels-read"
    r"|read|rename-.*|landmark-(?!no-wand).*|order-up|sides-swapped|feet-crossed|leg-missing"
    r"|recording-jumps|cluster-residual|axes-doubt|(up|forward)-astray|floor-slope|rate-.*|no-kinematics",
    "The static": r"no-static|static-.*|other-person|foot-height|reference-in-walk",
    "The person": r"body-size|leg-for-.*|mass-.*|subject-differs|(?!arm).*width.*|lengths-differ"
    r"|leg-length-.*|inter-asis-.*|parameter-file|marker-diameter|adult-table|children-table|device"
    r"|age-for-height",
    "Joint centres and angles": r"range-.*|excursion-.*|knee-axis-turned|foot-(?!height).*"
    r"|rotations-unlike|centres?-.*|sides-unlike|joint-unknown|pelvis-.*|wand-.*|landmark-no-wand"
    r"|marker-inside|segment-(by-line|untracked)|functional-.*|stored-centre-far|sagittal-only",
    "Force plates and contacts": r"cop-.*|plates?-.*|channel-.*|twist-with-shear|free-moment"
    r"|load-(on|follows).*|force-(direction|jumps|held)|contacts?-.*|no-whole-step|assigned-astray"
    r"|forces-turned|clock-offset|belt-.*",
    "Forces against the body and its motion": r"force-(?!direction|jumps|held|implausible).*"
    r"|no-force-reference|peak-force|waist-closure",
    "Events, cycles and tasks": r"events?-.*|load-in-swing|no-double-support|passes|stride-.*"
    r"|speed-implausible|turning|task|corrected-by-hand|no-such-cycle|stance-as-swing",
    "Joint loads": r"(moment|power|force)-(leaps|implausible)|cut-off-unusual|closure-.*|energy-.*",
    "Segment poses": r"angle-not-measured|pose-.*",
    "Trunk, head and arms": r"upper-.*|head-.*|thorax-.*|arm-.*|wrist-.*",
    "Electromyography": r"emg-.*",
}
"""Subject of a table of findings: pattern of its codes, each of which is of one subject."""

AT_LEAST = (
    "sides-swapped", "feet-crossed", "pelvis-backward", "cop-backward", "cop-still", "cop-short",
    "force-direction", "force-along", "force-aside", "order-up", "events-out-of-step", "rate-low",
)  # fmt: skip
"""Rules whose limit is the smallest value that is good."""

STATUS = "Why kinetics are missing: codes of `status` in `result.json`"

HEADINGS = ("code", "what", "limit", "level", "concerns", "why", "what to do", "source")


def limit_text(rule: QualityRule) -> str:
    """Return the limits of a rule with their unit."""
    if rule.limit is None:
        return ""
    unit = "" if rule.unit == "1" else f" {rule.unit}"
    low = "at least " if rule.code in AT_LEAST else ""
    low = low if rule.low is None else f"{rule.low:g} to "
    least = "" if rule.least is None else f"; least {rule.least:g}"
    flight = "" if rule.flight is None else f"; running and jumps {rule.flight:g}"
    return f"{low}{rule.limit:g}{unit}{least}{flight}"


def cells(rule: QualityRule) -> tuple[str, ...]:
    """Return the cells of a rule, below ``HEADINGS``."""
    about = "" if rule.about == "both" else rule.about
    concerns = "; ".join(filter(None, (about, rule.empties and f"empties {rule.empties}")))
    cut = rule.if_cut and f"if the file cuts the step: {rule.if_cut}"
    todo = "; ".join(filter(None, (rule.action, cut)))
    return (
        f"`{rule.code}`", rule.what, limit_text(rule), rule.level, concerns, rule.why, todo,
        rule.source,
    )  # fmt: skip


def linked(title: str) -> str:
    """Return a link to a section."""
    return f"[{title.lower()}](#{title.lower().replace(',', '').replace(' ', '-')})"


def table(title: str, rules: Sequence[QualityRule], left_out: str = "") -> str:
    """Return a section with rules in the order of their codes, without empty columns."""
    rows = [HEADINGS, *(cells(rule) for rule in sorted(rules, key=lambda rule: rule.code))]
    told = [k for k, name in enumerate(HEADINGS) if name != left_out]
    used = [k for k in told if any(row[k] for row in rows[1:])]
    lines = [f"| {' | '.join(row[k] for k in used)} |\n" for row in rows]
    return "".join([f"\n## {title}\n", lines[0], "|---" * len(used) + "|\n", *lines[1:]])


def page() -> str:
    """Return the page as text."""
    rows = load_rules().rows
    found = [rule for rule in rows if rule.where != "status"]
    text = OPENING.replace("[tables]", ",\n".join(map(linked, SUBJECTS)))
    for title, codes in SUBJECTS.items():
        text += table(title, [rule for rule in found if re.fullmatch(codes, rule.code)])
    return text + table(STATUS, [rule for rule in rows if rule.where == "status"], "level")


if __name__ == "__main__":
    help_shown(__doc__)
    PAGE.write_text(page(), encoding="utf-8")
    sys.exit(0)

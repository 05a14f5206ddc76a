"""Write docs/quality.md from the table of quality rules.

usage: python benchmarks/quality_page.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from gaitdyn.quality.rules import Rule, load_rules

PAGE = Path(__file__).resolve().parents[1] / "docs" / "quality.md"

OPENING = """# Quality: what is checked and what to do

The page is written by `python benchmarks/quality_page.py` from
`gaitdyn/resources/quality/rules.toml`. Findings are the rows of `quality.csv`
([results.md](results.md)). Which fault in real trials is caught by which rule:
[faults.md](../reports/validation/faults.md).

- `verdicts` in `result.json`, a line a side and quantity: `{side, quantity, word, cycles,
  reasons}`, quantity `kinematics`, `kinetics` or, where the file has any, `emg`; word `pass`,
  `check` or `fail`; `cycles` known ones. `fail` where an error counts for it, `check` where a
  warning does, or no cycle of it is known; a side without a whole step on a plate is not green.
  One cycle alone is green, and its spread unknown. Rules of plates and loads count for kinetics
  only; a step that is not used (`contact-rejected`, `contact-partial`; more than five of them
  together in `contacts-not-whole`) costs its own cycle; a finding about one cycle spoils that
  one. Information, such as a table of adults for a child or an assumed marker diameter, counts
  nowhere.
- Verdict of the trial: the worst of these words of kinematics and kinetics; `fail` without any
  angle. Findings of electromyography (`emg-...`) count for `emg` alone, which never enters it.
- Verdict of a joint in a cycle (`verdict` and `reasons` of each row of `status` in `result.json`):
  `fail` where an error concerns it, `check` where a warning does or its kinetics lack, else
  `pass`. A finding about one side, cycle, joint or time concerns no other; one without concerns
  all.
- What cannot be is `fail` and is left empty in every table: after a rule whose level is `error`
  and which `empties` kinematics, the angles and centres of its joint, all that is computed from
  them and all loads of that side (a pelvis empties both sides); after one which empties kinetics,
  the loads of the side for 0.3 s around it. A stance of which the plates carry a part only has no
  kinetics and no ground force (the profile `plug-in-gait` keeps the vendor's mask).
  `--publish-anyway` writes all of it; findings and columns say so, the verdict stays.
- Samples that no limb can reach, frozen markers and frames beside a jump of the whole recording
  are gaps before anything is computed (`marker-far`, `marker-jumps`, `marker-frozen`,
  `marker-rare`, `recording-jumps`).
- Rules of the audit show the consistency of the computation: that the loads solve the equations of
  the measured motion. They see markers that jump, not a plate that is shifted. What no rule can
  see: [faults.md](../reports/validation/faults.md#what-cannot-be-seen).
- `findings` in `result.json` has the rows of `quality.csv` in their order with side, cycle, joint,
  `start_s`, `stop_s` (the clock of `time_s`) and `first_frame`, `last_frame` (inclusive, numbered
  as `frame`), null where a finding has none, and `action`: what to do about it.
- `figures/quality.png`, and the same picture in the report: events, every cycle of every joint
  with its verdict, contacts of the plates, gaps of the markers and the findings that have a time,
  on the trial's time axis; findings without a time are listed beside them. Only what passes is
  green; a cycle without known kinetics is grey, a rejected contact has no side.
- A laboratory's own limits: `gaitdyn process --quality FILE.toml`, with tables such as
  `[peak-force]` and in them `limit`, `low` or `level` (`info`, `warning`, `error`, `off`). What
  shapes the numbers is not a rule and is set by options (`--baseline`, `--cutoff`) or fixed (the
  share of the body weight of `contact-partial`).
- Rules of the audit run when results are written, unless `--no-audit`; a script asks for them with
  `result.findings`. The profile `plug-in-gait` is held to `closure-frame`
  alone: its accelerations are of another spline than its motion ([audit.md](audit.md)).
- An orthosis, a prosthesis or an assistive device is named in the subject file, a text a side:
  `[subject.left]` with `device = "ankle-foot orthosis"`. Kinetics of that side are then `check`.
- A wrong mass and wrongly scaled forces can be told only against a reference: a static on plates,
  or 0.6 s of walking with all standing feet wholly on plates. Mean vertical force there is m (g +
  mean acceleration); the pelvis stands for the centre of mass. Mass, static and walking are held
  against each other; limits are told by what untouched trials measure
  ([limits.md](../reports/validation/limits.md)). Where both lack, `no-force-reference` says so. A
  gain error that hides an opposite error of the mass is not seen.
"""

PARTS = {
    "rules": "## Rules on the result",
    "audit": "## Consistency of the computation (audit)",
    "stages": "## Found while processing",
    "status": "## Why kinetics lack: codes of `status` in `result.json`",
}


def limit_text(rule: Rule) -> str:
    """Return the limits of a rule with their unit."""
    if rule.limit is None:
        return ""
    unit = "" if rule.unit == "1" else f" {rule.unit}"
    low = "" if rule.low is None else f"{rule.low:g} to "
    return f"{low}{rule.limit:g}{unit}"


def page() -> str:
    """Return the page as text."""
    rows = load_rules().rows
    text = OPENING
    for where, title in PARTS.items():
        text += f"\n{title}\n"
        text += (
            "| code | what | limit | level | counts for | empties | why | source | what to do |\n"
        )
        text += "|---|---|---|---|---|---|---|---|---|\n"
        for r in (rule for rule in rows if rule.where == where):
            words = ("" if r.about == "both" else r.about, r.empties, r.why, r.source, r.action)
            cells = (f"`{r.code}`", r.what, limit_text(r), r.level, *words)
            text += f"| {' | '.join(cells)} |\n"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.exit(0)

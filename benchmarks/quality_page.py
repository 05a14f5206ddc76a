"""Write docs/quality.md from the table of quality rules.

usage: python benchmarks/quality_page.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from gaitdyn.quality.rules import QualityRule, load_rules

PAGE = Path(__file__).resolve().parents[1] / "docs" / "quality.md"

OPENING = """# Quality: what is checked and what to do

This page is written by `python benchmarks/quality_page.py` from
`gaitdyn/resources/quality/rules.toml`. Findings are the rows of `quality.csv`
([results.md](results.md)). Which rule catches which fault in real trials:
[faults.md](../reports/validation/faults.md).

- **`verdicts` in `result.json`**, one per side and quantity: `{side, quantity, word, cycles,
  reasons}`. The quantity is `kinematics`, `kinetics` or, if the file has any, `emg`; the word is
  `pass`, `check` or `fail`; `cycles` counts the known ones. An error makes it `fail`; a warning, or
  no known cycle, makes it `check`. A side without a whole step on a plate is not green. A single
  cycle is green, with its spread unknown. Rules of plates and loads count for kinetics only. A step
  that is not used (`contact-rejected`, `contact-partial`; more than five of them together in
  `contacts-not-whole`) costs only its own cycle, and so does a finding about one cycle.
  Information, such as a table of adults for a child or an assumed marker diameter, never counts.
- **Verdict of the trial**: the worst of these words for kinematics and kinetics; `fail` without any
  angle. Findings of electromyography (`emg-...`) count for `emg` only, which never enters it.
- **Verdict of a joint in a cycle** (`verdict` and `reasons` of each row of `status` in
  `result.json`): `fail` if an error concerns it, `check` if a warning does or its kinetics are
  missing, else `pass`. A finding about one side, cycle, joint or time concerns no other; one
  without concerns all.
- **What is impossible** is `fail` and is left empty in every table. A rule with level `error` that
  `empties` kinematics empties the angles and centres of its joint, everything computed from them
  and all loads of that side (for the pelvis, of both sides). One that empties kinetics empties the
  loads of the side for 0.3 s around it. A stance that the plates carry only in part has no
  kinetics and no ground force (the profile `plug-in-gait` keeps the vendor's mask).
  `--publish-anyway` writes all of it; findings and columns say so, and the verdict stays.
- Samples that no limb can reach, frozen markers and frames beside a jump of the whole recording
  become gaps before anything is computed (`marker-far`, `marker-jumps`, `marker-frozen`,
  `marker-rare`, `recording-jumps`).
- Rules of the audit show that the loads solve the equations of the measured motion. They see
  markers that jump, but not a plate that is shifted. What no rule can see:
  [faults.md](../reports/validation/faults.md#what-cannot-be-seen).
- `findings` in `result.json` has the rows of `quality.csv` in order, with side, cycle, joint,
  `start_s`, `stop_s` (the clock of `time_s`) and `first_frame`, `last_frame` (inclusive, numbered
  as `frame`), null if a finding has none, and `action`: what to do about it.
- `figures/quality.png`, also in the report, shows events, every cycle of every joint with its
  verdict, contacts of the plates, gaps of the markers and the findings on the trial's time axis;
  findings without a time are listed beside them. Only what passes is green; a cycle without known
  kinetics is grey, and a rejected contact has no side.
- **A laboratory's own limits**: `gaitdyn process --quality FILE.toml`, with tables such as
  `[peak-force]` that contain `limit`, `low` or `level` (`info`, `warning`, `error`, `off`). What
  shapes the numbers is set by options (`--baseline`, `--cutoff`) or fixed (the share of body
  weight in `contact-partial`).
- Rules of the audit run when results are written, unless `--no-audit` is given; a script gets them
  from `result.findings`. Only `closure-frame` applies to the profile `plug-in-gait`, whose
  accelerations come from another spline than its motion ([audit.md](audit.md)).
- Name an orthosis, a prosthesis or an assistive device in the subject file, as a text per side:
  `[subject.left]` with `device = "ankle-foot orthosis"`. Kinetics of that side are then `check`.
- A wrong mass or wrongly scaled forces can be found only against a reference: a static on plates,
  or 0.6 s of walking with all standing feet wholly on plates. Mean vertical force there is m (g +
  mean acceleration), with the pelvis taken as the centre of mass. Mass, static and walking are
  compared with each other; the limits follow from untouched trials
  ([limits.md](../reports/validation/limits.md)). Without either, `no-force-reference` says so. A
  gain error that hides an opposite error of the mass is not seen.
"""

PARTS = {
    "rules": "## Rules on the result",
    "audit": "## Consistency of the computation (audit)",
    "stages": "## Found while processing",
    "status": "## Why kinetics lack: codes of `status` in `result.json`",
}


def limit_text(rule: QualityRule) -> str:
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

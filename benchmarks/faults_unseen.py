"""What no rule can see: the smallest shift of the plates that is found, and a list of the rest."""

from __future__ import annotations

import numpy as np
from faulty_trials import TRIALS, judged, markdown, read, untouched
from plate_faults import shifted

from gaitdyn.pipeline import process_loaded

STEP_M, FARTHEST_M = 0.01, 0.15
"""Plates are shifted in such steps, and no further."""

UNSEEN = """
## What cannot be seen

The smallest shift of all plates that a rule reports, in steps of 10 mm, along the laboratory's axes
(mm; the smaller shift of the two ways of an axis, then the larger). Where the static has plates,
its corners tell. Nothing smaller is told: 50 mm along the walk change a knee moment by as much as
its peak, so a plate's corners must be measured.

"""

NOBODY = """
Nothing in the files tells, whatever the rule:

- a plate shifted by less than the table says: by less than 10 mm where the static has plates (BTK-A
  and McGill); without them a turn of all plates by a few degrees, of one plate by less than 2;
- a marker that was placed wrongly in the static and in the trial alike, and, without a static, any
  marker of a cluster that moved along with it;
- a marker 30 mm off its place between static and trial, where no other marker of its segment is
  seen at a distance that changes by 20 mm, or by 12 mm and 8 %; a forefoot marker from 18 mm up or
  down, an ASIS from 26 mm where all four markers of the pelvis are seen;
- markers and plates apart by less than 20 ms, or by less than 35 to 60 ms where no run of steps is
  on plates; one plate apart from the others by less than 20 ms, or by less than 35 to 60 ms where
  no step joins it to them, or by any time where no step on it is whole; a filter of the forces that
  runs one way, at 15 Hz or more, or on one plate alone: it delays them by 15 ms;
- a plate that drifts by less than 6 N from before a step to after it; forces that lose 30 ms, or a
  clock that is 1 % fast, where no step then lags its foot by more than the times above; a free
  moment with the wrong sign: those of untouched steps follow the usual course or its mirror image;
- a wand turned by 15 degrees about its leg between static and walk: untouched shanks and feet turn
  by 16, thighs and shanks by 19; a marker of a leg that creeps by less than 12 mm along its bone
  from one whole stance to the next, or across it (a knee marker that goes 50 mm ahead within 3 s
  turns the knee by 14 degrees), one of the pelvis that creeps at all, one that steps by less than
  10 mm, or that swings 40 mm aside for 0.2 s: skin and impacts move markers as far; a path filled
  less than 45 mm off its course, or further in a phase of the stride that is seen once;
- markers moved alike on both sides since the static, as both ASIS 25 mm down: people tilt their
  pelvis by as much; widths of both knees that are 20 mm too large;
- a mass and a gain that are wrong by the same factor; either below 6 %;
- a body that is another size, where no static and no leg length is known;
- the gain of one channel alone where the body leaves room for it: horizontal forces of all plates
  between 0.66 and 1.36 times what is usual (untouched ones are 0.75 to 1.25), of one plate sideways
  also half or twice the gain; moments, together or one alone, that keep the force within its usual
  course under the sole (a gain between 0.8 and 1.3 always, the rest by where the force then acts:
  half the gain of one moment of one plate is found on three plates of five); the one about the
  vertical where the shear forces turn by less than 11 mm times the load (SD) about the plate's
  centre;
- a hand rail, a crutch or a gain that takes less than 0.08 of the force on one plate (55 N of most
  adults), or any part where no steps in a row are wholly on plates: untouched plates differ by up
  to 0.036, in two laboratories by 0.08; in a session a trial is compared with the person's others;
- horizontal gains, shifts and delays where only one step is on a plate: most of these rules compare
  both feet, and without markers of trunk and arms they allow for what the trunk may do;
- a rate that is wrong by less than a third where neither cameras nor a static state another: the
  force varies by 0.72 to 1.06 of the acceleration, and 60 Hz stated as 50 makes that 1.44 times;
- a doubled rate in a slow walk without forces: gravity acts on nothing that is measured, and the
  walk is then a brisk one, with strides above 2.3 sqrt(l / g) and a pelvis that falls slower than
  a stone;
- the gain of all channels of a plate, from 0.77 up, in a trial with one leg: no reference has the
  load of the other;
- 3 % of the vertical force in a horizontal channel, or axes tilted by 2 degrees: untouched plates
  seem to show up to 3.4 %;
- a push-off that lacks power: published norms give its mean and SD by speed (Schwartz et al. 2008),
  which tell an unusual person, not a fault;
- a medial marker of the static less than 18 mm off towards the joint, 22 mm along the foot;
- a marker of a wrist named as the other one of that wrist: hands turn that far;
- soft tissue that moves with the step.

The audit (closure, energy, second and third opinion) shows the consistency of the computation: that
the loads solve the equations of the motion that was measured. It sees a marker that jumps. It does
not see a plate that is shifted by 50 mm: those loads solve their equations as well.
"""


def smallest_shift(name: str, axis: int) -> tuple[float | None, float | None]:
    """Return the smallest shifts of the plates that are told along an axis, mm, smaller first."""
    session, options = read(name)
    before = set(untouched(name)[1])
    found: list[float | None] = []
    for way in (1.0, -1.0):
        seen = None
        for shift in np.arange(STEP_M, FARTHEST_M + STEP_M / 2, STEP_M):
            by = [0.0, 0.0, 0.0]
            by[axis] = way * float(shift)
            moved = process_loaded(shifted(*by)(session), options)
            if set(judged(moved)[1]) - before:
                seen = round(1000 * float(shift))
                break
        found.append(seen)
    return tuple(sorted(found, key=lambda x: np.inf if x is None else x))  # pyright: ignore[reportReturnType]


def shift_table() -> str:
    """Return the smallest shift of the plates that is told, trials by axes, in Markdown."""
    lines = [("trial", "x", "y", "z"), ("---",) * 4]
    for name in TRIALS:
        cells = [smallest_shift(name, axis) for axis in range(3)]
        told = [", ".join("none" if x is None else f"{x:g}" for x in cell) for cell in cells]
        lines.append((name, *told))
    return markdown(lines)

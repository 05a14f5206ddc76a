"""Our gait parameters beside the ones that the vendor stored in the same file (ANALYSIS group).

usage: python benchmarks/parameters.py [TRIAL ...]

Prints every stored parameter, ours of the same cycle, the difference, and what the vendor's own
definition gives with our code; then what each of the differing rules is worth. Without trials it
takes those of ../shared/corpus and writes reports/validation/gait-parameters.md.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from page import stamp
from usage import help_shown

from gaitdyn.cycles.normalise import find_cycles, values_at
from gaitdyn.io.c3d.parameters import read_parameters
from gaitdyn.metrics.gait_parameters import cycle_parameters
from gaitdyn.metrics.strides import StrideEvents, stride_events
from gaitdyn.pipeline import process_trial
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.cycles import Cycle

ROOT = Path(__file__).resolve().parents[1]
GAIT = ROOT.parent / "shared" / "corpus" / "gait"
TRIALS = (
    "BTK-A/PiG_Motion-FlatFoot-Full.c3d",
    "BTK-D/PiG_Motion-FlatFoot-Hole.c3d",
    "Sydney/S4-AMGait03.c3d",
    "Sydney/S4-AMGait04.c3d",
)
NAMES = {
    "Cadence": "cadence",
    "Walking Speed": "speed",
    "Stride Time": "stride_time",
    "Step Time": "step_time",
    "Opposite Foot Off": "opposite_foot_off",
    "Opposite Foot Contact": "opposite_foot_strike",
    "Foot Off": "foot_off",
    "Single Support": "single_support_time",
    "Double Support": "double_support_time",
    "Stride Length": "stride_length",
    "Step Length": "step_length",
    "Step Width": "step_width",
    "Limp Index": "limp_index",
}
LENGTHS = ("stride_length", "step_length", "step_width")
OTHER = {"left": "right", "right": "left"}
RULES = ("between frames", "filter", "heel", "pelvis, horizontal")


class Row(NamedTuple):
    """One stored parameter; ``again`` is the vendor's definition computed by us."""

    file: str
    side: str
    quantity: str
    unit: str
    vendor: float
    ours: float
    again: float


class Worth(NamedTuple):
    """What each rule adds to a length, mm, from the vendor's value to ours."""

    file: str
    side: str
    quantity: str
    parts: tuple[float, ...]


def stored(path: Path) -> list[tuple[str, str, str, float]]:
    """Return side, our name, unit and value of every parameter of the ANALYSIS group."""
    _, parameters = read_parameters(path)
    names, contexts, units = (
        parameters.strings("ANALYSIS", name) for name in ("NAMES", "CONTEXTS", "UNITS")
    )
    values = parameters.get("ANALYSIS", "VALUES")
    rows = zip(names, contexts, units, values, strict=True)
    return [
        (side.lower(), NAMES[name.strip()], unit, float(value))
        for name, side, unit, value in rows
        if name.strip() in NAMES
    ]


def first_complete(result: Result, side: str) -> tuple[Cycle, StrideEvents]:
    """Return the first cycle that has all its events: the one the vendor takes."""
    recording = result.recording
    for cycle in find_cycles(result, side):
        ends = [
            (row + recording.first_frame - 1) / recording.rate_hz
            for row in (cycle.start_row, cycle.stop_row)
        ]
        at = stride_events(result.events, side, *ends)
        if math.isfinite(at.off + at.opposite_off + at.opposite_strike):
            return cycle, at
    raise ValueError(f"{recording.name}: no complete cycle of the {side} side")


def lengths(
    result: Result, side: str, at: StrideEvents, marker: str, *, nearest: bool
) -> dict[str, float]:
    """Return the lengths by the vendor's rule: in space, along and beside the line of the stride.

    Parameters
    ----------
    result : Result
    side : {"left", "right"}
    at : StrideEvents
    marker : {"TOE", "HEE"}
    nearest : bool
        At the frame nearest to each event.
    """

    def place(which: str, time_s: float) -> Array:
        row = result.row(time_s)
        points = result.trial.marker(which[0].upper() + marker)
        return values_at(points, np.array([float(round(row)) if nearest else row]))[0]

    first, last = place(side, at.strike), place(side, at.next_strike)
    other = place(OTHER[side], at.opposite_strike)
    stride = float(np.linalg.norm(last - first))
    along = (last - first) / stride
    beside = (other - first) - ((other - first) @ along) * along
    width = float(np.linalg.norm(beside))
    return dict(zip(LENGTHS, (stride, float((last - other) @ along), width), strict=True))


def compare(path: Path) -> tuple[list[Row], list[Worth]]:
    """Return every stored parameter of a trial beside ours, and what the rules are worth."""
    ours, raw = process_trial(path), process_trial(path, Options(profile="plug-in-gait"))
    rows: list[Row] = []
    worth: list[Worth] = []
    file = f"{path.parent.name}/{path.name}"
    for side in ("left", "right"):
        cycle, at = first_complete(ours, side)
        mine = cycle_parameters(ours, cycle)
        mine["limp_index"] = math.nan
        steps = [
            lengths(raw, side, at, "TOE", nearest=True),
            lengths(raw, side, at, "TOE", nearest=False),
            lengths(ours, side, at, "TOE", nearest=False),
            lengths(ours, side, at, "HEE", nearest=False),
            mine,
        ]
        again = mine | steps[0]
        again["speed"] = again["stride_length"] / mine["stride_time"]
        swing_of_other = mine["single_support_time"]
        again["limp_index"] = mine["stance_time"] / (mine["stride_time"] - swing_of_other)
        told = [(name, unit, value) for which, name, unit, value in stored(path) if which == side]
        rows += [Row(file, side, n, u, value, mine[n], again[n]) for n, u, value in told]
        for name in LENGTHS:
            if name in {n for n, _, _ in told}:
                path_mm = [1000 * step[name] for step in steps]
                worth.append(Worth(file, side, name, tuple(map(float, np.diff(path_mm)))))
    return rows, worth


def table(rows: Sequence[Row]) -> list[str]:
    """Return the comparison as a table."""
    lines = [
        "| file | side | quantity | unit | vendor | gaitdyn | difference | vendor's rule, by us |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        known = math.isfinite(r.ours)
        ours, off = (f"{r.ours:.4f}", f"{r.ours - r.vendor:+.4f}") if known else ("-", "-")
        head = (
            f"| {r.file} | {r.side} | {r.quantity} | {r.unit} | {r.vendor:.6f} | {ours} | {off} |"
        )
        lines.append(f"{head} {r.again:.6f} |")
    return lines


def worth_table(worth: Sequence[Worth]) -> list[str]:
    """Return what each rule adds, mm."""
    lines = [
        f"| file | side | quantity | {' | '.join(RULES)} | together |",
        "|---|---|---|" + "---|" * (len(RULES) + 1),
    ]
    for w in worth:
        parts = " | ".join(f"{part:+.2f}" for part in (*w.parts, sum(w.parts)))
        lines.append(f"| {w.file} | {w.side} | {w.quantity} | {parts} |")
    return lines


def furthest(rows: Sequence[Row], names: Sequence[str], *, again: bool) -> float:
    """Return the largest difference to the vendor's values, relative."""
    chosen = [r for r in rows if r.quantity in names]
    return max(abs((r.again if again else r.ours) / r.vendor - 1) for r in chosen)


PAGE = """\
# Gait parameters beside the vendor's

Four trials store the parameters that Vicon's pipeline computed (group ANALYSIS). Ours are those of
the same cycle: the first of each side that has all five events.

- **Times, shares, cadence** are the same numbers: largest difference {timing:.0e} of the value, the
  rounding of event times to 32 bits. The stored cadence is 120 / T, steps a minute. The step of a
  side is the one that ends its cycle, as here. Single and double support are stored in seconds.
- **Lengths** differ by rule. The vendor takes the toe marker as recorded, at the frame nearest to
  each event, in space, along and beside the line of the stride. We take the filtered heel, at the
  event itself, horizontally, the step along the way of the pelvis. Computed by the vendor's rule,
  our lengths, speeds and limp indices are the stored ones within {placed:.0e} of the value.
- **Speed** is stride length / T in both.
- **Limp index** is not one of ours; it is stance time / (T - single support), the two stances
  within one cycle.

{stamp}
{rows}

## What each rule is worth, mm
From the vendor's value to ours, one rule after the other: the event between frames instead of the
nearest frame, filtered markers, the heel instead of the toe, horizontal distances along the way of
the pelvis. Step widths differ by the marker: toes point outward, so toe markers are {heel:.0f} mm
further apart than heels. Stride lengths differ by up to {stride:.1f} mm, nearly all of it by the
marker too: a foot does not land in the same posture twice. In step lengths the direction is worth
up to {way:.1f} mm: the line of one foot's stride is not the way of the body.

{worth}
"""


def page(rows: Sequence[Row], worth: Sequence[Worth]) -> str:
    """Return the page."""
    placed = (*LENGTHS, "speed", "limp_index")

    def parts(name: str) -> Array:
        return np.abs([(*w.parts, sum(w.parts)) for w in worth if w.quantity == name])

    return PAGE.format(
        stamp="\n".join(stamp("python benchmarks/parameters.py")),
        timing=furthest(rows, [n for n in NAMES.values() if n not in placed], again=False),
        placed=furthest(rows, placed, again=True),
        heel=parts("step_width")[:, 2].mean(),
        stride=parts("stride_length")[:, -1].max(),
        way=parts("step_length")[:, 3].max(),
        rows="\n".join(table(rows)),
        worth="\n".join(worth_table(worth)),
    )


def main() -> int:
    """Print the tables; write the page where no trials are named."""
    named = [Path(word) for word in sys.argv[1:]]
    trials = named or [GAIT / name for name in TRIALS]
    if not all(trial.is_file() for trial in trials):
        print("needs ../shared/corpus with the trials of BTK and Sydney, or trials as arguments")
        return 1
    found = [compare(trial) for trial in trials]
    rows = [row for some, _ in found for row in some]
    worth = [part for _, some in found for part in some]
    print("\n".join([*table(rows), "", *worth_table(worth)]))
    if not named:
        folder = ROOT / "reports" / "validation"
        folder.mkdir(parents=True, exist_ok=True)
        text = page(rows, worth)
        (folder / "gait-parameters.md").write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())

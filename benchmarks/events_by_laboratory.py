"""Print the errors of events from markers alone, each laboratory by the others.

usage: python benchmarks/events_by_laboratory.py [CORPUS]
For every trial with events in the file these and the plates are hidden. The distances of the marks
of gaitdyn/events/pace.py are found anew without the laboratory that is left out, from the events of
the files and the 20 N crossings of the plates of all others; then its events are found with them.
Found minus file, ms. The last lines are the distances of all laboratories together, which stand in
that module, and the SD by pace.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from events import KINDS, hidden, told_inside
from usage import help_shown

from gaitdyn.errors import GaitdynError
from gaitdyn.events.feet import TrialFoot
from gaitdyn.events.kinematic import foot_events
from gaitdyn.events.pace import (
    FASTEST_S,
    FIRST_MS,
    LATEST_S,
    MARKS,
    SLOW_STRIDE_S,
    SLOWEST_S,
    USUAL_STRIDE_S,
    mark_curves,
    peak_row,
    stride_time,
)

_REACH_S, _LEAST_MS = 0.15, 2.0


class Seen(NamedTuple):
    """One event with its marks: how late each is, ms, NaN where there is none."""

    laboratory: str
    kind: str
    source: str
    stride_s: float
    late_ms: dict[str, float]


def seen_events(path: Path) -> list[Seen]:
    """Return the events of the file and of the plates of one trial with their marks."""
    told, motion, ground = hidden(path, plates=True)
    recording = motion.trial.recording
    rate, walker = recording.rate_hz, (motion.pose.origin_G, motion.pose.walking_G)
    feet = {
        s: TrialFoot(s, *points, np.ones(len(points[0]), bool)) for s, points in motion.feet.items()
    }
    first = {s: foot_events(f.heel_G, f.toe_G, *walker, rate) for s, f in feet.items()}
    stride_s = stride_time(list(first.values()), rate) or USUAL_STRIDE_S
    found = []
    events = [("file", e) for e in told_inside(told, motion)]
    events += [("plate", e) for e in ground.events if e.source == "plate"]
    for source, event in events:
        row = event.time_s * rate + 1 - recording.first_frame
        rows = first[event.side][KINDS.index(event.kind)]
        near = rows[np.abs(rows - row) <= _REACH_S * rate]
        if not near.size:
            continue
        about = near[np.argmin(np.abs(near - row))] - FIRST_MS[event.kind] / 1000 * rate
        curves = mark_curves(feet[event.side], rate)
        late = {}
        for name in MARKS[event.kind]:
            at = peak_row(curves[name], float(about), rate)
            known = abs(at - about) <= LATEST_S * rate
            late[name] = 1000 * (at - row) / rate if known else np.nan
        found.append(Seen(path.parent.name, event.kind, source, stride_s, late))
    return found


def slower(event: Seen) -> float:
    """Return by how much the stride of an event is longer than the usual one, s."""
    return min(max(event.stride_s, FASTEST_S), SLOWEST_S) - USUAL_STRIDE_S


def fitted(events: list[Seen], kind: str) -> dict[str, np.ndarray]:
    """Return for each mark its distance, ms, and by how much more a second of stride time."""
    marks = {}
    for name in MARKS[kind]:
        own = [e for e in events if e.kind == kind and np.isfinite(e.late_ms[name])]
        counts = {lab: sum(e.laboratory == lab for e in own) for lab in {e.laboratory for e in own}}
        weight = np.array([counts[e.laboratory] ** -0.5 for e in own])
        paced = MARKS[kind][name].by_stride != 0
        terms = np.array([(1.0, slower(e) if paced else 0.0) for e in own])
        late = np.array([e.late_ms[name] for e in own])
        share = weight
        for _ in range(80):  # least absolute deviations by weighted least squares
            root = np.sqrt(share)
            marks[name] = np.linalg.lstsq(terms * root[:, None], late * root, rcond=None)[0]
            share = weight / np.maximum(np.abs(late - terms @ marks[name]), _LEAST_MS)
    return marks


def error(event: Seen, marks: dict[str, np.ndarray]) -> float:
    """Return how late an event is found, ms."""
    late = [
        event.late_ms[name] - distance @ (1.0, slower(event))
        for name, distance in marks.items()
        if np.isfinite(event.late_ms[name])
    ]
    return float(np.median(late)) if late else np.nan


def summary(errors: list[float]) -> str:
    """Return number, missed, median, bias, median and 95 % of the size as table cells."""
    known = np.array(errors)[np.isfinite(errors)]
    size = np.abs(known)
    numbers = (np.median(known), known.mean(), np.median(size), np.percentile(size, 95))
    words = " | ".join(f"{n:+.0f}" if i < 2 else f"{n:.1f}" for i, n in enumerate(numbers))
    return f"{len(errors)} | {len(errors) - known.size} | {words}"


def left_out(events: list[Seen]) -> dict[str, list[tuple[Seen, float]]]:
    """Print the errors of each laboratory by the others; return them by the kind of event."""
    every: dict[str, list[tuple[Seen, float]]] = {kind: [] for kind in KINDS}
    print("| laboratory left out | event | n | missed | median | mean | median size | 95 % |")
    print("|---" * 8 + "|")
    for laboratory in sorted({e.laboratory for e in events if e.source == "file"}):
        rest = [e for e in events if e.laboratory != laboratory]
        for kind in KINDS:
            marks = fitted(rest, kind)
            own = [
                (e, error(e, marks))
                for e in events
                if (e.laboratory, e.kind, e.source) == (laboratory, kind, "file")
            ]
            every[kind] += own
            if own:
                print(f"| {laboratory} | {kind} | {summary([late for _, late in own])} |")
    return every


def main() -> int:
    """Print the tables."""
    default = Path(__file__).resolve().parents[2] / "shared" / "corpus"
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    events: list[Seen] = []
    for path in sorted(root.glob("gait/*/*.c3d")):
        try:
            events += seen_events(path)
        except GaitdynError:
            continue
    every = left_out(events)
    for kind in KINDS:
        print(f"| all | {kind} | {summary([late for _, late in every[kind]])} |")
    both = [late for kind in KINDS for _, late in every[kind]]
    print(f"| all | both | {summary(both)} |")
    print("\n| event | strides | n | SD |\n|---|---|---|---|")
    for kind in KINDS:
        for word, slow in (("up to", False), ("above", True)):
            own = [e for s, e in every[kind] if (s.stride_s > SLOW_STRIDE_S) == slow]
            print(f"| {kind} | {word} {SLOW_STRIDE_S} s | {len(own)} | {np.nanstd(own):.0f} |")
    for kind in KINDS:
        for name, (late, by_stride) in fitted(events, kind).items():
            print(f"\n{kind}, {name}: {late:+.1f} ms, {by_stride:+.0f} ms a second of stride time")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())

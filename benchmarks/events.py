"""Print how far the events found without the file's own are from plates and file, in ms.

usage: python benchmarks/events.py [CORPUS]
The numbers of docs/events.md: every rule against the 20 N crossings of valid contacts, then for
each trial with events in the file the error of what is found when these are hidden, with the plates
and without them (typical corrections only).
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from event_rules import oconnor_events, zeni_events
from usage import help_shown

from gaitdyn.errors import GaitdynError
from gaitdyn.events.agreement import nearest
from gaitdyn.events.kinematic import foot_events, speed_events
from gaitdyn.stages.body import calibrate_session
from gaitdyn.stages.ground import find_ground
from gaitdyn.stages.motion import find_motion
from gaitdyn.stages.session import read_session, refuse_standing
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Event

if TYPE_CHECKING:
    from gaitdyn.stages.ground import Ground
    from gaitdyn.stages.motion import Motion

KINDS = ("foot_strike", "foot_off")
RULES = ("zeni", "o'connor", "speed", "zeni + toe")


def hidden(path: Path, *, plates: bool) -> tuple[tuple[Event, ...], Motion, Ground]:
    """Return the file's events, and what is found without them."""
    options = Options()
    session = read_session(path, options)
    refuse_standing(session.trial)
    trial = session.trial
    told = trial.recording.events
    trial = replace(trial, recording=replace(trial.recording, events=()))
    trial = trial if plates else replace(trial, plates=())
    session = replace(session, trial=trial)
    body = calibrate_session(session, options)
    motion = find_motion(session, body, options)
    return told, motion, find_ground(session, body, motion, options)


def by_rule(motion: Motion) -> dict[str, list[Event]]:
    """Return the events of both feet by every rule, not corrected."""
    recording, walker = motion.trial.recording, (motion.pose.origin_G, motion.pose.walking_G)
    rate = recording.rate_hz
    found: dict[str, list[Event]] = {rule: [] for rule in RULES}
    for side, foot in motion.feet.items():
        rows = (
            zeni_events(*foot, *walker, rate),
            oconnor_events(*foot, *walker, rate),
            speed_events(*foot, rate),
            foot_events(*foot, *walker, rate),
        )
        for rule, both in zip(RULES, rows, strict=True):
            for kind, own in zip(KINDS, both, strict=True):
                times = (own + recording.first_frame - 1) / rate
                found[rule] += [Event(float(t), side, kind, "kinematic") for t in times]
    return found


def errors(found: list[Event], truth: list[Event], kind: str) -> list[float]:
    """Return found minus true time of the events of a kind, ms, NaN where none is near."""
    wanted = [event for event in truth if event.kind == kind]
    pairs = [(event, nearest(event, found)) for event in wanted]
    return [np.nan if f is None else 1000 * (f.time_s - e.time_s) for e, f in pairs]


def rules_table(trials: list[tuple[Motion, Ground]]) -> None:
    """Print the rules against the plates."""
    print("| rule | event | n | missed | median | SD between trials | SD within | largest |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in KINDS:
        for rule in RULES:
            per = []
            for motion, ground in trials:
                plate = [event for event in ground.events if event.source == "plate"]
                per.append(np.array(errors(by_rule(motion)[rule], plate, kind)))
            every = np.concatenate(per)
            known = [e[np.isfinite(e)] for e in per if np.isfinite(e).any()]
            flat = np.concatenate(known)
            between = np.std([np.median(e) for e in known])
            within = np.std(np.concatenate([e - np.median(e) for e in known]))
            largest = np.abs(flat - np.median(flat)).max()
            numbers = f"{np.median(flat):+.0f} | {between:.0f} | {within:.0f} | {largest:.0f}"
            print(f"| {rule} | {kind} | {every.size} | {every.size - flat.size} | {numbers} |")


def told_inside(told: tuple[Event, ...], motion: Motion) -> list[Event]:
    """Return the file's events within the frames in which the foot's markers are seen."""
    recording = motion.trial.recording
    found = []
    for event in told:
        row = event.time_s * recording.rate_hz + 1 - recording.first_frame
        seen = np.flatnonzero(np.isfinite(np.concatenate(motion.feet[event.side], 1)).all(1))
        margin = 0.15 * recording.rate_hz
        if seen[0] + margin <= row <= seen[-1] - margin:
            found.append(event)
    return found


def summary(values: list[float]) -> str:
    """Return number, missed, median and largest of some errors as table cells."""
    known = np.array(values)[np.isfinite(values)]
    if not known.size:
        return f"{len(values)} | {len(values)} | | "
    numbers = f"{np.median(known):+.0f} | {np.abs(known).max():.0f}"
    return f"{len(values)} | {len(values) - known.size} | {numbers}"


def hidden_table(paths: list[Path], *, plates: bool) -> None:
    """Print the errors of every trial against the file's events."""
    print("| trial | strikes | missed | median | largest | offs | missed | median | largest |")
    print("|---" * 9 + "|")
    every: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for path in paths:
        told, motion, ground = hidden(path, plates=plates)
        inside = told_inside(told, motion)
        if inside:
            per = {kind: errors(list(ground.events), inside, kind) for kind in KINDS}
            cells = " | ".join(summary(per[kind]) for kind in KINDS)
            print(f"| {path.parent.name}/{path.stem} | {cells} |")
            for kind in KINDS:
                every[kind] += per[kind]
    print("| all | " + " | ".join(summary(every[kind]) for kind in KINDS) + " |")
    for kind in KINDS:
        size = np.abs(np.array(every[kind])[np.isfinite(every[kind])])
        print(f"\n{kind}: |error| median {np.median(size):.0f}, 95 % {np.percentile(size, 95):.0f}")


def main() -> int:
    """Print the tables."""
    default = Path(__file__).resolve().parents[2] / "shared" / "corpus"
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    walks, paths = [], []
    for path in sorted(root.glob("gait/*/*.c3d")):
        try:
            _, motion, ground = hidden(path, plates=True)
        except GaitdynError:
            continue
        walks.append((motion, ground))
        paths.append(path)
    rules_table(walks)
    for plates in (True, False):
        print("\nevents of the file hidden" + ("" if plates else ", plates too") + "\n")
        hidden_table(paths, plates=plates)
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())

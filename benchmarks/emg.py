"""Print what is found of electromyography on real trials: status, agreement with the norm, faults.

usage: python benchmarks/emg.py [CORPUS]
The tables of docs/emg.md: the status of every channel by laboratory, the shape of the mean envelope
against the norm, faults put into real channels and whether they are told, and the time that 16
channels of 5 s at 1 kHz take.
"""

from __future__ import annotations

import csv
import sys
import time
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from usage import help_shown

from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.emg import find_emg
from gaitdyn.emg.muscle_table import norm_of
from gaitdyn.emg.norms import FREE, likeness, norm_shape
from gaitdyn.errors import GaitdynError
from gaitdyn.pipeline import process_trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.emg import AnalogChannels, Emg

MUSCLES = {
    "rectus femoris": ("rectus_femoris",),
    "hamstrings": ("hamstrings", "medial_hamstrings"),
    "lateral hamstrings": ("lateral_hamstrings",),
    "tibialis anterior": ("tibialis_anterior",),
    "gastrocnemius": ("gastrocnemius", "medial_gastrocnemius", "lateral_gastrocnemius"),
}
CHILDREN = "McGill"


def trials(root: Path) -> Iterator[tuple[str, Result, Emg]]:
    """Yield laboratory, result and electromyography of every trial that has some."""
    for path in sorted([*root.glob("gait/*/*.c3d"), *root.glob("emg/*.c3d")]):
        if path.relative_to(root).as_posix() in _statics(root):
            continue
        try:
            result = process_trial(path)
        except GaitdynError:
            continue
        emg = find_emg(result)
        if emg is not None:
            yield path.parent.name, result, emg


def _statics(root: Path) -> set[str]:
    """Return the files that the catalogue of the corpus calls statics."""
    with (root / "catalogue.csv").open(encoding="utf-8", newline="") as stream:
        return {row["file"] for row in csv.DictReader(stream) if row["role"] == "static"}


def status_table(found: list[tuple[str, Result, Emg]]) -> None:
    """Print how many channels of each laboratory have which status, and the reasons."""
    print("| laboratory | trials | channels | ok | check | rejected | not recorded | reasons |")
    print("|---" * 8 + "|")
    for lab in dict.fromkeys(lab for lab, _, _ in found):
        own = [emg for name, _, emg in found if name == lab]
        channels = [c for emg in own for c in emg.channels]
        count = Counter(c.status for c in channels)
        why = Counter(_short(c.reason) for c in channels if c.status != "ok")
        told = ", ".join(f"{word} {n}" for word, n in why.most_common())
        cells = " | ".join(str(count[s]) for s in ("ok", "check", "rejected", "not_recorded"))
        print(f"| {lab} | {len(own)} | {len(channels)} | {cells} | {told} |")


def _short(reason: str) -> str:
    words = reason.split("; ")
    last = words[-1] if words[0].endswith(("wired", "in")) else words[0]
    return last.split(":")[0].split(" (")[0].split(" with ")[0]


def shape_table(found: list[tuple[str, Result, Emg]]) -> None:
    """Print the agreement of the mean envelope with the shape of the norm."""
    print("\n| muscle | laboratories | strides | r of the mean | median r of a stride |")
    print("|---" * 5 + "|")
    for title, muscles in MUSCLES.items():
        strides: dict[bool, list[Array]] = defaultdict(list)
        for lab, result, emg in found:
            for curves in emg.curves:
                turning = {c.number for c in find_cycles(result, curves.side) if c.turning}
                if curves.muscle in muscles:
                    pairs = zip(curves.cycles, curves.envelope, strict=True)
                    strides[lab == CHILDREN] += [e / e.mean() for n, e in pairs if n not in turning]
        norm = norm_shape(norm_of(muscles[-1]), FREE)
        for ours in (True, False):
            if strides[ours] and norm is not None:
                every = np.array(strides[ours])
                r = likeness(every.mean(axis=0), norm.mean)
                middle = np.median([likeness(one, norm.mean) for one in every])
                lab = CHILDREN if ours else "others"
                print(f"| {title} | {lab} | {len(every)} | {r:.2f} | {middle:.2f} |")


def _altered(result: Result, change: Callable[[Array, list[int]], Any], at: list[int]) -> Emg:
    analog = _analog(result)
    samples = analog.samples.copy()
    change(samples, at)
    recording = replace(result.recording, analog=replace(analog, samples=samples))
    found = find_emg(replace(result, recording=recording))
    if found is None:
        raise LookupError(result.recording.name)
    return found


def _analog(result: Result) -> AnalogChannels:
    if result.recording.analog is None:
        raise LookupError(result.recording.name)
    return result.recording.analog


def _noise(rng: np.random.Generator) -> Callable[[Array, list[int]], None]:
    def change(samples: Array, at: list[int]) -> None:
        for i in at:
            samples[i] = 0.02 * samples[i].std() * rng.normal(size=samples.shape[1])

    return change


def _clip(samples: Array, at: list[int]) -> None:
    for i in at:
        limit = np.percentile(np.abs(samples[i] - np.median(samples[i])), 97)
        samples[i] = np.clip(
            samples[i], np.median(samples[i]) - limit, np.median(samples[i]) + limit
        )


def _wave(hz: float, size: float, rate: float) -> Callable[[Array, list[int]], None]:
    def change(samples: Array, at: list[int]) -> None:
        t = np.arange(samples.shape[1]) / rate
        for i in at:
            samples[i] += size * samples[i].std() * np.sin(2 * np.pi * hz * t)

    return change


def _exchange(samples: Array, at: list[int]) -> None:
    samples[at] = samples[[at[1], at[0], *at[2:]]] if len(at) == 2 else samples[at[::-1]]


def fault_table(found: list[tuple[str, Result, Emg]]) -> None:
    """Print which faults are told when they are put into one trial of each laboratory."""
    rng = np.random.default_rng(1)
    print("\n| fault | laboratory | channel | told |")
    print("|---" * 4 + "|")
    for lab in dict.fromkeys(lab for lab, _, _ in found):
        _, result, emg = max(
            (f for f in found if f[0] == lab), key=lambda f: (len(f[2].curves), f[0])
        )
        good = [c for c in emg.channels if c.norm_r is not None and c.status == "ok"]
        if not good:
            continue
        rate = result.recording.rate_hz * result.recording.samples_per_frame
        at = {number: i for i, number in enumerate(_analog(result).numbers)}
        best = max(good, key=lambda c: c.norm_r or 0.0)
        one = [at[best.number]]
        faults: list[tuple[str, Callable[[Array, list[int]], None], list[int]]] = [
            ("unplugged", _noise(rng), one),
            ("clipped", _clip, one),
            ("50 Hz", _wave(50.0, 2.0, rate), one),
            ("motion", _wave(3.0, 6.0, rate), one),
        ]
        by = {(c.side, c.muscle): c for c in good}
        for side in ("left", "right"):
            pair = [c for (s, m), c in by.items() if s == side and m in MUSCLES["gastrocnemius"]]
            other = [c for (s, m), c in by.items() if s == side and m in MUSCLES["hamstrings"]]
            if pair and other:
                both = [at[pair[0].number], at[other[0].number]]
                faults.append(("cables exchanged", _exchange, both))
                break
        for fault, change, places in faults:
            new = _altered(result, change, places)
            told = [c for c in new.channels if at[c.number] in places]
            words = "; ".join(f"{c.status}: {_short(c.reason)}" for c in told)
            labels = ", ".join(c.label for c in told)
            print(f"| {fault} | {lab} | {labels} | {words} |")
        _exchanged_sides(result, emg, at, lab)


def _exchanged_sides(result: Result, emg: Emg, at: dict[int, int], lab: str) -> None:
    named = {(c.side, c.muscle): c for c in emg.channels if c.muscle}
    pairs = [(c, named["right", m]) for (s, m), c in named.items()
             if s == "left" and ("right", m) in named]  # fmt: skip
    if len(pairs) < 3:
        return

    def change(samples: Array, _: list[int]) -> None:
        for a, b in pairs:
            i, k = at[a.number], at[b.number]
            samples[[i, k]] = samples[[k, i]]

    new = _altered(result, change, [])
    count = sum(c.status == "check" for c in new.channels)
    words = new.crossed[0] if new.crossed else f"{count} channels are check"
    print(f"| sides exchanged | {lab} | {len(pairs)} pairs | {words[:90]} |")


def timing(found: list[tuple[str, Result, Emg]]) -> None:
    """Print the time that 16 channels of 5 s at 1 kHz take, best of five."""
    _, result, _ = next(f for f in found if f[0] == "BMC")
    analog = _analog(result)
    seconds = analog.samples.shape[1] / (
        result.recording.rate_hz * result.recording.samples_per_frame
    )
    best = min(_once(result) for _ in range(5))
    print(f"\n{len(analog.labels)} channels of {seconds:.2f} s: {1000 * best:.0f} ms")


def _once(result: Result) -> float:
    start = time.perf_counter()
    find_emg(result)
    return time.perf_counter() - start


def main() -> int:
    """Print the tables."""
    default = Path(__file__).resolve().parents[2] / "shared" / "corpus"
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    found = list(trials(root))
    status_table(found)
    shape_table(found)
    fault_table(found)
    timing(found)
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())

"""Read electromyography from a Cortex ANC file: counts of an analog-to-digital converter.

Plate channels in such a file are raw, and the matrices that convert them to forces are stored
elsewhere, so they are not used.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from gaitdyn.io.analog import MOST_SAMPLES, is_other
from gaitdyn.io.c3d.records import refused, shown
from gaitdyn.io.text_files import hashed_text, numbers_or_gaps
from gaitdyn.types.arrays import Array
from gaitdyn.types.emg import AnalogChannels
from gaitdyn.types.frozen import frozen
from gaitdyn.types.recording import Recording, SecondFile
from gaitdyn.types.texts import number_in
from gaitdyn.types.words import counted

WANTED = "an ANC file of analog channels"
_LARGEST_BYTES = 100_000_000
_HEADER_LINES, _MOST_CHANNELS = 20, 512
_BITS = (8, 32)
_WHOLE = 0.02
_FASTEST_HZ, _LARGEST_MV = 1e6, 1e6
_LATE_S = 0.002
"""Times may be rounded to ms."""


@frozen(eq=False)
class Anc:
    """The channels that may be electromyography, shape (c, m), mV."""

    file: SecondFile
    rate_hz: float
    start_s: float
    numbers: tuple[int, ...]
    labels: tuple[str, ...]
    samples_mv: Array


def read_anc(path: str | Path) -> Anc:
    """Read an ANC file: mV = counts x Range x 2 / 2^BitDepth, Range in mV to either side of 0.

    Raises
    ------
    FileRefused
    """
    name, text, digest = hashed_text(path, WANTED, _LARGEST_BYTES)
    lines = text.splitlines()
    head = _head_of(lines[:_HEADER_LINES], name)
    kept = [i for i, label in enumerate(head.labels) if label and not is_other(label, "")]
    data = [line for line in lines[head.lines :] if line.strip()]
    if not data or len(kept) * len(data) > MOST_SAMPLES:
        raise refused(name, f"{len(data)} rows", f"1 to {MOST_SAMPLES:,} samples")
    numbers = _numbers_of(data, 1 + len(head.labels), [0, *(i + 1 for i in kept)], name)
    if any(not 0 < head.ranges_mv[i] <= _LARGEST_MV for i in kept):
        raise refused(name, "a Range that is not a voltage", "mV to either side of 0")
    _check_times(numbers[:, 0], head.rate_hz, name)
    if not (np.abs(numbers[:, 1:]) <= 2.0**head.bits).all():
        raise refused(name, f"values that are not counts of {head.bits:g} bits", WANTED)
    scale = np.array([head.ranges_mv[i] * 2.0 / 2.0**head.bits for i in kept])
    return Anc(
        file=SecondFile(name, digest, Path(path)),
        rate_hz=head.rate_hz,
        start_s=float(numbers[0, 0]),
        numbers=tuple(i + 1 for i in kept),
        labels=tuple(head.labels[i] for i in kept),
        samples_mv=np.ascontiguousarray((numbers[:, 1:] * scale).T),
    )


@frozen()
class _Head:
    """Of an ANC file: bits of the converter, rate, channels, and the lines before the samples."""

    bits: float
    rate_hz: float
    labels: list[str]
    ranges_mv: list[float]
    lines: int


def _head_of(lines: list[str], name: str) -> _Head:
    """Return the head of a file, whose lines have keys and values or a key and a row of cells."""
    cells = [line.split("\t") for line in lines]
    rows = {row[0].strip().lower(): (i, row[1:]) for i, row in enumerate(cells)}
    settings = {k.strip(): v for row in cells for k, v in zip(row[::2], row[1::2], strict=False)}
    bits, rate = (number_in(settings.get(key, "")) for key in ("BitDepth:", "PreciseRate:"))
    of_converter = bits.is_integer() and _BITS[0] <= bits <= _BITS[1]
    if not {"name", "range"} <= rows.keys() or not of_converter or not 0 < rate <= _FASTEST_HZ:
        raise refused(name, "no BitDepth, PreciseRate, Name and Range", WANTED)
    labels, ranges = (_cells_of(rows[key][1]) for key in ("name", "range"))
    if not 0 < len(labels) <= _MOST_CHANNELS or len(ranges) != len(labels):
        found = f"{counted(len(labels), 'name')} and {counted(len(ranges), 'range')}"
        raise refused(name, found, WANTED)
    return _Head(bits, rate, labels, [number_in(cell) for cell in ranges], rows["range"][0] + 1)


def _numbers_of(data: list[str], width: int, columns: list[int], name: str) -> Array:
    """Return some columns of the rows of numbers, each of which has ``width`` cells."""
    numbers = np.full((len(data), len(columns)), np.nan)
    for k, line in enumerate(data):
        cells = line.split()
        if len(cells) != width:
            wanted = f"a time and {counted(width - 1, 'number')}, one per name"
            raise refused(name, f"{counted(len(cells), 'cell')} in row {k + 1}", wanted)
        numbers[k] = numbers_or_gaps([cells[i] for i in columns])
    return numbers


def _cells_of(cells: list[str]) -> list[str]:
    """Return the cells of a row of the header; one without text stays, unless it is at the end."""
    texts = [shown(cell.strip()) for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _check_times(times_s: Array, rate_hz: float, name: str) -> None:
    """Refuse times that do not rise, or that drift from the rate by two samples or 2 ms."""
    expected = times_s[0] + np.arange(len(times_s)) / rate_hz
    late = np.abs(times_s - expected).max() if np.isfinite(times_s).all() else np.inf
    if not late <= max(2.0 / rate_hz, _LATE_S) or (np.diff(times_s) < 0).any():
        raise refused(name, "times that do not fit PreciseRate", f"rows at {rate_hz:g} Hz")


def with_muscles(recording: Recording, anc: Anc) -> Recording:
    """Return a recording with the channels of an ANC file on the same clock.

    Channels that do not cover all frames, or have no whole number of samples per frame, are left
    out with a note.
    """
    ratio = round(anc.rate_hz / recording.rate_hz)
    first = (recording.start_s - anc.start_s) * anc.rate_hz
    start, stop = round(first), round(first) + recording.n_frames * ratio
    missing = max(0, stop - anc.samples_mv.shape[1])
    fits = abs(anc.rate_hz / recording.rate_hz - ratio) <= _WHOLE / max(recording.n_frames, 1)
    reason = "has other times" if start < 0 or missing >= ratio else ""
    if not fits or ratio < 1:
        reason = f"has {anc.rate_hz:g} samples/s, no multiple of {recording.rate_hz:g} frames/s,"
    reason = reason if anc.labels else "has no channels of muscles"
    if reason:
        note = f"{anc.file.name} {reason} and is not used"
        return replace(recording, notes=(*recording.notes, note))
    samples = np.pad(anc.samples_mv[:, start:stop], ((0, 0), (0, missing)), mode="edge")
    count = len(anc.labels)
    channels = AnalogChannels(
        numbers=anc.numbers,
        labels=anc.labels,
        descriptions=("",) * count,
        units=("mV",) * count,
        sides=("",) * count,
        declared=(None,) * count,
        samples=samples,
    )
    notes = (
        *recording.notes,
        f"{counted(count, 'channel')} of electromyography from {anc.file.name}",
    )
    return replace(
        recording, analog=channels, samples_per_frame=ratio, notes=notes, muscles=anc.file
    )

"""The tables of a results folder, those of what was computed on demand, and ``motion.npz``."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from json.encoder import encode_basestring as _quoted
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.quality.rules import findings_of
from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.tables.answers import (
    COUNTING,
    all_peaks_of,
    counting_of,
    curves_of,
    cycle_curves_of,
    parameters_of,
    stance_curves_of,
)
from gaitdyn.tables.csv_files import (
    Course,
    block_lines,
    texts_of,
    write_courses,
    write_numbers,
    write_rows,
)
from gaitdyn.tables.frames import MEANING, per_kg_words
from gaitdyn.types.curves import Curve, Quantity
from gaitdyn.types.cycles import TURNING_DEG, CycleCurves, StanceCurves
from gaitdyn.types.result import Processed
from gaitdyn.types.uncertainty import BANDS, CUTOFFS, SWEEP, Bands, CutoffPeaks, SweptPeaks


def write_timeseries(
    place: Path, result: Processed, curves: Sequence[Curve], stem: str = "timeseries"
) -> None:
    """Write ``timeseries.csv`` and its dictionary ``timeseries.json``; ``stem`` is their name."""
    names = ["frame", "time_s", *(curve.name for curve in curves)]
    columns = [result.frame_numbers, result.time_s, *(curve.values for curve in curves)]
    write_numbers(place / f"{stem}.csv", names, columns)
    words = {
        "frame": ("1", "", "", "number of the frame in the C3D file, from 1 (header word 4)", ""),
        "time_s": ("s", "", "", "(frame - 1) / rate, the clock of EVENT:TIMES", ""),
        **{c.name: (c.unit, c.frame, c.positive, c.how, c.rung) for c in curves},
    }
    _write_dictionary(place / f"{stem}.json", words)


def _write_dictionary(path: Path, words: Mapping[str, Sequence[str]]) -> None:
    """Write column -> unit, frame, positive direction, method and, if given, rung."""
    lines = (f" {_quoted(name)}: {_dictionary_entry(*texts)}" for name, texts in words.items())
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    path.write_text(text, encoding="utf-8", newline="\n")


@lru_cache(maxsize=512)
def _dictionary_entry(*texts: str) -> str:
    """Return the description of a column as JSON; trials of a session share most of them."""
    entries = zip(MEANING[: len(texts)], texts, strict=True)
    return "{" + ", ".join(f'"{key}": {_quoted(text)}' for key, text in entries) + "}"


def write_cycles(
    place: Path, cycles: Sequence[CycleCurves], counting: Mapping[str, Collection[tuple[str, int]]]
) -> None:
    """Write ``cycles.csv``: 101 rows per cycle, loads and powers per kg of body mass.

    The last columns are 1 in the cycles of each of ``counting``.
    """
    blocks: list[Course] = []
    for c in cycles:
        key = (c.cycle.side, c.cycle.number)
        flags = np.tile([key in cycle for cycle in counting.values()], (len(c.values), 1))
        blocks.append((key, (*c.names, *counting), np.hstack([c.values, flags])))
    write_courses(place / "cycles.csv", ("side", "cycle", "percent"), blocks, tuple(counting))


def write_stances(place: Path, stances: Sequence[StanceCurves]) -> None:
    """Write ``stances.csv``: 101 rows per stance, columns as in ``cycles.csv``."""
    blocks = [((c.stance.side, c.stance.number), c.names, c.values) for c in stances]
    write_courses(place / "stances.csv", ("side", "stance", "percent"), blocks)


_KEYS = {
    "side": ("", "left or right"),
    "cycle": ("1", "cycles.csv: number of the cycle on its side, from 1"),
    "stance": ("1", "stances.csv: number of the stance on its side, from 1"),
    "percent": (
        "%",
        "time from foot strike to the next one (cycles.csv), to foot-off (stances.csv)",
    ),
}
_FLAGS = (
    "cycles.csv: 1 if the angles of all joints are known throughout the cycle",
    "cycles.csv: 1 if the moments of all joints are too, with the whole foot on plates",
    f"cycles.csv: 1 if the heading changes by more than {TURNING_DEG:g} deg",
    "cycles.csv: 1 in the straight cycle whose angles are nearest to the median of its side",
)


def write_cycle_words(place: Path, result: Processed) -> None:
    """Write ``cycles.json``, the dictionary of ``cycles.csv`` and ``stances.csv``."""
    courses = (*cycle_curves_of(result), *stance_curves_of(result))
    words = {name: (unit, "", "", how) for name, (unit, how) in _KEYS.items()}
    for name, texts in per_kg_words(curves_of(result), courses).items():
        words[name] = (texts["unit"], texts["frame"], texts["positive"], texts["how"])
    words |= {name: ("1", "", "", how) for name, how in zip(COUNTING, _FLAGS, strict=True)}
    _write_dictionary(place / "cycles.json", words)


def write_lists(place: Path, result: Processed) -> None:
    """Write parameters, peaks, events, contacts and findings, one row each; unknown is empty."""
    for name, rows in rows_of(result).items():
        write_rows(place / f"{name}.csv", TABLES[name][0], rows)


def _quantities(
    result: Processed, found: Iterable[Quantity], flags: Sequence[str]
) -> list[tuple[Any, ...]]:
    """Return values of cycles; the last cells are 1 if the cycle counts, see ``counting_of``."""
    known = counting_of(result)

    @cache
    def counts(side: str, cycle: int | None) -> tuple[str, ...]:
        return tuple("1" if (side, cycle) in known[flag] else "0" for flag in flags)

    return [
        (q.side, q.cycle, q.name, q.value, q.unit, q.percent, *counts(q.side, q.cycle))
        for q in found
    ]


def _events(result: Processed) -> list[tuple[Any, ...]]:
    rate = result.recording.rate_hz
    return [
        (e.side, e.kind, round(e.time_s * rate + 1, 3), float(e.time_s), e.source)
        for e in result.events
    ]


def _contacts(result: Processed) -> list[tuple[Any, ...]]:
    frames_of = result.recording.frames_of
    return [
        (c.plate, c.side, *frames_of(c.start, c.stop), c.peak_N, c.verdict, c.reason)
        for c in result.contacts
    ]


def _findings(result: Processed) -> list[tuple[Any, ...]]:
    return [(f.level, f.code, f.scope, f.value, f.limit, f.message) for f in findings_of(result)]


_OF_CYCLES = ("side", "cycle", "quantity", "value", "unit", "percent")
Table = tuple[tuple[str, ...], "Callable[[Processed], list[tuple[Any, ...]]]"]
TABLES: dict[str, Table] = {
    "peaks": (
        (*_OF_CYCLES, *COUNTING),
        lambda result: _quantities(result, all_peaks_of(result), COUNTING),
    ),
    "gait_parameters": (
        (*_OF_CYCLES, "turning"),
        lambda result: _quantities(result, parameters_of(result), ("turning",)),
    ),
    "events": (("side", "event", "frame", "time_s", "source"), _events),
    "contacts": (
        ("plate", "side", "first_frame", "last_frame", "peak_n", "verdict", "reason"),
        _contacts,
    ),
    "quality": (("level", "code", "scope", "value", "limit", "message"), _findings),
}
"""Name of a table of rows -> its columns, and the function that returns its rows."""


def rows_of(result: Processed) -> dict[str, list[list[str]]]:
    """Return the rows of all tables in :data:`TABLES` as texts, computed once."""
    return result.once(
        "rows", lambda: {name: texts_of(rows(result)) for name, (_, rows) in TABLES.items()}
    )


def write_muscles(place: Path, result: Processed) -> None:
    """Write the EMG tables and their dictionary, if the trial has EMG."""
    muscles = emg_of(result)
    if muscles is None:
        return
    from gaitdyn.tables import emg

    write_rows(place / "emg_channels.csv", tuple(emg.CHANNEL_WORDS), emg.channel_rows(result))
    with (place / "emg.csv").open("wb") as file:
        file.writelines(block_lines(tuple(emg.CURVE_WORDS), emg.curve_blocks(muscles.curves)))
    text = _muscle_dictionary(json.dumps(emg.emg_dictionary(result), ensure_ascii=False))
    (place / "emg.json").write_text(text, encoding="utf-8", newline="\n")


@lru_cache(maxsize=4)
def _muscle_dictionary(document: str) -> str:
    """Return ``emg.json`` with indents; most trials of a session have the same."""
    return json.dumps(json.loads(document), indent=1, ensure_ascii=False) + "\n"


def write_motion(path: Path, result: Processed) -> None:
    """Write ``motion.npz``: filtered markers, and for each leg what ``inverse_dynamics`` takes.

    The arguments carry the side: ``left_mass``, ``left_R_GS`` and so on; segments are foot,
    shank, thigh, SI units.
    """
    arrays = {
        "frame": result.frame_numbers,
        "time_s": result.time_s,
        "labels": np.array(result.trial.labels),
        "markers_G": result.trial.markers_G,
        "R_GL": result.trial.R_GL,
        "R_GP": result.pose.R_GP,
    }
    for name, side in result.sides.items():
        if side.kinetics is not None:
            chain = side.kinetics.loads.chain
            for argument in chain.__dataclass_fields__:
                arrays[f"{name}_{argument}"] = getattr(chain, argument)
    np.savez_compressed(path, **arrays)


def write_on_demand(place: Path, result: Processed) -> None:
    """Write the tables and documents of what a result keeps."""
    for name, write in ((BANDS, write_bands), (CUTOFFS, write_cutoffs), (SWEEP, write_sweep)):
        if name in result.kept:
            write(place, result.kept[name])


def write_bands(place: Path, bands: Bands) -> None:
    """Write ``uncertainty.csv`` and ``uncertainty.json``."""
    heads = ("side", "cycle", "percent", *bands.names)
    blocks = (
        (
            (side,),
            np.column_stack((np.full(len(half), float(number)), np.arange(float(len(half))), half)),
        )
        for (side, number), half in bands.half.items()
    )
    with (place / "uncertainty.csv").open("wb") as file:
        file.writelines(block_lines(heads, blocks))
    _write_document(place / "uncertainty.json", bands.document)


def write_cutoffs(place: Path, cutoffs: CutoffPeaks) -> None:
    """Write ``sensitivity.csv`` and ``sensitivity.json``."""
    table = cutoffs.table
    write_rows(
        place / "sensitivity.csv",
        ("mode", "marker_cutoff_hz", "force_cutoff_hz", "side", "quantity", "value", "unit"),
        [
            (*setting, *peak, value, unit)
            for setting, values in zip(table.settings, table.values.tolist(), strict=True)
            for peak, value, unit in zip(table.peaks, values, table.units, strict=True)
        ],
    )
    _write_document(place / "sensitivity.json", cutoffs.document)


def write_sweep(place: Path, sweep: SweptPeaks) -> None:
    """Write ``sweep.csv``, and ``sweep.json`` if settings are left out."""
    table, bases = sweep.table, sweep.base.tolist()
    write_rows(
        place / "sweep.csv",
        ("key", "setting", "side", "quantity", "value", "base", "difference", "unit"),
        [
            (*setting, *peak, value, base, value - base, unit)
            for setting, values in zip(table.settings, table.values.tolist(), strict=True)
            for peak, value, base, unit in zip(table.peaks, values, bases, table.units, strict=True)
        ],
    )
    if sweep.left_out:
        _write_document(place / "sweep.json", {"left_out": dict(sweep.left_out)})


def _write_document(path: Path, document: dict[str, Any]) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")

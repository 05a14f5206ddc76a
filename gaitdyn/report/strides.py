"""Which strides of trials count, and the values of their tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from statistics import fmean
from typing import Any

from gaitdyn.quality.verdicts import SWING_ENDS
from gaitdyn.store.doubted import spoiled_in
from gaitdyn.store.modelled import with_model
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES


def cycles_used(trials: Sequence[StoredTrial]) -> str:
    """Return how many cycles each side has, with all leg angles and with all moments."""
    words = []
    for side in SIDES:
        cycles = [c for t in trials for c in t.cycles if c.cycle.side == side]
        if not cycles:
            words.append(f"{side} none")
            continue
        with_angles = stride_count(verdicts_of(trials, side, "kinematics"))
        with_moments = sum(len(kinetic_cycles(trial, side)) for trial in trials)
        words.append(
            f"{side} {len(cycles)}, {with_angles or 'none'} of them with all leg angles and"
            f" {with_moments or 'none'} with all moments"
        )
    return "; ".join(words)


def verdicts_of(trials: Iterable[StoredTrial], side: str, quantity: str) -> list[dict[str, Any]]:
    """Return the verdict of each trial on one quantity of one side.

    On angles and loads only trials with a model have one, if any has a model.
    """
    return [
        verdict
        for trial in (trials if quantity == "emg" else with_model(trials))
        for verdict in trial.document.get("verdicts") or []
        if (verdict["side"], verdict["quantity"]) == (side, quantity)
    ]


def stride_count(verdicts: Iterable[dict[str, Any]]) -> int:
    """Return the number of known gait cycles behind some verdicts."""
    return sum(int(verdict["cycles"]) for verdict in verdicts)


def combined_word(verdicts: Iterable[dict[str, Any]]) -> str:
    """Return the verdict on several trials: ``fail`` only if none of them can be used."""
    words = {verdict["word"] for verdict in verdicts}
    if not words or words == {"fail"}:
        return "fail"
    return "check" if words & {"check", "fail"} else "pass"


def kinetic_cycles(trial: StoredTrial, side: str) -> list[int]:
    """Return the cycles with moments of all joints from 0 to 100 % and no failed rule."""
    return trial.once(("kinetic cycles", side), lambda: _whole_cycles(trial, side))


def _whole_cycles(trial: StoredTrial, side: str, ends: Collection[str] = ()) -> list[int]:
    """Return the cycles whose joints are all known, or in part for one of the codes ``ends``."""
    states: dict[int, list[bool]] = {}
    for row in trial.document["status"]:
        if row["side"] == side and row["joint"] in JOINTS:
            ended = row["status"] == "partial" and row.get("code") in ends
            good = (row["status"] == "ok" or ended) and row.get("verdict") != "fail"
            states.setdefault(row["cycle"], []).append(good)
    return [number for number, good in states.items() if all(good)]


def rows_of(
    trials: Iterable[StoredTrial], table: str, name: str, side: str = "", *, kinetic: bool = False
) -> list[dict[str, str]]:
    """Return the rows of a quantity with a value, over the cycles of some trials.

    Trials in which a gait parameter is in doubt have no share in it beside others.

    Parameters
    ----------
    trials : iterable of StoredTrial
    table : {"gait_parameters", "peaks"}
    name : str
    side : str
        Both sides when empty.
    kinetic : bool
        Only cycles of whole steps with moments from 0 to 100 %.
    """
    every = list(trials)
    spoiled = spoiled_in(every) if table == "gait_parameters" else [()] * len(every)
    return [
        row
        for trial, names in zip(every, spoiled, strict=True)
        if name not in names
        for row in _rows_by_name(trial, table, kinetic=kinetic).get(name, ())
        if side in ("", row["side"])
    ]


def _rows_by_name(
    trial: StoredTrial, table: str, *, kinetic: bool
) -> dict[str, list[dict[str, str]]]:
    """Return quantity -> its rows with a value in a table, if requested of kinetic cycles only."""

    def grouped() -> dict[str, list[dict[str, str]]]:
        sides = SIDES if kinetic else ()
        whole = {(side, str(n)) for side in sides for n in kinetic_cycles(trial, side)}
        rows: dict[str, list[dict[str, str]]] = {}
        for row in trial.tables[table]:
            if row["value"] and (not kinetic or (row["side"], row["cycle"]) in whole):
                rows.setdefault(row["quantity"], []).append(row)
        return rows

    return trial.once(("rows by name", table, kinetic), grouped)


def values_of(
    trials: Iterable[StoredTrial], table: str, name: str, side: str = "", *, kinetic: bool = False
) -> list[float]:
    """Return the known values of a quantity over the cycles of some trials, see :func:`rows_of`."""
    return [float(row["value"]) for row in rows_of(trials, table, name, side, kinetic=kinetic)]


def mean_of(
    trials: Iterable[StoredTrial], table: str, name: str, side: str = "", *, kinetic: bool = False
) -> float | None:
    """Return the mean of :func:`values_of`; None if none is known."""
    values = values_of(trials, table, name, side, kinetic=kinetic)
    return fmean(values) if values else None


def counted_cycles(trials: Sequence[StoredTrial]) -> list[CycleCurves]:
    """Return the strides whose loads count: of a whole step and known from 0 to 100 %.

    If a side has none of these, its strides of a whole step count whose swing alone is not known
    to its end; their mean ends where they do.
    """
    counted: list[CycleCurves] = []
    for side in SIDES:
        counted += _cycles_in(trials, side, kinetic_cycles) or _cycles_in(trials, side, whole_steps)
    return counted


def _cycles_in(
    trials: Sequence[StoredTrial], side: str, numbers: Callable[[StoredTrial, str], list[int]]
) -> list[CycleCurves]:
    return [
        curves
        for trial in trials
        for curves in trial.cycles
        if curves.cycle.side == side and curves.cycle.number in numbers(trial, side)
    ]


def whole_steps(trial: StoredTrial, side: str) -> list[int]:
    """Return the strides with a whole step, even if the end of the swing is not known."""
    return _whole_cycles(trial, side, SWING_ENDS)

"""What an archive stores of one result: a record of its trial and of each cycle."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.archive.where import HEADING
from gaitdyn.errors import ResultsRefused
from gaitdyn.io.plain_files import plain_bytes, recovered
from gaitdyn.store.outward import pseudonymised, pseudonymised_label
from gaitdyn.store.persons import person_id
from gaitdyn.store.private import PRIVATE, without_private
from gaitdyn.store.shape import SESSION
from gaitdyn.store.stored import StoredTrial, read_trial
from gaitdyn.store.visit import document_of_visit, visit_for_changes, visit_in
from gaitdyn.types.arrays import Array
from gaitdyn.types.cycles import Cycle
from gaitdyn.types.emg import Emg
from gaitdyn.types.frozen import frozen
from gaitdyn.types.visit import Visit

VISIT = "visit"

Number = tuple[str, str, float, float | None]
"""Name, unit, value, % of the cycle."""


def read_record(
    folder: Path,
    *,
    sha256: str,
    subject: str | None = None,
    session: str | None = None,
    pseudonyms: bool = False,
) -> TrialRecord:
    """Return the record that an archive stores of a results folder.

    Parameters
    ----------
    folder : Path
    sha256 : str
        Of :func:`result_sha256`.
    subject, session : str, optional
        Used instead of the pseudonym in the results and of the name of their parent folder.
    pseudonyms : bool
        Replace names of persons by their pseudonyms.

    Raises
    ------
    ResultsRefused
        When the results cannot be read.
    """
    stored = read_trial(folder)
    try:
        return record_of(
            stored,
            session or _session(folder),
            sha256=sha256,
            subject=subject,
            pseudonyms=pseudonyms,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ResultsRefused(
            f"{folder}: found results that cannot be read ({type(error).__name__}: {error});"
            " process the trial again with this version of gaitdyn"
        ) from error


def record_of(
    stored: StoredTrial,
    session: str,
    *,
    sha256: str = "",
    subject: str | None = None,
    pseudonyms: bool,
) -> TrialRecord:
    """Return the record that an archive stores of one result.

    Parameters
    ----------
    stored : StoredTrial
    session : str
        Its name.
    sha256, subject, pseudonyms
        As :func:`read_record`.
    """
    session = recovered(session)
    if pseudonyms:
        session, stored = pseudonymised_label(session, [stored]), pseudonymised(stored)
    document = stored.document
    return TrialRecord(
        subject or person_id(document),
        session,
        document["subject"].get("sex"),
        {**_trial(stored), "result_sha256": sha256},
        _cycles(stored),
        tuple(_quality(row) for row in stored.tables["quality"]),
        document["gaitdyn"],
        json.dumps(stored_document(stored), ensure_ascii=False, separators=(",", ":")),
    )


def float32_samples(values: Array) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return curves of shape (101, c) as an archive stores them, shape (c, 101)."""
    return np.ascontiguousarray(values.T, dtype="<f4")


def stored_document(stored: StoredTrial) -> dict[str, Any]:
    """Return ``result.json`` without paths, but with the entries that an export removes.

    What decides whether two visits can be compared, and what was planned, is one of them.
    """
    private = dict(stored.document.get(PRIVATE) or {})
    if visit := visit_for_changes(stored.visit):
        private[VISIT] = document_of_visit(visit)
    return without_private(stored.document) | ({PRIVATE: private} if private else {})


def visit_of(document: dict[str, Any]) -> Visit:
    """Return the notes on a visit in a document that an archive stores."""
    private = document.get(PRIVATE)
    return visit_in(private.get(VISIT) if isinstance(private, dict) else None)


def _session(folder: Path) -> str:
    """Return the name in the parent folder's ``session.json``, or the parent folder's name."""
    parent = folder.resolve().parent
    try:
        name = json.loads(plain_bytes(parent / SESSION))["session"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        name = ""
    return name if name and isinstance(name, str) else parent.name


def _trial(stored: StoredTrial) -> dict[str, Any]:
    document, options = stored.document, stored.document["options"]
    return {
        "name": stored.name,
        "condition": stored.condition,
        "model": document["model"]["name"],
        **{key: options[key] for key in ("profile", "moments_in", "convention")},
        "verdict": document["verdict"],
        **{key: document["subject"].get(key) for key in ("age_years", "mass_kg", "height_m")},
        "file_sha256": next(x["sha256"] for x in document["inputs"] if x["role"] == "trial"),
    }


def _cycles(stored: StoredTrial) -> tuple[CycleRecord, ...]:
    parameters = _by_cycle(stored.tables["gait_parameters"])
    peaks = _by_cycle(stored.tables["peaks"])
    records = []
    for row, curves in zip(stored.view["cycles"], stored.cycles, strict=True):
        key = (curves.cycle.side, curves.cycle.number)
        muscles = _muscles(stored.emg, *key)
        numbers = (*parameters.get(key, ()), *_heading(curves.cycle))
        speeds = {name: value for name, _, value, _ in numbers}
        records.append(
            CycleRecord(
                *key,
                row["start_s"],
                row["stop_s"],
                row["foot_off_percent"],
                speeds.get("speed"),
                speeds.get("speed_nondimensional"),
                _kinetics(stored.document["status"], key),
                (*zip(curves.names, curves.units, strict=True), *((n, "1") for n in muscles)),
                float32_samples(np.column_stack([curves.values, *muscles.values()])),
                numbers,
                peaks.get(key, ()),
            )
        )
    return tuple(records)


def _muscles(emg: Emg | None, side: str, number: int) -> dict[str, Array]:
    """Return the envelopes of a cycle under the names of curves, such as ``emg_soleus``."""
    curves = [c for c in emg.curves if c.side == side and number in c.cycles] if emg else []
    return {f"emg_{c.muscle}": c.envelope[c.cycles.index(number)] for c in curves}


def _heading(cycle: Cycle) -> tuple[Number, ...]:
    """Return the heading change of a stride as a parameter; nothing if it is unknown."""
    change = cycle.heading_change_deg
    return ((HEADING, "deg", change, None),) if math.isfinite(change) else ()


def _kinetics(status: Sequence[dict[str, Any]], key: tuple[str, int]) -> str:
    words = [row["status"] for row in status if (row["side"], row["cycle"]) == key]
    if not words or set(words) == {"skipped"}:
        return "skipped"
    return "ok" if set(words) == {"ok"} else "partial"


def _by_cycle(rows: Sequence[dict[str, str]]) -> dict[tuple[str, int], tuple[Number, ...]]:
    """Return the numbers by side and cycle; empty values are left out."""
    by_cycle: dict[tuple[str, int], list[Number]] = {}
    for row in rows:
        value = _number(row["value"])
        if value is not None and row["cycle"]:
            number = (row["quantity"], row["unit"], value, _number(row["percent"]))
            by_cycle.setdefault((row["side"], int(row["cycle"])), []).append(number)
    return {key: tuple(numbers) for key, numbers in by_cycle.items()}


def _quality(row: dict[str, str]) -> tuple[Any, ...]:
    value, limit = _number(row["value"]), _number(row["limit"])
    return row["level"], row["code"], row["scope"], value, limit, row["message"]


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


@frozen(eq=False)
class CycleRecord:
    """One cycle.

    Attributes
    ----------
    side : str
    number : int
    start_s, stop_s, foot_off_percent, speed, speed_nondimensional : float or None
    kinetics : {"ok", "partial", "skipped"}
        ``ok`` if ankle, knee and hip all are, ``skipped`` if no joint has any.
    curves : tuple of (name, unit)
    samples : array of float32, shape (len(curves), 101)
    parameters, peaks : tuple of Number
    """

    side: str
    number: int
    start_s: float | None
    stop_s: float | None
    foot_off_percent: float | None
    speed: float | None
    speed_nondimensional: float | None
    kinetics: str
    curves: tuple[tuple[str, str], ...]
    samples: np.ndarray[Any, np.dtype[np.float32]]
    parameters: tuple[Number, ...] = ()
    peaks: tuple[Number, ...] = ()


@frozen(eq=False)
class TrialRecord:
    """One result.

    Attributes
    ----------
    subject, session : str
        Pseudonym, and name of the session.
    sex : str or None
    trial : dict
        Columns of the table ``trial`` without the keys.
    cycles : tuple of CycleRecord
    quality : tuple
        Level, code, scope, value, limit, message.
    gaitdyn, document : str
        Version, and ``result.json`` in one line.
    """

    subject: str
    session: str
    sex: str | None
    trial: dict[str, Any]
    cycles: tuple[CycleRecord, ...]
    quality: tuple[tuple[Any, ...], ...] = ()
    gaitdyn: str = ""
    document: str = "{}"

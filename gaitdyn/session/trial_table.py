"""Read the tables ``[trials."walk01.c3d"]`` of a ``session.toml``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

from gaitdyn.io.toml_lines import Place
from gaitdyn.session.option_tables import KNOWN, read_options
from gaitdyn.session.toml_text import TomlText
from gaitdyn.types.frozen import frozen
from gaitdyn.types.options import Assignment
from gaitdyn.types.recording import EventKind
from gaitdyn.types.words import parse_assign, parse_cycles

_TRIAL_KEYS = (
    "use", "condition", "assign", "static", "forces", "leave_out", "events", "reasons", "options",
)  # fmt: skip
_EVENT_KEYS = ("side", "event", "time_s", "frame")
_LATEST = 1e9
_EVENT_LIMITS = {
    "time_s": (-_LATEST, "a time in s on the file's clock"),
    "frame": (1.0, "a whole number from 1; between frames or before 0 s give time_s"),
}
"""Smallest value, and what is wanted. The clock of a TRC file may start before 0 s; whether an
event lies in the recording is checked when it is read."""


@frozen()
class GivenEvent:
    """An event as written, at a time on the file's clock or at a frame of the file."""

    side: Literal["left", "right"]
    kind: EventKind
    time_s: float | None = None
    frame: float | None = None


@frozen()
class TrialEntry:
    """The session's entry for one file; ``None`` and empty mean not set."""

    use: bool | None = None
    condition: str | None = None
    assign: tuple[Assignment, ...] = ()
    static: str | None = None
    forces: str | None = None
    leave_out: tuple[tuple[Literal["left", "right"], int], ...] = ()
    events: tuple[GivenEvent, ...] = ()
    reasons: tuple[tuple[str, str], ...] = ()
    options: dict[str, Any] = field(default_factory=dict[str, Any])


def read_trial_table(toml: TomlText, name: str, table: Any, folder: Path) -> TrialEntry:
    """Return the entry of a table ``[trials."walk01.c3d"]``.

    Parameters
    ----------
    toml : TomlText
    name : str
        Of the file.
    table : object
        Its table, as read.
    folder : Path
        Of the ``session.toml``.

    Raises
    ------
    UsageError
        Naming file and line, what was found and what was wanted.
    """
    where = ("trials", name)
    own = f'in [trials."{name}".options]'
    elsewhere = dict.fromkeys(KNOWN, own) | {
        kind: f'in [trials."{name}.{kind}"], with quotes' for kind in ("c3d", "trc")
    }
    toml.check_table(where, table, "a table", _TRIAL_KEYS, elsewhere)
    use = table.get("use")
    if use is not None and not isinstance(use, bool):
        toml.refuse((*where, "use"), use, "true or false")
    texts = {
        key: toml.text((*where, key), table[key])
        for key in ("condition", "assign", "static", "forces")
        if key in table
    }
    cycles = table.get("leave_out", [])
    toml.check_list((*where, "leave_out"), cycles, str, 'a list such as ["left 2", "right 1"]')
    return TrialEntry(
        use=use,
        condition=texts.get("condition"),
        assign=toml.parsed((*where, "assign"), parse_assign, texts.get("assign")),
        static=texts.get("static"),
        forces=texts.get("forces"),
        leave_out=toml.parsed((*where, "leave_out"), parse_cycles, cycles),
        events=_events(toml, where, table.get("events", [])),
        reasons=_reasons(toml, where, table),
        options=read_options(toml, (*where, "options"), table.get("options", {}), folder),
    )


def wanted_decision(made: Sequence[str]) -> str:
    """Return what a reason may name, of the decisions that were made by hand, in words."""
    known = ", ".join(made) or "none; add events, assign or leave_out"
    return f"one of the decisions of this trial: {known}"


def _reasons(toml: TomlText, where: tuple[str, ...], table: Any) -> tuple[tuple[str, str], ...]:
    """Return the reasons for decisions made by hand; each belongs to a decision of the table."""
    reasons, key_path = table.get("reasons", {}), (*where, "reasons")
    toml.check_table(key_path, reasons, 'a table such as { assign = "...", "left 2" = "..." }')
    decided = [key for key in ("events", "assign") if key in table]
    decided += [" ".join(text.lower().split()) for text in table.get("leave_out", [])]
    pairs: list[tuple[str, str]] = []
    for key, value in reasons.items():
        name = " ".join(key.lower().split())
        if name not in decided:
            toml.refuse_key((*key_path, key), wanted_decision(decided))
        if not isinstance(value, str):
            toml.refuse((*key_path, key), value, "a text")
        pairs.append((name, " ".join(value.split())))
    return tuple(pairs)


def _events(toml: TomlText, where: tuple[str, ...], listed: Any) -> tuple[GivenEvent, ...]:
    key_path = (*where, "events")
    toml.check_list(key_path, listed, dict, "tables with side, event and time_s or frame")
    return tuple(_event(toml, (*key_path, i), entry) for i, entry in enumerate(listed))


def _event(toml: TomlText, key_path: Place, entry: dict[str, Any]) -> GivenEvent:
    toml.check_table(key_path, entry, "a table", _EVENT_KEYS)
    side, kind = entry.get("side"), entry.get("event")
    if side not in ("left", "right"):
        toml.refuse((*key_path, "side"), side, "left or right")
    if kind not in ("foot_strike", "foot_off"):
        toml.refuse((*key_path, "event"), kind, "foot_strike or foot_off")
    times = {key: entry[key] for key in ("time_s", "frame") if key in entry}
    if len(times) != 1:
        toml.refuse(key_path, entry, "either time_s or frame in each")
    for key, value in times.items():
        least, wanted = _EVENT_LIMITS[key]
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        is_whole = is_number and (key != "frame" or value % 1 == 0)
        if not is_whole or not least <= value < _LATEST:
            toml.refuse((*key_path, key), value, wanted)
    return GivenEvent(side, kind, **{key: float(value) for key, value in times.items()})

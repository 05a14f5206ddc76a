"""Forms in which Python accepts settings of several parts: command-line text, pairs, dicts.

Each is converted to the tuple that :class:`gaitdyn.types.options.Options` stores.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import index
from pathlib import PurePath
from typing import Any

from gaitdyn.errors import UsageError
from gaitdyn.types.arguments import at_home, option_of, told
from gaitdyn.types.options import Assignment
from gaitdyn.types.recording import Event
from gaitdyn.types.words import (
    each_label_once,
    parse_assign,
    parse_band,
    parse_cycles,
    parse_functional,
    parse_rename,
)

_SIDES, _KINDS = ("left", "right"), ("foot_strike", "foot_off")
_DECISION = re.compile(r"assign|events|(left|right) \d+", re.ASCII)


def in_full(field: str, value: Any) -> Any:
    """Return a setting of several parts as :class:`Options` stores it.

    Parameters
    ----------
    field : str
        One of :data:`FORMS`.
    value : object
        As given.

    Raises
    ------
    UsageError
        With the setting, what was given and what is wanted.

    Examples
    --------
    >>> in_full("leave_out", "left 2"), in_full("rename", {"L knee": "LKNE"})
    ((('left', 2),), (('L knee', 'LKNE'),))
    """
    read, wanted = FORMS[field]
    refusal = UsageError(f"{option_of(field)} is {told(value)}, wanted {wanted}")
    if hasattr(value, "columns"):  # a table is not a list
        raise refusal
    try:
        return read(value)
    except UsageError as error:
        message = str(error)
        raise UsageError(message if message.startswith("--") else f"{field}: {message}") from None
    except (TypeError, ValueError, AttributeError):
        raise refusal from None


def _assignments(value: Any) -> tuple[Assignment, ...]:
    """Return the assignments in a text, in ``{1: "left"}``, or in a list of texts or tuples."""
    assignments: list[Assignment] = []
    for part in _parts(value):
        if isinstance(part, Assignment):
            assignments.append(part)
            continue
        if not isinstance(part, str):
            plate, side, *frames = part
            suffix = [f":{first}-{last}" for first, last in frames]
            part = f"{plate}={side}{''.join(suffix)}"  # noqa: PLW2901
        assignments += parse_assign(part)
    return tuple(assignments)


def _cycles(value: Any) -> Any:
    texts = value.split(",") if isinstance(value, str) else value
    return parse_cycles([t if isinstance(t, str) else " ".join(map(str, t)) for t in texts])


def _pairs(parse: Callable[[list[str]], Any]) -> Callable[[Any], tuple[tuple[str, str], ...]]:
    """Return a function that reads pairs of texts, or texts that ``parse`` reads."""

    def read(value: Any) -> tuple[tuple[str, str], ...]:
        parts = list(_parts(value))
        if parts and all(isinstance(part, str) for part in parts):
            return parse(parts)
        return tuple(_texts(part) for part in parts)

    return read


def _renames(value: Any) -> tuple[tuple[str, str], ...]:
    return each_label_once(_pairs(parse_rename)(value))


def _events(value: Any) -> tuple[Event, ...]:
    return tuple(e if isinstance(e, Event) else _event(*e) for e in _parts(value))


def _event(time_s: Any, side: Any, kind: Any) -> Event:
    if side not in _SIDES or kind not in _KINDS:
        raise ValueError
    return Event(float(time_s), side, kind)


def _channels(value: Any) -> tuple[tuple[str, str, str], ...]:
    """Return label, muscle and side of channels in a list, or in ``{"EMG1": "left soleus"}``."""
    if hasattr(value, "items"):
        value = [(label, *_muscle(words)) for label, words in value.items()]
    return tuple(_texts(part, 3) for part in value)


def _muscle(text: str) -> tuple[str, str]:
    words = text.lower().split()
    side = next((word for word in words if word in _SIDES), "")
    muscle = "_".join(word for word in words if word not in _SIDES)
    if not muscle:
        raise ValueError(text)
    return muscle, side


def _band(value: Any) -> tuple[float, float]:
    low, high = parse_band(value) if isinstance(value, str) else value
    return float(low), float(high)


def _frames(value: Any) -> tuple[int, int]:
    first, last = value
    return index(first), index(last)


def _functional(value: Any) -> tuple[tuple[str, str], ...]:
    return tuple((joint, at_home(path)) for joint, path in _pairs(parse_functional)(value))


def _parts(value: Any) -> Iterator[Any]:
    """Return an iterator over a sequence, the pairs of a dict, or a single text."""
    return iter([value] if isinstance(value, str) else getattr(value, "items", lambda: value)())


def _texts(values: Any, count: int = 2) -> Any:
    """Return the given number of texts as a tuple; a path counts as a text."""
    if len(values) != count or not all(isinstance(v, str | PurePath) for v in values):
        raise TypeError
    return tuple(map(str, values))


def _reasons(value: Any) -> tuple[tuple[str, str], ...]:
    """Return decisions and why; a decision is on ``assign``, on ``events`` or on a cycle."""
    pairs = _pairs(_refuse_texts)(value)
    reasons = tuple((" ".join(key.lower().split()), why) for key, why in pairs)
    if not all(_DECISION.fullmatch(key) for key, _ in reasons):
        raise ValueError
    return reasons


def _refuse_texts(texts: list[str]) -> Any:
    raise ValueError(texts)


FORMS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "assign": (_assignments, 'plates and feet such as "1=left,2=right:114-181,3=none"'),
    "rename": (_renames, 'labels such as {"L knee": "LKNE"}'),
    "functional": (_functional, 'joints and files such as {"hip_left": "func.c3d"}'),
    "leave_out": (_cycles, 'cycles such as "left 2" or ["left 2", "right 1"]'),
    "reasons": (
        _reasons,
        'what was decided and why, such as {"left 2": "a stumble"}, with assign, events or a cycle',
    ),
    "events": (_events, 'times, sides and kinds such as [(1.25, "left", "foot_strike")]'),
    "emg_channels": (_channels, 'labels, muscles and sides such as {"EMG1": "left soleus"}'),
    "emg_band_hz": (_band, "two frequencies in Hz such as (20, 450)"),
    "static_frames": (_frames, "the first and the last frame, such as (200, 300)"),
}
"""Setting of several parts -> function that reads it, and what is wanted in words."""

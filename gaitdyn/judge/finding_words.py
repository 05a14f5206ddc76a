"""Place, size and direction of a finding in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gaitdyn.judge.phases import phase_at

if TYPE_CHECKING:
    from collections.abc import Sequence

Phases: TypeAlias = "Sequence[tuple[str, float, float]]"
"""Names of phases of the cycle with their start and stop, %."""

_STRIKES = {0: "at foot strike", 100: "at the next foot strike"}


def where_of(phases: Phases, start: float, end: float) -> str:
    """Return a stretch of the cycle in words.

    Parameters
    ----------
    phases : sequence of (str, float, float)
        Name, start and stop, %; empty if they are not known.
    start, end : float

    Examples
    --------
    >>> phases = (("stance", 0.0, 60.0), ("swing", 60.0, 100.0))
    >>> where_of(phases, 65, 80), where_of(phases, 50, 80), where_of((), 7, 7)
    ('in swing 65-80 %', 'from stance to swing 50-80 %', 'at 7 %')
    >>> where_of(phases, 100, 100)
    'at the next foot strike'
    """
    if start == 0 and end == 100:  # noqa: PLR2004  %
        return "over the whole cycle"
    if start == end and start in _STRIKES:
        return _STRIKES[round(start)]
    first, last = phase_at(phases, start), phase_at(phases, end)
    words = [f"in {first}" if first == last else f"from {first} to {last}"] if first else []
    moment = moment_words(start) if start == end else f"{start:.0f}-{end:.0f} %"
    return " ".join([*words, moment])


def moment_words(percent: float) -> str:
    """Return a moment of the cycle in words; 0 and 100 % are foot strikes.

    Examples
    --------
    >>> moment_words(0.0), moment_words(7.0), moment_words(100.0)
    ('at foot strike', 'at 7 %', 'at the next foot strike')
    """
    return _STRIKES.get(round(percent), f"at {percent:.0f} %")


def number(value: float, unit: str) -> str:
    """Return a size with its unit.

    Examples
    --------
    >>> number(-13.6, "deg"), number(0.412, "N m/kg"), number(2.34, "deg")
    ('14 deg', '0.41 N m/kg', '2.3 deg')
    """
    size = abs(value)
    digits = 2 if unit != "deg" else 0 if size >= 10 else 1  # noqa: PLR2004
    return f"{size:.{digits}f} {unit}"


def size_found(value: float, unit: str) -> str:
    """Return the size of a difference that was found, with more decimals if it looks like none.

    Examples
    --------
    >>> size_found(-0.0042, "W/kg"), size_found(0.412, "N m/kg"), size_found(18.4, "deg")
    ('0.004 W/kg', '0.41 N m/kg', '18 deg')
    """
    return size_apart(value, 0.0, unit)


def size_apart(value: float, other: float, unit: str) -> str:
    """Return a size with its unit, with up to two more decimals if another would look like it.

    Examples
    --------
    >>> (
    ...     size_apart(18.4, -17.8, "deg"),
    ...     size_apart(-17.8, 18.4, "deg"),
    ...     size_apart(21.0, 17.8, "deg"),
    ... )
    ('18.4 deg', '17.8 deg', '21 deg')
    >>> size_apart(0.3981, 0.4004, "N m/kg")
    '0.398 N m/kg'
    """
    text = number(value, unit)
    first, second = (number(size, unit).partition(" ")[0] for size in (value, other))
    decimals = min(len(each.partition(".")[2]) for each in (first, second))
    for more in (1, 2):
        if float(first) != float(second):
            break
        first, second = (f"{abs(size):.{decimals + more}f}" for size in (value, other))
        text = f"{first} {unit}"
    return text


def direction(value: float) -> str:
    """Return ``more`` or ``less``, relative to the name of the curve."""
    return "more" if value > 0 else "less"

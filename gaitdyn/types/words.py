"""Parse values of the command line and of ``session.toml``; words of messages that many share."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from gaitdyn.errors import UsageError
from gaitdyn.types.options import Assignment

_ASSIGNMENT = re.compile(r"(\d{1,6})=(left|right|none)(?::(\d{1,9})-(\d{1,9}))?", re.ASCII)
_BAND = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)", re.ASCII)
_CYCLE = re.compile(r"(left|right)\s+(\d{1,6})", re.ASCII)


def parse_assign(text: str | None) -> tuple[Assignment, ...]:
    """Return the assignments of ``1=left,2=right:114-181,3=none``.

    Raises
    ------
    UsageError
        When a part cannot be read.

    Examples
    --------
    >>> parse_assign("2=right:114-181")[0].frames
    (114, 181)
    """
    assignments: list[Assignment] = []
    for part in (text or "").replace(" ", "").split(",") if text else ():
        match = _ASSIGNMENT.fullmatch(part)
        if not match:
            raise UsageError(
                f"--assign {part!r} cannot be read; wanted PLATE=left, right or none, with frames"
                " as in 2=right:114-181"
            )
        frames = (int(match[3]), int(match[4])) if match[3] else None
        side: Any = match[2]
        assignments.append(Assignment(int(match[1]), side, frames))
    return tuple(assignments)


def parse_cycles(texts: Sequence[str]) -> tuple[tuple[Literal["left", "right"], int], ...]:
    """Return sides and numbers of cycles such as ``left 2``.

    Raises
    ------
    UsageError
        When one cannot be read.

    Examples
    --------
    >>> parse_cycles(["left 2", "right 1"])
    (('left', 2), ('right', 1))
    """
    cycles: list[tuple[Literal["left", "right"], int]] = []
    for text in texts:
        match = _CYCLE.fullmatch(text.strip().lower())
        if not match or not int(match[2]):
            message = f"{text!r} is not a cycle; wanted a side and a number from 1, as in 'left 2'"
            raise UsageError(message)
        cycles.append(("left" if match[1] == "left" else "right", int(match[2])))
    return tuple(cycles)


def parse_rename(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return old and new labels from texts such as ``OLD=NEW``; the last ``=`` is the separator.

    Raises
    ------
    UsageError
        When one cannot be read, or an old label is given twice.

    Examples
    --------
    >>> parse_rename(["L knee=LKNE"])
    (('L knee', 'LKNE'),)
    """
    renamed: list[tuple[str, str]] = []
    for text in texts:
        old, sign, new = (part.strip() for part in text.rpartition("="))
        if not (old and sign and new):
            message = f"--rename {text!r} cannot be read; wanted OLD=NEW, as in 'L knee=LKNE'"
            raise UsageError(message)
        renamed.append((old, new))
    return each_label_once(renamed)


def each_label_once(renamed: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return pairs of old and new labels.

    Raises
    ------
    UsageError
        When an old label is given twice.

    Examples
    --------
    >>> each_label_once([("L knee", "LKNE")])
    (('L knee', 'LKNE'),)
    """
    names: dict[str, str] = {}
    for old, new in renamed:
        if old in names:
            both = f"{names[old]!r} and {new!r}"
            raise UsageError(f"--rename names {old!r} twice, {both}; wanted each label once")
        names[old] = new
    return tuple(names.items())


def parse_functional(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return joint and file of functional trials from texts such as ``hip_left=func.c3d``.

    Raises
    ------
    UsageError
        When one cannot be read.

    Examples
    --------
    >>> parse_functional(["hip-left=func.c3d"])
    (('hip_left', 'func.c3d'),)
    """
    trials: list[tuple[str, str]] = []
    for text in texts:
        key, sign, path = (part.strip() for part in text.partition("="))
        if not (key and sign and path):
            raise UsageError(
                f"--functional {text!r} cannot be read; wanted JOINT_SIDE=FILE, as in"
                " hip_left=func.c3d"
            )
        trials.append((key.lower().replace("-", "_"), path))
    return tuple(trials)


def parse_band(text: str) -> tuple[float, float]:
    """Return the ends of a band such as ``20-450``, Hz.

    Raises
    ------
    UsageError
        When it cannot be read.

    Examples
    --------
    >>> parse_band("20-450")
    (20.0, 450.0)
    """
    match = _BAND.fullmatch(text.replace(" ", ""))
    if not match:
        message = f"--emg-band {text!r} cannot be read; wanted two frequencies such as 20-450"
        raise UsageError(message)
    return float(match[1]), float(match[2])


def counted(count: int, noun: str, several: str = "") -> str:
    """Return a count with its noun, in the singular for one.

    ``several`` is the plural of a noun that does not end in s there.

    Examples
    --------
    >>> counted(1, "frame"), counted(3, "frame"), counted(3, "person", "people")
    ('1 frame', '3 frames', '3 people')
    """
    return f"{count} {noun if count == 1 else several or f'{noun}s'}"


def all_of(words: Sequence[str]) -> str:
    """Return some words as a list in a sentence.

    Examples
    --------
    >>> all_of(["the head"]), all_of(["hip", "knee", "ankle"])
    ('the head', 'hip, knee and ankle')
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def some_of(names: Sequence[str], most: int = 5) -> str:
    """Return the first of some names, and how many more there are.

    Examples
    --------
    >>> some_of(["walk01", "walk02", "walk03"], 2)
    'walk01, walk02 and 1 more'
    """
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{rest}"


def two_digits(value: float) -> str:
    """Return a size of a message with two digits, without an exponent from 0.0001 to a million.

    Examples
    --------
    >>> two_digits(13.6), two_digits(0.352), two_digits(152.0), two_digits(0.00002)
    ('14', '0.35', '150', '2e-05')
    """
    return f"{float(f'{value:.2g}'):g}"


def signed(value: float, digits: int) -> str:
    """Return a number of a message with its sign; one that rounds to zero has none.

    Examples
    --------
    >>> signed(1.25, 1), signed(-1.26, 1), signed(-0.04, 1)
    ('+1.2', '-1.3', '0.0')
    """
    return without_sign_of_zero(f"{value:+.{digits}f}")


def without_sign_of_zero(text: str) -> str:
    """Return a written number, without its sign if all its digits are zero.

    Examples
    --------
    >>> without_sign_of_zero("-0.00"), without_sign_of_zero("+0.01"), without_sign_of_zero("0")
    ('0.00', '+0.01', '0')
    """
    return text if text.strip("-+0.") else text.lstrip("-+")


def system_reason(error: Exception) -> str:
    """Return what the operating system says of an error, or else its own text, in lower case.

    Windows says it in its own language: the words of the C library stand for them.
    """
    if isinstance(error, OSError) and error.errno and getattr(error, "winerror", None):
        return os.strerror(error.errno).lower()
    return (getattr(error, "strerror", None) or str(error) or "an error").lower()


def cannot_write(place: object, error: OSError, todo: str = "choose another -o") -> str:
    """Return the message that a file, or ``to`` a folder, cannot be written."""
    return f"cannot write {place}: {system_reason(error)}; {todo}"


_MEASURES = {"mass_kg": ("kg", 1, 0), "height_m": ("m", 3, 2), "age_years": ("years", 1, 0)}
"""Measure of a person -> its unit, and how many decimals it has at most and at least."""


def measure_words(measure: str, value: float) -> str:
    """Return a measure of a person with its unit, as a file gives it.

    Examples
    --------
    >>> measure_words("mass_kg", 47.5), measure_words("mass_kg", 70.0)
    ('47.5 kg', '70 kg')
    >>> measure_words("height_m", 1.505), measure_words("height_m", 1.8)
    ('1.505 m', '1.80 m')
    """
    unit, most, least = _MEASURES[measure]
    whole, _, decimals = f"{value:.{most}f}".partition(".")
    decimals = decimals[:least] + decimals[least:].rstrip("0")
    return f"{whole}{'.' * bool(decimals)}{decimals} {unit}"

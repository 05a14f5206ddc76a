"""From the words of the command line to :class:`gaitdyn.types.options.Options`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import UsageError
from gaitdyn.types.options import Assignment, Options

if TYPE_CHECKING:
    from pathlib import Path

_LATER = {("format", "parquet")}
REPORTS: dict[str, tuple[str, ...]] = {
    "none": (),
    "html": ("report.html",),
    "pdf": ("report.pdf",),
    "both": ("report.html", "report.pdf"),
}
"""What ``--report`` writes."""

_ASSIGNMENT = re.compile(r"(\d+)=(left|right|none)(?::(\d+)-(\d+))?")


def options_from(
    *,
    static: Path | None,
    subject: Path | None,
    subject_prefix: str | None,
    mass: float | None,
    height: float | None,
    marker_diameter: float | None,
    cutoff: str,
    force_cutoff: str,
    filter_kind: str,
    assign: str | None,
    **words: str,
) -> Options:
    """Return the options, each checked against what it may say.

    Raises
    ------
    UsageError
        Naming the option, what was given and what is wanted.
    """
    words["filter"] = filter_kind
    fields: dict[str, Any] = dict(words)
    if force_cutoff != "same":
        fields["force_cutoff_hz"] = _frequency("force-cutoff", force_cutoff)
    return Options(
        static=None if static is None else str(static),
        subject=None if subject is None else str(subject),
        subject_prefix=subject_prefix,
        mass_kg=mass,
        height_m=height,
        marker_diameter_mm=marker_diameter,
        cutoff_hz=_frequency("cutoff", cutoff),
        assign=parse_assign(assign),
        **fields,
    )


def options_from_words(**fields: Any) -> Options:
    """Return options of which only some are given."""
    return Options(**fields)


def check_outputs(table_format: str, report: str) -> None:
    """Refuse formats and reports that do not exist, or not yet."""
    _check_word("format", table_format, ("csv",))
    check_report(report)


def check_report(report: str) -> None:
    """Refuse a kind of report that does not exist."""
    _check_word("report", report, tuple(REPORTS))


def parse_assign(text: str | None) -> tuple[Assignment, ...]:
    """Return the assignments of ``1=left,2=right:114-181,3=none``.

    Raises
    ------
    UsageError
        When a part cannot be read.

    Examples
    --------
    >>> parse_assign("2=right:114-181")
    (Assignment(plate=2, side='right', frames=(114, 181)),)
    """
    found = []
    for part in (text or "").replace(" ", "").split(",") if text else ():
        match = _ASSIGNMENT.fullmatch(part)
        if not match:
            message = (
                f"--assign {part!r} cannot be read; wanted PLATE=left, right or none, with frames"
                " as in 2=right:114-181"
            )
            raise UsageError(message)
        frames = (int(match[3]), int(match[4])) if match[3] else None
        found.append(Assignment(int(match[1]), match[2], frames))  # pyright: ignore[reportArgumentType]
    return tuple(found)


def _check_word(name: str, value: str, allowed: tuple[str, ...]) -> None:
    option = "--" + name.replace("_", "-")
    if (name, value) in _LATER:
        message = f"{option} {value} is not built yet; wanted {' or '.join(allowed)}"
        raise UsageError(message)
    if value not in allowed:
        message = f"{option} is {value!r}, wanted {' or '.join(allowed)}"
        raise UsageError(message)


def _frequency(name: str, text: str) -> float | None:
    """Return a cut-off in Hz, or ``None`` for ``none``."""
    if text == "none":
        return None
    try:
        return float(text)
    except ValueError:
        message = f"--{name} is {text!r}, wanted a frequency in Hz or none"
        raise UsageError(message) from None

"""From the words of the command line to :class:`gaitdyn.types.options.Options`."""

from __future__ import annotations

from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from gaitdyn.errors import OutputRefused, UsageError
from gaitdyn.types.option_rows import ROWS, rows_of
from gaitdyn.types.options import EMG_SCALES, Options
from gaitdyn.types.words import parse_assign, parse_band, parse_functional, parse_rename

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.types.option_rows import OptionRow

REPORTS: dict[str, tuple[str, ...]] = {
    "none": (),
    "html": ("report.html",),
    "pdf": ("report.pdf",),
    "both": ("report.html", "report.pdf"),
}
"""What ``--report`` writes."""

Given = dict[str, Any]
"""Fields of the options that stand on the command line."""

_TYPES: dict[str, Any] = {
    "switch": bool,
    "number": Optional[float],
    "functional": Optional[list[str]],
    "rename": Optional[list[str]],
    "file": Optional[Path],
    "muscles": Optional[Path],
}
"""Kind of option -> what typer makes of its text; a text where it is not here."""

_METAVARS = {
    "file": "FILE",
    "muscles": "FILE",
    "recording": "FILE",
    "frequency": "HZ",
    "band": "LOW-HIGH",
    "rename": "OLD=NEW",
    "functional": "JOINT=FILE",
    "assign": "PLATE=SIDE,...",
    "word": "WORD",
}


def setting(name: str) -> Any:
    """Return one option of the computation as typer takes it."""
    return _option(next(row for row in ROWS if row.name == name))


def _option(row: OptionRow, *, shown: bool = True) -> Any:
    word = "--" + row.name.replace("_", "-")
    if row.off:
        word += "/--no-" + row.name
    read_later = row.kind in ("file", "recording", "muscles")
    return typer.Option(
        word,
        help=row.told,
        metavar=_metavar(row),
        readable=not read_later,
        show_default=shown,
    )


def _metavar(row: OptionRow) -> str | None:
    if row.kind == "number":
        return row.field.rpartition("_")[2].upper()
    return _METAVARS.get(row.kind)


def with_settings(
    command: str, *, defaults: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command its options of the computation, where its parameter ``given`` stands.

    It is called with the fields of the options that stand on the command line, each checked; a
    file of theirs that cannot be read is refused before anything is done.

    Parameters
    ----------
    command : str
        As in :attr:`gaitdyn.types.option_rows.OptionRow.commands`.
    defaults : bool
        Whether its help shows them; a command that runs recorded results again has others.
    """
    rows = rows_of(command)

    def give(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def run(context: typer.Context, **values: Any) -> Any:
            taken = {row: values.pop(row.name) for row in rows}
            given = {row: value for row, value in taken.items() if _is_given(context, row.name)}
            return function(given=_fields(given), **values)

        own = signature(function, eval_str=True)
        parameters = [Parameter("context", _KIND, annotation=typer.Context)]
        for parameter in own.parameters.values():
            if parameter.name == "given":
                parameters += [_parameter(row, shown=defaults) for row in rows]
            else:
                parameters.append(parameter.replace(kind=_KIND))
        run.__signature__ = own.replace(parameters=parameters)  # pyright: ignore[reportAttributeAccessIssue]
        run.__annotations__ = {x.name: x.annotation for x in parameters}
        return run

    return give


_KIND = Parameter.KEYWORD_ONLY


def _parameter(row: OptionRow, *, shown: bool) -> Parameter:
    kind = _TYPES.get(row.kind, Optional[str])
    default: Any = row.default or None
    if kind is bool:
        default = bool(default)
    elif row.kind == "number" and default:
        default = float(default)
    return Parameter(
        row.name, _KIND, default=default, annotation=Annotated[kind, _option(row, shown=shown)]
    )


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _fields(given: dict[OptionRow, Any]) -> Given:
    """Return what was given as fields of the options.

    Raises
    ------
    UsageError
        Naming the option or the file, what was found and what is wanted.
    """
    fields = {
        row.field: _READ[row.kind](row, value) if row.kind in _READ else value
        for row, value in given.items()
    }
    options = Options(**fields)
    if options.static_frames is not None:
        fields |= {"static": options.static, "static_frames": options.static_frames}
    for field, check in _CHECKS.items():
        if field in fields:
            check(fields[field])
    return fields


def _frequency(row: OptionRow, text: str) -> float | str | None:
    """Return a cut-off in Hz, ``None`` for ``none``."""
    if text == "none":
        return None
    if text == "same" and row.field == "force_cutoff_hz":
        return text
    try:
        return float(text)
    except ValueError:
        name = row.name.replace("_", "-")
        message = f"--{name} is {text!r}, wanted a frequency in Hz or none"
        raise UsageError(message) from None


def _muscles(_row: OptionRow, path: Path) -> tuple[tuple[str, str, str], ...]:
    from gaitdyn.session.emg_names import read_emg_file

    return read_emg_file(path)


_READ: dict[str, Callable[[OptionRow, Any], Any]] = {
    "file": lambda _, path: str(path),
    "frequency": _frequency,
    "band": lambda _, text: parse_band(text),
    "functional": lambda _, texts: parse_functional(texts),
    "rename": lambda _, texts: parse_rename(texts),
    "assign": lambda _, text: parse_assign(text),
    "muscles": _muscles,
}
"""Kind of option -> how its text becomes a field."""


def _check_limits(path: str) -> None:
    from gaitdyn.quality.rules import load_rules

    load_rules(path)


def _check_errors(word: str) -> None:
    from gaitdyn.uncertainty.inputs import input_errors

    input_errors(word)


def _check_maxima(word: str) -> None:
    if word not in EMG_SCALES:
        from gaitdyn.emg.maxima import read_maxima

        read_maxima(word)


_CHECKS: dict[str, Callable[[Any], None]] = {
    "quality": _check_limits,
    "uncertainty": _check_errors,
    "emg_normalise": _check_maxima,
}
"""Field -> what refuses a file that cannot be read."""


def check_sweeps(texts: Sequence[str]) -> None:
    """Refuse settings of a sweep that cannot be read, before anything is done."""
    if texts:
        from gaitdyn.uncertainty.sweeps import parse_sweeps

        parse_sweeps(texts)


def check_new(path: Path, *, force: bool) -> None:
    """Refuse to write over what is there, unless told to."""
    if path.exists() and not force:
        message = f"{path} is there already; choose another, or replace it with --force"
        raise OutputRefused(message)


def check_outputs(table_format: str, report: str) -> None:
    """Refuse formats and reports that do not exist."""
    _check_word("format", table_format, ("csv", "parquet"))
    check_report(report)


def check_report(report: str) -> None:
    """Refuse a kind of report that does not exist."""
    _check_word("report", report, tuple(REPORTS))


def _check_word(name: str, value: str, allowed: tuple[str, ...]) -> None:
    option = "--" + name.replace("_", "-")
    if value not in allowed:
        message = f"{option} is {value!r}, wanted {' or '.join(allowed)}"
        raise UsageError(message)

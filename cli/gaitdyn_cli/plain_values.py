"""Convert plain command-line values without typer's slow validation, and name arguments plainly.

Newer typers build a pydantic adapter for every parameter, given or not, which takes a third as long
as processing a short trial. A missing value, a flag, a text, a number in plain digits within its
limits, or a path that needs no check is converted directly. Typer converts all others, and
everything if its parameters have no type descriptor.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import typer

_PLAIN: dict[type, Callable[[Any, Any], bool]] = {
    bool: lambda value, _: type(value) is bool,
    str: lambda value, _: isinstance(value, str),
    int: lambda value, info: type(value) is int or _is_number(value, info, _WHOLE),
    float: lambda value, info: isinstance(value, float) or _is_number(value, info, _DECIMAL),
    Path: lambda value, info: isinstance(value, str | Path) and _needs_no_check(value, info),
}
"""Type -> whether a value can be converted to it directly."""


WANTED: dict[type, str] = {
    float: "wanted a number such as 60.5, with a point and without its unit",
    int: "wanted a whole number",
}
"""Type of a number -> what is said of a text that is none."""

NO_PATH = "found an empty text, wanted a path; the current folder is ."

_WHOLE, _DECIMAL = (re.compile(f"-?[0-9]{{1,15}}{rest}") for rest in ("", r"(\.[0-9]{1,15})?"))
"""Digits that mean the same to everybody."""

_NO_VALUE = object()


def without_adapters(command: Any) -> Any:
    """Return a command whose parameters, and those of its subcommands, take plain values directly.

    Parameters
    ----------
    command : click command or group
        As made by typer; changed in place.
    """
    listed = command.get_params

    def get_params(context: Any) -> Any:
        parameters = listed(context)  # includes the help option, which this call creates
        for parameter in parameters:
            _take_plain_values(parameter)
            _read_as_files_do(parameter)
            if parameter.param_type_name == "argument":
                _show_name_alone(parameter)
        return parameters

    command.get_params = get_params
    for inner in getattr(command, "commands", {}).values():
        without_adapters(inner)
    return command


def _show_name_alone(argument: Any) -> None:
    """Let help show an argument as ``RESULT...``; newer typers add ``{}`` and types of Python."""
    name = f"{argument.metavar}{'...' * (argument.nargs != 1)}"
    shown = {
        "display_type_rich": "",
        "_usage_display_name": name if argument.required else f"[{name}]",
        "_rich_display_name": name,
    }
    vars(argument).update(
        {method: lambda *_, text=text, **__: text for method, text in shown.items()}
    )


def _take_plain_values(parameter: Any) -> None:
    """Let a parameter take plain values directly, and all others through typer."""
    described = getattr(parameter, "type_descriptor", None)
    if described is None or "process_value" in vars(parameter):
        return
    slow = parameter.process_value

    def process(context: Any, value: Any) -> Any:
        ready = _converted(parameter, described, value)
        if ready is _NO_VALUE:
            return slow(context, value)
        callback = parameter.callback
        return ready if callback is None else callback(context, parameter, ready)

    parameter.process_value = process


def _read_as_files_do(parameter: Any) -> None:
    """Let a parameter refuse texts that Python calls numbers and gaitdyn does not, as ``1_000``.

    An empty text is no path, though Python takes it for the current folder: it is what the shell
    makes of a variable that is not set.
    """
    if getattr(parameter.process_value, "__name__", "") == "process_text":
        return
    read = parameter.process_value

    def process_text(context: Any, value: Any) -> Any:
        ready = read(context, value)
        wanted = WANTED.get(type(ready), "") if isinstance(value, str) else ""
        if wanted and not _reads_as_number(value):
            raise typer.BadParameter(wanted, context, parameter)
        texts, values = (v if isinstance(v, list | tuple) else [v] for v in (value, ready))
        if any(text == "" and isinstance(v, Path) for text, v in zip(texts, values, strict=False)):
            raise typer.BadParameter(NO_PATH, context, parameter)
        return ready

    parameter.process_value = process_text


def _reads_as_number(text: str) -> bool:
    """Return whether a text is a number to the reader of files."""
    from gaitdyn.types.texts import number_in

    return math.isfinite(number_in(text, math.nan))


def _converted(parameter: Any, described: Any, value: Any) -> Any:
    """Return a plain value converted, or ``_NO_VALUE`` if typer has to convert it."""
    info, many = described.parameter_info, parameter.multiple or parameter.nargs == -1
    if value is None:
        return _NO_VALUE if parameter.required else () if many else None
    kind: Any = (*get_args(described.annotation), None)[0] if many else described.annotation
    is_plain = None if info.parser is not None else _PLAIN.get(kind)
    values = value if many and isinstance(value, list | tuple) else [value]
    if is_plain is None or not values or not all(is_plain(item, info) for item in values):
        return _NO_VALUE
    return [kind(item) for item in values] if many else kind(value)


def _is_number(value: object, info: Any, written: re.Pattern[str]) -> bool:
    """Return whether a text is a number in plain digits within the limits of a parameter."""
    if not (isinstance(value, str) and written.fullmatch(value)):
        return False
    return (info.min is None or float(value) >= info.min) and (
        info.max is None or float(value) <= info.max
    )


def _needs_no_check(path: str | Path, info: Any) -> bool:
    """Return whether typer would accept a path; it only checks paths that exist."""
    checks = info.exists, info.writable, info.resolve_path, info.allow_dash, info.path_type
    if any(checks) or not (info.file_okay and info.dir_okay):
        return False
    return not info.readable or not os.path.lexists(path) or os.access(path, os.R_OK)

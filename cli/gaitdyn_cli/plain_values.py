"""Plain values of the command line without the machinery that checks others.

Newer typers build a pydantic adapter for every parameter, given or not, which takes a third as long
as to process a short trial. A value that is missing, a text, or a path in which nothing can be
found wrong needs none; every other value goes the way of typer, and so do all with a typer whose
parameters do not tell their type.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

if TYPE_CHECKING:
    from collections.abc import Callable

_PLAIN: dict[type, Callable[[Any, Any], bool]] = {
    str: lambda value, _: isinstance(value, str),
    int: lambda value, _: type(value) is int,
    float: lambda value, _: isinstance(value, float),
    Path: lambda value, told: isinstance(value, str | Path) and _nothing_wrong(value, told),
}
"""Type -> whether a value becomes it as it is."""


_NO_VALUE = object()


def without_adapters(command: Any) -> Any:
    """Return a command whose parameters, and those of its commands, take plain values as they are.

    Parameters
    ----------
    command : click command or group
        As typer makes it; changed in place.
    """
    listed = command.get_params

    def get_params(context: Any) -> Any:
        found = listed(context)  # the option for help among them, which is made here
        for parameter in found:
            _lighten(parameter)
        return found

    command.get_params = get_params
    for inner in getattr(command, "commands", {}).values():
        without_adapters(inner)
    return command


def _lighten(parameter: Any) -> None:
    """Let a parameter take a plain value as it is, and any other its own way."""
    described = getattr(parameter, "type_descriptor", None)
    if described is None or "process_value" in vars(parameter):
        return
    slow = parameter.process_value

    def process(context: Any, value: Any) -> Any:
        ready = _ready(parameter, described, value)
        if ready is _NO_VALUE:
            return slow(context, value)
        called = parameter.callback
        return ready if called is None else called(context, parameter, ready)

    parameter.process_value = process


def _ready(parameter: Any, described: Any, value: Any) -> Any:
    """Return what a plain value becomes, ``_NO_VALUE`` for one that typer has to look at."""
    told, many = described.parameter_info, parameter.multiple or parameter.nargs == -1
    if value is None:
        return _NO_VALUE if parameter.required else () if many else None
    kind = (get_args(described.annotation) or (None,))[0] if many else described.annotation
    plain = None if told.parser is not None else _PLAIN.get(kind)
    values = value if many and isinstance(value, list | tuple) else [value]
    if plain is None or not values or not all(plain(one, told) for one in values):
        return _NO_VALUE
    return [kind(one) for one in values] if many else kind(value)


def _nothing_wrong(path: str | Path, told: Any) -> bool:
    """Return whether typer would say nothing against a path, which it checks if it is there."""
    asked = told.exists, told.writable, told.resolve_path, told.allow_dash, told.path_type
    if any(asked) or not (told.file_okay and told.dir_okay):
        return False
    return not told.readable or not os.path.lexists(path) or os.access(path, os.R_OK)

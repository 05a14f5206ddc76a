"""Names and help of the parameters of commands.

Each is written once: processing options in :mod:`gaitdyn.types.option_rows`, all others in
``options.csv``. The signature of a command has the type and the default of each.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from functools import cache, wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, Optional, get_origin, get_type_hints

import typer

from gaitdyn.types.arguments import option_of
from gaitdyn.types.option_rows import ROWS, OptionRow, rows_of
from gaitdyn_cli.choices import fields_of
from gaitdyn_cli.moved import Moved

_TYPES: dict[str, Any] = {
    "switch": bool,
    "number": Optional[float],
    "functional": Optional[list[str]],
    "rename": Optional[list[str]],
    "file": Optional[Path],
    "muscles": Optional[Path],
}
"""Kind of option -> type for typer; text if the kind is not listed."""

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
_PLAIN_METAVARS = {"Path": "PATH", "str": "TEXT", "int": "NUMBER", "float": "NUMBER"}
"""Type of a parameter -> what its help calls a value."""

_KIND = Parameter.KEYWORD_ONLY


class Plain(float):
    """A default that its help prints as pages and messages do: 6, not 6.0.

    Examples
    --------
    >>> str(Plain(6.0)), str(Plain(0.5)), Plain(6.0) == 6.0
    ('6', '0.5', True)
    """

    __slots__ = ()

    def __str__(self) -> str:
        """Return the number in its shortest spelling."""
        return f"{self:g}"


def with_options(
    command: str, *, defaults: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Name and describe the parameters of a command; ``given`` becomes its processing options.

    ``moved`` becomes the options that say where the inputs of results are now.

    The command is called with the fields of those options that are on the command line, each
    checked; an unreadable file among them is refused before any work is done. A parameter that is
    already ``Annotated`` is left unchanged.

    Parameters
    ----------
    command : str
        As in ``options.csv`` and :attr:`gaitdyn.types.option_rows.OptionRow.commands`.
    defaults : bool
        Whether the processing options always have their defaults; in a command that also runs
        recorded results again they may be those of that run, as its help says.
    """
    rows = rows_of(command)

    def give(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def run(context: typer.Context, **values: Any) -> Any:
            if "given" in declared:
                taken = {row: values.pop(row.name) for row in rows}
                given = {row: value for row, value in taken.items() if _is_given(context, row.name)}
                values["given"] = fields_of(given)
            if "moved" in declared:
                values["moved"] = Moved(*map(values.pop, Moved._fields))
            return function(**values)

        whole = signature(function, eval_str=True)
        declared = whole.parameters
        bundles = not declared.keys().isdisjoint({"given", "moved"})
        parameters = [Parameter("context", _KIND, annotation=typer.Context)] if bundles else []
        for parameter in declared.values():
            if parameter.name == "given":
                parameters += [_computing(row, shown=defaults) for row in rows]
            elif parameter.name == "moved":
                parameters += [
                    _worded(command, Parameter(name, _KIND, default=None, annotation=kind))
                    for name, kind in get_type_hints(Moved).items()
                ]
            else:
                parameters.append(_worded(command, parameter))
        command_function: Any = run if bundles else function
        command_function.__signature__ = whole.replace(parameters=parameters)
        command_function.__annotations__ = {x.name: x.annotation for x in parameters}
        return command_function

    return give


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _worded(command: str, parameter: Parameter) -> Parameter:
    """Return a parameter of a command with its name and help."""
    annotation, name = parameter.annotation, parameter.name
    if get_origin(annotation) is not Annotated:
        row = _rows().get((command, name))
        named = (
            _from_row(row, annotation) if row else _option(next(r for r in ROWS if r.name == name))
        )
        annotation = Annotated[annotation, named]
    if isinstance(default := parameter.default, float):
        parameter = parameter.replace(default=Plain(default))
    return parameter.replace(kind=_KIND, annotation=annotation)


@cache
def _rows() -> dict[tuple[str, str], dict[str, str]]:
    """Return the rows of ``options.csv`` by command and parameter."""
    text = Path(__file__).with_name("options.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    return {(command, row["parameter"]): row for row in rows for command in row["commands"].split()}


def _from_row(row: dict[str, str], annotation: Any) -> Any:
    """Return a row of ``options.csv`` as a parameter for typer."""
    settings = (pair.split("=") for pair in row["settings"].split())
    form = {name: json.loads(value) for name, value in settings}
    form |= {"help": row["help"], "metavar": row["metavar"] or None}
    if row["words"] == "argument":
        return typer.Argument(**form)
    one = next((kind for kind in _PLAIN_METAVARS if kind in str(annotation)), "")
    form["metavar"] = form["metavar"] or _PLAIN_METAVARS.get(one)
    return typer.Option(*row["words"].split(), **form)


def _option(row: OptionRow, *, shown: bool = True) -> Any:
    """Return a processing option as a parameter for typer."""
    word = option_of(row.field)
    if row.off:
        word += "/--no-" + row.name
    number = row.kind == "number"
    of_results = (
        "" if shown or not row.default else f" Default: {row.default}, or as in the results."
    )
    return typer.Option(
        word,
        help=row.told + of_results,
        metavar=row.field.rpartition("_")[2].upper() if number else _METAVARS.get(row.kind),
        readable=row.kind not in ("file", "recording", "muscles"),  # these are read later
        show_default=shown,
    )


def _computing(row: OptionRow, *, shown: bool) -> Parameter:
    """Return a processing option as a parameter of the command."""
    kind = _TYPES.get(row.kind, Optional[str])
    default: Any = row.default or None
    if kind is bool:
        default = bool(default)
    elif row.kind == "number" and default:
        default = Plain(default)
    annotation = Annotated[kind, _option(row, shown=shown)]
    return Parameter(row.name, _KIND, default=default, annotation=annotation)

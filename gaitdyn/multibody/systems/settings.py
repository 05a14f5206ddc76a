"""Convert the words of ``--set`` to checked parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import get_args

from gaitdyn.errors import UsageError
from gaitdyn.multibody.simulate import Method
from gaitdyn.multibody.systems.model import SeedSystem, Settings, SystemParameter, Value
from gaitdyn.types.texts import number_in


def settings(
    system: SeedSystem,
    words: Sequence[str] = (),
    *,
    duration_s: float | None = None,
    rate_hz: float | None = None,
    as_published: bool = False,
    integrator: str | None = None,
    step_s: float | None = None,
) -> Settings:
    """Return the settings of a run.

    Parameters
    ----------
    system : SeedSystem
    words : sequence of str
        ``KEY=VALUE``; the last value of a key counts.
    duration_s, rate_hz : float, optional
        Those of the system's usual run if not given.
    as_published : bool
    integrator : str, optional
        One of :data:`gaitdyn.multibody.simulate.Method`, in upper or lower case.
    step_s : float, optional
        Step of Euler's method.

    Raises
    ------
    UsageError
        If a word has no ``=``, a key is unknown or its value is not allowed, the system has no
        printed run or no integrator, or the integrator is unknown.
    """
    if as_published and not system.printed:
        raise UsageError(f"--as-published: the document does not print a run of {system.name}")
    parameters = {parameter.name: parameter for parameter in system.parameters}
    values: dict[str, Value] = {p.name: p.default for p in system.parameters}
    given = set()
    for word in words:
        key, equals, text = (part.strip() for part in word.partition("="))
        if not equals:
            raise UsageError(f"--set {word!r}: wanted KEY=VALUE")
        if key not in parameters:
            message = f"{system.name} has no parameter {key!r}; wanted one of "
            raise UsageError(message + ", ".join(parameters))
        values[key] = _value(parameters[key], text)
        given.add(key)
    method = _integrator(system, integrator, step_s)
    motion = values.get("motion", "")
    usual = next(run for run in system.usual_runs if run.motion in ("", motion))
    duration = usual.duration_s if duration_s is None else duration_s
    rate = usual.rate_of(duration) if rate_hz is None else rate_hz
    return Settings(values, frozenset(given), duration, rate, as_published, method, step_s)


def _integrator(system: SeedSystem, word: str | None, step_s: float | None) -> Method | None:
    if word is None and step_s is None:
        return None
    if not system.integrated:
        raise UsageError(f"--integrator, --step: the motion of {system.name} is a closed form")
    methods: dict[str, Method] = {name.lower(): name for name in get_args(Method)}
    method = None if word is None else methods.get(word.lower())
    if word is not None and method is None:
        raise UsageError(f"--integrator {word}: wanted one of {', '.join(get_args(Method))}")
    if step_s is not None and (method != "euler" or not (math.isfinite(step_s) and step_s > 0)):
        message = "--step is the step of Euler's method, a positive number of seconds: add"
        raise UsageError(f"{message} --integrator euler")
    return method


def _value(parameter: SystemParameter, text: str) -> Value:
    if parameter.choices:
        text = next((c for c in parameter.choices if c.lstrip("+") == text), text)
        if text not in parameter.choices:
            message = f"{parameter.name}={text}: wanted {' or '.join(parameter.choices)}"
            raise UsageError(message)
        return text
    number = number_in(text, math.nan)
    if not math.isfinite(number) or (parameter.positive and number <= 0):
        wanted = "a positive number" if parameter.positive else "a number"
        unit = "" if parameter.unit == "1" else f", {parameter.unit}"
        raise UsageError(f"{parameter.name}={text}: wanted {wanted}{unit}")
    return number

"""Functions of gaitdyn that return what they returned of the same values before."""

from __future__ import annotations

import pickle
import sys
from collections import OrderedDict
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Generator


MOST = 256
"""Calls of each function that are kept, those asked for last."""


@contextmanager
def remembered(*functions: Callable[..., Any]) -> Generator[None]:
    """Let functions compute only what they have not computed before, in every module of gaitdyn.

    For trials that differ in one segment alone. What is returned is a copy, as a caller may
    change it.

    Parameters
    ----------
    functions : callable
        Without side effects, of arrays and numbers alone.
    """
    places = [
        (module, name, value)
        for full_name, module in list(sys.modules.items())
        if full_name.partition(".")[0] == "gaitdyn"
        for name, value in list(vars(module).items())
        if any(value is function for function in functions)
    ]
    new = {function: _remembering(function) for function in functions}
    for module, name, function in places:
        setattr(module, name, new[function])
    try:
        yield
    finally:
        for module, name, function in places:
            setattr(module, name, function)


def _remembering(function: Callable[..., Any]) -> Callable[..., Any]:
    known: OrderedDict[bytes, bytes] = OrderedDict()

    @wraps(function)
    def again(*values: Any, **words: Any) -> Any:
        key = pickle.dumps((values, words), 5)
        if key not in known:
            known[key] = pickle.dumps(function(*values, **words), 5)
        known.move_to_end(key)
        if len(known) > MOST:
            known.popitem(last=False)
        return pickle.loads(known[key])  # noqa: S301  of this process

    return again

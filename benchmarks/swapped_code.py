"""Give the functions of a module that is imported the code of a changed source, in this process.

What is imported already stays so: nothing is imported again, and a fork that takes a change this
way has all modules and tests of its parent. Only what stands inside of functions can be taken.
"""

from __future__ import annotations

import ast
import gc
import inspect
from collections import defaultdict
from functools import lru_cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Functions = dict[tuple[str, str], list[FunctionType]]
"""Module and qualified name -> the functions of that name, wrapped ones too."""


def live_functions() -> Functions:
    """Return all functions of this process, those that no search for garbage looks at too."""
    found: Functions = defaultdict(list)
    gc.unfreeze()
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            found[one.__module__, one.__code__.co_qualname].append(one)
    gc.freeze()
    return found


def swapped(functions: Functions, module: str, old: str, new: str) -> bool:
    """Give functions of a module the code of its changed text; False where that is not all of it.

    False also where the change stands outside of functions (a constant, a default, a decorator) or
    in one that this process does not hold.
    """
    (before, was), (after, now) = (compiled(text, module) for text in (old, new))
    if _outside(was) != _outside(now):
        return False
    changed = [
        (place, code)
        for place, code, a, b in zip(*map(_functions, (before, after, was, now)), strict=True)
        if _meaning(a) != _meaning(b)
    ]
    taken = [
        (one, code)
        for place, code in changed
        for one in functions.get((module, place.co_qualname), [])
        if one.__code__.co_firstlineno == place.co_firstlineno
    ]
    held = [id(code) for _, code in taken]
    if not changed or sorted(held) != sorted(id(code) for _, code in changed):
        return False  # one is not held, or two have one name and one place
    if any(one.__code__.co_freevars != code.co_freevars for one, code in taken):
        return False
    for one, code in taken:
        one.__code__ = code
    return True


@lru_cache(4)
def compiled(text: str, module: str) -> tuple[CodeType, CodeType]:
    """Compile the text of a module as it is, and in Python's own layout; forks inherit both."""
    return compile(text, module, "exec", dont_inherit=True), _plain(text)


def _plain(text: str) -> CodeType:
    """Compile a text in the layout that Python gives it: where lines end is a part of the code."""
    return compile(ast.unparse(ast.parse(text)), "", "exec", dont_inherit=True)


def _inner(code: CodeType) -> list[CodeType]:
    return [one for one in code.co_consts if isinstance(one, CodeType)]


def _functions(code: CodeType) -> Iterator[CodeType]:
    """Yield the outermost functions of a module or class, in order."""
    for one in _inner(code):
        if one.co_flags & inspect.CO_OPTIMIZED:
            yield one
        else:
            yield from _functions(one)


def _outside(code: CodeType) -> tuple[object, ...]:
    """Return what a module or class does outside of its functions."""
    classes = (one for one in _inner(code) if not one.co_flags & inspect.CO_OPTIMIZED)
    names = [one.co_qualname for one in _inner(code)]
    return *_own(code), names, [_outside(one) for one in classes]


def _meaning(code: CodeType) -> tuple[object, ...]:
    """Return what a function does."""
    return *_own(code), code.co_freevars, [_meaning(one) for one in _inner(code)]


def _own(code: CodeType) -> tuple[object, ...]:
    constants = [repr(one) for one in code.co_consts if not isinstance(one, CodeType)]
    return code.co_code, code.co_exceptiontable, code.co_names, code.co_varnames, constants

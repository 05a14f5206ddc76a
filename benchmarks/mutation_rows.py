"""One change of an expression, named by the symbol that holds it.

A row of mutations.toml is [symbol, what the change is, expression, new expression]. The expression
is looked for in the syntax of the symbol, not in its text, so that neither its layout nor what
stands around it matters; ``'a': b`` is an entry of a dictionary, ``pass`` takes a statement away.
"""

from __future__ import annotations

import ast
import re
from functools import partial
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Pieces = tuple[ast.AST, ...]
"""Key and value of an entry, or one expression or statement."""


def changed(text: str, symbol: str, old: str, new: str) -> str:
    """Return the source after one change.

    Raises
    ------
    ValueError
        The symbol is not there, or the expression does not stand once in it.
    """
    tree = ast.parse(text)
    place(tree, symbol, old)(pieces(new))
    return ast.unparse(tree)


def place(tree: ast.Module, symbol: str, old: str) -> Callable[[Pieces], None]:
    """Return what puts something else where an expression stands in a symbol.

    Raises
    ------
    ValueError
        The symbol is not there, or the expression does not stand once in it.
    """
    held = symbols(tree).get(symbol)
    if held is None:
        raise ValueError(f"{symbol} is not there")
    looked_for = pieces(old)
    kinds, wanted = list(map(type, looked_for)), dumped(looked_for)
    places = [
        put
        for found, put in _places(held)
        if list(map(type, found)) == kinds and dumped(found) == wanted
    ]
    if len(places) != 1:
        raise ValueError(f"{old} stands {len(places)} times in {symbol}")
    return places[0]


def symbols(tree: ast.Module) -> dict[str, ast.AST]:
    """Return the definitions and assignments of a file, ``outer.inner`` -> its syntax."""
    found: dict[str, ast.AST] = {}

    def look(body: list[ast.stmt], before: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found[before + node.name] = node
                look(node.body, f"{before}{node.name}.")
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found.update((before + t.id, node) for t in targets if isinstance(t, ast.Name))

    look(tree.body, "")
    return found


def pieces(text: str) -> Pieces:
    """Return an entry of a dictionary as its key and value, else the expression or statement."""
    try:
        entry = ast.parse("{" + text + "}", mode="eval").body
    except SyntaxError:
        entry = None
    if isinstance(entry, ast.Dict) and entry.keys[0] is not None:
        return entry.keys[0], entry.values[0]
    only = ast.parse(text).body[0]
    return (only.value,) if isinstance(only, ast.Expr) else (only,)


def dumped(found: Pieces) -> list[str]:
    """Return what is compared: the syntax, whether it is read or written."""
    return [re.sub(r"(, )?ctx=\w+\(\)", "", ast.dump(one)) for one in found]


def _places(node: ast.AST) -> Iterator[tuple[Pieces, Callable[[Pieces], None]]]:
    """Return each expression, statement and entry below a node, and what puts another there."""
    if isinstance(node, ast.Dict):
        for i, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
            if key is not None:
                yield (key, value), partial(_put_entry, node, i)
    for name, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        for i, child in enumerate(children):
            if isinstance(child, ast.AST):
                if isinstance(child, ast.expr | ast.stmt):
                    yield (child,), partial(_put, node, name, i if value is children else None)
                yield from _places(child)


def _put_entry(node: ast.Dict, i: int, new: Pieces) -> None:
    node.keys[i], node.values[i] = cast("tuple[ast.expr, ast.expr]", new)


def _put(node: ast.AST, name: str, i: int | None, new: Pieces) -> None:
    """Set a field of a node; a statement may take the place of an expression that stands alone."""
    if i is None:
        setattr(node, name, new[0])
    else:
        getattr(node, name)[i] = new[0]

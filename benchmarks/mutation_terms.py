"""Every term and every sign of a source file, each changed by itself.

``changes(text)`` reads Python and returns small changes: of each sum one term dropped or its sign
turned, each unary minus dropped, each cross product turned, each transpose and each rotation
turned back, each ``+=`` and ``-=`` exchanged. Indices, shapes of arrays and texts are not terms.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

OPPOSITE = {"rotate": "rotate_back", "rotate_back": "rotate"}
TEXTS = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)


class Change(NamedTuple):
    """A change of one expression: what, in which line, the text from start to end, the new one."""

    name: str
    line: int
    start: int
    end: int
    new: str


def changes(text: str) -> list[Change]:
    """Return the changes of all terms and signs of a file."""
    tree = ast.parse(text)
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found, seen = [], Counter[str]()
    for node in _physics(tree):
        for told, new in _of(node):
            line = text.splitlines()[node.lineno - 1].strip()
            name = f"{line}: {told}" if isinstance(node, ast.UnaryOp) else told
            seen[name] += 1
            name += f" ({seen[name]})" if seen[name] > 1 else ""
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            found.append(Change(name, node.lineno, start, end, new))
    return found


def applied(text: str, change: Change) -> str:
    """Return the text with one change made."""
    raw = text.encode()
    return (raw[: change.start] + change.new.encode() + raw[change.end :]).decode()


def _physics(node: ast.AST, inside_sum: bool = False) -> Iterator[ast.expr | ast.stmt]:
    """Return the expressions of a tree outside of indices, messages and annotations."""
    if isinstance(node, ast.expr | ast.stmt) and not inside_sum:
        yield node
    for name, value in ast.iter_fields(node):
        if name in ("slice", "annotation", "returns", "decorator_list", "exc"):
            continue
        sums = _is_sum(node) and name in ("left", "right")
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from _physics(child, sums and _is_sum(child) and name == "left")


def _is_sum(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)


def _whole(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _of(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Return (name, new text) of the changes of one node, not of what is inside it."""
    if _is_sum(node):
        yield from _sum(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        if _whole(node.operand):
            return  # an axis, a place in a list
        yield f"{ast.unparse(node)}: no minus", f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub):
        if isinstance(node.value, TEXTS):
            return
        turned = copy.deepcopy(node)
        turned.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        yield f"{ast.unparse(node)}: turned", ast.unparse(turned)
        yield f"{ast.unparse(node)}: gone", "pass"
    elif isinstance(node, ast.Attribute) and node.attr == "T":
        yield f"{ast.unparse(node)}: not transposed", f"({ast.unparse(node.value)})"
    elif isinstance(node, ast.Call):
        yield from _call(node)


def _call(node: ast.Call) -> Iterator[tuple[str, str]]:
    text, called = ast.unparse(node), ast.unparse(node.func)
    if called in ("cross", "np.cross"):
        yield f"{text}: turned", f"(-{text})"
    elif called in OPPOSITE:
        yield f"{text}: other way", OPPOSITE[called] + text.removeprefix(called)
    elif called == "np.swapaxes":
        yield f"{text}: not transposed", f"({ast.unparse(node.args[0])})"


def _sum(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Drop each term of a sum and turn each sign."""
    terms: list[tuple[int, ast.expr]] = []

    def collect(part: ast.expr, sign: int) -> None:
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Sub):
            collect(part.left, sign)
            terms.append((sign if isinstance(part.op, ast.Add) else -sign, part.right))
        else:
            terms.append((sign, part))

    collect(node, 1)  # pyright: ignore[reportArgumentType]
    if any(isinstance(term, TEXTS) or _whole(term) for _, term in terms):
        return  # texts and counts
    for i, (sign, term) in enumerate(terms):
        shown = ast.unparse(term)
        yield f"{ast.unparse(node)}: {shown} gone", _joined(terms[:i] + terms[i + 1 :])
        turned = [*terms[:i], (-sign, term), *terms[i + 1 :]]
        yield f"{ast.unparse(node)}: {shown} turned", _joined(turned)


def _joined(terms: list[tuple[int, ast.expr]]) -> str:
    return "(" + " ".join(f"{'+' if s > 0 else '-'} ({ast.unparse(t)})" for s, t in terms) + ")"

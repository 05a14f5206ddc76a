"""The data of the page's script: JSON whose thousands of numbers come from a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any

import numpy as np

from gaitdyn.types.arrays import Array

_FARTHEST = 4095
"""Largest number in the table of texts, in units of its last decimal."""

_NULL, _BELOW_ZERO = -1, -2
"""Indices in the table of an unknown number and of a zero rounded from below."""


def script_json(value: Any) -> str:
    r"""Return JSON that is safe inside a script element, whatever texts it contains.

    Examples
    --------
    >>> print(script_json("</script>"))
    "\u003c/script\u003e"
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def readout_json(digits: int, sides: Mapping[str, Array]) -> str:
    """Return a curve for the cursor's readout: decimals and the mean of each side.

    Examples
    --------
    >>> readout_json(0, {"left": np.array([10.04, np.nan, -0.01, 500.0])})
    '{"digits":0,"L":[10.0,null,-0.0,500.0]}'
    """
    sides_json = [
        f',"{side[0].upper()}":{_numbers(mean, digits + 1)}' for side, mean in sides.items()
    ]
    return f'{{"digits":{digits}{"".join(sides_json)}}}'


def view_json(curves: Mapping[str, str], figures: Sequence[Any]) -> str:
    """Return the script's data for a view: curve -> its JSON, and the moving figures."""
    curves_json = ",".join([f"{script_json(name)}:{text}" for name, text in curves.items()])
    return f'{{"curves":{{{curves_json}}},"figures":{script_json(figures)}}}'


def _numbers(values: Array, digits: int) -> str:
    """Return rounded numbers as JSON."""
    known = np.isfinite(values)
    scaled = np.rint(np.where(known, values, 0.0) * 10.0**digits)
    if np.abs(scaled).max(initial=0.0) > _FARTHEST:
        rounded = (scaled / 10.0**digits).tolist()
        return script_json([v if k else None for v, k in zip(rounded, known.tolist(), strict=True)])
    index = scaled.astype(np.int64) + _FARTHEST
    index[(scaled == 0) & np.signbit(scaled)] = _BELOW_ZERO
    index[~known] = _NULL
    text = _texts(digits)[index].tobytes().translate(None, b"\0").decode("ascii")
    return f"[{text[:-1]}]"


@cache
def _texts(digits: int) -> np.ndarray[Any, Any]:
    """Return the texts of all numbers with so many decimals, each with a comma."""
    numbers = [k / 10.0**digits for k in range(-_FARTHEST, _FARTHEST + 1)]
    return np.array([f"{text},".encode() for text in (*map(repr, numbers), "-0.0", "null")])


_BETWEEN = "\0"
_HEAD, _CELL = 40, 26
"""Number of characters below which a head or a cell is kept on one line."""


def escaped(texts: Sequence[str]) -> list[str]:
    r"""Return texts escaped for HTML, all in one call.

    Examples
    --------
    >>> escaped(["a<b", "c"]), escaped(["<", chr(0)])
    (['a&lt;b', 'c'], ['&lt;', '\x00'])
    """
    from markupsafe import escape

    parts = str(escape(_BETWEEN.join(texts))).split(_BETWEEN)
    return parts if len(parts) == len(texts) else [str(escape(text)) for text in texts]


def table_rows(rows: Sequence[Sequence[str]], *, fitting: bool = False) -> Any:
    """Return the rows of a table as HTML: a head, then cells.

    Parameters
    ----------
    rows : sequence of sequence of str
    fitting : bool
        Whether short texts are marked to be kept on one line.

    Examples
    --------
    >>> print(table_rows([("a", "<1")]))
    <tr><th scope="row">a</th><td>&lt;1</td></tr>
    """
    from markupsafe import Markup

    texts = iter(escaped(list(chain.from_iterable(rows))))
    heads, cells = (_HEAD, _CELL) if fitting else (0, 0)
    tags = []
    for first, *more in rows:
        short = ' class="s"' if len(first) < heads else ""
        tags.append(f'<tr><th scope="row"{short}>{next(texts)}</th>')
        tags += [
            f'<td class="s">{next(texts)}</td>' if len(cell) < cells else f"<td>{next(texts)}</td>"
            for cell in more
        ]
        tags.append("</tr>\n" if fitting else "</tr>")
    return Markup("".join(tags))  # noqa: S704  every text is escaped


@lru_cache(maxsize=4)
def definition_list(words: tuple[tuple[str, str], ...]) -> Any:
    """Return terms and their definitions as HTML; cached, as most pages have the same."""
    from markupsafe import Markup

    texts = iter(escaped(list(chain.from_iterable(words))))
    pairs = [f"<dt>{term}</dt><dd>{text}</dd>" for term, text in zip(texts, texts, strict=True)]
    return Markup("".join(pairs))  # noqa: S704  every text is escaped

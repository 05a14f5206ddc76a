"""What the page's script reads: JSON whose thousands of numbers are written by a table."""

from __future__ import annotations

import json
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.types.arrays import Array

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_FARTHEST = 4095
"""A number, in units of its last decimal, up to which numbers are written by a table."""

_NULL, _BELOW_ZERO = -1, -2
"""Places in the table of what is not known, and of the zero that was rounded from below."""


def script_json(value: Any) -> str:
    r"""Return JSON that may stand inside a script element, whatever its texts say.

    Examples
    --------
    >>> print(script_json("</script>"))
    "\u003c/script\u003e"
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def readout_json(digits: int, unit: str, sides: Mapping[str, Array]) -> str:
    """Return a curve that the cursor reads: its decimals, its unit and the means of its sides.

    Examples
    --------
    >>> readout_json(0, "deg", {"left": np.array([10.04, np.nan, -0.01, 500.0])})
    '{"d":0,"u":"deg","L":[10.0,null,-0.0,500.0]}'
    """
    own = [f',"{side[0].upper()}":{_numbers(mean, digits + 1)}' for side, mean in sides.items()]
    return f'{{"d":{digits},"u":{script_json(unit)}{"".join(own)}}}'


def view_json(curves: Mapping[str, str], figures: Sequence[Any]) -> str:
    """Return what the script reads of a view: curve -> its JSON, and the moving figures."""
    told = ",".join([f"{script_json(name)}:{text}" for name, text in curves.items()])
    return f'{{"curves":{{{told}}},"figures":{script_json(figures)}}}'


def _numbers(values: Array, digits: int) -> str:
    """Return rounded numbers as JSON has them."""
    known = np.isfinite(values)
    scaled = np.rint(np.where(known, values, 0.0) * 10.0**digits)
    if np.abs(scaled).max(initial=0.0) > _FARTHEST:
        rounded = (scaled / 10.0**digits).tolist()
        return script_json([v if k else None for v, k in zip(rounded, known.tolist(), strict=True)])
    at = scaled.astype(np.int64) + _FARTHEST
    at[(scaled == 0) & np.signbit(scaled)] = _BELOW_ZERO
    at[~known] = _NULL
    text = _texts(digits)[at].tobytes().translate(None, b"\0").decode("ascii")
    return f"[{text[:-1]}]"


@cache
def _texts(digits: int) -> np.ndarray[Any, Any]:
    """Return numbers of so many decimals as texts, a comma behind each."""
    every = [k / 10.0**digits for k in range(-_FARTHEST, _FARTHEST + 1)]
    return np.array([f"{text},".encode() for text in (*map(repr, every), "-0.0", "null")])


_BETWEEN = "\0"
_HEAD, _CELL = 40, 26
"""Characters below which a head or a cell is not broken into lines."""


def escaped(texts: Sequence[str]) -> list[str]:
    r"""Return texts as they may stand in the page, all escaped at once.

    Examples
    --------
    >>> escaped(["a<b", "c"]), escaped(["<", chr(0)])
    (['a&lt;b', 'c'], ['&lt;', '\x00'])
    """
    from markupsafe import escape

    found = str(escape(_BETWEEN.join(texts))).split(_BETWEEN)
    return found if len(found) == len(texts) else [str(escape(text)) for text in texts]


def table_rows(rows: Sequence[Sequence[str]], *, fitting: bool = False) -> Any:
    """Return the rows of a table as they stand in the page: a head, then cells.

    Parameters
    ----------
    rows : sequence of sequence of str
    fitting : bool
        Whether short texts are marked, so that they are not broken into lines.

    Examples
    --------
    >>> print(table_rows([("a", "<1")]))
    <tr><th scope="row">a</th><td>&lt;1</td></tr>
    """
    from markupsafe import Markup

    texts = iter(escaped(list(chain.from_iterable(rows))))
    heads, cells = (_HEAD, _CELL) if fitting else (0, 0)
    found = []
    for first, *more in rows:
        short = ' class="s"' if len(first) < heads else ""
        found.append(f'<tr><th scope="row"{short}>{next(texts)}</th>')
        found += [
            f'<td class="s">{next(texts)}</td>' if len(cell) < cells else f"<td>{next(texts)}</td>"
            for cell in more
        ]
        found.append("</tr>\n" if fitting else "</tr>")
    return Markup("".join(found))  # noqa: S704  every text is escaped

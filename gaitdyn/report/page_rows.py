"""Rows of the page's tables: thousands of short texts, which a template would escape one by one."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

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

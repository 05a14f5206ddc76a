"""The judged changes between two sessions as lines of text: one per curve, both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.judge.curves import curve_rules
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.finding import CurveFinding

_WIDTHS = (37, 31)
_EMPTY = "-"
_SHAPE = "shape, "
_SHAPE_TOLD = "shape: beside the median of the change over the cycle, its level"


def change_lines(findings: Sequence[CurveFinding]) -> list[str]:
    """Return a heading and one line per curve that is judged on a side; empty if none is.

    A cell has the change of the level or of the shape (:attr:`CurveFinding.foremost`), the size
    from which it is shown, and the verdict. The pelvis is judged on one side.

    Parameters
    ----------
    findings : sequence of CurveFinding
        Those that were planned are told by their sentences.
    """
    judged = [f for f in findings if f.word != "not judged" and not f.planned]
    cells = {(f.curve, f.side): _cell(f) for f in judged}
    units = {f.curve: f.unit for f in judged}
    if not cells:
        return []
    head = _line("change (shown from)", SIDES)
    in_shape = any(_SHAPE in cell for cell in cells.values())
    rows = [
        _line(
            f"{rule.title}, {units[rule.name]}",
            [cells.get((rule.name, side), _EMPTY) for side in SIDES],
        )
        for rule in curve_rules()
        if rule.name in units
    ]
    return [head, *rows, *([_SHAPE_TOLD] if in_shape else [])]


def _line(title: str, cells: Sequence[str]) -> str:
    first, other = _WIDTHS
    return f"{title:{first}s}{''.join(f'{cell:{other}s}' for cell in cells)}".rstrip()


def _cell(finding: CurveFinding) -> str:
    """Return the change, its limit and the verdict."""
    size = finding.foremost
    if size is None:
        return finding.word
    digits = 1 if finding.unit == "deg" else 2
    of_shape = _SHAPE if size.of_shape else ""
    return f"{signed(size.value, digits)} ({size.limit:.{digits}f}) {of_shape}{finding.word}"

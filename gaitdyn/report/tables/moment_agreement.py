"""How well the strides of a trial agree in their moments, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.catalogue.keys import key_of
from gaitdyn.report.contents import TextTable
from gaitdyn.report.numbers import shown
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.store.stored import StoredTrial

_NOTE = (
    "Variance ratio (Hershler and Milner 1978): 0 for equal strides, near 1 for strides that have"
    " nothing in common. Coefficient of variation (Winter 1984): SD between strides as a share of"
    " the size of the mean curve, large for a small moment. Straight strides alone."
)


def agreement_table(trial: StoredTrial, rows: Sequence[dict[str, Any]]) -> TextTable:
    """Return how well the strides of one trial agree in their moments, one row per moment.

    Parameters
    ----------
    trial : StoredTrial
    rows : sequence of dict
        Of :func:`gaitdyn.metrics.trends.repeatability_rows`.
    """
    by_key = {(row["quantity"], row["side"]): row for row in rows}
    names = dict.fromkeys(row["quantity"] for row in rows)
    table = [
        (_title(name), *(cell for side in SIDES for cell in _cells(by_key.get((name, side)))))
        for name in names
    ]
    columns = ["Moment"]
    for side in SIDES:
        columns += [f"{side.capitalize()}: variance ratio (strides)", "variation"]
    title = f"Agreement of the moments of {trial.name}"
    return TextTable(title, tuple(columns), tuple(table), (_NOTE,))


def _title(name: str) -> str:
    """Return the title of a joint moment.

    Examples
    --------
    >>> _title("knee_moment_external_rotation")
    'Knee external rotation moment'
    """
    key = key_of(name)
    return f"{key.part.capitalize()} {key.component.replace('_', ' ')} moment"


def _cells(row: dict[str, Any] | None) -> tuple[str, str]:
    if row is None:
        return "", ""
    ratio, variation = (shown(row[key], 2) for key in ("variance_ratio", "variation"))
    return f"{ratio} ({row['strides']})", variation

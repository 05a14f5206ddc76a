"""Difference between curves and a known truth, quantity by quantity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.synthetic import Walk
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.curves import Curve

_FROM_PLATES = ("moment", "force", "power", "grf", "cop")


@frozen()
class Agreement:
    """The worst column of one quantity of a joint.

    Attributes
    ----------
    name : str
        Such as ``ankle moment``.
    unit : str
    rmse, largest : float
        Root mean square and largest difference of the worst column of both sides.
    frames : int
        Frames compared in this column.
    """

    name: str
    unit: str
    rmse: float
    largest: float
    frames: int


def agreement(
    curves: Sequence[Curve], truth: Mapping[str, Array], rows: Mask | None = None
) -> list[Agreement]:
    """Return the differences between curves and truth in frames in which both are known.

    Parameters
    ----------
    curves : sequence of Curve
    truth : mapping
        Column name -> array, shape (n,), in the units of the curves.
    rows : array of bool, shape (n,), optional
        Frames that are compared.
    """
    worst: dict[str, Agreement] = {}
    for curve in curves:
        if curve.name not in truth:
            continue
        difference = curve.values - truth[curve.name]
        known = np.isfinite(difference) & (True if rows is None else rows)
        if not known.any():
            continue
        error = difference[known]
        name = _group(curve.name)
        rmse, largest = float(np.sqrt(np.mean(error**2))), float(np.abs(error).max())
        if name not in worst or rmse > worst[name].rmse:
            worst[name] = Agreement(name, curve.unit, rmse, largest, int(known.sum()))
    return list(worst.values())


def _group(column: str) -> str:
    """Return ``ankle moment`` for ``left_ankle_moment_plantarflexion``."""
    key = key_of(column)
    return f"{key.part} {key.quantity}".strip().replace("_", " ")


def known_truth(trial: Walk) -> dict[str, Array]:
    """Return the true columns of a synthetic trial; loads only while a plate carries the foot.

    Parameters
    ----------
    trial : Walk
        From :func:`gaitdyn.synthetic.walk`.
    """
    columns = trial.columns()
    truth = {name: columns[name] for name in columns.names}
    for side, leg in (("left", trial.left), ("right", trial.right)):
        for name, values in truth.items():
            if name.startswith(side) and any(word in name for word in _FROM_PLATES):
                truth[name] = np.where(leg.known, values, np.nan)
    return truth

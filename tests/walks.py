"""What many tests begin with, made once for all of them: walks, stances, a plain result."""

from __future__ import annotations

import pickle
from dataclasses import fields
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn import synthetic
from gaitdyn.pipeline import process_trial
from gaitdyn.tables.answers import curves_of

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.synthetic import Recording, Walk, Walker
    from gaitdyn.synthetic.clinical import Columns
    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.options import Options

KEPT = 32
"""Of some megabytes each."""


def walk(walker: Walker | None = None, recording: Recording | None = None) -> Walk:
    """Return what ``gaitdyn.synthetic.walk`` returns of the same values, read-only."""
    return _made("walk", pickle.dumps((walker, recording)))


def stand(walker: Walker | None = None, recording: Recording | None = None) -> Walk:
    """Return what ``gaitdyn.synthetic.stand`` returns of the same values, read-only."""
    return _made("stand", pickle.dumps((walker, recording)))


@lru_cache(KEPT)
def processed(path: Path, options: Options | None = None) -> Result:
    """Return what ``process_trial`` returns of a file that no test changes."""
    return process_trial(path, options)


@lru_cache(KEPT)
def true_columns(trial: Walk) -> Columns:
    """Return what the columns of ``timeseries.csv`` should be; of a trial that is not changed."""
    return trial.columns()


def curve_values(result: Result) -> dict[str, Array]:
    """Return the values of the curves of a result by name, each shape (n,)."""
    return {curve.name: curve.values for curve in curves_of(result)}


@lru_cache(KEPT)
def _made(what: str, of: bytes) -> Walk:
    trial: Walk = getattr(synthetic, what)(*pickle.loads(of))  # noqa: S301 - of this process
    for field in fields(trial):
        value = getattr(trial, field.name)
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
    return trial

"""What many tests begin with, made once for all of them: walks, stances, a plain result."""

from __future__ import annotations

import pickle
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn import synthetic
from gaitdyn.pipeline import process_trial
from gaitdyn.stages import session, standing
from gaitdyn.tables.answers import curves_of
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path

    from gaitdyn.synthetic import Recording, Walk, Walker
    from gaitdyn.synthetic.clinical import Columns
    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording as ReadRecording

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


def errors(trial: Walk, found: Mapping[str, Array]) -> dict[str, float]:
    """Return the largest error of each quantity of both sides, where the truth can be known."""
    truth, worst = true_columns(trial), dict[str, float]()
    for side in SIDES:
        known = trial.leg(side).known
        for name in truth.names:
            if name.startswith(side):
                off = np.abs(found[name] - truth[name])[known]
                key = name.removeprefix(side + "_")
                worst[key] = max(worst.get(key, 0.0), float(np.nanmax(off)))
    return worst


def without(trial: Walk, *labels: str, **renamed: str) -> Walk:
    """Return a trial without some markers, and others under new labels."""
    kept = [i for i, label in enumerate(trial.labels) if label not in labels]
    names = tuple(renamed.get(trial.labels[i], trial.labels[i]) for i in kept)
    return replace(trial, labels=names, markers_G=trial.markers_G[:, kept])


@contextmanager
def every_digit(trial: Walk, still: Walk) -> Generator[None]:
    """Read ``static.c3d`` and any other file with the numbers that were rounded to 32 bits."""
    read = session.read_recording

    def read_exactly(path: Any, *_more: Any, **_options: Any) -> ReadRecording:
        return _exact(read(path), still if str(path).endswith("static.c3d") else trial)

    with pytest.MonkeyPatch.context() as patch:
        for room in (session, standing):
            patch.setattr(room, "read_recording", read_exactly)
        yield


def _exact(recording: ReadRecording, trial: Walk) -> ReadRecording:
    R_LG = trial.recording.R_LG
    order = [trial.labels.index(label) for label in recording.labels]
    away = -1.0 if trial.recording.negative_origin else 1.0
    plates = tuple(
        replace(
            read,
            corners_L=plate.corners_G @ R_LG.T,
            origin=away * plate.sensor,
            channels=trial.channels[:, 6 * i : 6 * i + 6],
        )
        for i, (read, plate) in enumerate(zip(recording.plates, trial.plates, strict=True))
    )
    return replace(recording, markers_L=(trial.markers_G @ R_LG.T)[:, order], plates=plates)


@lru_cache(KEPT)
def _made(what: str, of: bytes) -> Walk:
    trial: Walk = getattr(synthetic, what)(*pickle.loads(of))  # noqa: S301 - of this process
    for field in fields(trial):
        value = getattr(trial, field.name)
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
    return trial

"""A walk with a fault: labels exchanged, markers moved, channels and corners of plates changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.io.trial import to_trial
from gaitdyn.pipeline import process_loaded
from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.sides import side_of
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.options import Options
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.recording import PlateRecord, Recording

RULES = load_rules()


def processed(
    session: Session, change: Callable[[Recording], Recording], **settings: Any
) -> Result:
    trial = to_trial(change(session.trial.recording), session.trial.R_GL)
    return process_loaded(replace(session, trial=trial), Options(**settings))


def codes(result: Result) -> set[str]:
    """Return the codes of what was found; what a rule finds on a side or its marker says so."""
    for finding in result.findings:
        if RULES.has(finding.code) and RULES[finding.code].where == "rules":
            word, label = finding.scope.split(" ")[0], finding.scope
            mine = (
                word if word in SIDES else side_of(label) if label in result.trial.labels else None
            )
            assert mine in (None, finding.side), finding
    return {f.code for f in result.findings if f.level != "info"}


def exchanged(one: str, other: str) -> Callable[[Recording], Recording]:
    swap = {one: other, other: one}
    return lambda r: replace(r, labels=tuple(swap.get(x, x) for x in r.labels))


def moved(label: str, by: tuple[float, float, float]) -> Callable[[Recording], Recording]:
    def change(recording: Recording) -> Recording:
        markers = recording.markers_L.copy()
        markers[:, recording.labels.index(label)] += by
        return replace(recording, markers_L=markers)

    return change


def with_plates(change: Callable[[PlateRecord], PlateRecord]) -> Callable[[Recording], Recording]:
    return lambda r: replace(r, plates=tuple(map(change, r.plates)))


def with_channels(change: Callable[[Any], Any]) -> Callable[[Recording], Recording]:
    return with_plates(lambda p: replace(p, channels=change(p.channels.copy())))


def with_corners(by: tuple[float, float, float]) -> Callable[[Recording], Recording]:
    return with_plates(lambda p: replace(p, corners_L=p.corners_L + by))


def backward(recording: Recording) -> Recording:
    """The clock is reversed."""
    plates = tuple(replace(p, channels=p.channels[::-1].copy()) for p in recording.plates)
    return replace(recording, markers_L=recording.markers_L[::-1].copy(), plates=plates)


def sideways(recording: Recording) -> Recording:
    """The steps are those of the walk, but the person is carried to the side instead."""
    middle = recording.markers_L.mean(axis=1)
    way = middle[-1] - middle[0]
    ahead, across = ([way[0], way[1], 0.0], [-way[1], way[0], 0.0])
    by = np.linspace(0.0, 1.0, recording.n_frames)[:, None, None]
    return replace(recording, markers_L=recording.markers_L + by * np.subtract(across, ahead))


def known(result: Result, name: str) -> int:
    """Return in how many frames a curve is known."""
    (curve,) = (c for c in run_curves(result) if c.name == name)
    return int(np.isfinite(curve.values).sum())

"""Real walks seen in a mirror: the left leg has the numbers of the right one, exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.io.recording import read_recording
from gaitdyn.stages.session import read_session
from gaitdyn.types.options import Options
from gaitdyn.types.subject import OTHER

if TYPE_CHECKING:
    from gaitdyn.types.recording import PlateRecord, Recording

pytestmark = pytest.mark.real
MIRROR = np.diag([-1.0, 1.0, 1.0])
"""A horizontal axis of these laboratories is turned round."""

OF_G = ("_z", "free_moment", "closure_moment_x", "closure_moment_y")
"""Curves in axes of the laboratory: what points to the right, and moments about other axes."""

LETTERS = {"L": "R", "R": "L"}


def other(name: str) -> str:
    """Return the name of a column, or one of our labels, of the other side."""
    if name[:1] in LETTERS:
        return LETTERS[name[0]] + name[1:]
    side = name.partition("_")[0]
    return name.replace(side, OTHER.get(side, side), 1)


def mirrored_plate(plate: PlateRecord) -> PlateRecord:
    """Return a plate whose y axis is turned round, so that its axes stay right-handed."""
    return replace(
        plate,
        corners_L=(plate.corners_L @ MIRROR)[[3, 2, 1, 0]],
        channels=plate.channels * [1, -1, 1, -1, 1, -1],
        origin=plate.origin * [1, -1, 1],
    )


def mirrored(recording: Recording, opposite: dict[str, str]) -> Recording:
    subject = recording.subject
    subject = replace(subject, left=subject.right, right=subject.left)
    return replace(
        plain(recording),
        labels=tuple(opposite.get(label, label) for label in recording.labels),
        markers_L=recording.markers_L @ MIRROR,
        plates=tuple(mirrored_plate(plate) for plate in recording.plates),
        subject=subject,
        events=tuple(replace(event, side=OTHER[event.side]) for event in recording.events),
    )


def plain(recording: Recording) -> Recording:
    """Return a recording without what the vendor computed, and without muscles."""
    return replace(recording, outputs={}, vendor={}, analog=None, descriptions=())


@pytest.mark.parametrize("name", ["S4-AMGait03", "HC030A05", "Walking1", "IST"])
def test_a_walk_in_a_mirror_is_the_walk_of_the_other_leg(retold: Any, name: str) -> None:
    trial = retold.trials(name)[0]
    session = read_session(
        trial.path,
        Options(static=str(trial.static) if trial.static else None, mass_kg=trial.mass_kg),
    )
    opposite: dict[str, str] = {}
    for path, ours in ((trial.static, session.static), (trial.path, session.trial)):
        if path is not None and ours is not None:
            at = dict(zip(ours.recording.labels, read_recording(path).labels, strict=False))
            opposite |= {at[label]: at[other(label)] for label in at if other(label) in at}
    with retold.read_as(plain):
        before = retold.run(trial)
    with retold.read_as(lambda recording: mirrored(recording, opposite)):
        after = retold.run(trial)
    old, new = before.to_frame(), after.to_frame()
    assert {other(column) for column in old} == set(new)
    for column in old.select_dtypes("float"):
        a, b = old[column].to_numpy(), new[other(column)].to_numpy()
        largest = np.nanmax(np.abs(a), initial=1e-3)
        turned = column.endswith(OF_G) and not column.endswith("closure_moment_z")
        assert b == pytest.approx(-a if turned else a, abs=1e-5 * largest, nan_ok=True), column
    told = {(f.code, f.side) for f in before.findings}
    assert {(f.code, OTHER.get(f.side or "", f.side)) for f in after.findings} == told
    events = [(round(e.time_s, 6), OTHER[e.side], e.kind) for e in before.events]
    assert sorted((round(e.time_s, 6), e.side, e.kind) for e in after.events) == sorted(events)

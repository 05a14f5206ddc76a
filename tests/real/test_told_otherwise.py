"""Real trials mirrored, in other orders and at other times: the numbers must follow exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.catalogue.keys import key_of, sideless
from gaitdyn.tables.columns import run_curves

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.trial import Result
    from gaitdyn.types.recording import Event, PlateRecord, Recording

pytestmark = pytest.mark.real
TRIALS = ("BTK-B", "HC030A05", "QCMAS")
"""One trial of three laboratories each."""

OTHER = {"left": "right", "right": "left", "": ""}
LATER = 1000
NEGATED = ("force_z", "grf_z", "center_z", "cop_z", "com_z", "velocity_z", "free_moment",
           "closure_force_z", "closure_moment_x", "closure_moment_y")  # fmt: skip
"""Columns of an axis to the right, or of a moment about an axis of the mirror."""


def mirrored(axis: int) -> Callable[[Recording], Recording]:
    """Return a change to the mirror image along an axis of the laboratory, sides exchanged."""
    mirror, plate_axes = np.ones(3), np.array([-1.0, 1.0, 1.0])
    mirror[axis] = -1.0

    def plate(p: PlateRecord) -> PlateRecord:
        channels = p.channels * np.concatenate((plate_axes, -plate_axes))
        corners = (p.corners_L * mirror)[[1, 0, 3, 2]]
        return replace(p, corners_L=corners, origin=p.origin * plate_axes, channels=channels)

    def label(text: str, known: tuple[str, ...]) -> str:
        twin = {"L": "R", "R": "L"}.get(text[:1], "?") + text[1:]
        return twin if twin in known else text

    def change(r: Recording) -> Recording:
        return replace(
            r,
            labels=tuple(label(text, r.labels) for text in r.labels),
            descriptions=(),
            markers_L=r.markers_L * mirror,
            plates=tuple(map(plate, r.plates)),
            events=tuple(sorted(replace(e, side=OTHER[e.side]) for e in r.events)),
            subject=replace(r.subject, left=r.subject.right, right=r.subject.left),
            vendor={OTHER[side]: offsets for side, offsets in r.vendor.items()},
        )

    return change


def other_order(r: Recording) -> Recording:
    """Return a recording with markers and plates in reverse; plates keep their numbers."""
    return replace(
        r, labels=r.labels[::-1], markers_L=r.markers_L[:, ::-1], descriptions=(),
        plates=r.plates[::-1],
    )  # fmt: skip


def later(r: Recording) -> Recording:
    """Return a recording with frames numbered from another one, on the same clock."""

    def event(e: Event) -> Event:
        return replace(e, time_s=e.time_s + LATER / r.rate_hz)

    return replace(r, first_frame=r.first_frame + LATER, events=tuple(map(event, r.events)))


def other_corners(r: Recording) -> Recording:
    """Return a recording whose plates are listed from the opposite corner."""
    turn = np.array([-1.0, -1.0, 1.0])
    return replace(
        r,
        plates=tuple(
            replace(p, corners_L=np.roll(p.corners_L, 2, axis=0), origin=p.origin * turn,
                    channels=p.channels * np.tile(turn, 2))
            for p in r.plates
        ),
    )  # fmt: skip


def curves(result: Result, *, mirror: bool = False) -> dict[str, np.ndarray]:
    """Return the curves by name; of a mirrored trial those of the other side, signs turned back."""
    by_name = {}
    for curve in run_curves(result):
        side = OTHER[key_of(curve.name).side] if mirror else key_of(curve.name).side
        name = f"{side}_{sideless(curve.name)}".lstrip("_")
        by_name[name] = curve.values * (-1.0 if mirror and name.endswith(NEGATED) else 1.0)
    return by_name


def numbers(result: Result, *, mirror: bool = False) -> dict[tuple[str, int, str], float]:
    table = result.gait_parameters()
    sides = [OTHER[side] if mirror else side for side in table["side"]]
    keys = zip(sides, table["cycle"], table["quantity"], strict=True)
    return dict(zip(keys, table["value"], strict=True))


def same(before: Result, after: Result, *, mirror: bool = False) -> None:
    wanted, found = curves(before), curves(after, mirror=mirror)
    assert wanted.keys() == found.keys()
    for name, values in wanted.items():
        size = max(1.0, float(np.nanmax(np.abs(values), initial=0.0)))
        np.testing.assert_allclose(found[name], values, rtol=0, atol=1e-5 * size, err_msg=name)
    assert numbers(after, mirror=mirror) == pytest.approx(numbers(before), abs=1e-5, nan_ok=True)
    sides = OTHER if mirror else {side: side for side in (*OTHER, "both", "none")}
    assert sorted((c.plate, sides.get(c.side, c.side), c.start, c.stop, c.verdict)
                  for c in after.contacts) == sorted(
        (c.plate, c.side, c.start, c.stop, c.verdict) for c in before.contacts)  # fmt: skip


@pytest.mark.parametrize("name", TRIALS)
def test_the_mirror_image_has_the_numbers_of_the_other_side(retold: Any, name: str) -> None:
    (trial, *_) = retold.trials(name)
    before = retold.run(trial)
    with retold.read_as(mirrored(int(np.abs(before.trial.R_GL[2]).argmax()))):
        same(before, retold.run(trial), mirror=True)


@pytest.mark.parametrize("name", TRIALS)
@pytest.mark.parametrize("change", [other_order, later, other_corners])
def test_orders_and_times_change_no_number(retold: Any, name: str, change: Any) -> None:
    (trial, *_) = retold.trials(name)
    before = retold.run(trial)
    with retold.read_as(change):
        same(before, retold.run(trial))


@pytest.mark.parametrize("name", TRIALS)
def test_where_and_how_the_person_stood_changes_no_number(retold: Any, name: str) -> None:
    (trial, *_) = retold.trials(name)
    before = retold.run(trial)
    up = before.trial.R_GL[1]
    turned = retold.turned_about(up, 37)

    def of_static(r: Recording) -> Recording:
        if r.name != trial.static.name:
            return r
        moved = turned(replace(r, markers_L=r.markers_L + 0.3 * (1.0 - np.abs(up))))
        return replace(moved, plates=())

    with retold.read_as(of_static):
        same(before, retold.run(trial))

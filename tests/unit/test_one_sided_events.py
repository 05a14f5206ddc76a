"""Events of the file that are late or early on one side alone are told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gaitdyn.events.one_sided import one_sided
from gaitdyn.types.recording import Event

DETECTED = {
    side: [
        Event(at + 0.55 * foot + 0.7 * off, side, kind, "kinematic")
        for at in (0.0, 1.1, 2.2)
        for off, kind in enumerate(("foot_strike", "foot_off"))
    ]
    for foot, side in enumerate(("left", "right"))
}


def of_file(moved_ms, *, leave_out=0):
    """The events of the file, moved by side and kind."""
    events = [
        replace(e, time_s=e.time_s + moved_ms.get((e.side, e.kind), 0.0) / 1000, source="file")
        for side in DETECTED.values()
        for e in side
    ]
    return events[leave_out:]


def distances(events):
    return {(f.side, f.message.split()[1]): f.value for f in one_sided(events, DETECTED)}


def test_strikes_of_one_side_that_are_late_are_told_with_both_medians():
    found = one_sided(
        of_file({("right", "foot_strike"): 64, ("left", "foot_strike"): -2}), DETECTED
    )
    strikes = found[0]
    assert (strikes.code, strikes.scope, strikes.value) == (
        "events-one-sided", "right", pytest.approx(66),
    )  # fmt: skip
    assert strikes.message == (
        "right strikes of the file are 64 ms late by plates and markers (median of 3), left ones"
        " 2 ms early (of 3)"
    )
    assert found[1].value == pytest.approx(0)


@pytest.mark.parametrize("ms", [-60, 35, 60])
def test_what_both_sides_share_is_the_persons(ms):
    both = {(side, "foot_off"): ms for side in DETECTED}
    assert list(distances(of_file(both)).values()) == pytest.approx([0, 0], abs=1e-9)
    one = distances(of_file({("left", "foot_off"): ms}))
    assert one["left", "foot-offs"] == pytest.approx(abs(ms))


def test_fewer_than_three_events_of_a_side_say_nothing():
    late = {("right", "foot_strike"): 64, ("right", "foot_off"): 64}
    assert len(one_sided(of_file(late), DETECTED)) == 2
    assert [f.message.split()[1] for f in one_sided(of_file(late, leave_out=1), DETECTED)] == [
        "foot-offs"
    ]
    assert one_sided([], DETECTED) == []
    assert one_sided(of_file(late), {"left": DETECTED["left"]}) == []
    far = {("right", "foot_strike"): 200}  # of another moment: told one by one
    assert [f.message.split()[1] for f in one_sided(of_file(far), DETECTED)] == ["foot-offs"]

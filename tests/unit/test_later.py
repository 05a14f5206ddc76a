"""What nobody asks for is not computed, and asked for it is the same as computed at once."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from walkers.upper import with_upper

from gaitdyn import pipeline
from gaitdyn.audit.closure import window_drifts
from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.stages import session as stages_session
from gaitdyn.stages import vendor_body
from gaitdyn.store.whole import settle
from gaitdyn.synthetic import Recording, Walker, write_trial
from gaitdyn.tables.columns import leg_curves, run_curves
from gaitdyn.types.arguments import for_python
from gaitdyn.types.later import Last, Later, computed_late, later, unread
from gaitdyn.types.options import Options
from tests.walks import stand, walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result


@dataclass(frozen=True, slots=True)
class Pair:
    one: int
    two: int = 0


computed_late(Pair, "two")


def counted(calls: list[int]) -> Any:
    return later(lambda: calls.append(1) or len(calls))


class Raced(Later[int]):
    """A value that another thread has finished as soon as this one has looked at it."""

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if name == "_compute":
            self._compute = None
        return value


def test_two_threads_may_ask_at_the_same_time() -> None:
    assert Raced(lambda: 3).now() == 3


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Options]:
    """A walk with trunk and arms, and its static."""
    place = tmp_path_factory.mktemp("later")
    asked = Recording(rate_hz=100.0, analog_ratio=5)
    write_trial(place / "walk.c3d", with_upper(walk(Walker(), asked))[0])
    write_trial(place / "still.c3d", with_upper(stand(Walker(), replace(asked, events=False)))[0])
    return place / "walk.c3d", Options(static=str(place / "still.c3d"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often the upper body was computed."""
    calls, plain = [], pipeline.find_upper

    def find(*given: Any) -> Any:
        calls.append(1)
        return plain(*given)

    monkeypatch.setattr(pipeline, "find_upper", find)
    return calls


def processed(files: tuple[Path, Options]) -> Result:
    return pipeline.process_trial(*files)


def test_a_field_is_computed_once_when_it_is_read() -> None:
    calls: list[int] = []
    pair = Pair(1, counted(calls))
    assert not calls
    assert (pair.two, pair.two, len(calls)) == (1, 1, 1)
    assert (Pair(1).two, Pair(1, 5).two) == (0, 5)


def test_copies_compute_what_they_are_not_given_and_share_what_is_unread() -> None:
    calls: list[int] = []
    pair = Pair(1, counted(calls))
    shared = replace(pair, one=2, **unread(pair, "two"))
    assert not calls
    assert (shared.two, pair.two, len(calls)) == (1, 1, 1)
    assert replace(pair, one=3).two == 1
    assert pickle.loads(pickle.dumps(Pair(1, counted(calls)))).two == 2  # noqa: S301


def test_an_error_is_told_again_by_the_next_who_asks() -> None:
    calls: list[int] = []

    def refuse() -> int:
        calls.append(1)
        raise ValueError

    pair = Pair(1, later(refuse))
    for _ in range(2):
        with pytest.raises(ValueError):
            _ = pair.two
    assert len(calls) == 2


def test_curves_of_the_legs_need_no_upper_body(
    files: tuple[Path, Options], asked: list[int]
) -> None:
    result = processed(files)
    legs = leg_curves(result)
    assert legs
    assert not asked
    assert "emg" not in result.kept
    every = run_curves(result)
    assert len(asked) == 1
    assert len(every) > len(legs)
    for one, other in zip(legs, every, strict=False):
        assert one.name == other.name
        np.testing.assert_array_equal(one.values, other.values)


def test_findings_hold_what_the_upper_body_says(
    files: tuple[Path, Options], asked: list[int]
) -> None:
    result = processed(files)
    findings = result.findings
    assert len(asked) == 1
    assert result.upper is not None
    assert result.upper.findings
    assert set(result.upper.findings) <= set(result.noticed)
    level = {"head-unlevelled"}  # below the limit of its rule
    said = [f.message for f in result.upper.findings if f.code not in level]
    told = [f.message for f in findings]
    said = [for_python(message) for message in said]
    assert [message for message in told if message in said] == said
    assert len(asked) == 1


def test_muscles_are_found_once_for_rules_and_tables(files: tuple[Path, Options]) -> None:
    result = processed(files)
    before = emg_of(result)
    _ = result.findings
    assert emg_of(result) is before


def test_windows_of_both_legs_together_are_those_of_each(files: tuple[Path, Options]) -> None:
    result = processed(files)
    legs = [
        (side.kinetics.loads, side.kinetics.published)
        for side in result.sides.values()
        if side.kinetics is not None
    ]
    assert len(legs) == 2
    rate = result.recording.rate_hz
    for own, leg in zip(window_drifts(legs, rate), legs, strict=True):
        for found, alone in zip(own, window_drifts([leg], rate)[0], strict=True):
            np.testing.assert_array_equal(found, alone)


def test_a_disk_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text(name, encoding="utf-8")

    def fsync(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gaitdyn.store.whole.os.fsync", fsync)
    with pytest.raises(OSError, match="No space left"):
        settle(tmp_path)


def test_trials_with_one_static_use_it_once_and_another_part_of_it_anew(
    files: tuple[Path, Options], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, options = files
    used, calibrated = [], []
    plain, known = stages_session.use_static, vendor_body.calibrate

    def use(*given: Any) -> Any:
        used.append(1)
        return plain(*given)

    def calibrate(*given: Any, **named: Any) -> Any:
        calibrated.append(1)
        return known(*given, **named)

    monkeypatch.setattr(stages_session, "use_static", use)
    monkeypatch.setattr(vendor_body, "calibrate", calibrate)
    static = f"{options.static}:101-200"
    first = pipeline.process_trial(path, replace(options, static=static))
    counts = len(used), len(calibrated)
    again = pipeline.process_trial(path, replace(options, static=static))
    assert counts == (len(used), len(calibrated)) == (1, 1)
    assert again.calibration is first.calibration
    assert again.static is first.static
    other = pipeline.process_trial(path, replace(options, static=f"{options.static}:101-201"))
    assert (len(used), len(calibrated)) == (2, 2)
    assert other.static is not None
    assert other.static.n_frames == 101


def test_threads_that_ask_at_a_time_each_have_their_own_answer() -> None:
    last: Last[int] = Last()
    things = [[number] for number in range(4)]

    def asked(number: int) -> set[int]:
        own = things[number]
        return {last.of((own,), (), lambda: own[0]) for _ in range(5000)}

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(asked, range(4)))
    finally:
        sys.setswitchinterval(before)
    assert found == [{number} for number in range(4)]

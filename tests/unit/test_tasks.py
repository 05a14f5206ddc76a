"""What a trial shows, in one word: the walker in other tasks, and paths of feet that are posed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.errors import NobodyWalks, UsageError
from gaitdyn.events.task import recognise
from gaitdyn.pipeline import process_trial
from gaitdyn.report.first_screen.around import banners
from gaitdyn.report.groups import Group
from gaitdyn.report.views import view_of_group
from gaitdyn.store.run_lines import run_lines
from gaitdyn.store.stored import trial_of_result
from gaitdyn.synthetic import Recording, Walker, write_trial
from gaitdyn.synthetic.tasks import SYNTHETIC_TASKS, task_gait
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Event
from tests.walks import processed, stand, walk

if TYPE_CHECKING:
    from collections.abc import Callable

FORWARD = np.array([1.0, 0.0, 0.0])
RATE = 100.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A static and a recording of every task of the walker."""
    place = tmp_path_factory.mktemp("tasks")
    write_trial(place / "static.c3d", stand(Walker(), Recording(events=False)))
    for task in SYNTHETIC_TASKS:
        asked = Recording(plates=0, events=False, strides=3 if task == "running" else 1)
        write_trial(place / f"{task}.c3d", walk(Walker(gait=task_gait(task)), asked))
    return place


def done(folder: Path, name: str, **words: Any) -> Any:
    options = Options(static=str(folder / "static.c3d"), **words)
    return process_trial(folder / f"{name}.c3d", options)


@pytest.mark.parametrize(("cutoff", "largest"), [(10.0, 4.0), (20.0, 1.1)])
def test_a_run_needs_a_higher_cut_off(folder: Path, cutoff: float, largest: float) -> None:
    asked = Recording(plates=0, events=False, strides=3)
    true = walk(Walker(gait=task_gait("running")), asked).columns()["left_knee_angle_flexion"]
    found = done(folder, "running", cutoff_hz=cutoff).sides["left"].angles["knee"][:, 0]
    off = np.abs(found - true)[12:-12].max()
    assert 0.8 * largest < off < largest


@pytest.mark.parametrize("task", SYNTHETIC_TASKS)
def test_a_task_of_the_walker_is_called_by_its_name_and_has_no_gait_cycle(
    folder: Path, tmp_path: Path, task: str
) -> None:
    result = done(folder, task)
    assert result.task == task
    assert not result.cycle_curves
    assert not result.events
    assert [f.code for f in result.findings if f.level != "info"] == []
    document = result.save(tmp_path / "results")
    assert document["task"] == task
    lines = run_lines(result, document)
    assert lines[0] == f"task: {task}"
    assert any(f"(no gait cycle: the task is {task}, not walking)" in line for line in lines)
    text = (tmp_path / "results" / "cycles.csv").read_text(encoding="utf-8")
    assert text.startswith("side,cycle,percent")
    assert text.count("\n") == 1
    knee = result.to_frame()["left_knee_angle_flexion"]
    assert knee.notna().mean() > 0.9
    assert knee.max() > 80


def test_a_functional_trial_says_how_a_walk_uses_it(synthetic: Path, tmp_path: Path) -> None:
    result = process_trial(synthetic / "walk01.c3d", Options(task="functional"))
    lines = run_lines(result, result.save(tmp_path / "results"))
    assert lines[0] == "task: functional"
    assert "--functional hip_left=FILE" in lines[1]
    assert not any("--functional" in line for line in lines[2:])


def test_the_steps_of_a_run_have_curves_and_no_peaks_of_walking(folder: Path) -> None:
    """A first and a second peak of the vertical force are those of a walking step."""
    asked = Recording(plates=3, events=False, rate_hz=200.0)
    write_trial(folder / "plates.c3d", walk(Walker(gait=task_gait("running")), asked))
    found = done(folder, "plates", cutoff_hz=20.0, force_cutoff_hz=20.0)
    assert found.task == "running"
    assert len(found.stances()) > 0
    assert len(found.peaks()) == 0


def test_a_page_of_several_tasks_says_whose_curves_it_draws(folder: Path) -> None:
    first, second = (trial_of_result(done(folder, name)) for name in ("squat", "running"))
    for trials, title, text in (
        ((first,), "Squat, not walking",
         "It is not cut into gait cycles: its curves are drawn over the time of the whole trial."),
        ((first, second), "Squat, running, not walking",
         "No trial is cut into gait cycles: the curves are those of squat, over its whole time."),
    ):  # fmt: skip
        (box,) = (n for n in banners(view_of_group(Group("", trials), None, None)) if n.text)
        assert box.title == title
        assert box.text.startswith(text)
        assert (box.heading, box.kind) == (title, "plain")  # no error: it says what is shown


def test_a_walk_is_called_so_and_keeps_its_cycles(synthetic: Path) -> None:
    result = processed(synthetic / "walk01.c3d")
    assert result.task == "walking"
    assert len(result.cycle_curves) > 1


def test_the_word_may_be_given(folder: Path) -> None:
    found = done(folder, "running", task="walking")
    assert found.task == "walking"
    assert len(found.cycle_curves) > 0
    assert done(folder, "squat", task="other").task == "other"


def test_events_of_the_file_stay_but_make_no_cycle(folder: Path) -> None:
    told = tuple(Event(1.0 + 0.7 * i, "left", "foot_strike") for i in range(3))
    found = done(folder, "running", events=told)
    assert [e.time_s for e in found.events] == [e.time_s for e in told]
    assert not found.cycle_curves


def test_somebody_who_stands_is_refused_as_before(folder: Path) -> None:
    with pytest.raises(
        NobodyWalks, match=r"nobody walks in it .*, so it is a static; give it as --static"
    ):
        process_trial(folder / "static.c3d", Options(static="none"))


# Posed paths


def posed(
    pelvis: Callable[[Any], Any], left: Callable[[Any], Any], right: Callable[[Any], Any]
) -> str:
    """Return the word of a pelvis and two feet whose paths, (n, 3), are functions of the time."""
    time = np.arange(0.0, 4.0, 1.0 / RATE)
    ends = np.array([0.10, 0.0, 0.0])
    feet = {
        side: (path(time) - ends, path(time) + ends)
        for side, path in (("left", left), ("right", right))
    }
    return recognise(pelvis(time), feet, FORWARD, RATE)


def at(x: Any, y: Any, z: float, time: Any) -> Any:
    return np.stack([x + 0 * time, y + 0 * time, z + 0 * time], axis=1)


def hip(time: Any, x: Any = 0.0, y: Any = 1.0) -> Any:
    return at(x, y, 0.0, time)


def stepping(time: Any, late: float, rise: float = 0.0, speed: float = 1.0) -> tuple[Any, Any]:
    """Return how far and how high a foot is that steps once a second, and the rise of a step."""
    phase = time - late
    whole, part = np.floor(phase), phase % 1.0
    swing = np.clip((part - 0.6) / 0.4, 0.0, 1.0)
    smooth = swing * swing * (3.0 - 2.0 * swing)
    return speed * (whole + smooth + late), rise * (whole + smooth) + 0.08 * np.sin(np.pi * swing)


def test_feet_that_step_in_turn_walk_also_on_a_belt() -> None:
    def foot(late: float, belt: float) -> Callable[[Any], Any]:
        def path(time: Any) -> Any:
            ahead, high = stepping(time, late)
            return at(ahead - belt * time, high, 0.1, time)

        return path

    assert posed(lambda t: hip(t, t), foot(0.0, 0.0), foot(0.5, 0.0)) == "walking"
    assert posed(hip, foot(0.0, 1.0), foot(0.5, 1.0)) == "walking"


@pytest.mark.parametrize("rise", [0.34, -0.34])
def test_feet_that_are_set_down_higher_and_higher_climb(rise: float) -> None:
    def foot(late: float) -> Callable[[Any], Any]:
        def path(time: Any) -> Any:
            ahead, high = stepping(time, late, rise, 0.6)
            return at(ahead, high + late * rise, 0.1, time)

        return path

    assert posed(lambda t: hip(t, 0.6 * t, 1 + rise * t), foot(0.0), foot(0.5)) == "stairs"


def planted(x: float = 0.0) -> Callable[[Any], Any]:
    return lambda time: at(x, 0.0, 0.1, time)


def test_a_pelvis_that_goes_down_over_its_feet_squats() -> None:
    down = 0.2 * (1 - np.cos(2 * np.pi * np.arange(0.0, 4.0, 0.01) / 4.0))
    assert posed(lambda t: hip(t, -0.1 * down, 1 - down), planted(), planted()) == "squat"


def test_a_pelvis_that_goes_down_behind_its_feet_sits() -> None:
    down = 0.2 * (1 - np.cos(2 * np.pi * np.arange(0.0, 4.0, 0.01) / 4.0))
    assert posed(lambda t: hip(t, -0.9 * down, 1 - down), planted(), planted()) == "sit-to-stand"


def test_one_leg_that_swings_beside_a_foot_that_stays_is_moved_on_purpose() -> None:
    def swung(time: Any) -> Any:
        return at(0.5 * np.sin(3 * time), 0.2 - 0.1 * np.cos(6 * time), 0.1, time)

    assert posed(hip, planted(), swung) == "functional"


def test_feet_in_the_air_together_jump_and_a_lifted_foot_does_not() -> None:
    def off(time: Any) -> Any:
        return at(0.0, 0.3 * np.clip(np.sin(2 * np.pi * time), 0, None), 0.1, time)

    high = lambda t: hip(t, 0.0, 1 + off(t)[:, 1])  # noqa: E731
    assert posed(high, off, off) == "jump"
    assert posed(hip, off, planted()) == "other"
    in_cm = (lambda t: 10 * high(t), lambda t: 10 * off(t), lambda t: 10 * off(t))
    assert posed(*in_cm) == "walking"


def test_one_leg_or_a_pelvis_that_is_never_seen_tells_nothing_else_than_walking() -> None:
    time = np.arange(0.0, 4.0, 0.01)
    foot = planted()(time)
    assert recognise(hip(time), {"left": (foot, foot)}, FORWARD, RATE) == "walking"
    unseen = np.full((len(time), 3), np.nan)
    assert recognise(unseen, {"left": (foot, foot), "right": (foot, foot)}, FORWARD, RATE) == (
        "walking"
    )


def test_a_run_of_the_speed_of_a_walk_is_none(folder: Path) -> None:
    """Feet in the air between steps at 1 m/s: high steps, or feet whose markers stand high."""
    slow = replace(task_gait("running"), stride_s=2.0)
    write_trial(folder / "slow.c3d", walk(Walker(gait=slow), Recording(plates=0, events=False)))
    assert done(folder, "slow").task == "walking"


def test_a_task_that_the_walker_does_not_know_is_refused_in_words() -> None:
    task: Any = "run"
    with pytest.raises(UsageError, match="task is 'run', wanted one of squat, sit-to-stand, jump"):
        task_gait(task)

"""Trials of one recording: the same file, or a file that was saved again with other bytes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.core.packing import pack_whole, unpack_whole
from gaitdyn.judge.recordings import recorded_once, recording_groups, same_recording
from gaitdyn.judge.session_trials import walk_of
from gaitdyn.report import make_report, pooled
from gaitdyn.report.strides import cycles_used, values_of
from gaitdyn.store.stored import StoredTrial, read_trial


def places_of(trial: StoredTrial) -> Any:
    figure = trial.view["figure"]
    return unpack_whole(figure["places"]).reshape(-1, len(figure["points"]), 3)


def saved_again(trial: StoredTrial, places: Any, **figure: Any) -> StoredTrial:
    """Return a trial as of a file with other bytes, with its points at other places."""
    files = [{**file, "sha256": "0" * 64} for file in trial.document["inputs"]]
    figure = {**trial.view["figure"], "places": pack_whole(places), **figure}
    return replace(
        trial, name="again", view=trial.view | {"figure": figure},
        document=trial.document | {"inputs": files},
    )  # fmt: skip


@pytest.fixture(scope="module")
def trial(session: Path) -> StoredTrial:
    return read_trial(session / "walk01")


def test_a_recording_with_other_bytes_is_known_by_its_movement(trial: StoredTrial) -> None:
    """A walk that was saved with other events was pooled twice without a word."""
    again = saved_again(trial, places_of(trial))
    assert same_recording(trial, again)
    assert recorded_once([trial], [again]).startswith("walk01 (there again) is the same recording")


def test_another_static_moves_the_joint_centres_and_not_the_markers(trial: StoredTrial) -> None:
    places = places_of(trial)
    names = trial.view["figure"]["points"]
    centres = [i for i, n in enumerate(names) if n.split()[-1] in ("hip", "knee", "ankle")]
    assert centres
    places[:, centres] += 5.0
    assert same_recording(trial, saved_again(trial, places))


def test_strides_of_a_recording_that_was_saved_again_are_no_further_sample(
    session: Path, trial: StoredTrial
) -> None:
    """They counted twice in every verdict; those of one file counted once."""
    again, other = saved_again(trial, places_of(trial)), read_trial(session / "walk02")
    assert walk_of([trial, again, other]).trials == (trial, other)
    fewer = replace(again, cycles=again.cycles[1:])  # of a cut file
    assert walk_of([fewer, other, trial]).trials == (trial, other)


def test_a_recording_that_was_cut_is_the_same_at_the_same_times(trial: StoredTrial) -> None:
    places, figure = places_of(trial), trial.view["figure"]
    start_s = figure["time_s"] + 40 / figure["rate_hz"]
    cut = saved_again(trial, places[40:], time_s=start_s)
    assert same_recording(trial, cut)
    assert same_recording(cut, trial)
    assert not same_recording(trial, saved_again(trial, places[40:]))  # the same places, later
    short = saved_again(trial, places, time_s=figure["time_s"] + 0.6 * len(places) / 100.0)
    assert not same_recording(trial, short)


def test_a_second_walk_is_another_recording(session: Path, trial: StoredTrial) -> None:
    """The walker takes the same steps; only the noise on its markers differs."""
    other = read_trial(session / "walk02")
    assert not same_recording(trial, other)
    again = saved_again(trial, places_of(trial))
    assert [[t.name for t in same] for same in recording_groups([trial, other, again])] == [
        ["walk01", "again"], ["walk02"]
    ]  # fmt: skip


def test_points_that_are_hardly_seen_tell_nothing(trial: StoredTrial) -> None:
    places = places_of(trial)
    places[24:] = np.nan
    assert not same_recording(trial, saved_again(trial, places))
    assert not same_recording(trial, saved_again(trial, places_of(trial), rate_hz=50.0))
    assert not same_recording(trial, replace(saved_again(trial, places), view={}))
    nothing = saved_again(trial, np.empty(0), points=[])  # of muscles alone
    assert not same_recording(trial, nothing)
    other = replace(nothing, document=trial.document | {"inputs": []})
    assert not same_recording(other, nothing)


def test_strides_of_a_recording_that_was_saved_again_count_once_in_means(
    session: Path, trial: StoredTrial
) -> None:
    """They counted twice in means, SDs and numbers of cycles, beside a notice."""
    again, other = saved_again(trial, places_of(trial)), read_trial(session / "walk02")
    (once,), (twice,) = pooled([trial, other]), pooled([trial, again, other])
    assert [t.name for t in twice.trials] == ["walk01", "again", "walk02"]
    assert cycles_used(twice.trials) == cycles_used(once.trials)
    for table, name in (
        ("gait_parameters", "step_length"),
        ("peaks", "knee_angle_flexion_loading_max"),
    ):
        assert values_of(twice.trials, table, name) == values_of(once.trials, table, name) != []
    pages = make_report([once]).views[0], make_report([twice]).views[0]
    assert pages[0].numbers == pages[1].numbers
    assert walk_of(twice.trials).trials == (trial, other)
    fewer = replace(again, cycles=again.cycles[1:], view=cut_view(again))  # of a cut file
    (longer,) = pooled([fewer, trial])
    assert [len(t.cycles) for t in longer.trials] == [0, len(trial.cycles)]


def cut_view(trial: StoredTrial) -> dict[str, Any]:
    """Return the view of a trial without its first stride."""
    return trial.view | {"cycles": trial.view["cycles"][1:]}

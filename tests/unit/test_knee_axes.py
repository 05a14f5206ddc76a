"""Knee moments about the knee axis and about the malleoli: named in the results, never pooled."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.archive import build_norm, in_memory, parse_where
from gaitdyn.archive.add import add_record
from gaitdyn.archive.curves import mean_and_sd, read_curves
from gaitdyn.errors import NormRefused, ResultsRefused, UsageError
from gaitdyn.report import make_report, pooled, read_groups
from gaitdyn.report.first_screen.notices import group_notices
from gaitdyn.report.tables.checklist import checklist
from gaitdyn.store.stored import read_trial
from tests.unit import archive_records as records
from tests.unit import report_cases as build

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CURVES = (("knee_moment_abduction", "N m/kg"), ("knee_angle_flexion", "deg"))


@pytest.fixture
def alike(session: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Return two trials of one model."""
    first = build.copied(session / "walk01", tmp_path / "first")
    return first, build.copied(session / "walk01", tmp_path / "second")


def turned(folder: Path, sides: tuple[str, ...] = ("left", "right")) -> Path:
    """Let a result say that its shanks follow the malleoli."""

    def change(document: Any) -> None:
        for side in sides:
            document["model"]["axes"][side]["shank"] = "malleoli"

    build.change_json(folder / "result.json", change)
    return folder


def test_results_tell_rungs_and_axes(session: Path) -> None:
    model = json.loads((session / "walk01" / "result.json").read_text("utf-8"))["model"]
    assert model["axes"] == {"left": {"shank": "wand"}, "right": {"shank": "wand"}}
    told = {(row["side"], row["place"]): row for row in model["rungs"]}
    assert set(told) == {(s, p) for s in model["sides"]
                         for p in ("pelvis", "hip", "knee", "ankle", "foot")}  # fmt: skip
    knee = told["left", "knee"]
    assert knee["rung"] == "condyle-width-wand"
    assert knee["landmarks"] == ["LKNE", "LTHI"]
    assert knee["angle_deg"] > 0
    columns = json.loads((session / "walk01" / "timeseries.json").read_text("utf-8"))
    column = columns["left_knee_moment_abduction"]
    assert "condyle-width-wand from LKNE, LTHI" in column["rung"]
    assert (
        column["frame"] == "shank axes, z along the ankle axis that the wand shows (wand-aligned)"
    )
    assert columns["left_grf_y"]["rung"] == ""


def test_the_methods_tell_rungs_and_axes(session: Path) -> None:
    rows = {row[0]: row[1] for row in checklist(read_trial(session / "walk01")).rows}
    assert "left knee: condyle-width-wand (LKNE, LTHI)" in rows["Joints and segments"]
    assert "follows the ankle axis that its wand shows" in rows["Segment axes"]


def test_trials_of_one_kind_are_pooled(alike: tuple[Path, Path]) -> None:
    assert len(read_groups(list(alike))) == 1


def test_knee_moments_about_unlike_axes_are_refused_in_one_sentence(
    alike: tuple[Path, Path],
) -> None:
    with pytest.raises(ResultsRefused, match=r"malleoli .*wand .*not pooled") as told:
        read_groups([alike[0], turned(alike[1])])
    assert "\n" not in str(told.value)


def test_a_trial_without_moments_is_pooled_and_it_is_said_whose_they_are(
    alike: tuple[Path, Path], no_plates: Path, tmp_path: Path
) -> None:
    light = turned(build.copied(no_plates, tmp_path / "light"))
    for order in ([alike[0], light], [light, alike[0]]):
        (group,) = read_groups(order)
        assert len(group.trials) == 2
        said = " ".join(notice.text for notice in group_notices(group))
        assert "shank axes malleoli/wand" in said
        assert "Moments and powers are of walk01 alone." in said
        assert make_report([group]).has_loads


def test_a_trial_whose_sides_have_unlike_axes_is_reported(alike: tuple[Path, Path]) -> None:
    left, both = turned(alike[0], ("left",)), turned(alike[1], ("left",))
    assert len(read_groups([left])) == 1
    assert len(read_groups([left, both])) == 1
    with pytest.raises(ResultsRefused, match=r"malleoli .*wand .*not pooled"):
        read_groups([left, turned(alike[1])])


def test_of_two_persons_with_unlike_axes_the_persons_are_told(alike: tuple[Path, Path]) -> None:
    def heavier(document: Any) -> None:
        document["subject"]["mass_kg"] += 20.0

    build.change_json(turned(alike[1]) / "result.json", heavier)
    with pytest.raises(ResultsRefused, match="trials of different people"):
        read_groups(list(alike))


def test_the_page_of_a_session_shows_them_apart(alike: tuple[Path, Path]) -> None:
    groups = pooled([read_trial(alike[0]), read_trial(turned(alike[1]))])
    assert [len(group.trials) for group in groups] == [1, 1]
    assert "malleoli" in groups[1].label


@pytest.fixture
def archive() -> Iterator[Any]:
    with in_memory() as connection:
        yield connection


def fill(connection: Any, *kinds: str, turning: tuple[str, ...] = ()) -> None:
    """Add a person for each kind of shank; the model has the kind's name."""
    for i, kind in enumerate(kinds):
        values = np.random.default_rng(i).standard_normal((2, 101), dtype=np.float32)
        stride = records.cycle("left", 1, values, curves=CURVES)
        turn = (("heading_change", "deg", 60.0, None),) if kind in turning else ()
        cycles = (replace(stride, parameters=(*stride.parameters, *turn)),)
        one = records.trial(subject=f"S{i:02}", model=kind, cycles=cycles)
        document = json.dumps({"model": {"axes": {"left": {"shank": kind}}}})
        add_record(connection, replace(one, document=document))


def test_an_archive_does_not_average_them(archive: Any) -> None:
    fill(archive, "knee", "malleoli")
    found = read_curves(archive, "knee_moment_abduction")
    assert found.shank_axes == ("knee", "malleoli")
    with pytest.raises(UsageError, match=r"knee \(knee\) and malleoli \(malleoli\).*shank=knee$"):
        mean_and_sd(found)
    for word in ("model=knee", "shank=knee"):
        alone = read_curves(archive, "knee_moment_abduction", parse_where(word))
        assert (len(alone.rows), len(mean_and_sd(alone)[0])) == (1, 101)
    with pytest.raises(UsageError, match="shank=wand: the archive has none; it has knee, mall"):
        read_curves(archive, "knee_moment_abduction", parse_where("shank=wand"))
    assert len(mean_and_sd(read_curves(archive, "knee_angle_flexion"))[0]) == 101


def test_shanks_of_strides_that_turn_count_only_with_these_strides(archive: Any) -> None:
    """The mean of straight strides was refused for shanks of strides that were not among them."""
    fill(archive, "knee", "malleoli", turning=("malleoli",))
    found = read_curves(archive, "knee_moment_abduction")
    assert (len(found.rows), found.shank_axes, found.shank_models) == (1, ("knee",), (("knee",),))
    assert len(mean_and_sd(found)[0]) == 101
    both = read_curves(archive, "knee_moment_abduction", straight=False)
    assert (len(both.rows), both.shank_axes) == (2, ("knee", "malleoli"))


def test_a_reference_set_is_not_made_of_both(archive: Any) -> None:
    fill(archive, "knee", "malleoli", "knee")
    with pytest.raises(NormRefused, match=r"with knee \(knee\) and malleoli .*shank=knee$"):
        build_norm(archive)
    built = build_norm(archive, parse_where("shank=knee"))
    assert (built.groups[0].count, built.people["shank"]) == (2, ["knee"])
    assert build_norm(archive, parse_where("model=knee")).groups

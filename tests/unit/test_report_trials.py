"""Results folders as a report reads them: what was written comes back, what is damaged does not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.errors import ResultsRefused
from gaitdyn.pipeline import process_trial
from gaitdyn.report import Group, make_report, read_groups
from gaitdyn.report.compared.comparison import comparisons_of
from gaitdyn.report.reading import _names
from gaitdyn.store.stored import read_trial
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.options import Options
from tests.unit import report_cases as build

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.trial import Result


@pytest.fixture(scope="module")
def result(session: Path) -> Result:
    return process_trial(session / "c3d" / "walk01.c3d")


def words_of(groups: list[Group]) -> list[tuple[str, list[str]]]:
    return [(group.label, [trial.name for trial in group.trials]) for group in groups]


def line_of(error: pytest.ExceptionInfo[ResultsRefused]) -> str:
    text = str(error.value)
    assert "\n" not in text
    return text


# ---------------------------------------------------------------- reading


def test_the_cycles_come_back_as_they_were_written(session: Path, result: Result) -> None:
    read = read_trial(session / "walk01")
    wanted = cycle_curves(result, run_curves(result))
    assert len(read.cycles) == len(wanted) == 4
    for found, one in zip(read.cycles, wanted, strict=True):
        assert (found.cycle.side, found.cycle.number) == (one.cycle.side, one.cycle.number)
        assert found.cycle.start_row == pytest.approx(one.cycle.start_row, abs=1e-3)
        assert found.cycle.stop_row == pytest.approx(one.cycle.stop_row, abs=1e-3)
        assert found.cycle.foot_off_percent == pytest.approx(one.cycle.foot_off_percent)
        assert dict(zip(found.names, found.units, strict=True)) == dict(
            zip(one.names, one.units, strict=True)
        )
        for name in one.names:
            np.testing.assert_allclose(found.curve(name), one.curve(name), rtol=1e-8, atol=1e-9)


def test_the_trial_carries_its_name_and_its_tables(session: Path) -> None:
    read = read_trial(session / "walk02")
    assert (read.name, read.condition) == ("walk02", "")
    for name in ("quality", "contacts", "events", "gait_parameters", "peaks"):
        assert read.tables[name] == build.rows_of(session / "walk02" / f"{name}.csv")
    assert read.document["options"]["moments_in"] == "distal"


# ---------------------------------------------------------------- refusals


def cut(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: len(text) // 2], encoding="utf-8")


def cut_in_half(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def other_outline(path: Path) -> None:
    """Let the outline ask for more numbers than there are."""
    with np.load(path) as file:
        numbers, outline = file["numbers"], file["outline"]
    np.savez(path, numbers=numbers[:100], outline=outline)


def words_for_numbers(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(".", "x"), encoding="utf-8")


def bytes_of_an_image(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe\x00" * 50)


def empty(path: Path) -> None:
    path.write_text("", encoding="utf-8")


def a_list(path: Path) -> None:
    path.write_text("[]", encoding="utf-8")


def no_keys(path: Path) -> None:
    path.write_text("{}", encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("result.json", cut),
        ("result.json", empty),
        ("result.json", a_list),
        ("result.json", no_keys),
        ("result.json", bytes_of_an_image),
        ("result.json", words_for_numbers),
        ("values.npz", cut_in_half),
        ("values.npz", empty),
        ("values.npz", a_list),
        ("values.npz", no_keys),
        ("values.npz", bytes_of_an_image),
        ("values.npz", other_outline),
        ("values.npz", Path.unlink),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(
    session: Path, tmp_path: Path, name: str, damage: Callable[[Path], Any]
) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    damage(folder / name)
    with pytest.raises(ResultsRefused, match="process the trial again") as error:
        read_groups([folder])
    assert line_of(error).startswith(str(folder))


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("result.json", [[key] for key in ("gaitdyn", "options", "subject", "model", "file",
                                           "verdict", "status", "inputs")]),
    ],
)  # fmt: skip
def test_a_document_without_one_of_its_parts_is_refused(
    session: Path, tmp_path: Path, name: str, keys: list[list[str]]
) -> None:
    for i, path in enumerate(keys):
        folder = build.copied(session / "walk01", tmp_path / str(i))

        def without(document: Any, path: list[str] = path) -> None:
            for key in path[:-1]:
                document = document[key]
            del document[path[-1]]

        build.change_json(folder / name, without)
        with pytest.raises(ResultsRefused) as error:
            read_groups([folder])
        assert path[-1] in line_of(error)


def test_a_folder_without_results_is_refused(session: Path, tmp_path: Path) -> None:
    with pytest.raises(ResultsRefused, match="no results in it") as error:
        read_groups([tmp_path])
    line_of(error)
    with pytest.raises(ResultsRefused, match="no such folder"):
        read_groups([tmp_path / "nowhere"])
    with pytest.raises(ResultsRefused, match="found a file; wanted a folder"):
        read_groups([session / "walk01" / "result.json"])
    recording = tmp_path / "walk01.C3D"
    recording.touch()
    with pytest.raises(ResultsRefused, match="a recording, which `gaitdyn process` turns"):
        read_groups([recording])


# ---------------------------------------------------------------- groups


def test_trials_are_pooled_in_the_order_in_which_they_are_named(session: Path) -> None:
    groups = read_groups([session / "walk02", session / "walk01"])
    assert words_of(groups) == [("", ["walk02", "walk01"])]


def test_a_folder_of_trials_is_one_session(session: Path) -> None:
    assert words_of(read_groups([session])) == [("", ["walk01", "walk02"])]


def test_two_sessions_are_compared_under_the_names_of_their_folders(
    session: Path, later: Path
) -> None:
    assert words_of(read_groups([session, later])) == [
        ("before", ["walk01", "walk02"]),
        ("after", ["walk01"]),
    ]


def test_two_trials_are_compared_when_asked_for(session: Path) -> None:
    groups = read_groups([session / "walk01", session / "walk02"], compare=True)
    assert words_of(groups) == [("walk01", ["walk01"]), ("walk02", ["walk02"])]


def test_a_trial_and_a_session_are_compared(session: Path, later: Path) -> None:
    groups = read_groups([later / "walk01", session])
    assert words_of(groups) == [("walk01", ["walk01"]), ("before", ["walk01", "walk02"])]


def test_folders_of_the_same_name_are_told_apart(session: Path, later: Path) -> None:
    groups = read_groups([session / "walk01", later / "walk01"], compare=True)
    assert [group.label for group in groups] == ["before", "after"]
    alike = [Path(name) for name in ("a/b/x", "c/b/x", "a/d/x")]  # no one level tells them apart
    assert _names(alike) == ["b/x (1)", "b/x (2)", "d/x (3)"]
    with pytest.raises(ResultsRefused, match="the same folder is named twice"):
        read_groups([session, session])


def test_more_than_eight_sessions_are_refused(
    session: Path, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = [session / "walk01", session / "walk02", later / "walk01"]
    assert len(read_groups(trials)) == 1
    assert len(read_groups(trials, compare=True)) == 3
    monkeypatch.setattr("gaitdyn.report.reading.MOST_SESSIONS", 2)
    with pytest.raises(ResultsRefused, match="found 3 sessions; wanted one, two to comp") as error:
        read_groups([session, later, later / "walk01"])
    line_of(error)
    with pytest.raises(ResultsRefused, match="found 3 sessions"):
        read_groups(trials, compare=True)


def under(folder: Path, condition: str) -> None:
    def change(document: Any) -> None:
        document["options"]["condition"] = condition

    build.change_json(folder / "result.json", change)


@pytest.fixture
def shod(session: Path, tmp_path: Path) -> Path:
    """The first session, of which the second trial has another condition."""
    place = tmp_path / "shod"
    for name, condition in (("walk01", "barefoot"), ("walk02", "shoes")):
        under(build.copied(session / name, place / name), condition)
    return place


def test_conditions_of_a_session_are_groups_of_their_own(shod: Path, later: Path) -> None:
    groups = read_groups([shod])
    assert words_of(groups) == [("barefoot", ["walk01"]), ("shoes", ["walk02"])]
    report = make_report(groups)
    assert report.title == "barefoot against shoes"
    assert [pair.since for pair in comparisons_of(report)] == ["Compared with barefoot"]
    visits = make_report(read_groups([shod / "walk01", later]))
    assert [pair.since for pair in comparisons_of(visits)] == ["Since walk01"]
    assert [label for label, _ in words_of(read_groups([shod, later]))] == [
        "shod, barefoot",
        "shod, shoes",
        "after",
    ]


def test_trials_without_a_condition_beside_others_have_a_label(shod: Path) -> None:
    under(shod / "walk01", "")
    assert [group.label for group in read_groups([shod])] == ["no condition given", "shoes"]


def test_one_condition_of_all_needs_no_label(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    under(folder, "barefoot")
    (group,) = read_groups([folder])
    assert (group.label, group.trials[0].condition) == ("", "barefoot")


def test_the_title_names_the_trials(session: Path) -> None:
    assert make_report(read_groups([session / "walk01"])).title == "walk01"
    assert make_report(read_groups([session])).title == "2 trials: walk01, walk02"


@pytest.mark.parametrize("words", [{"convention": "external"}, {"moments_in": "lab"}])
def test_view_has_internal_moments_in_all_axes_whatever_was_asked_for(
    session: Path, tmp_path: Path, words: Any
) -> None:
    trial = session / "c3d" / "walk01.c3d"
    other = build.results_of(trial, tmp_path, Options(**words))
    one, two = (read_trial(folder).view["moments"] for folder in (session / "walk01", other))
    assert one == two
    assert set(one) == {"distal", "proximal", "jcs", "jcs-dual", "lab"}

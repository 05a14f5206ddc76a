"""Trials with moments of two conventions or axes: not averaged, but compared."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from gaitdyn.errors import ResultsRefused
from gaitdyn.report import make_report, pooled
from gaitdyn.report.compared.comparison import comparisons_of
from gaitdyn.report.groups import Group, moments_of
from gaitdyn.report.numbers import DASH
from gaitdyn.report.reading import read_groups
from gaitdyn.report.tables.number_changes import peak_changes
from gaitdyn.store.stored import StoredTrial, trial_of_result
from gaitdyn.types.options import Options
from tests.walks import processed


def trial(folder: Path, name: str, **words: str) -> StoredTrial:
    found = trial_of_result(processed(folder / "walk01.c3d", Options(**words)))  # type: ignore[arg-type]
    return replace(found, path=Path(name), name=name)


@pytest.fixture(scope="module")
def internal(synthetic: Path) -> StoredTrial:
    return trial(synthetic, "first")


@pytest.fixture(scope="module")
def external(synthetic: Path) -> StoredTrial:
    return trial(synthetic, "second", convention="external")


def test_moments_of_two_kinds_are_not_pooled(
    internal: StoredTrial, external: StoredTrial, synthetic: Path
) -> None:
    """Peaks were those of one trial or the other, by chance, and axes were averaged."""
    proximal = trial(synthetic, "third", moments_in="proximal")
    groups = pooled([internal, external, proximal])
    assert [(group.label, len(group.trials)) for group in groups] == [
        ("internal moments in distal axes", 1),
        ("external moments in distal axes", 1),
        ("internal moments in proximal axes", 1),
    ]
    assert [group.label for group in pooled([internal, replace(internal, path=Path("b"))])] == [""]


def test_a_trial_without_moments_is_pooled_with_any(
    internal: StoredTrial, external: StoredTrial
) -> None:
    bare = replace(internal, path=Path("bare"), cycles=())
    assert moments_of(bare) == ""
    (group,) = pooled([bare, external])
    assert group.label == ""


def test_a_report_of_two_conventions_is_refused(synthetic: Path, tmp_path: Path) -> None:
    for name, words in (("a", Options()), ("b", Options(convention="external"))):
        processed(synthetic / "walk01.c3d", words).save(tmp_path / name)
    found = "found external moments in distal axes (walk01); internal moments in distal axes"
    with pytest.raises(ResultsRefused, match=re.escape(found)):
        read_groups([tmp_path / "a", tmp_path / "b"])
    assert len(read_groups([tmp_path / "a", tmp_path / "b"], compare=True)) == 2


def test_two_conventions_are_compared_in_the_words_of_the_first(
    internal: StoredTrial, external: StoredTrial
) -> None:
    """The curves of the second were called not known, and its peaks were dashes."""
    groups = [Group("A", (internal,)), Group("B", (external,))]
    (comparison,) = comparisons_of(make_report(groups))
    for side in comparison.sides:
        loads = [panel for panel in side.loads if panel.name]
        assert len(loads) == 10
        assert all(panel.both for panel in loads)
    moments = next(
        table for table in peak_changes(groups, [(0, 1)]) if table.title == "Moments, A to B"
    )
    for head, *cells in moments.rows:
        assert "flexion" in head or "extension" in head or "abduction" in head
        assert all(cells[i].strip("+\u2212") in ("0.00", "0.000", DASH) for i in (2, 5))
        assert cells[0] == cells[1] != DASH

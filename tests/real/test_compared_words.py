"""Visits of real persons compared: few words before the engineer's part, and both visits whole."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.pipeline import process_trial
from gaitdyn.report import make_report, read_groups
from gaitdyn.report.page.document import page_text
from gaitdyn.store import ResultsFolder, write_results
from tests.benchmark_scripts import script
from tests.shared_files import SHARED, WITH_CORPUS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GAIT = SHARED / "corpus" / "gait"
pytestmark = [pytest.mark.real, WITH_CORPUS]

PAIRS = {
    "two calibrations": ("FMC/MH0222_BP06.c3d", "FMC/MH0222_BP15.c3d"),
    "both ways": ("Sydney/S4-AMGait03.c3d", "Sydney/S4-AMGait04.c3d"),
    "slower": ("UNIPD/Walking1.c3d", "UNIPD/Walking2.c3d"),
    "children with muscles": ("McGill/HC002D06.c3d", "McGill/HC030A05.c3d"),
    "a turn": ("McGill/HC032A18.c3d", "McGill/HC032A03.c3d"),
    "two laboratories": ("UNIPD/Walking1.c3d", "BTK-D/PiG_Motion-FlatFoot-Hole.c3d"),
    "two marker sets": (
        "BTK-D/PiG_Motion-FlatFoot-Hole.c3d", "Coda/codamotion_gaitwands_19970212.c3d",
    ),
}  # fmt: skip
SERIES = tuple(f"McGill/{name}.c3d" for name in ("HC002D06", "HC030A05", "HC032A03", "HC038A11"))


@pytest.fixture(scope="module")
def results_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the results folder of a trial, which is processed once."""

    @cache
    def made(name: str) -> Path:
        folder = ResultsFolder.prepare(tmp_path_factory.mktemp("out"), GAIT / name)
        write_results(folder, process_trial(GAIT / name))
        return folder.path

    return made


def page_of(folders: Iterable[Path], *, normed: bool) -> str:
    """Return the page that compares results."""
    norm = read_norm(SHARED / "norms" / "schwartz2008.csv") if normed else None
    return page_text(make_report(read_groups(list(folders), compare=True), norm))


def words_of(text: str) -> int:
    """Return how many words stand before the engineer's part."""
    return script("report").words_before(text)


@pytest.mark.parametrize("pair", PAIRS)
def test_two_visits_are_compared_in_few_words(pair: str, results_of: Callable[[str], Path]) -> None:
    for normed in (True, False):
        text = page_of(map(results_of, PAIRS[pair]), normed=normed)
        assert 100 < words_of(text) <= script("report").MOST_WORDS
        assert text.count("All changes of the ") >= 1


def test_a_series_of_four_is_told_in_few_words(results_of: Callable[[str], Path]) -> None:
    text = page_of(map(results_of, SERIES), normed=True)
    assert 200 < words_of(text) <= script("report").MOST_WORDS
    assert text.count("no change is judged; give all the same id") == 1
    assert [text.count(f'data-view-of="{i}"') for i in range(4)] == [1] * 4
    assert text.count('<ol class="dev">') == 1  # of the last session, whose page opens

"""Visits of real persons compared: few words before the engineer's part, and both visits whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaitdyn.metrics.norm_files import read_norm
from gaitdyn.pipeline import process_trial
from gaitdyn.report import make_report, read_groups
from gaitdyn.report.page import page_text
from gaitdyn.store import ResultsFolder, write_results
from tests.benchmark_scripts import script

SHARED = Path(__file__).resolve().parents[3] / "shared"
GAIT = SHARED / "corpus" / "gait"
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not GAIT.is_dir(), reason="the files of ../shared/corpus are not there"),
]

PAIRS = {
    "two calibrations": ("FMC/MH0222_BP06.c3d", "FMC/MH0222_BP15.c3d"),
    "both ways": ("Sydney/S4-AMGait03.c3d", "Sydney/S4-AMGait04.c3d"),
    "slower": ("UNIPD/Walking1.c3d", "UNIPD/Walking2.c3d"),
    "children with muscles": ("McGill/HC002D06.c3d", "McGill/HC030A05.c3d"),
}


@pytest.mark.parametrize("normed", [True, False])
@pytest.mark.parametrize("pair", PAIRS)
def test_two_visits_are_compared_in_few_words(pair: str, normed: bool, tmp_path: Path) -> None:
    folders = []
    for name in PAIRS[pair]:
        folder = ResultsFolder.prepare(tmp_path, GAIT / name)
        write_results(folder, process_trial(GAIT / name))
        folders.append(folder.path)
    norm = read_norm(SHARED / "norms" / "schwartz2008.csv") if normed else None
    text = page_text(make_report(read_groups(folders, compare=True), norm))
    assert 100 < script("report").words_before(text) <= script("report").MOST_WORDS
    assert text.count("All changes of the ") >= 1

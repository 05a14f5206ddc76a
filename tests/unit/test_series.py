"""Three sessions or more: numbers over time, each session compared with the first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.metrics.healthy import Expected
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.plots.clinic.axes import LEFT_EDGE, PLOT
from gaitdyn.plots.clinic.series import series_drawing
from gaitdyn.plots.marks import Area, TextLine
from gaitdyn.report import make_report, read_groups
from gaitdyn.report.compared.comparison import opens_with
from gaitdyn.report.page.document import page_text
from gaitdyn.report.paper.clinic import clinic_sheets
from gaitdyn.report.patient import fact_line
from gaitdyn.report.series import series_of
from tests.unit import report_cases as build

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.report import Report


@pytest.fixture(scope="module")
def sessions(session: Path, later: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three sessions of one trial each, with dates."""
    place = tmp_path_factory.mktemp("series")
    found = []
    for name, source, told in (
        ("first", session / "walk01", "2024-01-10"),
        ("second", session / "walk02", "2024-04-10"),
        ("third", later / "walk01", "2025-01-10"),
    ):
        build.copied(source, place / name / "walk01")
        visit = {"texts": {"date": told}, "examination": [], "planned": []}
        (place / name / "walk01" / "visit.json").write_text(json.dumps(visit), encoding="utf-8")
        found.append(place / name)
    return found


@pytest.fixture(scope="module")
def series(sessions: list[Path], norm_file: Path) -> Report:
    return make_report(read_groups(sessions), read_norm(norm_file))


def test_numbers_of_the_sessions_are_those_of_their_pages(series: Report) -> None:
    found = series_of(series)
    assert found is not None
    assert found.by_date
    assert [row[:2] for row in found.rows] == [
        ("first", "2024-01-10"), ("second", "2024-04-10"), ("third", "2025-01-10"),
    ]  # fmt: skip
    for view, row in zip(series.views, found.rows, strict=True):
        wanted = [f"{r.values[s]:.{r.digits}f}" for r in view.numbers for s in ("left", "right")]
        assert list(row[2:]) == wanted


def test_the_dates_of_three_sessions_are_a_list_in_a_sentence(series: Report) -> None:
    assert " \u00b7 2024-01-10, 2024-04-10 and 2025-01-10 \u00b7 " in fact_line(series)


def test_the_page_opens_with_the_last_session_and_its_change(series: Report) -> None:
    assert opens_with(series) == 2
    text = page_text(series)
    assert "Over time" in text
    assert "Since first" in text
    assert text.count('data-pair="0"') == text.count('data-pair="1"') == 2
    shown = [part for part in text.split('<div class="pair')[1:] if " hidden>" not in part[:90]]
    assert [part[:60].split('data-pair="')[1][0] for part in shown] == ["1"]
    assert len(clinic_sheets(series)) == 9  # three, one over time, two a side, one of the patient


def test_two_sessions_or_trials_of_one_are_no_series(compared: Report, session: Path) -> None:
    assert series_of(compared) is None
    two = [session / "walk01", session / "walk02"]
    assert series_of(make_report(read_groups(two, compare=True))) is None


def test_points_lie_at_their_dates_on_the_norm_of_their_session() -> None:
    values = {"left": [1.0, None, 3.0], "right": [2.0, 2.0, 2.0]}
    norms = [Expected(2.0, 0.5), Expected(2.0, 0.5), Expected(3.0, 0.5)]
    marks = series_drawing(values, norms, [0.0, 0.25, 1.0], ["a", "b", "c"])
    dots = {s: [m for m in marks if isinstance(m, Area) and m.name == f"{s} session"]
            for s in ("left", "right")}  # fmt: skip
    assert [len(one) for one in dots.values()] == [2, 3]
    across = [float(m.points[:, 0].mean()) for m in dots["right"]]
    inner = (across[2] - across[0]) / PLOT
    assert across[1] == pytest.approx(across[0] + 0.25 * (across[2] - across[0]))
    assert LEFT_EDGE < across[0] < across[2] < LEFT_EDGE + PLOT
    assert 0.8 < inner < 1.0
    heights = [float(m.points[:, 1].mean()) for m in dots["left"]]
    wide, near = (m for m in marks if isinstance(m, Area) and m.name == "norm")
    unit = (heights[1] - heights[0]) / 2
    assert np.ptp(near.points[:, 1]) == pytest.approx(2 * unit)  # from 1.5 to 3.5
    assert np.ptp(wide.points[:, 1]) == pytest.approx(3 * unit)
    assert [m.text for m in marks if isinstance(m, TextLine)][-3:] == ["c", "b", "a"]

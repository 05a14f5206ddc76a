"""Pages of the report in a headless Chromium that may reach nothing but the page's own file."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.browser.driven_page import DrivenPage

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    MakeResults = Callable[..., Path]
    OpenPage = Callable[..., DrivenPage]

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_WITHOUT = (
    "AimEnabled,AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,"
    "MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch,"
    "PreloadTopChromeWebUI,ThirdPartyStoragePartitioning,WebUIOmniboxAimPopup,"
    "WebUIOmniboxFullPopup,WebUIOmniboxPopup"
)
"""What playwright turns off by the same switch, of which the last one counts; and pages that
Chromium makes for its own window, half of the cost of opening one here."""
_NORM_SD = {"deg": 4.0, "N m/kg": 0.2, "W/kg": 0.4, "N/kg": 0.5}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A Chromium of the system."""
    driver = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    program = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"needs a Chromium: none of {', '.join(_NAMES)} is on the path")
    with driver.sync_playwright() as playwright:
        try:
            switches = ["--no-sandbox", f"--disable-features={_WITHOUT}"]
            browser = playwright.chromium.launch(executable_path=program, args=switches)
        except driver.Error as error:
            pytest.skip(f"{program} does not start: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def make_results(synthetic: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Process a trial of the synthetic session once with some options; return the folder."""
    from gaitdyn.pipeline import process_trial
    from gaitdyn.store import ResultsFolder, write_results
    from gaitdyn.types.options import Options

    made: dict[Any, Path] = {}

    def make(trial: Path = synthetic / "walk01.c3d", **words: Any) -> Path:
        key = trial, *sorted(words.items())
        if key not in made:
            out = tmp_path_factory.mktemp("results")
            folder = ResultsFolder.prepare(out, trial, [])
            write_results(folder, process_trial(trial, replace(Options(), **words)))
            made[key] = folder.path
        return made[key]

    return make


@pytest.fixture(scope="session")
def norm_file(make_results: MakeResults, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reference set that lies 1.5 SD above the walker's own left cycles, which it lists."""
    from gaitdyn.cycles.averages import whole_cycles
    from gaitdyn.metrics.norms.files import read_norm
    from gaitdyn.store import read_trial

    cycles = [c for c in read_trial(make_results()).cycles if c.cycle.side == "left"]
    lines = ["group,speed,count,curve,percent,mean,sd,unit"]
    for name, unit in zip(cycles[0].names, cycles[0].units, strict=True):
        known = whole_cycles(np.stack([c.curve(name) for c in cycles]))
        if "force" in name or unit not in _NORM_SD or not len(known):
            continue
        mean = known.mean(axis=0)
        lines += [
            f"free,0.4,30,{name},{p},{mean[p] + 1.5 * _NORM_SD[unit]:.6f},{_NORM_SD[unit]},{unit}"
            for p in range(0, 101, 2)
        ]
    path = tmp_path_factory.mktemp("norm") / "own-adults.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    read_norm(path)
    return path


@pytest.fixture(scope="session")
def open_page(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenPage]:
    """Make a report of some results folders and open it from disk."""
    from gaitdyn.metrics.norms.files import read_norm
    from gaitdyn.report import make_report, read_groups, write_report

    opened: list[DrivenPage] = []

    def open_it(*folders: Path, norm: Path | None = None, compare: bool = False) -> DrivenPage:
        groups = read_groups(folders, compare=compare)
        report = make_report(groups, None if norm is None else read_norm(norm))
        path = tmp_path_factory.mktemp("page") / "report.html"
        write_report(report, [path])
        opened.append(DrivenPage.opened(chromium, path))
        return opened[-1]

    yield open_it
    for driven in opened:
        driven.page.context.close()


@pytest.fixture(scope="session")
def main_page(open_page: OpenPage, make_results: MakeResults, norm_file: Path) -> DrivenPage:
    """The page of the synthetic walk with a reference set."""
    return open_page(make_results(), norm=norm_file)


@pytest.fixture
def driven(main_page: DrivenPage) -> Iterator[DrivenPage]:
    """The main page as it opens; nothing may go wrong on it meanwhile."""
    main_page.reset()
    yield main_page
    assert main_page.problems == []


@pytest.fixture(scope="session")
def plain_page(open_page: OpenPage, make_results: MakeResults) -> DrivenPage:
    """A page of external moments in laboratory axes, without a reference set."""
    return open_page(make_results(moments_in="lab", convention="external"))

"""What a report costs, and pictures of one.

usage: python benchmarks/report.py [--pictures]

Prints size and processor time of page and PDF of one trial, of one with bands, terms, cut-offs and
a sweep, and of a session of ten; the words before the engineer's part; and, in headless Chromium
(with playwright), after how long the first curve and the whole page are painted. ``--pictures``
writes reports/demo/*.png, of three walks with a stiff left knee against a reference set: the page
in Chromium and the sheets of the PDF.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from usage import help_shown
from walkers.stiff_knee import stiff_knee

import gaitdyn
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.pipeline import process_trial
from gaitdyn.plots.png import png_bytes
from gaitdyn.report import make_report, read_groups, write_report
from gaitdyn.report.paper.clinic import clinic_sheets
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.synthetic import Recording, Walker, write_session
from gaitdyn.types.options import Options
from gaitdyn.uncertainty.on_demand import keepers_of

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "reports" / "demo"
SCREENS = {1440: "page-top", 1024: "page-1024", 400: "page-400"}
SECTIONS = ("kinematics", "kinetics")
MOST_WORDS = 400
RECORDING = Recording(marker_noise_mm=0.5, force_noise_n=1.0)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


NORM = "schwartz2008"
VISIT = """\
[report]
date = 2026-11-20
laboratory = "Synthetic laboratory"
diagnosis = "stiff left knee (a synthetic walker)"
aids = "none"

[subject]
id = "S01"
sex = "m"
age_years = 16
"""


def make_patient(place: Path) -> Path:
    """Write three walks with a stiff left knee, process them and return their results."""
    session = place / "session"
    write_session(session, stiff_knee(), RECORDING, trials=3)
    (session / "session.toml").write_text(VISIT, encoding="utf-8")
    for trial in sorted(session.glob("walk*.c3d")):
        result = gaitdyn.process_trial(trial, terms=True, condition="barefoot")
        result.save(place / "results" / trial.stem)
    return place / "results"


def make_results(place: Path, trials: int) -> Path:
    """Write a synthetic session, process it and return the folder of its results."""
    write_session(place / "session", Walker(), RECORDING, trials=trials)
    for trial in sorted((place / "session").glob("walk*.c3d")):
        folder = ResultsFolder.prepare(place / "results", trial)
        write_results(folder, process_trial(trial))
    return place / "results"


def make_rich(place: Path) -> Path:
    """Process the first trial with all that is written on demand; return its folder."""
    trial = place / "session" / "walk01.c3d"
    options = replace(Options(), terms=True, uncertainty="default")
    folder = ResultsFolder.prepare(place / "rich", trial)
    result = process_trial(trial, options)
    for keep in keepers_of(options, sensitivity=True, sweeps=["cutoff=6,15"]):
        keep(result)
    write_results(folder, result)
    return folder.path


def words_before(text: str) -> int:
    """Return how many words stand in paragraphs and list items before the engineer's part."""
    before, _, _ = text.partition('id="engineer"')
    blocks = re.findall(r"<(?:p|li)[ >].*?</(?:p|li)>", before, re.DOTALL)
    return sum(len(re.sub(r"<[^>]+>", " ", block).split()) for block in blocks)


def painted(page: Path) -> tuple[float, float]:
    """Return after how many ms the first contents and the whole page are painted, median of 5."""
    from playwright.sync_api import sync_playwright

    first, whole = [], []
    told = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
    loaded = "() => performance.getEntriesByType('navigation')[0].loadEventEnd"
    browser = next(path for name in BROWSERS if (path := shutil.which(name)))
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for _ in range(5):
            tab = chromium.new_page(viewport={"width": 1440, "height": 900})
            tab.goto(page.as_uri())
            tab.wait_for_selector("body[data-ready=yes]")
            tab.wait_for_timeout(300)
            first.append(float(tab.evaluate(told)))
            whole.append(float(tab.evaluate(loaded)))
            tab.close()
        chromium.close()
    return median(first), median(whole)


def measure(
    results: Path, rich: Path, *, look: bool = False
) -> list[tuple[str, str, float, float]]:
    """Return and print what, ending, MB and seconds: one trial, the rich one and all.

    With ``look`` also the words of each page, and after how long it is painted.
    """
    rows = []
    trials = sorted(p.parent for p in results.glob("*/result.json"))
    paths = (("1 trial", trials[0]), ("1 rich", rich), (f"{len(trials)} trials", results))
    for name, path in paths:
        for ending in (".html", ".pdf"):
            file = results.parent / f"report{ending}"
            start = time.process_time()
            write_report(make_report(read_groups([path])), [file], force=True)
            seconds = time.process_time() - start
            rows.append((name, ending, file.stat().st_size / 1e6, seconds))
            print("{:10s} {:6s} {:6.2f} MB {:6.2f} s".format(*rows[-1]))
            if look and ending == ".html":
                count = words_before(file.read_text(encoding="utf-8"))
                print(f"{'':10s} {count} words before the engineer, at most {MOST_WORDS}")
                if find_spec("playwright"):
                    first, whole = painted(file)
                    print(f"{'':10s} painted after {first:.0f} ms, loaded after {whole:.0f} ms")
    return rows


def take_pictures(results: Path) -> None:
    """Write pictures of the page at three widths and of the sheets of the PDF of a session."""
    from playwright.sync_api import sync_playwright

    browser = next(path for name in BROWSERS if (path := shutil.which(name)))
    page = results.parent / "demo.html"
    report = make_report(read_groups([results]), read_norm(NORM))
    write_report(report, [page])
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for width, name in SCREENS.items():
            tab = chromium.new_page(
                viewport={"width": width, "height": 900}, reduced_motion="reduce"
            )
            tab.goto(page.as_uri())
            tab.wait_for_selector("body[data-ready=yes]")
            tab.screenshot(path=PICTURES / f"{name}.png")
            if width == max(SCREENS):
                for section in SECTIONS:
                    tab.locator(f"#{section}").screenshot(path=PICTURES / f"page-{section}.png")
                tab.click("#to-engineer")
                tab.screenshot(path=PICTURES / "page-engineer.png")
            tab.close()
        chromium.close()
    for number, sheet in enumerate(clinic_sheets(report), 1):
        (PICTURES / f"pdf-{number}.png").write_bytes(png_bytes(sheet, 60))


def main() -> None:
    """Measure, and draw if asked."""
    with tempfile.TemporaryDirectory() as name:
        results = make_results(Path(name), 10)
        rich = make_rich(Path(name))
        measure(results, rich, look=True)
        if "--pictures" in sys.argv[1:]:
            take_pictures(make_patient(Path(name) / "patient"))


if __name__ == "__main__":
    help_shown(__doc__)
    main()

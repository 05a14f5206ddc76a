"""What a report costs, and pictures of the demo's report.

usage: python benchmarks/report.py [--pictures]

Prints size and processor time of the page and the PDF of one trial, of one with bands, terms,
cut-offs and a sweep, and of a session of ten. ``--pictures`` writes reports/demo/*.png: sections of
the page in headless Chromium (with playwright), pages of the PDF (with pdftoppm).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from gaitdyn.pipeline import process_trial
from gaitdyn.report import make_report, read_groups, write_report
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.synthetic import Recording, Walker, write_session
from gaitdyn.types.options import Options
from gaitdyn.uncertainty import find_uncertainty, write_uncertainty
from gaitdyn.uncertainty.cutoffs import find_sensitivity
from gaitdyn.uncertainty.peak_files import write_sensitivity, write_sweep
from gaitdyn.uncertainty.sweeps import find_sweep, parse_sweeps

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "reports" / "demo"
SECTIONS = ("verdict", "quality", "parameters", "kinematics", "kinetics", "trust", "figure")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def make_results(place: Path, trials: int) -> Path:
    """Write a synthetic session, process it and return the folder of its results."""
    recording = Recording(marker_noise_mm=0.5, force_noise_n=1.0)
    write_session(place / "session", Walker(), recording, trials=trials)
    for trial in sorted((place / "session").glob("walk*.c3d")):
        folder = ResultsFolder.prepare(place / "results", trial)
        write_results(folder, process_trial(trial))
    return place / "results"


def make_rich(place: Path) -> Path:
    """Process the first trial with all that is written on demand; return its folder."""
    trial = place / "session" / "walk01.c3d"
    options = replace(Options(), terms=True)

    def write_more(aside: Path) -> None:
        write_uncertainty(aside, result, find_uncertainty(result), figure=False)
        write_sensitivity(aside, find_sensitivity(result), trial.stem, figure=False)
        sweep = find_sweep(result, parse_sweeps(["cutoff=6,15"]))
        write_sweep(aside, sweep, trial.stem, figure=False)

    folder = ResultsFolder.prepare(place / "rich", trial)
    result = process_trial(trial, options)
    write_results(folder, result, write_more=write_more)
    return folder.path


def measure(results: Path, rich: Path) -> list[tuple[str, str, float, float]]:
    """Return and print what, ending, MB and seconds: one trial, the rich one and all."""
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
    return rows


def take_pictures(trial: Path) -> None:
    """Write pictures of the page's sections and of the PDF's pages of a trial."""
    from playwright.sync_api import sync_playwright

    browser = next(path for name in BROWSERS if (path := shutil.which(name)))
    files = [trial.parent / "demo.html", trial.parent / "demo.pdf"]
    write_report(make_report(read_groups([trial])), files)
    PICTURES.mkdir(parents=True, exist_ok=True)
    flags = ["--no-sandbox", "--enable-unsafe-swiftshader"]
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=browser, args=flags)
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        page.goto(files[0].as_uri())
        page.wait_for_selector("body[data-ready=yes]")
        page.wait_for_timeout(1500)
        page.add_style_tag(content="#controls { position: static !important; }")
        page.screenshot(path=PICTURES / "page-top.png")
        for section in SECTIONS:
            page.locator(f"#{section}").screenshot(path=PICTURES / f"page-{section}.png")
        chromium.close()
    pdftoppm = shutil.which("pdftoppm")
    if pdftoppm:
        with tempfile.TemporaryDirectory() as place:
            command = [pdftoppm, "-r", "60", "-png", str(files[1]), f"{place}/pdf"]
            subprocess.run(command, check=True)
            for number, path in enumerate(sorted(Path(place).glob("*.png")), 1):
                shutil.copy(path, PICTURES / f"pdf-{number}.png")


def main() -> None:
    """Measure, and draw if asked."""
    with tempfile.TemporaryDirectory() as name:
        results = make_results(Path(name), 10)
        rich = make_rich(Path(name))
        measure(results, rich)
        if "--pictures" in sys.argv[1:]:
            take_pictures(rich)


if __name__ == "__main__":
    main()

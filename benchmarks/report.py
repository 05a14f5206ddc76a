"""What a report costs, and pictures of the demo's report.

usage: python benchmarks/report.py [--pictures]

Prints size and processor time of the page and the PDF of one trial and of a session of ten.
``--pictures`` writes reports/demo/*.png: sections of the page in headless Chromium (with
playwright), pages of the PDF (with pdftoppm).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gaitdyn.pipeline import process_trial
from gaitdyn.report import make_report, read_groups, write_report
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.synthetic import Recording, Walker, write_session

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "reports" / "demo"
SECTIONS = ("verdict", "quality", "parameters", "kinematics", "kinetics", "figure")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def make_results(place: Path, trials: int) -> Path:
    """Write a synthetic session, process it and return the folder of its results."""
    recording = Recording(marker_noise_mm=0.5, force_noise_n=1.0)
    write_session(place / "session", Walker(), recording, trials=trials)
    for trial in sorted((place / "session").glob("walk*.c3d")):
        folder = ResultsFolder.prepare(place / "results", trial)
        write_results(folder, process_trial(trial))
    return place / "results"


def measure(results: Path) -> list[tuple[str, str, float, float]]:
    """Return and print what, ending, MB and seconds of the reports of one trial and of all."""
    rows = []
    trials = sorted(p.parent for p in results.glob("*/result.json"))
    for name, path in (("1 trial", trials[0]), (f"{len(trials)} trials", results)):
        for ending in (".html", ".pdf"):
            file = results.parent / f"report{ending}"
            start = time.process_time()
            write_report(make_report(read_groups([path])), [file], force=True)
            seconds = time.process_time() - start
            rows.append((name, ending, file.stat().st_size / 1e6, seconds))
            print("{:10s} {:6s} {:6.2f} MB {:6.2f} s".format(*rows[-1]))
    return rows


def take_pictures(results: Path) -> None:
    """Write pictures of the page's sections and of the PDF's pages."""
    from playwright.sync_api import sync_playwright

    browser = next(path for name in BROWSERS if (path := shutil.which(name)))
    trial = min(results.glob("*/result.json")).parent
    files = [results.parent / "demo.html", results.parent / "demo.pdf"]
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
        measure(results)
        if "--pictures" in sys.argv[1:]:
            take_pictures(results)


if __name__ == "__main__":
    main()

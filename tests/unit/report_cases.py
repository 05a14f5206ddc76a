"""Results folders for the tests of reports: walkers of several kinds, and changed copies."""

from __future__ import annotations

import csv
import json
import shutil
from copy import deepcopy
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.pipeline import process_trial
from gaitdyn.plots.panels import KINEMATICS, KINETICS
from gaitdyn.store import ResultsFolder, StoredTrial, read_trial, write_results
from gaitdyn.store.visit import VISIT
from gaitdyn.synthetic import Recording, Walker, write_trial
from gaitdyn.tables.answers import COUNTING
from gaitdyn.types.cycles import Cycle, CycleCurves
from gaitdyn.types.options import Options
from tests.read_back import rows_of
from tests.sealed import close_again
from tests.walks import stand, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.ft2font import FT2Font

    from gaitdyn.trial import Result

Rows = list[dict[str, str]]
NOISY = Recording(marker_noise_mm=1.0, force_noise_n=1.0)
VIEW = "view-of-a-test.json"
PANELS = [panel for grid in (KINEMATICS, KINETICS) for row in grid for panel in row]


def results_of(trial: Path, out: Path, options: Options | None = None) -> Path:
    """Process a trial and return its results folder."""
    return written(process_trial(trial, options or Options()), trial, out)


def written(result: Result, trial: Path, out: Path) -> Path:
    folder = ResultsFolder.prepare(out, trial)
    write_results(folder, result)
    return folder.path


def recorded(folder: Path, recording: Recording, names: Iterable[str] = ("walk01",)) -> list[Path]:
    """Write a static and trials of the walker, with other noise in each."""
    folder.mkdir(parents=True, exist_ok=True)
    write_trial(folder / "static.c3d", stand(Walker(), replace(recording, gaps=())))
    paths = []
    for stream, name in enumerate(names, 1):
        paths.append(folder / f"{name}.c3d")
        write_trial(paths[-1], walk(Walker(), recording), stream=stream)
    return paths


def copied(folder: Path, to: Path) -> Path:
    """Return a copy of a results folder, to be damaged or changed."""
    shutil.copytree(folder, to)
    return to


def change_rows(path: Path, change: Callable[[dict[str, str]], dict[str, Any] | None]) -> None:
    """Change each row of a table; a row of which nothing comes back is left out."""
    rows = rows_of(path)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(found for row in rows if (found := change(row)) is not None)
    close_again(path.parent)


_READ: dict[tuple[bytes, ...], StoredTrial] = {}
"""Trials by the bytes of their document, which has the hash of the values, and of their visit."""


def as_read(folder: Path) -> StoredTrial:
    """Return what ``read_trial`` returns; of copies that differ in their tables it is read once."""
    read_from = (folder / "result.json", folder / VISIT)
    told = tuple(path.read_bytes() if path.is_file() else b"" for path in read_from)
    if told not in _READ:
        _READ[told] = read_trial(folder)
    trial = _READ[told]
    own = {name: deepcopy(getattr(trial, name)) for name in ("document", "view", "counting")}
    return replace(trial, path=folder, **own)


def view_in(folder: Path) -> dict[str, Any]:
    """Return the view of a results folder as the tests changed it in a file of their own."""
    path = folder / VIEW
    return json.loads(path.read_text("utf-8")) if path.is_file() else as_read(folder).view


def change_view(folder: Path, change: Callable[[Any], None]) -> None:
    view = json.loads(json.dumps(view_in(folder)))
    change(view)
    (folder / VIEW).write_text(json.dumps(view), encoding="utf-8")


def change_json(path: Path, change: Callable[[Any], None]) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")
    close_again(path.parent)


@cache
def strides_of(table: str) -> tuple[tuple[str, ...], dict[tuple[str, str], Any]]:
    """Return the names of the curves in the text of a ``cycles.csv``, and the values by cycle."""
    head, *rows = csv.reader(table.splitlines())
    found: dict[tuple[str, str], list[list[float]]] = {}
    curves = slice(3, -len(COUNTING))
    for row in rows:
        side, cycle, values = row[0], row[1], row[curves]
        found.setdefault((side, cycle), []).append([float(value or "nan") for value in values])
    return tuple(head[curves]), {key: np.array(lines) for key, lines in found.items()}


def edited(folder: Path, _check: str = "sizes") -> StoredTrial:
    """Return a trial with its tables and its view as a test changed them in its folder."""
    close_again(folder)
    trial = as_read(folder)
    view = view_in(folder)
    names, strides = strides_of((folder / "cycles.csv").read_text(encoding="utf-8"))
    figure, cycles = view["figure"], []
    for told in view["cycles"]:
        values = strides.get((told["side"], str(told["cycle"])), np.array([]))
        start, stop = (
            told[key] * figure["rate_hz"] + 1 - figure["first_frame"]
            for key in ("start_s", "stop_s")
        )
        cycle = Cycle(told["side"], told["cycle"], start, stop, told["foot_off_percent"])
        units = {n: u for c in trial.cycles for n, u in zip(c.names, c.units, strict=True)}
        cycles.append(CycleCurves(cycle, names, tuple(units[n] for n in names), values))
    tables = {name: rows_of(folder / f"{name}.csv") for name in trial.tables}
    return replace(trial, view=view, cycles=tuple(cycles), tables=tables)


def without_side(folder: Path, side: str) -> None:
    """Take every cycle of one side out of a results folder."""

    def one_side(view: Any) -> None:
        kept = [i for i, told in enumerate(view["cycles"]) if told["side"] != side]
        view["cycles"] = [view["cycles"][i] for i in kept]
        for pack in view["moments"].values():
            pack["curves"] = [pack["curves"][i] for i in kept if pack["curves"]]

    change_view(folder, one_side)
    for name in ("cycles", "gait_parameters", "peaks"):
        change_rows(folder / f"{name}.csv", lambda row: None if row["side"] == side else row)

    def fewer(document: Any) -> None:
        document["status"] = [row for row in document["status"] if row["side"] != side]

    change_json(folder / "result.json", fewer)


def offset_norm(path: Path, folder: Path, offset: float, names: Iterable[str] = ()) -> Path:
    """Write a reference set of the left cycle 1 of a trial, its angles by a constant lower."""
    rows = [
        row
        for row in rows_of(folder / "cycles.csv")
        if (row["side"], row["cycle"]) == ("left", "1")
    ]
    units = {panel.name: panel.unit for panel in PANELS}
    lines = ["# source: made by hand", "group,speed,count,curve,percent,mean,sd,unit"]
    for name in names or [n for n in units if rows[0].get(n)]:
        below = offset if units[name] == "deg" else 0.0
        lines += [
            f"free,0.42,30,{name},{row['percent']},{float(row[name]) - below:.9g},1.5,{units[name]}"
            for row in rows
        ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@cache
def font_of(path: Path) -> FT2Font:
    """Return a font at 100 points."""
    from matplotlib.ft2font import FT2Font

    font = FT2Font(str(path))
    font.set_size(100.0, 72)
    return font


@cache
def dejavu() -> Path:
    """Return the file of DejaVu Sans."""
    from matplotlib import get_data_path

    return Path(get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


@cache
def advance(character: str, path: Path) -> float:
    """Return how wide a character is in a font, mm a point of its size."""
    glyph = font_of(path).load_char(ord(character))
    return glyph.linearHoriAdvance / 65536 / 100.0 * 25.4 / 72.0


def true_width(text: str, size_pt: float) -> float:
    """Return how wide a text is in DejaVu Sans, mm."""
    path = dejavu()
    return size_pt * sum(advance(character, path) for character in text)


def printed_width(text: str, size_pt: float) -> float:
    """Return how wide a text is in the type of gaitdyn, mm."""
    path = Path(str(files("gaitdyn") / "resources" / "type" / "inter-400.ttf"))
    return size_pt * sum(advance(character, path) for character in text)


def constant(value: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.full(101, value)

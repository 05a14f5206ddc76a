"""What gaitdyn makes of real recordings of many makers: writes docs/makers.md.

usage: python benchmarks/corpus_table.py

Every file of ../shared/corpus/gait goes through ``process_trial``, and every file of
../shared/corpus/hostile too; nothing of them is copied but counts and words of their parameters.
"""

from __future__ import annotations

import io
import sys
import warnings
from collections import Counter
from pathlib import Path

from usage import help_shown

from gaitdyn.calibrate.models.choice import choose_model
from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.errors import GaitdynError
from gaitdyn.io.c3d.parameters import read_parameters
from gaitdyn.io.recording import read_recording
from gaitdyn.pipeline import process_trial
from gaitdyn.quality import cycle_status, verdict
from gaitdyn.quality.rules import findings_of
from gaitdyn.store.document import document_of
from gaitdyn.tables.columns import run_curves
from gaitdyn.trial import Result

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
PAGE = ROOT / "docs" / "makers.md"

NOT_WALKING = "nobody walks in it"
HEAD = {
    "gait": (
        "file", "maker or program", "marker model", "plates (type)", "unit", "up, walking", "Hz",
        "points / analog channels", "frames", "events in file", "stances: plate foot (frames)",
        "kinetics", "verdict",
    ),
    "hostile": ("file", "what is said"),
}  # fmt: skip

OPENING = """# Real recordings of many makers

What `gaitdyn process` makes of the recordings that the validation uses, without any option (no
mass, no static named): the static beside the file is found by the program. The page is written by
`python benchmarks/corpus_table.py`.

- maker or program: what the file says of itself (MANUFACTURER), else its folder in brackets.
- plates: number and C3D type; `refused` are left out, with the reason in `quality.csv`.
- stances: plate number, foot (L, R; `?` both or none), first to last frame as numbered in the
  file; `~` partial, `x` not used.
- kinetics: cycles whose moments are known at all three joints in all frames, of all cycles; or why
  there are none.
"""

OPENSIM = """## Ground forces against OpenSim
OpenSim's test data hold the ground forces of OpenSim/walking5.c3d, 90 samples of two plates, once
about the centre of the surface (`std_walking5_grfs.sto`), once at the centre of pressure
(`std_cop_walking5_grfs.sto`), and its markers. `tests/real/test_references.py` compares.

| | OpenSim | gaitdyn | compared |
|---|---|---|---|
| force | on the subject, axes of the file | the same, then axes with y up | each sample, 1e-8 N |
| moment | about the centre of the surface | the same | each sample, 1e-8 N m |
| centre of pressure | n x M / (F.n) in the surface | the same formula | each sample, 1e-8 m |
| Tz | moment left at the centre of pressure | the same: free moment | each sample, 1e-8 N m |
| baseline | kept: 13 to 21 N downwards | unloaded median removed | less their own, below |
| filter | none | low-pass, spline at 10 Hz | before the spline, below |
| threshold | none | max(50 N, 5 % of body weight) | centres of pressure above 200 N |
| rate | an analog sample each 0.05 s | marker rate | mean of two frames in between |

At the marker rate, with the median of OpenSim's own unloaded samples taken away: forces within
8 N, moments within 1 N m; above 200 N the centre of pressure within 1 mm and the free moment
within 0.3 N m. With OpenSim's baseline left in, its centre of pressure lies up to 25 mm from
ours. Markers are equal to the five digits that OpenSim wrote. The file with the centre of pressure
stems from OpenSim's days with ezc3d, which reads the data here too: it tests the plate mechanics,
not the reading.
"""


def main() -> int:
    """Write the page; print how many files of each kind there are."""
    if not CORPUS.is_dir():
        print("needs ../shared/corpus, which is not here")
        return 1
    warnings.simplefilter("error")
    import_reader()
    gait = [gait_row(path) for path in files("gait")]
    hostile = [(path.name, said_of(path)) for path in files("hostile")]
    counts = Counter(row[-1] for row in gait)
    summary = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
    page = [
        OPENING,
        f"## Gait laboratories\n{len(gait)} files: {summary}.\n",
        table(HEAD["gait"], gait),
        f"## Odd, damaged and hostile files\n{len(hostile)} files; what is said of each.\n",
        table(HEAD["hostile"], hostile),
        OPENSIM,
    ]
    PAGE.write_text("\n".join(page), encoding="utf-8")
    print(f"{len(gait)} gait files ({summary}), {len(hostile)} hostile files")
    return 0


def import_reader() -> None:
    """Import the reader of C3D files, whose import warns, before warnings are errors."""
    with warnings.catch_warnings(), io.StringIO():
        warnings.simplefilter("ignore")
        import ezc3d  # noqa: F401


def files(folder: str) -> list[Path]:
    """Return the C3D files below a folder of the corpus."""
    found = (CORPUS / folder).rglob("*")
    return sorted(path for path in found if path.suffix.lower() == ".c3d")


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def gait_row(path: Path) -> tuple[str, ...]:
    """Return the cells of one recording of a gait laboratory."""
    recording = read_recording(path)
    params = read_parameters(path)[1]
    try:
        model = choose_model(recording).model.name
    except GaitdynError as refusal:
        model = said(refusal, path)
    kinds = Counter(
        f"type {plate.kind}" + (" refused" if plate.problem else "") for plate in recording.plates
    )
    first = (
        f"{path.parent.name}/{path.name}",
        maker(path),
        model,
        ", ".join(f"{count} x {kind}" for kind, count in kinds.items()) or "none",
        recording.units["points"],
    )
    second = (
        f"{recording.rate_hz:g}",
        f"{params.count('POINT', 'USED')} / {params.count('ANALOG', 'USED') or 0}",
        str(recording.n_frames),
        str(len(recording.events) or "no"),
    )
    try:
        result = process_trial(path)
    except GaitdynError as refusal:
        why = said(refusal, path)
        standing = NOT_WALKING in why
        return (*first, "-", *second, "-", why.split(";")[0], "static" if standing else "refused")
    return (*first, axes(result), *second, stances(result), *kinetics(result))


def maker(path: Path) -> str:
    """Return company and program that wrote a file, or its folder in brackets."""
    params = read_parameters(path)[1]
    texts = []
    for name in ("COMPANY", "SOFTWARE"):
        try:
            texts += params.strings("MANUFACTURER", name)[:1]
        except GaitdynError:
            continue
    if len(texts) > 1 and texts[1].startswith(texts[0].strip()):
        del texts[0]
    words = " ".join(" ".join(texts).split())
    return words or f"[{path.parent.name}]"


def axes(result: Result) -> str:
    """Return the laboratory's axes that point up and along the walk."""
    document = document_of(result)["file"]
    return f"{document['up']}, {document['forward']}"


def stances(result: Result) -> str:
    """Return every load run with plate, foot and frames."""
    letters, marks = {"left": "L", "right": "R"}, {"partial": "~", "rejected": "x"}
    first = result.recording.first_frame
    cells = [
        f"{c.plate}{letters.get(c.side, '?')}{marks.get(c.verdict, '')}"
        f" ({c.start + first}-{c.stop + first - 1})"
        for c in result.contacts
    ]
    return ", ".join(cells) or "none"


def kinetics(result: Result) -> tuple[str, str]:
    """Return the usable cycles, or why there are none, and the verdict."""
    cycles = cycle_curves(result, run_curves(result))
    statuses = cycle_status(result, cycles)
    final = verdict(result, statuses)
    if result.no_kinetics:
        return result.no_kinetics.split(";")[0], final
    if not cycles:
        return "no whole cycle", final
    states: dict[tuple[str, int], set[str]] = {}
    for status in statuses:
        states.setdefault((status.side, status.cycle), set()).add(status.status)
    usable = Counter(side for (side, _), found in states.items() if found == {"ok"})
    text = f"{sum(usable.values())} of {len(states)} cycles"
    if usable:
        return f"{text} (L {usable['left']}, R {usable['right']})", final
    reasons = Counter(status.reason for status in statuses if status.reason)
    return f"{text}: {reasons.most_common(1)[0][0]}", final


def said(refusal: GaitdynError, path: Path) -> str:
    """Return a refusal without the name of the file at its start."""
    return " ".join(str(refusal).split()).removeprefix(f"{path.name}: ")


def said_of(path: Path) -> str:
    """Return what comes of a hostile file."""
    try:
        result = process_trial(path)
    except GaitdynError as refusal:
        return f"refused: {said(refusal, path)}"
    words, final = kinetics(result)
    warned = [f.message for f in findings_of(result) if f.level != "info"]
    return f"processed, {final}: {'; '.join([words, *warned])}"


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())

"""What the rules of quality measure on untouched trials: where their limits come from.

usage: python benchmarks/limits.py     writes reports/validation/limits.md

Every recording of ../shared/corpus/gait that can be processed, and the synthetic walker, is run
with limits that let each rule tell its value; the smallest and the largest of all trials stand
beside the limit of the table. Trials with a fault of their own are in it: see the names.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from quality_page import AT_LEAST
from usage import help_shown

from gaitdyn.errors import GaitdynError
from gaitdyn.pipeline import process_trial
from gaitdyn.quality.rules import QualityRule, load_rules
from gaitdyn.synthetic import Walker, write_session
from gaitdyn.types.options import Options

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus" / "gait"
PAGE = ROOT / "reports" / "validation" / "limits.md"
WALKER = "walker, no noise"
Value = tuple[str, str, float]
"""Code, trial, value."""

OPENING = """# What untouched trials measure

The value of every rule of quality with a limit, on the {trials} recordings of the corpus that can
be processed and on the synthetic walker (default options; static found as always). A rule speaks
above its limit, those of the second table below it. A value beyond the limit is a trial that
carries the doubt as it was recorded. Limits and what to do: [quality.md](../../docs/quality.md).
Written by `python benchmarks/limits.py`.

"""


def open_limits(rules: tuple[QualityRule, ...]) -> str:
    """Return a file for ``--quality`` with which every rule that has a limit tells its value."""
    far = {rule.code: 1e9 if rule.code in AT_LEAST else -1e9 for rule in rules}
    least = {rule.code: "least = 0.0\n" * (rule.least is not None) for rule in rules}
    return "".join(f"[{code}]\nlimit = {far[code]}\n{least[code]}" for code in far)


def measured(trial: tuple[str, Path, str]) -> list[Value] | None:
    """Return what every rule measures on one trial, None where it cannot be processed."""
    name, path, quality = trial
    try:
        result = process_trial(path, Options(quality=quality, publish_anyway=True))
    except GaitdynError:
        return None
    return [(f.code, name, f.value) for f in result.findings if f.value is not None and f.limit]


def rows(
    rules: tuple[QualityRule, ...], values: list[Value], *, smallest_is_worst: bool
) -> list[str]:
    """Return a line for each rule: trials, range over the corpus, and the limit."""
    lines = []
    for rule in rules:
        if (rule.code in AT_LEAST) != smallest_is_worst:
            continue
        own = [(value, name) for code, name, value in values if code == rule.code]
        real = sorted((value, name) for value, name in own if name != WALKER)
        walker = [value for value, name in own if name == WALKER]
        if smallest_is_worst:
            real.reverse()
            walker = [-v for v in walker]
        best, worst, next_worst = "", "", ""
        if real:
            best, worst = f"{real[0][0]:.3g}", f"{real[-1][0]:.3g} ({real[-1][1]})"
            others = [(v, name) for v, name in real if name != real[-1][1]]
            next_worst = f"{others[-1][0]:.3g} ({others[-1][1]})" if others else ""
        low = "" if rule.low is None else f"{rule.low:g} to "
        unit = "" if rule.unit == "1" else f" {rule.unit}"
        synthetic = f"{abs(max(walker)):.3g}" if walker else ""
        cells = (
            f"`{rule.code}`", str(len({name for _, name in real})), best, next_worst, worst,
            synthetic, f"{low}{rule.limit:g}{unit}",
        )  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def page(rules: tuple[QualityRule, ...], values: list[Value], trials: int) -> str:
    """Return the page as text."""
    text = OPENING.format(trials=trials)
    for smallest, words in ((False, ("smallest", "largest")), (True, ("largest", "smallest"))):
        head = (
            "rule",
            "trials",
            words[0],
            f"{words[1]} but one trial",
            words[1],
            "walker",
            "limit",
        )
        lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
        lines += rows(rules, values, smallest_is_worst=smallest)
        text += "\n".join(lines) + "\n\n"
    return text.rstrip("\n") + "\n"


def main() -> int:
    """Print and write the page."""
    if not CORPUS.is_dir():
        print("needs ../shared/corpus, which is not here")
        return 1
    rules = tuple(rule for rule in load_rules().rows if rule.limit is not None)
    with tempfile.TemporaryDirectory() as folder:
        quality = Path(folder) / "open.toml"
        quality.write_text(open_limits(rules), encoding="utf-8")
        write_session(Path(folder), Walker(), trials=1)
        files = sorted(CORPUS.glob("**/*.[cC]3[dD]"))
        named = [(str(path.relative_to(CORPUS)), path) for path in files]
        named.append((WALKER, Path(folder) / "walk01.c3d"))
        with ProcessPoolExecutor() as pool:
            found = list(pool.map(measured, [(*one, str(quality)) for one in named]))
    values = [value for one in found if one is not None for value in one]
    text = page(rules, values, sum(one is not None for one in found) - 1)
    print(text)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())

"""Numbers of README, guide and reports agree with benchmarks/claims.toml and each other."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from tests.docs.pages import ROOT

TABLE = ROOT / "benchmarks" / "claims.toml"
CLAIMS = tomllib.loads(TABLE.read_text(encoding="utf-8")) if TABLE.is_file() else {}
needs_claims = pytest.mark.skipif(not CLAIMS, reason="benchmarks/ is not here")

_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
_WORDS |= {"ten": 10, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15}
_NUMBER = re.compile(r"(?<![\w.])\d*\.?\d+(?:e[-+]?\d+)?(?![\w])")


def numbers(text):
    """Return the numbers of a text in order, written as digits or as words."""
    spelled = re.sub(r"[A-Za-z]+", lambda w: str(_WORDS.get(w[0].lower(), w[0])), text)
    return [float(found) for found in _NUMBER.findall(spelled)]


def rounded(value, like):
    """Return a number with as many digits as another has."""
    digits = len(f"{like:e}".partition("e")[0].replace(".", "").rstrip("0"))
    return float(f"{value:.{max(digits, 1)}g}")


def page(name):
    """Return a page with every run of blanks as one."""
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


def rows_of(name, heading):
    """Return the cells of the table of a page whose first line begins with a heading."""
    lines = iter((ROOT / name).read_text(encoding="utf-8").splitlines())
    assert any(line.startswith(heading) for line in lines), f"{name} has no table {heading}"
    next(lines)
    found = []
    for line in lines:
        if not line.startswith("|"):
            return found
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


@needs_claims
@pytest.mark.parametrize("claim", CLAIMS.get("claim", []), ids=lambda c: c["says"])
def test_every_place_states_the_same_numbers(claim):
    for name, words in claim["places"].items():
        assert words in page(name), f"{name} does not say: {words}"
        assert numbers(words.removeprefix("Limits: ")) == claim["numbers"], f"{name}: {words}"


@needs_claims
@pytest.mark.parametrize("claim", CLAIMS.get("claim", []), ids=lambda c: c["says"])
def test_the_command_of_a_claim_is_there(claim):
    program, what = claim["command"].split()[:2]
    assert program in {"python", "pytest", "gaitdyn"}
    assert program == "gaitdyn" or (ROOT / what).exists(), claim["command"]


@needs_claims
def test_every_number_of_the_table_of_claims_is_claimed():
    said = [c["places"]["README.md"] for c in CLAIMS["claim"] if "README.md" in c["places"]]
    for claim, number, how in rows_of("README.md", "| claim | number |"):
        left = number
        for words in said:
            left = left.replace(words, "")
        assert not numbers(left), f"{claim}: {left} is not in benchmarks/claims.toml"
        assert "`" in how, f"{claim}: no command"


@needs_claims
@pytest.mark.parametrize("summary", CLAIMS.get("summary", []), ids=lambda s: s["words"])
def test_a_summary_is_that_of_its_table(summary):
    assert summary["words"] in page(summary["page"])
    table = rows_of(summary["table"], summary["heading"])
    chosen = [row for row in table if re.search(summary["rows"], row[0])]
    said = numbers(summary["words"])
    if summary["of"] == "count":
        assert said == [len(chosen)]
        return
    which = summary.get("number", 0)
    cells = [numbers(row[column])[which] for row in chosen for column in summary["columns"]]
    if summary["of"] == "at most":
        assert max(cells) <= said[0] < 2 * max(cells)
        return
    taken = {"range": [min(cells), max(cells)], "largest": [max(cells)]}
    assert said == [rounded(*both) for both in zip(taken[summary["of"]], said, strict=True)]


@needs_claims
def test_injected_faults_are_named_as_often_as_readme_says():
    counts = []
    for fault, *trials in rows_of("reports/validation/faults.md", "| fault |")[1:]:
        named = sum(": nothing" not in cell and not cell.startswith("pass") for cell in trials)
        assert named >= 3, fault
        assert len(trials) == 4
        counts.append(named)
    assert f"| {sum(counts)} of {4 * len(counts)} |" in page("README.md")


def test_readme_counts_the_marker_sets():
    shipped = files("gaitdyn") / "resources" / "markersets"
    count = sum(found.name.endswith(".toml") for found in shipped.iterdir())
    words = re.search(r"(\w+) \[marker sets\]", page("README.md"))
    assert words is not None
    assert numbers(words[1]) == [count]
    listed = rows_of("docs/marker-models.md", "| name | markers |")
    assert len(listed) == count

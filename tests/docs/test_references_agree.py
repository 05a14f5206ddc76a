"""A work has the same authors, year and pages wherever it is cited; the citation file is right."""

from __future__ import annotations

import re
from collections import defaultdict

from tests.docs.pages import ROOT

_CITED = re.compile(
    r"(?P<authors>[A-ZÖ][\w'ø-]+(?:,? (?:et al\.|and|den|[A-ZÖ][\w'øö.-]*))*),?"
    r" \(?(?P<year>(?:19|20)\d\d)\)?[,;:]? \(?"
    r"(?P<journal>(?:[A-Z][A-Za-z]* )+)(?P<volume>A?\d+):(?P<first>e?\d+)(?P<last>-\d+)?"
)
"""Authors, year, journal, volume and pages, as in docs/methods.md."""


def cited():
    """Return (journal, volume, first page) -> [(authors, year, last page, file)]."""
    works = defaultdict(list)
    for folder in ("gaitdyn", "docs", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.*")):
            if path.suffix not in {".py", ".md", ".csv", ".toml"}:
                continue
            text = re.sub(r"\n\s*#", " ", path.read_text(encoding="utf-8"))
            for m in _CITED.finditer(" ".join(text.split())):
                work = m["journal"].strip(), m["volume"], m["first"]
                works[work].append((m["authors"], m["year"], m["last"], path.name))
    return works


def test_a_work_is_cited_with_one_year_and_the_same_pages():
    works = cited()
    assert len(works) > 70
    different = {w: found for w, found in works.items() if len({f[1:3] for f in found}) > 1}
    assert not different


def test_a_work_is_cited_with_the_same_authors():
    for work, found in cited().items():
        names = [set(re.findall(r"[A-ZÖ][\w'ø-]+", authors)) for authors, *_ in found]
        assert set.intersection(*names), (work, found)


def test_the_citation_file_has_the_version_and_the_date_of_the_changelog():
    heading = re.search(
        r"^## (\S+) - (\S+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert heading is not None
    assert f"version: {heading[1]}\n" in citation
    assert f'date-released: "{heading[2]}"\n' in citation

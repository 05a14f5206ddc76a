"""Every relative link of README, guide and reports leads to a file, every anchor to a heading."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import unquote

from tests.docs.pages import PAGES, ROOT, name_of, without_code

_LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(?P<words>.+?) *$", re.MULTILINE)


@cache
def anchors(page):
    """Return the anchors of a page as GitHub and MyST make them of its headings."""
    found = set()
    text = re.sub(
        r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    for heading in _HEADING.finditer(text):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading["words"])
        slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        number = 0
        while (anchor := f"{slug}-{number}" if number else slug) in found:
            number += 1
        found.add(anchor)
    return found


def targets(page):
    """Return the links of a page that are not to other hosts."""
    text = without_code(page.read_text(encoding="utf-8"))
    found = (link["target"] for link in _LINK.finditer(text))
    return [unquote(t) for t in found if not re.match(r"[a-z]+:", t)]


def test_every_link_leads_somewhere():
    for page in PAGES:
        for target in targets(page):
            place, _, anchor = target.partition("#")
            goal = (page.parent / place).resolve() if place else page
            told = f"{name_of(page)} links {target}"
            assert goal.is_file(), f"{told}, which is not a file"
            assert goal.is_relative_to(ROOT), f"{told} outside the project"
            if anchor:
                assert anchor in anchors(goal), f"{told}, no such heading"


def test_the_list_of_pages_names_every_page_of_the_guide():
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / t.partition("#")[0]).resolve() for t in targets(index)}
    lists = {page for page in linked if page.name == "README.md"}
    for page in lists:
        linked |= {(page.parent / t.partition("#")[0]).resolve() for t in targets(page)}
    guide = [page for page in PAGES if page.is_relative_to(index.parent) and page != index]
    missing = [name_of(page) for page in guide if page not in linked]
    assert not missing, "give them a row in docs/README.md, which is the navigation"

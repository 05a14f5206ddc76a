"""The guide builds without a warning and the site asks no other host for anything."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.docs.pages import GUIDE, ROOT, name_of

pytest.importorskip("sphinx", reason="pip install --group docs")
pytest.importorskip("myst_parser", reason="pip install --group docs")
pytest.importorskip("furo", reason="pip install --group docs")
pytest.importorskip("math_core", reason="pip install --group docs")

pytestmark = pytest.mark.slow

BUILD = (
    "import functools, gc, sys, sphinx.cmd.build as s; from sphinx.search.en import SearchEnglish\n"
    "SearchEnglish.stem = functools.cache(SearchEnglish.stem); gc.disable()\n"
    "sys.exit(s.main(sys.argv[1:]))"
)
"""``sphinx-build`` in less than two thirds of the time: its trees are kept to the end, and are no
garbage; the stem of a word is found once for all pages."""

_LOADED = re.compile(
    r"""<(?:img|script|iframe|source|video|audio|embed|object|use)\b[^>]*?\b(?:src|data|href)=["'](?P<a>[^"']+)"""
    r"""|<link\b(?![^>]*rel=["'](?:canonical|prev|next|search|index|author|license)["'])[^>]*?href=["'](?P<b>[^"']+)"""
    r"""|url\(["']?(?P<c>[^"')]+)|@import\s+["'](?P<d>[^"']+)"""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site."""
    if not GUIDE:
        pytest.skip("docs/ is not here")
    out = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-c", BUILD, "-W", "--keep-going", "-q", "-c", "docs", "."]
    done = subprocess.run([*build, str(out)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


def test_every_page_of_the_guide_is_built(site):
    for page in GUIDE:
        assert (site / name_of(page)).with_suffix(".html").is_file(), page
    assert "docs/README.html" in (site / "index.html").read_text(encoding="utf-8")


def test_nothing_is_loaded_from_another_host(site):
    for file in (*site.rglob("*.html"), *site.rglob("*.css")):
        for found in _LOADED.finditer(file.read_text(encoding="utf-8")):
            target = next(part for part in found.groups() if part)
            assert not re.match(r"(?:https?:)?//", target), f"{file.name} loads {target}"


def test_no_script_of_the_site_is_told_of_another_host(site):
    own = [file for file in site.rglob("*.js") if file.name != "searchindex.js"]
    assert own
    for file in own:
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"(?:fetch|importScripts|import)\(\s*[\"'`]https?:", text), file.name


def test_formulas_are_mathml(site):
    text = (site / "docs" / "stacked-system.html").read_text(encoding="utf-8")
    assert text.count("<math") > 10
    assert 'class="matrix"' in text
    assert not re.search(r"<script[^>]*mathjax", text, re.IGNORECASE)

"""Settings of the guide: ``sphinx-build -W --keep-going -c docs . build/docs`` from the root.

The pages are the Markdown files of the repository as they stand. The navigation is the table of
pages in docs/README.md, heading by heading; a page that is not listed there comes last. Formulas
become MathML when the pages are built, so that a reader needs no network and no script for them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils.nodes import SkipNode
from math_core import LatexToMathML

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment
    from sphinx.writers.html5 import HTML5Translator

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gaitdyn.version import __version__  # noqa: E402

project = "gaitdyn"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
source_suffix = {".md": "markdown"}
root_doc = "docs/README"
include_patterns = ["*.md", "data/*.md", "docs/**.md", "reports/**.md"]
exclude_patterns = [".*", "build", "dist", "gaitdyn-*", "cli", "tests", "benchmarks"]
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 4
highlight_language = "none"
html_theme = "furo"
html_title = f"gaitdyn {release}"
html_static_path = ["static"]
html_css_files = ["formulas.css"]
html_js_files = ["keyboard.js"]
html_copy_source = False
html_math_renderer = "mathml"
html_additional_pages = {"index": "to_first_page.html"}
templates_path = ["templates"]

mathml = LatexToMathML()
"""A formula that it cannot read is an error."""

LAST = "Further pages"
REST = ("README", "CHANGELOG", "CONTRIBUTING", "data/README")


def listed(text: str, found: set[str]) -> dict[str, list[str]]:
    """Return the pages that docs/README.md links, by heading, each page once."""
    parts: dict[str, list[str]] = {}
    heading, seen = "", {root_doc}
    for line in text.splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        for target in re.findall(r"\]\(([^)#:]+)\.md\)", line):
            page = (ROOT / "docs" / target).resolve().relative_to(ROOT).as_posix()
            if page in found - seen:
                seen.add(page)
                parts.setdefault(heading, []).append(page)
    lists = {page.removesuffix("README") for page in seen - {root_doc} if page.endswith("/README")}
    rest = [page for page in found - seen if not page.startswith(tuple(lists))]
    parts.setdefault(LAST, []).extend(sorted(rest, key=lambda p: (p in REST, p)))
    return parts


def add_navigation(app: Sphinx, docname: str, content: list[str]) -> None:
    """Append a hidden table of contents to the first page and to the list of a folder."""
    environment: BuildEnvironment = app.env
    if docname != root_doc:
        folder = docname.removesuffix("README")
        beside = {page for page in environment.found_docs if page.startswith(folder)} - {docname}
        if docname.endswith("/README") and beside:
            content[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n[0-9a-z]*\n```\n"
        return
    for heading, pages in listed(content[0], set(environment.found_docs)).items():
        rows = "\n".join(f"/{page}" for page in pages)
        content[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{rows}\n```\n"


def write_inline(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line as MathML."""
    self.body.append(mathml.convert_with_local_state(node.astext(), displaystyle=False))
    raise SkipNode


def write_block(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula of its own as MathML; a wide one scrolls."""
    formula = mathml.convert_with_local_state(node.astext(), displaystyle=True)
    formula = re.sub(r"<mo[^>]*>\[</mo><mtable", '<mtable class="matrix"', formula)
    formula = re.sub(r"</mtable><mo[^>]*>\]</mo>", "</mtable>", formula)
    self.body.append(f'<div class="formula">{formula}</div>')
    raise SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Join the navigation and the formulas to Sphinx."""
    app.add_html_math_renderer(
        "mathml", inline_renderers=(write_inline, None), block_renderers=(write_block, None)
    )
    app.connect("source-read", add_navigation)
    return {"parallel_read_safe": True}

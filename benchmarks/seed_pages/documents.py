"""The five pages: a template each, filled with numbers and figures of its module."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGES = {
    "000-double-pendulum": "pendulum",
    "001-matrix-formalism": "formalism",
    "002-one-and-two-links": "links",
    "003-multibody-simulation": "simulation",
    "004-equations-of-motion": "motion",
}
"""Page -> module that has its numbers (``values``) and draws its figures."""
FOLDER = HERE.parents[1] / "docs" / "seeds"


def errors() -> list[dict[str, str]]:
    """Return the errors found in the documents, in their order."""
    found: list[dict[str, str]] = tomllib.loads((HERE / "errors.toml").read_text(encoding="utf-8"))[
        "error"
    ]
    return found


def error_list(name: str) -> str:
    """Return the errors that belong to a page, a paragraph and four lines each."""
    lines: list[str] = []
    words = {
        "printed": "printed",
        "correct": "correct",
        "why": "why it matters",
        "measured": "how measured",
    }
    for error in errors():
        if name[:3] in error["page"].split():
            lines += ["", f"**{error['code']}**", ""]
            lines += [f"- {word}: {error[key]}" for key, word in words.items()]
    return "\n".join(lines[1:])


def filled(template: str, values: dict[str, Any]) -> str:
    """Return a template with ``<<name>>`` replaced; every name and every value must be used."""
    wanted = set(re.findall(r"<<(\w+)>>", template))
    if wanted != set(values):
        raise KeyError(f"no value for {wanted - set(values)}, no place for {set(values) - wanted}")
    return re.sub(r"<<(\w+)>>", lambda found: str(values[found[1]]), template)


def write_all() -> None:
    """Write the five pages and their figures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, module in PAGES.items():
        if not (HERE / f"{name}.md").is_file():
            continue
        template = (HERE / f"{name}.md").read_text(encoding="utf-8")
        template = template.replace("<<errors>>", error_list(name))
        text = filled(template, import_module(f"seed_pages.{module}").values())
        path = FOLDER / f"{name}.md"
        path.write_text(text, encoding="utf-8", newline="\n")
        sys.stderr.write(f"written: docs/seeds/{name}.md\n")

"""The page: one HTML file that opens from disk and asks no host for anything."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gaitdyn.plots.quality import quality_sheet
from gaitdyn.plots.svg import svg_text
from gaitdyn.report.contents import SYMBOLS, WORDS
from gaitdyn.report.page_data import page_data
from gaitdyn.report.stance_sheets import stance_sheets
from gaitdyn.report.trust_tables import input_words, source_words
from gaitdyn.types.options import CHOICES
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from jinja2 import Template

    from gaitdyn.report.report import Report

_SCRIPTS = ("state.js", "bands.js", "curves.js", "trust.js", "figure.js", "controls.js")
_GRIDS = (
    ("kinematics", "Kinematics"),
    ("kinetics", "Kinetics"),
    ("forces", "Net joint forces"),
)

_SECTIONS = (
    ("verdict", "Verdict"),
    ("quality", "Quality"),
    ("parameters", "Gait parameters"),
    ("scores", "Scores"),
    *((key, name) for key, name in _GRIDS),
    ("stances", "Stances"),
    ("bursts", "Bursts and peaks"),
    ("trust", "Trust in the loads"),
    ("figure", "Moving figure"),
    ("methods", "Methods"),
)

SHARE_COLOURS = ("#332288", "#CC6677", "#DDCC77", "#44AA99", "#8C8C8C", "#88CCEE", "#AA4499")
"""Of the sources of the variance, in their order: the muted set of P. Tol and a grey."""


def page_text(report: Report, *, plotly_file: str = "") -> str:
    """Return the page.

    Parameters
    ----------
    report : Report
    plotly_file : str
        Name of a file beside the page that holds the drawing library; inlined when empty.
    """
    from markupsafe import Markup
    from plotly.offline import get_plotlyjs

    script = "\n".join(_asset(name) for name in _SCRIPTS)
    return _template().render(
        report=report,
        version=__version__,
        words=WORDS,
        symbols=SYMBOLS,
        sections=_SECTIONS,
        axes=CHOICES["moments_in"],
        timelines=[
            (t.name, Markup(svg_text(quality_sheet(t), f"Quality of {t.name} over time")))  # noqa: S704
            for t in report.timelines
        ],
        stances=[
            (name, Markup(svg_text(sheet, f"{name}, % of stance")))  # noqa: S704  our own drawing
            for name, sheet in stance_sheets(report)
        ],
        sources=source_words(report.trust),
        inputs=input_words(report.trust),
        share_colours=SHARE_COLOURS,
        grids=[(key, name, _grid_note(key, report)) for key, name in _GRIDS],
        css=Markup(_asset("page.css")),  # noqa: S704  our own file
        data=Markup(script_json(page_data(report))),  # noqa: S704  see script_json
        script=Markup(script),  # noqa: S704  our own files
        plotly=Markup(get_plotlyjs()) if not plotly_file else "",  # noqa: S704
        plotly_file=plotly_file,
        script_source="'self' file: " if plotly_file else "",
    )


@cache
def _template() -> Template:
    """Return the page's template, compiled once a process."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_asset("page.html.j2"))


def script_json(value: Any) -> str:
    r"""Return JSON that may stand inside a script element, whatever its texts say.

    Examples
    --------
    >>> print(script_json("</script>"))
    "\u003c/script\u003e"
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _asset(name: str) -> str:
    return (files("gaitdyn") / "report" / "assets" / name).read_text("utf-8")


def _grid_note(key: str, report: Report) -> str:
    words = {
        "kinematics": "Limits are fixed so that sessions compare. Upright lines: foot-off, mean."
        " Heavy line: the representative cycle, nearest to the median of its side.",
        "kinetics": "Powers are of all planes. Pale: cycles without full kinetics, such as a step"
        " partly beside a plate; they are in no mean and no table. Sideways force and free moment"
        " have one direction for both feet, so that left and right are mirrored.",
        "forces": "Net forces of the proximal on the distal segment, not contact forces.",
    }[key]
    return words if not report.norm_words or key == "forces" else f"{words} {report.norm_words}."

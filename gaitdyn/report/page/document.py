"""The page: one HTML file that opens from disk and makes no network request."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gaitdyn.plots.clinic.floor import FORCE_TITLE
from gaitdyn.plots.marks import Sheet, TextLine
from gaitdyn.plots.quality import quality_sheet
from gaitdyn.plots.svg import light_svgs
from gaitdyn.report.compared.comparison import opens_with
from gaitdyn.report.extra_sheets import cutoff_sheets, extra_sheets, extra_tables, terms_sheets
from gaitdyn.report.first_screen.notices import SYMBOLS
from gaitdyn.report.first_screen.since import since_lines
from gaitdyn.report.first_screen.two_sides import MOST
from gaitdyn.report.grid_sheets import load_sheets, stance_sheets
from gaitdyn.report.groups import STRAIGHT
from gaitdyn.report.many_strides import many_sheets, trend_tables
from gaitdyn.report.page.comparisons import compared_pages
from gaitdyn.report.page.group import page_view
from gaitdyn.report.page.script_data import definition_list, table_rows
from gaitdyn.report.patient import (
    all_comments,
    examination_tables,
    fact_line,
    sheet_facts,
    who_rows,
)
from gaitdyn.report.series import series_of
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from jinja2 import Template

    from gaitdyn.report.report import Report

_SCRIPTS = ("curves.js", "figure.js", "controls.js")
_STYLES = ("page.css", "engineer.css", "paper.css")
_TEMPLATES = {"page": "page.html.j2", "engineer": "engineer.html.j2"}
_CLINIC = (
    ("summary", "Summary"), ("kinematics", "Kinematics"), ("kinetics", "Kinetics"),
    ("compare", "Comparison"), ("patient", "Patient"),
)  # fmt: skip
_ENGINEER = (
    ("verdict", "Verdict"),
    ("quality", "Quality"),
    ("parameters", "Gait parameters"),
    ("scores", "Scores"),
    ("bursts", "Bursts and peaks"),
    ("loads", "Loads in all planes"),
    ("stances", "Stances"),
    ("strides", "Many strides"),
    ("trust", "Trust in the loads"),
    ("methods", "Methods"),
)


def page_text(report: Report) -> str:
    """Return the page."""
    from markupsafe import Markup

    comparisons = compared_pages(report)
    views = [page_view(view, listed(report, i)) for i, view in enumerate(report.views)]
    opens = opens_with(report)
    sheets, series = _sheets(views[opens]), series_of(report)
    data = ",".join([view["data"] for view in views])
    return _template().render(
        report=report,
        version=__version__,
        straight=STRAIGHT,
        force_title=FORCE_TITLE,
        symbols=SYMBOLS,
        views=views,
        opens=opens,
        series=series,
        comparison=comparisons[-1] if comparisons else None,
        comparisons=comparisons,
        places=[p for p in _CLINIC if p[0] != "compare" or comparisons],
        sheets=sheets,
        pages=sheets + sum(pair["sheets"] for pair in comparisons[-1:]) + 1 + bool(series),
        since=since_lines(report),
        facts=fact_line(report),
        facts_of={view.label: sheet_facts(report, view) for view in report.views},
        who=who_rows(report),
        examinations=examination_tables(report),
        comments=all_comments(report),
        **_engineer_values(report),
        css=Markup(_style()),  # noqa: S704  our own files
        data=Markup(f'{{"views":[{data}]}}'),  # noqa: S704  see script_json
        script=Markup("\n".join(_asset(name) for name in _SCRIPTS)),  # noqa: S704  our own files
    )


def _engineer_values(report: Report) -> dict[str, Any]:
    """Return the drawings and tables of the part for the engineer."""
    drawings = _drawings(
        {
            "timelines": list(_timelines(report)),
            "load_sheets": load_sheets(report),
            "stances": stance_sheets(report),
            "rasters": many_sheets(report),
            "extra_sheets": [(sheet_title(sheet), sheet) for sheet in _extra_sheets(report)],
        }
    )
    return {
        **drawings,
        "engineer_places": [p for p in _ENGINEER if p[0] != "strides" or drawings["rasters"]],
        "trends": trend_tables(report),
        "extra_tables": extra_tables(report),
    }


def listed(report: Report, number: int) -> int:
    """Return how many findings of a group are listed: half next to a comparison.

    In a series of one person only the session that the page opens with lists any: the others have
    separate pages.
    """
    compared = len(report.judgement.compared)
    people = any(pair.whose.apart for pair in report.judgement.pairs)
    if compared > 1 and not people and number != opens_with(report):
        return 0
    return MOST // 2 if compared else MOST


def _sheets(view: dict[str, Any]) -> int:
    """Return the number of printed sheets of a group: muscles may need one more."""
    muscles = view["muscles"]
    return 3 if muscles is None or muscles["beside"] else 4


def _drawings(places: Mapping[str, list[tuple[str, Sheet]]]) -> dict[str, list[dict[str, Any]]]:
    """Return the names and SVG drawings of each place; all of them are written together."""
    svgs = iter(light_svgs([sheet for sheets in places.values() for sheet in sheets]))
    return {
        place: [{"name": name, "svg": next(svgs)} for name, _ in sheets]
        for place, sheets in places.items()
    }


def _timelines(report: Report) -> Iterable[tuple[str, Sheet]]:
    """Return the pictures of quality, each with a unique name."""
    labels: dict[Path, str] = {}
    for group in report.groups:
        for trial in group.trials:
            labels.setdefault(trial.path, group.label)
    for label, line in zip(labels.values(), report.timelines, strict=True):
        yield f"{line.name}, {label}" if label else line.name, quality_sheet(line)


def _extra_sheets(report: Report) -> list[Sheet]:
    """Return the sheets of the annex, terms in the other planes, and each cut-off separately."""
    others = [s for plane in (1, 2) for s in terms_sheets(report, plane)]
    others += [s for mode in ("markers", "forces") for s in cutoff_sheets(report, mode)]
    return [*extra_sheets(report), *others]


def sheet_title(sheet: Sheet) -> str:
    """Return the title written on a sheet."""
    texts = (mark for mark in sheet.marks if isinstance(mark, TextLine))
    return next((text.text for text in texts if text.name in ("title", "heading")), "Figure")


@cache
def _style() -> str:
    """Return the style sheet with the fonts embedded."""
    faces = []
    for weight in (400, 600):
        font = files("gaitdyn") / "resources" / "type" / f"inter-{weight}.woff2"
        text = b64encode(font.read_bytes()).decode("ascii")
        faces.append(
            f"@font-face{{font-family:Inter;font-weight:{weight};font-display:swap;"
            f"src:url(data:font/woff2;base64,{text}) format('woff2')}}"
        )
    return "\n".join((*faces, *(_asset(name) for name in _STYLES)))


@cache
def _template() -> Template:
    """Return the page's template."""
    from gaitdyn.report.page.templates import environment_of

    environment = environment_of({name: _asset(file) for name, file in _TEMPLATES.items()})
    known: dict[str, Any] = environment.globals
    known |= {"table_rows": table_rows, "definition_list": definition_list}
    return environment.get_template("page")


@cache
def _asset(name: str) -> str:
    return (files("gaitdyn") / "report" / "assets" / name).read_text("utf-8")

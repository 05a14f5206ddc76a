"""The page: one HTML file that opens from disk and asks no host for anything."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gaitdyn.report.checklist import checklist, options_table, provenance
from gaitdyn.report.contents import SYMBOLS, WORDS, all_trials, headline
from gaitdyn.report.page_data import page_data
from gaitdyn.report.quality_tables import (
    contacts_table,
    events_table,
    findings_table,
    status_table,
)
from gaitdyn.types.options import CHOICES
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.report.trials import Group
    from gaitdyn.types.norms import MatchedNorm

_SCRIPTS = ("state.js", "curves.js", "figure.js", "controls.js")
_GRIDS = (
    ("kinematics", "Kinematics"),
    ("kinetics", "Kinetics"),
    ("forces", "Net joint forces"),
)


def page_text(
    groups: Sequence[Group], norm: MatchedNorm | None = None, *, plotly_file: str = ""
) -> str:
    """Return the page.

    Parameters
    ----------
    groups : sequence of Group
    norm : MatchedNorm, optional
    plotly_file : str
        Name of a file beside the page that holds the drawing library; inlined when empty.
    """
    from jinja2 import Environment
    from markupsafe import Markup
    from plotly.offline import get_plotlyjs

    trials = all_trials(groups)
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(_asset("page.html.j2"))
    script = "\n".join(_asset(name) for name in _SCRIPTS)
    return template.render(
        version=__version__,
        title=_title(groups),
        head=headline(groups),
        words=WORDS,
        symbols=SYMBOLS,
        sections=_sections(compared=len(groups) > 1),
        quality={
            "status": status_table(trials),
            "findings": findings_table(trials),
            "contacts": contacts_table(trials),
            "events": events_table(trials),
        },
        parameters=[],
        definitions=[],
        comparison=[],
        scores=[],
        bursts=[],
        burst_definitions=[],
        axes=CHOICES["moments_in"],
        grids=[(key, name, _grid_note(key, norm)) for key, name in _GRIDS],
        methods=[checklist(trials[0]), provenance(groups)],
        options=[options_table(trial) for trial in trials[:1]],
        css=Markup(_asset("page.css")),  # noqa: S704  our own file
        data=Markup(script_json(page_data(groups, norm))),  # noqa: S704  see script_json
        script=Markup(script),  # noqa: S704  our own files
        plotly=Markup(get_plotlyjs()) if not plotly_file else "",  # noqa: S704
        plotly_file=plotly_file,
        script_source="'self' file: " if plotly_file else "",
    )


def script_json(value: Any) -> str:
    r"""Return JSON that may stand inside a script element, whatever its texts say.

    Examples
    --------
    >>> print(script_json("</script>"))
    "\u003c/script\u003e"
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _asset(name: str) -> str:
    return (files("gaitdyn") / "report" / "assets" / name).read_text("utf-8")


def _title(groups: Sequence[Group]) -> str:
    if len(groups) > 1:
        return " against ".join(group.label for group in groups)
    names = [trial.name for trial in groups[0].trials]
    return names[0] if len(names) == 1 else f"{len(names)} trials: {', '.join(names)}"


def _sections(*, compared: bool) -> list[tuple[str, str]]:
    sections = [
        ("verdict", "Verdict"),
        ("quality", "Quality"),
        ("parameters", "Gait parameters"),
        ("comparison", "Comparison"),
        ("scores", "Scores"),
        *_GRIDS,
        ("bursts", "Bursts and peaks"),
        ("figure", "Moving figure"),
        ("methods", "Methods"),
    ]
    return [s for s in sections if compared or s[0] != "comparison"]


def _grid_note(key: str, norm: MatchedNorm | None) -> str:
    words = {
        "kinematics": "Limits are fixed so that sessions compare; upright lines: foot-off, mean.",
        "kinetics": "Only from steps that are wholly on plates; powers are of all planes.",
        "forces": "Net forces of the proximal on the distal segment, not contact forces.",
    }[key]
    if norm is None or key == "forces":
        return words
    count = f", n {norm.count}" if norm.count else ""
    return f"{words} Grey: {norm.norm.name}, mean \u00b1 1 and 2 SD{count}; {norm.note}."

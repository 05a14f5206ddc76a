"""Pages of a batch: the reference set they share, and the index of all sessions."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from statistics import fmean
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from gaitdyn.batch.index_columns import SESSIONS, TRIALS, known_columns
from gaitdyn.batch.told_apart import told_apart
from gaitdyn.io.plain_files import plain_bytes, recovered
from gaitdyn.quality.rules.table import load_rules
from gaitdyn.store.shape import SESSION, is_session
from gaitdyn.store.single_file import put_in_place
from gaitdyn.types.subject import SIDES
from gaitdyn.types.texts import visible
from gaitdyn.types.words import counted
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from jinja2 import Template

    from gaitdyn.types.norms import Norm

INDEX = "index.html"
SUMMARY = "summary.csv"
MUSCLES = "emg.csv"
"""EMG envelopes of a trial, or of a session in units of the session's mean."""


@cache
def norm_of(path: Path | None) -> Norm | None:
    """Return a reference set, read once per process; None without a path."""
    from gaitdyn.metrics.norms.files import read_norm

    return None if path is None else read_norm(path)


def put(path: Path, text: str) -> None:
    """Write a text, which may hold names that are not UTF-8, and move the file into place."""
    put_in_place(path, recovered(text).encode("utf-8"))


def write_index(out: Path, earlier: Collection[str] = ()) -> Path:
    """Write the index of all sessions in a folder and return its path.

    Parameters
    ----------
    out : Path
    earlier : collection of str
        Folders of sessions that the last batch did not complete: their results are marked.
    """
    from gaitdyn.session.plan import NO_TRIAL

    found, unread = sessions_of(out)
    sessions = told_apart(found)
    differing = _differing(sessions)
    rows = [session_row(session, differing) for session in sessions]
    trials = [trial for session in sessions for trial in session["trials"]]
    page = index_template().render(
        version=__version__, sessions=sessions, rows=rows, columns=known_columns(SESSIONS, rows),
        trial_columns=known_columns(TRIALS, trials), unread=unread,
        no_trial=NO_TRIAL, earlier=earlier,
    )  # fmt: skip
    put(out / INDEX, visible(page))
    return out / INDEX


@cache
def index_template() -> Template:
    """Return the template of the index."""
    from gaitdyn.report.page.templates import environment_of

    text = (files("gaitdyn") / "batch" / "index.html.j2").read_text("utf-8")
    environment = environment_of({"index": text})
    environment.filters |= {"link": _link, "message": _message, "counted": counted}
    return environment.get_template("index")


def _message(worst: str | None) -> str:
    """Return a reason without the code of its rule."""
    code, _, message = (worst or "").partition(": ")
    return message if load_rules().has(code) else worst or ""


def _link(name: str) -> str:
    """Return the percent-encoded name of a folder."""
    return quote(name.encode("utf-8", "surrogateescape"))


def _differing(sessions: list[dict[str, Any]]) -> list[str]:
    """Return the options that are not the same in all trials of all sessions."""
    values: dict[str, set[str]] = {}
    for session in sessions:
        for option, used in (session.get("settings") or {}).items():
            values.setdefault(option, set()).update(used)
    return [option for option, used in values.items() if len(used) > 1]


def session_row(session: dict[str, Any], differing: Sequence[str] = ()) -> dict[str, Any]:
    """Return one row of the index of sessions.

    Parameters
    ----------
    session : dict
        From ``session.json``, with its folder and whether it has a page.
    differing : sequence of str
        Options to show, since not all sessions have the same.

    Returns
    -------
    dict
        ``conditions``, ``settings``, ``speed`` (m/s), ``gps`` (deg) and ``cycles`` per side, and
        ``lights``, the number of trials per verdict. There is no speed and no GPS for several
        people.
    """
    trials = session["trials"]
    done = [trial for trial in trials if trial.get("state") != "failed"]
    speeds = [t[f"{s}_speed"] for t in done for s in SIDES if t.get(f"{s}_speed") is not None]
    people = session.get("people", 1)
    words = [trial.get("verdict") or "fail" for trial in trials]
    settings = session.get("settings") or {}
    return {
        "folder": session["folder"],
        "page": session["page"],
        "name": session["session"],
        "subject": session.get("subject") or (f"{people} people" if people > 1 else ""),
        "date": session.get("date") or "",
        "conditions": ", ".join(dict.fromkeys(t["condition"] for t in done if t.get("condition"))),
        "settings": ", ".join(f"{o} {'/'.join(settings[o])}" for o in differing if settings.get(o)),
        "speed": fmean(speeds) if speeds and people == 1 else None,
        "gps": (session.get("gps_deg") or {}) if people == 1 else {},
        "cycles": {s: sum(t.get(f"{s}_cycles") or 0 for t in done) for s in SIDES},
        "lights": {word: words.count(word) for word in ("pass", "check", "fail")},
    }


def sessions_of(out: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the contents of every ``session.json`` below a folder, with the folder's name.

    The second value has the folders whose document cannot be read. One without trials, of a session
    that is being processed, is left out.
    """
    sessions: list[dict[str, Any]] = []
    unread: list[str] = []
    for path in sorted(out.glob(f"*/{SESSION}")):
        try:
            document = json.loads(plain_bytes(path))
        except (OSError, ValueError, RecursionError):
            document = None
        if isinstance(document, dict) and "trials" not in document:
            continue
        if isinstance(document, dict) and is_session(document):
            page = (path.parent / "report.html").is_file()
            sessions.append({**document, "folder": path.parent.name, "page": page})
        else:
            unread.append(path.parent.name)
    return sessions, unread

"""Plan one trial: what will be done with a file, and why. Nothing is processed."""

from __future__ import annotations

from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.session.eclipse import find_trial_enf
from gaitdyn.session.emg_names import with_emg_file
from gaitdyn.session.session_file import (
    SESSION_FILE,
    SessionFile,
    find_session_file,
    table_of,
)  # fmt: skip
from gaitdyn.types.arguments import option_of
from gaitdyn.types.frozen import frozen
from gaitdyn.types.option_rows import not_usual
from gaitdyn.types.options import Options
from gaitdyn.types.subject import Subject
from gaitdyn.types.visit import Visit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.session.roles import Role


@frozen()
class TrialPlan:
    """What will be done with one file.

    Attributes
    ----------
    path : Path
    role : {"dynamic", "static", "functional", "left-out"}
    options : Options
        Options the file will be processed with.
    condition : str
    reason : str
        Why it has this role.
    problem : str
        Why it will be refused, as far as can be told now; empty if nothing is wrong.
    static_reason : str
        Why ``options.static`` was chosen, or why there is no static.
    subject : Subject
        Measurements found, with their sources.
    missing : tuple of str
        Which data are missing and what cannot be computed; the trial is processed without them.
    sources : dict
        Name of an option -> the file that set it.
    description : str
        Of the trial's ``.enf``, names of persons masked.
    visit : Visit
        From ``session.toml``.
    notes : tuple of str
        What the ``.enf`` and the ``.mp`` files could not be used for.
    """

    path: Path
    role: Role
    options: Options = field(default_factory=Options)
    condition: str = ""
    reason: str = ""
    problem: str = ""
    static_reason: str = ""
    subject: Subject = field(default_factory=Subject)
    missing: tuple[str, ...] = ()
    sources: dict[str, str] = field(default_factory=dict[str, str])
    description: str = ""
    visit: Visit = field(default_factory=Visit)
    notes: tuple[str, ...] = ()


def plan_trial(path: str | Path, given: Mapping[str, Any] | None = None) -> TrialPlan:
    """Return the plan of one trial, from the given options and the files of its session.

    ``session.toml`` is that of the trial's folder or of its parent. Without one, and without an
    ``.enf`` of the trial or a ``.mp`` file next to it, the options are those given, and the static
    is found by the same rules when the trial is read.

    Parameters
    ----------
    path : str or Path
    given : mapping, optional
        Fields of :class:`gaitdyn.types.options.Options` from the command line; they win.

    Raises
    ------
    UsageError
        When ``session.toml`` has an error.
    """
    path, given = Path(path), dict(given or {})
    file = find_session_file(path.parent)
    given = with_emg_file(given, path.parent, file.options)
    if not path.is_file() or (file.folder is None and not _described(path)):
        unread = unread_beside(path.parent, given.get("subject"))
        return TrialPlan(path, "dynamic", Options(**given), notes=(unread,) if unread else ())
    from gaitdyn.session.plan import plan_session  # needed only if a file describes the session

    for trial in plan_session(path.parent, given).trials:
        if trial.path.name == path.name:
            unread = unread_beside(path.parent, trial.options.subject)
            return replace(trial, notes=(*trial.notes, *filter(None, [unread])))
    fields = {**file.options, **with_renames(given, file)}
    sources = {name: table_of(name) for name in fields} | dict.fromkeys(given, "command line")
    return TrialPlan(path, "dynamic", Options(**fields), sources=sources, visit=file.visit)


SUBJECT_FILE = "subject.toml"


def unread_beside(folder: Path, subject: str | None) -> str:
    """Return a note on what lies beside the trials for gaitdyn and is not read, or "".

    A ``subject.toml`` that nobody named: whose it is the folder does not say, as its recordings may
    be of several people. And a ``session.toml`` that an editor saved under another name.

    Parameters
    ----------
    folder : Path
        Of the trials.
    subject : str or None
        File of measurements that was named.
    """
    notes = []
    if not subject and (folder / SUBJECT_FILE).is_file():
        how = f"name it with --subject {SUBJECT_FILE}, or put its lines into {SESSION_FILE}"
        notes.append(f"{SUBJECT_FILE} beside the recordings is not read: {how}")
    if folder.is_dir() and not (folder / SESSION_FILE).exists():
        astray = [
            x.name for x in folder.iterdir() if x.name.casefold() in _MISNAMED and x.is_file()
        ]
        notes += [f"{x} is not read: rename it {SESSION_FILE}" for x in sorted(astray)]
    return "; ".join(notes)


_MISNAMED = (SESSION_FILE, f"{SESSION_FILE}.txt")


def _described(path: Path) -> bool:
    """Whether a ``.mp`` file lies next to a trial, or an ``.enf`` file of it."""
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return False
    measured = any(name.lower().endswith(".mp") for name in names)
    return measured or find_trial_enf(names, path.stem) is not None


def plan_lines(plan: TrialPlan) -> list[str]:
    """Return what the files of the session say of a trial, as lines to print.

    Parameters
    ----------
    plan : TrialPlan
        Of :func:`plan_trial`.
    """
    settings = [
        f"{option_of(name).removeprefix('--')} ({plan.sources[name]})"
        for name in not_usual(plan.options, plan.sources)
        if plan.sources[name] not in ("command line", "session")
    ]
    lines = [f"set by the session: {', '.join(settings)}"] if settings else []
    if plan.sources.get("static") == "session":
        lines.append(f"static by the session: {plan.static_reason}")
    lines += plan.notes
    if plan.role == "left-out":
        lines.append(f"left out of the session ({plan.reason}), processed because it was named")
    return lines


def with_renames(given: dict[str, Any], file: SessionFile) -> dict[str, Any]:
    """Return the given options, their renamed labels joined with those of the session's file."""
    renames = file.options.get("rename", ())
    if not renames or not given.get("rename"):
        return given
    return {**given, "rename": tuple((dict(renames) | dict(given["rename"])).items())}

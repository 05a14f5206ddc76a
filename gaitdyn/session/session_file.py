"""Read ``session.toml``, in which a laboratory describes a session; see docs/sessions.md."""

from __future__ import annotations

from dataclasses import field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from gaitdyn.calibrate.body.subject_file import read_subject_file
from gaitdyn.errors import UsageError
from gaitdyn.session.emg_names import read_emg_table
from gaitdyn.session.option_tables import KNOWN, read_options
from gaitdyn.session.toml_text import TomlText
from gaitdyn.session.trial_table import TrialEntry, read_trial_table
from gaitdyn.session.visit_table import read_visit_table
from gaitdyn.types.arguments import at_home
from gaitdyn.types.frozen import frozen
from gaitdyn.types.functional import FUNCTIONAL_KEYS
from gaitdyn.types.visit import Visit

SESSION_FILE = "session.toml"
_KEYS = (
    "subject", "static", "statics", "trials", "options", "rename", "emg", "report", "functional",
)  # fmt: skip
_SEPARATE_TABLES = {"rename": "rename", "functional": "functional", "emg_channels": "emg"}
"""Field of the options -> its separate table; all other fields are in ``[options]``."""

_STATIC_KEYS = ("file", "condition")
_NEARLY = 0.8
"""Share of letters from which a condition is taken for a misspelling of another."""


@frozen()
class StaticEntry:
    """A static named by the session; without a condition it is used for all conditions."""

    file: str
    condition: str | None = None


@frozen()
class SessionFile:
    """The contents of a ``session.toml``.

    Attributes
    ----------
    has_subject : bool
        Whether there is a table ``[subject]``; it is read together with the subject.
    statics : tuple of StaticEntry
    trials : dict
        File name -> TrialEntry.
    options : dict
        Fields of :class:`gaitdyn.types.options.Options` for all trials, including ``rename``,
        ``functional`` and ``emg_channels``.
    folder : Path or None
        Folder of the file; paths in it are relative to this folder.
    visit : Visit
        For the header of the report.
    """

    has_subject: bool = False
    statics: tuple[StaticEntry, ...] = ()
    trials: dict[str, TrialEntry] = field(default_factory=dict[str, TrialEntry])
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    folder: Path | None = None
    visit: Visit = field(default_factory=Visit)

    def folder_of(self, trial: Path) -> Path:
        """Return the folder of the files that are named for a trial."""
        return trial.parent if self.folder is None else self.folder

    def trial(self, name: str) -> TrialEntry:
        """Return the entry of a file; an empty one if the file is not named."""
        return self.trials.get(name, TrialEntry())


def table_of(field: str) -> str:
    """Return the file and table that set an options field for all trials.

    Examples
    --------
    >>> table_of("cutoff_hz"), table_of("rename")
    ('session.toml [options]', 'session.toml [rename]')
    """
    return f"{SESSION_FILE} [{_SEPARATE_TABLES.get(field, 'options')}]"


def read_session_file(path: Path) -> SessionFile:
    """Read a ``session.toml``.

    Raises
    ------
    UsageError
        Naming file and line, what was found and what was wanted.
    """
    toml = TomlText(path)
    tables = toml.tables
    toml.check_table((), tables, "tables", _KEYS, dict.fromkeys(KNOWN, "in [options]"))
    if "subject" in tables:
        try:
            read_subject_file(path)
        except UsageError as error:
            raise UsageError(str(error).removeprefix("--subject ")) from error
    tabled, statics = tables.get("trials", {}), _statics(toml)
    toml.check_table(("trials",), tabled, 'tables such as [trials."walk01.c3d"]')
    trials = {
        name: read_trial_table(toml, name, table, path.parent) for name, table in tabled.items()
    }
    _check_conditions(toml, trials, [static.condition for static in statics])
    return SessionFile(
        has_subject="subject" in tables,
        statics=statics,
        trials=trials,
        options=_options(toml, path.parent),
        folder=path.parent,
        visit=read_visit_table(toml),
    )


def find_session_file(folder: Path) -> SessionFile:
    """Return the contents of the ``session.toml`` of a folder, or of its parent folder.

    In the parent's file, a table may be named ``[trials."dynamic/walk01.c3d"]`` or
    ``[trials."walk01.c3d"]``.

    Parameters
    ----------
    folder : Path
        Of the trials.

    Raises
    ------
    UsageError
        When it has an error.
    """
    if (folder / SESSION_FILE).exists():
        return read_session_file(folder / SESSION_FILE)
    above = folder.resolve().parent
    if above == folder.resolve() or not (above / SESSION_FILE).exists():
        return SessionFile()
    file = read_session_file(above / SESSION_FILE)
    trials: dict[str, TrialEntry] = {}
    for key, entry in file.trials.items():
        subfolder, _, name = key.replace("\\", "/").rpartition("/")
        if not _is_below(above, subfolder, name):
            TomlText(above / SESSION_FILE).refuse_key(
                ("trials", key), f"a file of {subfolder or 'one of the folders below'}"
            )
        if subfolder == folder.resolve().name or (not subfolder and name not in trials):
            trials[name] = entry
    return replace(file, trials=trials)


def _is_below(folder: Path, subfolder: str, name: str) -> bool:
    """Return whether a file exists in a sub-folder; without its name, in any or in the folder."""
    if subfolder:
        return (folder / subfolder / name).is_file()
    return (folder / name).is_file() or any((x / name).is_file() for x in folder.iterdir())


def _options(toml: TomlText, folder: Path) -> dict[str, Any]:
    """Return the fields of ``[options]``, ``[rename]``, ``[functional]`` and ``[emg]``."""
    fields = read_options(toml, ("options",), toml.tables.get("options", {}), folder)
    table = toml.tables.get("rename", {})
    toml.check_table(("rename",), table, 'a table such as "old label" = "new label"')
    pairs = tuple((old, toml.text(("rename", old), new)) for old, new in table.items())
    functional = _functional(toml, folder)
    channels = read_emg_table(toml, ("emg",), toml.tables.get("emg", {}))
    separate = {"functional": functional, "rename": pairs, "emg_channels": channels}
    return fields | {name: value for name, value in separate.items() if value}


def _functional(toml: TomlText, folder: Path) -> tuple[tuple[str, str], ...]:
    """Return the joints and paths of the table ``[functional]``."""
    table = toml.tables.get("functional", {})
    toml.check_table(("functional",), table, 'a table such as hip_left = "func.c3d"')
    paths: list[tuple[str, str]] = []
    for key, value in table.items():
        if key not in FUNCTIONAL_KEYS:
            toml.refuse_key(("functional", key), f"one of {', '.join(FUNCTIONAL_KEYS)}")
        path = folder / at_home(toml.text(("functional", key), value))
        if not path.is_file():
            toml.refuse(("functional", key), value, "a C3D file of the session")
        paths.append((key, str(path)))
    return tuple(paths)


def _statics(toml: TomlText) -> tuple[StaticEntry, ...]:
    tables = toml.tables
    if "static" in tables and "statics" in tables:
        toml.refuse_key(("statics",), "static or [[statics]], not both")
    if "static" in tables:
        return (StaticEntry(toml.text(("static",), tables["static"])),)
    listed = tables.get("statics", [])
    wanted = "tables [[statics]] with file and, if needed, condition"
    toml.check_list(("statics",), listed, dict, wanted)
    statics = []
    for entry in listed:
        toml.check_table(("statics",), entry, wanted, _STATIC_KEYS)
        if "file" not in entry:
            toml.refuse(("statics",), entry, "a file in each")
        condition = entry.get("condition")
        if condition is not None:
            condition = toml.text(("statics", "condition"), condition)
        statics.append(StaticEntry(toml.text(("statics", "file"), entry["file"]), condition))
    return tuple(statics)


def _check_conditions(
    toml: TomlText, trials: dict[str, TrialEntry], of_statics: list[str | None]
) -> None:
    """Refuse a condition that is nearly that of a static, and leaves the trial without one."""
    known = [condition for condition in of_statics if condition]
    for name, entry in trials.items() if None not in of_statics else ():
        condition = entry.condition
        if not condition or condition in known or entry.static is not None:
            continue
        if get_close_matches(condition, known, 1, _NEARLY):
            wanted = f"one of the conditions of [[statics]]: {', '.join(map(repr, known))}"
            toml.refuse(("trials", name, "condition"), condition, wanted)

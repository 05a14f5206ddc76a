"""Rebuild a run from the inputs and options that results record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from gaitdyn.errors import ResultsRefused, UsageError
from gaitdyn.exchange.source import OPTIONS, input_of, prefix_of
from gaitdyn.io.file_kinds import holds_forces
from gaitdyn.pipeline import process_trial
from gaitdyn.store import StoredTrial, read_trial
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import NO_MODEL
from gaitdyn.types.option_rows import FILES
from gaitdyn.types.options import NO_FORCES, NO_STATIC, Assignment, Options
from gaitdyn.types.recording import Event
from gaitdyn.types.result import Processed

_FIELD = {"static": "static", "forces": "forces"} | {
    row.role: row.field for row in FILES if row.again
}
"""Role of an input -> the option with its path."""

_REPLACED_BY_PROFILE = (
    "cutoff_hz",
    "force_cutoff_hz",
    "filter",
    "baseline",
    "longest_gap_s",
    "anthropometry",
)
"""Options that the plug-in-gait profile replaces; the recorded values describe the profile."""


@frozen(eq=False)
class RecordedRun:
    """The inputs and options for repeating a recorded run.

    Attributes
    ----------
    stored : StoredTrial
    trial : Path
    inputs : dict
        Role -> path of every input, found by its SHA-256.
    options : Options
    """

    stored: StoredTrial
    trial: Path
    inputs: dict[str, Path]
    options: Options

    def result(self) -> Processed:
        """Process the trial again."""
        return process_trial(self.trial, self.options)


def recorded_run(
    folder: Path,
    named: Mapping[str, Path | None] | None = None,
    near: Sequence[Path] = (),
    subject_prefix: str | None = None,
) -> RecordedRun:
    """Find the inputs of results by their SHA-256 and rebuild the options.

    Parameters
    ----------
    folder : Path
        Results folder of one trial.
    named : mapping, optional
        Role -> path of an input that has been moved.
    near : sequence of Path
        Further folders to search.
    subject_prefix : str, optional
        Used instead of the recorded one, which is masked.

    Raises
    ------
    ResultsRefused
        When the folder records options that this version does not have.
    FileRefused
        When an input is not found, or has changed.
    UsageError
        When a path is named for an input that the results do not have.
    """
    stored, named = read_trial(folder, "read"), named or {}
    if foreign := named.keys() - {entry["role"] for entry in stored.document["inputs"]}:
        options = ", ".join(OPTIONS[role] for role in sorted(foreign))
        raise UsageError(f"{options}: {stored.path} was made without such a file; leave it out")
    trial = input_of(stored, "trial", named.get("trial"), near)
    paths = {"trial": trial}
    for entry in stored.document["inputs"]:
        role = entry["role"]
        if role != "trial" and role in OPTIONS:
            folders = (*near, trial.resolve().parent)
            paths[role] = input_of(stored, role, named.get(role), folders)
    prefix = subject_prefix or prefix_of(stored, trial)
    return RecordedRun(stored, trial, paths, recorded_options(stored, paths, prefix))


def recorded_options(
    stored: StoredTrial, paths: Mapping[str, Path], subject_prefix: str | None
) -> Options:
    """Return the options that results were processed with.

    Parameters
    ----------
    stored : StoredTrial
    paths : mapping
        Role of an input -> its path.
    subject_prefix : str or None
    """
    recorded = stored.document["options"]
    vendor = recorded.get("profile") == "plug-in-gait"
    left_out = _REPLACED_BY_PROFILE if vendor else ()
    names = [f.name for f in fields(Options) if f.name in recorded and f.name not in left_out]
    options: dict[str, Any] = {name: _with_tuples(recorded[name]) for name in names}
    options["static"] = NO_STATIC if recorded.get("static") is None else recorded["static"]
    whole = holds_forces(stored.document["inputs"][0]["name"])
    options["forces"] = recorded.get("forces") or (None if whole else NO_FORCES)
    options["subject_prefix"] = subject_prefix
    options["model"] = stored.document["model"].get("requested", recorded.get("model"))
    if options["model"] in (None, NO_MODEL):
        options["model"] = Options().model
    for role, name in _FIELD.items():
        if role in paths:
            options[name] = str(paths[role])
    options["functional"] = tuple(
        (key, str(paths[f"functional {key}"])) for key, _ in options.get("functional", ())
    )
    try:
        options["assign"] = tuple(
            Assignment(**{key: _with_tuples(value) for key, value in a.items()})
            for a in recorded.get("assign", ())
        )
        options["events"] = tuple(Event(**e) for e in recorded.get("events", ()))
        return Options(**options)
    except (TypeError, ValueError, LookupError, UsageError) as error:
        raise ResultsRefused(
            f"{stored.path}: found options that this version does not accept ({error}); process the"
            " trial again"
        ) from error


def _with_tuples(value: Any) -> Any:
    """Return a JSON value with its lists turned into tuples."""
    return tuple(_with_tuples(x) for x in value) if isinstance(value, list) else value

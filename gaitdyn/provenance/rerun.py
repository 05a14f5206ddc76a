"""The inputs and options that results record, ready for another run."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import ResultsRefused, UsageError
from gaitdyn.exchange.source import OPTIONS, input_of
from gaitdyn.io.labels import mask, prefixes
from gaitdyn.io.reader import read_c3d
from gaitdyn.io.recording import holds_forces
from gaitdyn.pipeline import process_trial
from gaitdyn.store import read_trial
from gaitdyn.trial.without_model import MODEL
from gaitdyn.types.option_rows import FILES
from gaitdyn.types.options import NO_FORCES, NO_STATIC, Assignment, Options
from gaitdyn.types.recording import Event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gaitdyn.store import StoredTrial
    from gaitdyn.types.result import Processed

_FIELD = {"static": "static", "forces": "forces"} | {
    row.role: row.field for row in FILES if row.again
}
"""Role of an input -> the option that holds its path."""

_OWN_OF_PROFILE = (
    "cutoff_hz",
    "force_cutoff_hz",
    "filter",
    "baseline",
    "longest_gap_s",
    "anthropometry",
)
"""Options that the plug-in-gait profile does not follow; the words recorded describe its own."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordedRun:
    """What a run of recorded results needs.

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
        Role -> path of an input that is somewhere else.
    near : sequence of Path
        Further folders to look into.
    subject_prefix : str, optional
        In the place of the recorded one, which is masked.

    Raises
    ------
    ResultsRefused
        When the folder records options that this version does not have.
    FileRefused
        When an input is not found, or has changed.
    UsageError
        When the subject's prefix cannot be told from the masked one.
    """
    stored, named = read_trial(folder, "read"), named or {}
    trial = input_of(stored, "trial", named.get("trial"), near)
    paths = {"trial": trial}
    for entry in stored.document["inputs"]:
        role = entry["role"]
        if role != "trial" and role in OPTIONS:
            places = (*near, trial.resolve().parent)
            paths[role] = input_of(stored, role, named.get(role), places)
    prefix = subject_prefix or _prefix(stored, trial)
    return RecordedRun(stored, trial, paths, recorded_options(stored, paths, prefix))


def recorded_options(
    stored: StoredTrial, paths: Mapping[str, Path], subject_prefix: str | None
) -> Options:
    """Return the options of results as they were resolved.

    Parameters
    ----------
    stored : StoredTrial
    paths : mapping
        Role of an input -> its path.
    subject_prefix : str or None
    """
    told = stored.document["options"]
    vendor = told.get("profile") == "plug-in-gait"
    left_out = _OWN_OF_PROFILE if vendor else ()
    known = [f.name for f in fields(Options) if f.name in told and f.name not in left_out]
    found: dict[str, Any] = {name: _frozen(told[name]) for name in known}
    found["static"] = NO_STATIC if told.get("static") is None else told["static"]
    whole = holds_forces(stored.document["inputs"][0]["name"])
    found["forces"] = told.get("forces") or (None if whole else NO_FORCES)
    found["subject_prefix"] = subject_prefix
    if found.get("model") == MODEL:
        found["model"] = Options().model
    for role, name in _FIELD.items():
        if role in paths:
            found[name] = str(paths[role])
    found["functional"] = tuple(
        (key, str(paths[f"functional {key}"])) for key, _ in found.get("functional", ())
    )
    try:
        found["assign"] = tuple(_assignment(a) for a in told.get("assign", ()))
        found["events"] = tuple(Event(**e) for e in told.get("events", ()))
        return Options(**found)
    except (TypeError, ValueError, LookupError, UsageError) as error:
        raise ResultsRefused(
            f"{stored.path}: found options that this version cannot take ({error}); process the"
            " trial again"
        ) from error


def _frozen(told: Any) -> Any:
    """Return a value of JSON with tuples for its lists."""
    return tuple(_frozen(x) for x in told) if isinstance(told, list) else told


def _assignment(told: dict[str, Any]) -> Assignment:
    frames = told.get("frames")
    return Assignment(**{**told, "frames": None if frames is None else tuple(frames)})


def _prefix(stored: StoredTrial, trial: Path) -> str | None:
    """Return the prefix of the file that looks like the masked one."""
    masked = stored.document["options"].get("subject_prefix")
    if masked is None:
        return None
    labels = read_c3d(trial).parameters.strings("POINT", "LABELS")
    found = [prefix for prefix in prefixes(labels) if mask(prefix) == masked]
    if len(found) != 1:
        raise UsageError(
            f"{trial.name}: found {len(found)} subjects that look like {masked}; name the one that"
            " was processed with --subject-prefix"
        )
    return found[0]

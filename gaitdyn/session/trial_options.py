"""Combine the options of one trial from all files that set them, and record which file set each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.errors import OptionRefused, UsageError
from gaitdyn.session.session_file import SESSION_FILE, SessionFile, table_of
from gaitdyn.session.trial_table import GivenEvent
from gaitdyn.types.arguments import at_home
from gaitdyn.types.options import NO_FORCES, NO_STATIC, Assignment, Options
from gaitdyn.types.recording import Event

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.calibrate.statics.find import StaticChoice
    from gaitdyn.session.contents import Contents, RecordingContents


def trial_options(
    recording: RecordingContents,
    file: SessionFile,
    given: dict[str, Any],
    contents: Contents,
    static: StaticChoice | None = None,
) -> tuple[Options, dict[str, str]]:
    """Return the options of a trial and, for those that are set, which file set them.

    The order of precedence is: the command line, the trial's table in ``session.toml``, its
    ``[options]``, the ``.enf``.

    Parameters
    ----------
    recording : RecordingContents
    file : SessionFile
    given : dict
        Fields of Options from the command line.
    contents : Contents
    static : StaticChoice, optional

    Raises
    ------
    UsageError
        When options that are valid by themselves contradict each other.
    """
    entry, folder = file.trial(recording.path.name), file.folder_of(recording.path)
    layers: list[tuple[str, dict[str, Any]]] = []
    if file.has_subject:
        layers.append((SESSION_FILE, {"subject": str(folder / SESSION_FILE)}))
    if recording.content is not None and recording.content.sample.forces is not None:
        layers.append(("session", {"forces": str(recording.content.sample.forces.path)}))
    if (parameters := _parameters_of(recording, contents)) is not None:
        layers.append((".mp", {"subject_parameters": str(parameters)}))
    layers += [(table_of(name), {name: value}) for name, value in file.options.items()]
    trial_fields: dict[str, Any] = dict(entry.options)
    if entry.condition is not None:
        trial_fields["condition"] = entry.condition
    if entry.forces is not None:
        trial_fields["forces"] = named_forces(folder, entry.forces)
    events = tuple(sorted(_event(event, recording) for event in entry.events))
    lists = {"leave_out": entry.leave_out, "reasons": entry.reasons, "events": events}
    trial_fields |= {name: value for name, value in lists.items() if value}
    layers.append((SESSION_FILE, trial_fields))
    layers += [(source, {"assign": value}) for source, value in _plates(recording, entry.assign)]
    if static is not None:
        path = NO_STATIC if static.path is None else str(static.path)
        layers.append(("session", {"static": path}))
        if static.frames is not None:
            layers.append(("session", {"static_frames": static.frames}))
    layers.append(("command line", given))
    fields: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for source, values in layers:
        fields |= values
        sources |= dict.fromkeys(values, source)
    try:
        return Options(**fields), sources
    except OptionRefused as error:
        raise UsageError(f"{SESSION_FILE}, {recording.path.name}: {error.of_command}") from error


def named_forces(folder: Path, name: str) -> str:
    """Return the path of a force file from its name in ``session.toml``.

    Raises
    ------
    UsageError
        When the file does not exist.
    """
    if name == NO_FORCES:
        return name
    path = folder / at_home(name)
    if not path.is_file():
        message = f"{SESSION_FILE}: forces {name!r} does not exist; wanted a file of the session"
        raise UsageError(message)
    return str(path)


def _plates(
    recording: RecordingContents, given: tuple[Assignment, ...]
) -> list[tuple[str, tuple[Assignment, ...]]]:
    """Return the assignments with their source; those of ``session.toml`` win plate by plate."""
    plates = {a.plate for a in given}
    count = 0 if recording.content is None else recording.content.plates
    enf = () if recording.enf is None else recording.enf.plates
    rest = tuple(a for a in enf if a.plate not in plates and a.plate <= count)
    if not rest and not given:
        return []
    source = " and ".join([SESSION_FILE] * bool(given) + [".enf"] * bool(rest))
    return [(source, tuple(sorted((*given, *rest), key=lambda a: a.plate)))]


def _event(event: GivenEvent, recording: RecordingContents) -> Event:
    """Return an event on the clock of the file."""
    time = event.time_s
    if time is None:
        rate = 100.0 if recording.content is None else recording.content.sample.rate_hz
        time = ((event.frame or 1.0) - 1.0) / rate
    return Event(time, event.side, event.kind)


def _parameters_of(recording: RecordingContents, contents: Contents) -> Path | None:
    """Return the ``.mp`` file of a trial: the one named after its subject, or the only one.

    The only one is not used if it is named after the subject of other files.
    """
    subject = "" if recording.content is None else recording.content.subject.lower()
    for path in contents.parameters:
        if subject and path.stem.lower() == subject:
            return path
    if len(contents.parameters) != 1:
        return None
    (only,) = contents.parameters
    others = {p.lower() for p in contents.persons} - {subject}
    return None if only.stem.lower() in others else only

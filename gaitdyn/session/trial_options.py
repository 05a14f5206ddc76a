"""The options of one trial: which file said what, and what wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.errors import OptionRefused, UsageError
from gaitdyn.session.session_file import SESSION_FILE, GivenEvent, SessionFile, table_of
from gaitdyn.types.options import NO_FORCES, NO_STATIC, Assignment, Options
from gaitdyn.types.recording import Event

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.calibrate.find_static import StaticChoice
    from gaitdyn.session.contents import Contents, RecordingContents


def trial_options(
    seen: RecordingContents,
    file: SessionFile,
    given: dict[str, Any],
    contents: Contents,
    static: StaticChoice | None = None,
) -> tuple[Options, dict[str, str]]:
    """Return the options of a trial and, for those that are set, which file set them.

    The command line wins over the trial's table in ``session.toml``, this over its ``[options]``,
    these over the ``.enf``.

    Parameters
    ----------
    seen : RecordingContents
    file : SessionFile
    given : dict
        Fields of Options from the command line.
    contents : Contents
    static : StaticChoice, optional

    Raises
    ------
    UsageError
        When options that are good by themselves contradict each other.
    """
    entry, folder = file.trial(seen.path.name), file.place(seen.path)
    layers: list[tuple[str, dict[str, Any]]] = []
    if file.has_subject:
        layers.append((SESSION_FILE, {"subject": str(folder / SESSION_FILE)}))
    if seen.content is not None and seen.content.sample.forces is not None:
        layers.append(("session", {"forces": str(seen.content.sample.forces.path)}))
    parameters = _parameters_of(seen, contents)
    if parameters is not None:
        layers.append((".mp", {"subject_parameters": str(parameters)}))
    layers += [(table_of(name), {name: value}) for name, value in file.options.items()]
    own: dict[str, Any] = dict(entry.options)
    if entry.condition is not None:
        own["condition"] = entry.condition
    if entry.forces is not None:
        own["forces"] = named_forces(folder, entry.forces)
    events = tuple(sorted(_event(event, seen) for event in entry.events))
    told = {"leave_out": entry.leave_out, "reasons": entry.reasons, "events": events}
    own |= {name: value for name, value in told.items() if value}
    layers.append((SESSION_FILE, own))
    layers += [(source, {"assign": value}) for source, value in _plates(seen, entry.assign)]
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
        raise UsageError(f"{SESSION_FILE}, {seen.path.name}: {error.of_command}") from error


def named_forces(folder: Path, name: str) -> str:
    """Return the path of a file of forces as ``session.toml`` names it.

    Raises
    ------
    UsageError
        When it is not there.
    """
    if name == NO_FORCES:
        return name
    path = folder / name
    if not path.is_file():
        message = f"{SESSION_FILE}: forces {name!r} is not there; wanted a file of the session"
        raise UsageError(message)
    return str(path)


def _plates(
    seen: RecordingContents, told: tuple[Assignment, ...]
) -> list[tuple[str, tuple[Assignment, ...]]]:
    """Return the assignments with their source; those of ``session.toml`` win plate by plate."""
    plates = {a.plate for a in told}
    count = 0 if seen.content is None else seen.content.plates
    enf = () if seen.enf is None else seen.enf.plates
    rest = tuple(a for a in enf if a.plate not in plates and a.plate <= count)
    if not rest and not told:
        return []
    source = " and ".join([SESSION_FILE] * bool(told) + [".enf"] * bool(rest))
    return [(source, tuple(sorted((*told, *rest), key=lambda a: a.plate)))]


def _event(event: GivenEvent, seen: RecordingContents) -> Event:
    """Return an event on the clock of the file."""
    time = event.time_s
    if time is None:
        rate = 100.0 if seen.content is None else seen.content.sample.rate_hz
        time = ((event.frame or 1.0) - 1.0) / rate
    return Event(time, event.side, event.kind)


def _parameters_of(seen: RecordingContents, contents: Contents) -> Path | None:
    """Return the ``.mp`` file of a trial: named as its subject, or the only one.

    The only one is not taken when it is named as the subject of other files.
    """
    own = "" if seen.content is None else seen.content.subject
    for path in contents.parameters:
        if own and path.stem.lower() == own.lower():
            return path
    if len(contents.parameters) != 1:
        return None
    (only,) = contents.parameters
    others = {p.lower() for p in contents.persons} - {own.lower()}
    return None if only.stem.lower() in others else only

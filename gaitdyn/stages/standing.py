"""The static of a run: found or given, cut to where the person stands, of the same person."""

from __future__ import annotations

from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from gaitdyn.calibrate.axes import find_axes
from gaitdyn.calibrate.find_static import find_static
from gaitdyn.calibrate.marker_models import match_model
from gaitdyn.calibrate.posed import NEEDS_NO_STATIC, takes_poses
from gaitdyn.calibrate.quiet import SHORTEST_S, quiet_part, without_ghosts
from gaitdyn.calibrate.renaming import mended
from gaitdyn.calibrate.same_person import mass_finding, person_doubt
from gaitdyn.errors import AxesRefused, FileRefused, ModelNotFound, StaticRefused, UsageError
from gaitdyn.io.cut import cut
from gaitdyn.io.recording import READERS, read_recording
from gaitdyn.io.trial import to_trial
from gaitdyn.stages.labels import model_of
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.options import NO_FORCES, NO_STATIC

if TYPE_CHECKING:
    from gaitdyn.io.reader import ReaderName
    from gaitdyn.io.wrenches import Thinning
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.marker_model import ModelMatch
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.trial import Trial

    FileState: TypeAlias = tuple[int, ...]


@frozen(eq=False)
class StaticFile:
    """The static as read, labels of the file; ``None`` without one."""

    recording: Recording | None
    path: Path | str | None
    log: list[str]


@frozen(eq=False)
class UsedStatic:
    """A static that is used.

    Attributes
    ----------
    recording : Recording
        The frames that are used.
    still : bool
        Whether the person stands still in them; else landmarks come from the frames in which
        cluster and landmark are seen together.
    findings : list of Finding
    log : list of str
    """

    recording: Recording
    still: bool
    findings: list[Finding] = field(default_factory=list[Finding])
    log: list[str] = field(default_factory=list[str])


def read_static(path: str | Path, trial: Recording, options: Options) -> StaticFile:
    """Read the static that is given, or the one that is found for a trial.

    Parameters
    ----------
    path : str or Path
        Of the trial.
    trial : Recording
        Labels of the file, single ones mended.
    options : Options

    Raises
    ------
    FileRefused
    """
    if takes_poses(trial, options.model):
        given = options.static not in (None, NO_STATIC)
        return StaticFile(None, None, [f"static: {NEEDS_NO_STATIC}"] if given else [])
    if options.static == NO_STATIC:
        return StaticFile(None, None, ["no static: none was asked for"])
    place, how = options.static, ""
    if place is None:
        choice = find_static(path, trial, options, model_of(trial, options))
        if choice.path is None:
            return StaticFile(None, None, [choice.reason])
        place, how = str(choice.path), f" ({choice.reason})"
    found, told = _standing_file(place, options)
    static = mended(found, options.rename)
    return StaticFile(static, place, [f"static: {static.name}{how}", *told])


def _standing_file(place: str, options: Options) -> tuple[Recording, list[str]]:
    """Return a static as read; where its forces cannot be had, without them and why."""
    prefix, reader = options.subject_prefix, options.reader
    if Path(place).suffix.lower() not in READERS:
        return _whole_file(place, _state(place), prefix, reader), []
    try:
        return read_recording(place, prefix, reader), []
    except FileRefused as error:
        found = read_recording(place, prefix, reader, forces=NO_FORCES)
        return found, [f"static without forces: {error}"]


@lru_cache(maxsize=1)
def _whole_file(place: str, _: FileState, prefix: str | None, reader: ReaderName) -> Recording:
    """Return a static that is one file; the last one is kept, since a session's trials share it."""
    return read_recording(place, prefix, reader)


def _state(place: str) -> FileState:
    """Return what changes when a file does: size, time, number; nothing of one not there."""
    try:
        found = Path(place).stat()
    except OSError:
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ino


def use_static(static: Recording, options: Options) -> UsedStatic:
    """Return the part of a static that is used: the frames given, or the quiet part.

    Parameters
    ----------
    static : Recording
        Markers under our names.
    options : Options

    Raises
    ------
    UsageError
        When the frames that are given are not in the file.
    """
    start, stop, still, log = 0, static.n_frames, True, []
    if options.static_frames is not None:
        first, last = options.static_frames
        start, stop = first - static.first_frame, last - static.first_frame + 1
        if start < 0 or stop > static.n_frames:
            end = static.first_frame + static.n_frames - 1
            raise UsageError(
                f"--static {static.name}:{first}-{last}: the file has frames"
                f" {static.first_frame}-{end}; wanted frames of it"
            )
        part = quiet_part(cut(static, start, stop))
        still = part is not None and 2 * (part.stop - part.start) >= stop - start
        said = "given" if still else "given; the person moves in them"
        log.append(f"static: frames {first}-{last} ({said})")
    else:
        part = quiet_part(static)
        still = part is not None
        if part is not None and not part.whole:
            start, stop = part.start, part.stop
            first, last = static.first_frame + start, static.first_frame + stop - 1
            log.append(
                f"static: frames {first}-{last}, the longest part in which the person stands"
            )
    findings = []
    if not still:
        message = (
            f"{static.name}: nobody stands still in it for {SHORTEST_S:g} s; its landmarks are"
            " taken from frames in which they are seen with their cluster"
        )
        findings.append(Finding("warning", "static-moves", static.name, message))
        log.append(message)
    used, ghosts = without_ghosts(cut(static, start, stop))
    named = [ghost for ghost in ghosts if not ghost.startswith(_NOBODY_NAMED)]
    if named:
        message = (
            f"{static.name}: {', '.join(named)} of {used.n_frames} frames: not used, a landmark"
            " counts when it is seen in a tenth of the frames"
        )
        findings.append(Finding("warning", "static-ghost", static.name, message))
        log.append(message)
    return UsedStatic(used, still, findings, log)


_NOBODY_NAMED = "*"
"""Points that the recording program numbers because nobody gave them a name; none is a landmark."""


def check_static(
    standing: UsedStatic, trial: Recording, match: ModelMatch, sides: list[str]
) -> list[str]:
    """Return the sides that a static can calibrate.

    Parameters
    ----------
    standing : UsedStatic
    trial : Recording
    match : ModelMatch
        Of the trial.
    sides : list of {"left", "right"}

    Raises
    ------
    StaticRefused
        When it lacks the model's markers.
    """
    static, model = standing.recording, match.model
    if model.climbs:  # each segment takes what there is
        return sides
    own = replace(model, labels={role: (role,) for role in model.labels})
    missing = match_model(own, static).missing
    both = [side for side in sides if not missing[side]]
    if not both:
        lacking = [label for side in sides for label in missing[side]]
        raise StaticRefused(
            f"{static.name} is not a static of {trial.name}: it lacks"
            f" {', '.join(dict.fromkeys(lacking))}; name another with --static"
        )
    return both


def check_person(
    standing: UsedStatic,
    trial: Recording,
    options: Options,
) -> list[Finding]:
    """Return what is to be said of a static of somebody else, or of another weight.

    Parameters
    ----------
    standing : UsedStatic
    trial : Recording
    options : Options

    Raises
    ------
    StaticRefused
        When it shows another person and ``other_person`` is not said.
    """
    static = standing.recording
    doubt = person_doubt(trial, static)
    found = mass_finding(trial, static)
    if not doubt:
        return found
    message = f"{static.name} is a static of another person than {trial.name}: {doubt}"
    if not options.other_person:
        raise StaticRefused(f"{message}; name another with --static, or say --other-person")
    return [Finding("warning", "other-person", static.name, message), *found]


def standing_trial(static: Recording, R_GL: Array, options: Options, thinning: Thinning) -> Trial:
    """Return a static in G; where its own axes are not clear, those of the trial.

    The person may face another way in it: what is given as forward is the walking direction.
    """
    try:
        axes = find_axes(static, options.up)
    except (AxesRefused, ModelNotFound):
        axes = R_GL
    return to_trial(static, axes, thinning)

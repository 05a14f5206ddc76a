"""Find or take the static of a run, cut it to quiet standing and check the person."""

from __future__ import annotations

from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from gaitdyn.calibrate.axes import find_axes
from gaitdyn.calibrate.models.fitted import match_model
from gaitdyn.calibrate.models.renaming import mended
from gaitdyn.calibrate.posture.posed import NEEDS_NO_STATIC, takes_poses
from gaitdyn.calibrate.statics.find import find_static
from gaitdyn.calibrate.statics.quiet import SHORTEST_S, quiet_part, without_ghosts
from gaitdyn.calibrate.statics.same_person import mass_finding, person_doubt
from gaitdyn.errors import AxesRefused, FileRefused, ModelNotFound, StaticRefused, UsageError
from gaitdyn.io.cut import cut
from gaitdyn.io.file_kinds import holds_forces
from gaitdyn.io.recording import read_recording
from gaitdyn.io.trial import to_trial
from gaitdyn.stages.labels import model_of
from gaitdyn.stages.reading import missing_legs
from gaitdyn.stages.shared_labels import counted_shared
from gaitdyn.types.arguments import option_of
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.option_rows import not_usual
from gaitdyn.types.options import NO_FORCES, NO_STATIC, Options

if TYPE_CHECKING:
    from gaitdyn.io.c3d.reader import ReaderName
    from gaitdyn.io.plates.wrenches import Thinning
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.marker_model import ModelMatch
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.trial import Trial

    FileState: TypeAlias = tuple[int, ...]


@frozen(eq=False)
class StaticFile:
    """The static as read; ``None`` if there is none.

    Attributes
    ----------
    recording : Recording or None
        Single labels renamed.
    path : Path, str or None
    log : list of str
    as_read : Recording or None
        With the labels of the file.
    """

    recording: Recording | None
    path: Path | str | None
    log: list[str]
    as_read: Recording | None = None


@frozen(eq=False)
class UsedStatic:
    """A static that is used.

    Attributes
    ----------
    recording : Recording
        The frames that are used.
    still : bool
        Whether the person stands still in them. If not, landmarks are taken from the frames in
        which cluster and landmark are visible together.
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
        The file of the trial.
    trial : Recording
        With the labels of the file, single ones renamed.
    options : Options

    Raises
    ------
    FileRefused
    """
    if takes_poses(trial, options.model):
        given = options.static not in (None, NO_STATIC)
        return StaticFile(None, None, [f"static: {NEEDS_NO_STATIC}"] if given else [])
    if options.static == NO_STATIC:
        return StaticFile(None, None, ["no static is used", *_unused(options)])
    static_path, reason = options.static, ""
    if static_path is None:
        choice = find_static(path, trial, options, model_of(trial, options))
        if choice.path is None:
            return StaticFile(None, None, [choice.reason, *_unused(options)])
        static_path, reason = str(choice.path), f" ({choice.reason})"
    recording, notes = _standing_file(static_path, options)
    static = mended(recording, options.rename)
    return StaticFile(static, static_path, [f"static: {static.name}{reason}", *notes], recording)


def _unused(options: Options) -> list[str]:
    """Return a log line on options that need a static."""
    given = map(option_of, not_usual(options, ("flat_foot",)))
    return [f"{option} not used: there is no static" for option in given]


def _standing_file(path: str, options: Options) -> tuple[Recording, list[str]]:
    """Return a static as read; if its forces cannot be read, without them and a line on why."""
    prefix, reader = options.subject_prefix, options.reader
    if holds_forces(Path(path).name):
        return _whole_file(path, _file_state(path), prefix, reader), []
    try:
        return read_recording(path, prefix, reader), []
    except FileRefused as error:
        recording = read_recording(path, prefix, reader, forces=NO_FORCES)
        return recording, [f"static without forces: {error}"]


@lru_cache(maxsize=1)
def _whole_file(path: str, _: FileState, prefix: str | None, reader: ReaderName) -> Recording:
    """Return a static that is one file; cached, since the trials of a session share it."""
    return read_recording(path, prefix, reader)


def _file_state(path: str) -> FileState:
    """Return size, modification time and inode of a file, which change when it does; else empty."""
    try:
        status = Path(path).stat()
    except OSError:
        return ()
    return status.st_size, status.st_mtime_ns, status.st_ino


def use_static(static: Recording, options: Options) -> UsedStatic:
    """Return the part of a static that is used: the given frames, or the quiet part.

    Parameters
    ----------
    static : Recording
        Markers under our names.
    options : Options

    Raises
    ------
    UsageError
        When the given frames are not in the file.
    """
    start, stop, still, log = 0, static.n_frames, True, []
    if options.static_frames is not None:
        first, last = options.static_frames
        start, stop = first - static.first_frame, last - static.first_frame + 1
        if start < 0 or stop > static.n_frames:
            end = static.first_frame + static.n_frames - 1
            raise UsageError(
                f"--static {static.name}:{first}-{last}: the file has frames"
                f" {static.first_frame}-{end}; wanted frames within these"
            )
        part = quiet_part(cut(static, start, stop))
        still = part is not None and 2 * (part.stop - part.start) >= stop - start
        origin = "given" if still else "given; the person moves in them"
        log.append(f"static: frames {first}-{last} ({origin})")
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
            f"{static.name}: the person does not stand still for {SHORTEST_S:g} s; landmarks are"
            " taken from frames in which they are visible together with their cluster"
        )
        findings.append(Finding("warning", "static-moves", static.name, message))
        log.append(message)
    used, ghosts = without_ghosts(cut(static, start, stop))
    if named := [ghost for ghost in ghosts if not ghost.startswith(_UNNAMED)]:
        message = (
            f"{static.name}: visible in too few of {used.n_frames} frames: {', '.join(named)}; not"
            " used, as a landmark counts if it is visible in a tenth of the frames"
        )
        findings.append(Finding("warning", "static-ghost", static.name, message))
        log.append(message)
    return UsedStatic(used, still, findings, log)


_UNNAMED = "*"
"""First letter of points that have a number instead of a name; none of them is a landmark."""


def check_static(
    standing: UsedStatic, trial: Recording, match: ModelMatch, sides: list[str]
) -> tuple[list[str], list[Finding]]:
    """Return the sides that a static can calibrate, and a finding for each other one.

    Parameters
    ----------
    standing : UsedStatic
    trial : Recording
    match : ModelMatch
        The model as matched to the trial.
    sides : list of {"left", "right"}

    Raises
    ------
    StaticRefused
        When the static lacks the model's markers.
    """
    static, model = standing.recording, match.model
    if model.climbs:  # each segment uses what is available
        return sides, []
    canonical = replace(model, labels={role: (role,) for role in model.labels})
    fit = match_model(canonical, static)
    shared = counted_shared(static)
    missing = {
        side: [f"{x} (the label of {shared[x]} markers)" if shared[x] > 1 else x for x in labels]
        for side, labels in fit.missing.items()
    }
    usable = [side for side in sides if not missing[side]]
    if not usable:
        lacking = [label for side in sides for label in missing[side]]
        raise StaticRefused(
            f"{static.name} is not a static of {trial.name}: it lacks"
            f" {', '.join(dict.fromkeys(lacking))}; name another with --static"
        )
    return usable, missing_legs(replace(fit, missing=missing), sides, f"the static {static.name}")


def check_person(standing: UsedStatic, trial: Recording, options: Options) -> list[Finding]:
    """Return findings on a static of another person, or of another mass.

    Raises
    ------
    StaticRefused
        When the static shows another person and ``other_person`` is not set.
    """
    static = standing.recording
    doubt = person_doubt(trial, static)
    findings = mass_finding(trial, static)
    if not doubt:
        return findings
    message = f"{static.name} is a static of another person than {trial.name}: {doubt}"
    if not options.other_person:
        raise StaticRefused(f"{message}; name another with --static, or give --other-person")
    return [Finding("warning", "other-person", static.name, message), *findings]


def standing_trial(static: Recording, R_GL: Array, options: Options, thinning: Thinning) -> Trial:
    """Return a static in G, with the trial's axes if its own are not clear.

    The person may face another way in the static, so a given forward axis is not used: it is the
    walking direction.
    """
    try:
        axes = find_axes(static, options.up)
    except (AxesRefused, ModelNotFound):
        axes = R_GL
    return to_trial(static, axes, thinning)

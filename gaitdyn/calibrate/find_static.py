"""Finding the static of a trial among the files near it: one finder for every command.

A static is taken only when it shows the same person (subject name or, without names, body mass
and leg lengths), has the markers that the trial's legs need, and somebody stands still in it; of
several the last one before the trial. Headers, parameters and two dozen frames are read.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.axes import WALKED_M
from gaitdyn.calibrate.marker_models import match_model, renamed
from gaitdyn.calibrate.posed import NEEDS_NO_STATIC, takes_poses
from gaitdyn.calibrate.quiet import quiet_part
from gaitdyn.calibrate.renaming import mended
from gaitdyn.calibrate.same_person import plain_names, shanks_differ
from gaitdyn.calibrate.static_files import FOLDERS, called_static, natural_order, places
from gaitdyn.core.medians import median
from gaitdyn.core.runs import complete_rows, known_points
from gaitdyn.errors import FileRefused
from gaitdyn.io.file_sample import file_sample
from gaitdyn.io.recording import read_recording
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.marker_model import ModelMatch
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording

_SAME = 0.01
_LISTED = 6
_SHARED = 0.5
_ROOT = ("LASI", "RASI", "LGTR", "RGTR")
_FEET = ("LTOE", "RTOE", "LHEE", "RHEE", "LMT5", "RMT5", "LANK", "RANK")


@frozen()
class StaticChoice:
    """The static found, or ``None``, and why in one sentence; the frames that were named."""

    path: Path | None
    reason: str
    frames: tuple[int, int] | None = None


@frozen(eq=False)
class Candidate:
    """A file after a look.

    Attributes
    ----------
    path : Path
    names : frozenset of str
        SUBJECTS:NAMES, plain; for comparing, never for printing.
    sample : Recording
        Some frames, or all; labels of the file, single ones mended.
    called : bool
        Whether its name, its folder or the laboratory calls it a static.
    """

    path: Path
    names: frozenset[str]
    sample: Recording
    called: bool = False


def find_static(
    path: str | Path, trial: Recording, options: Options, match: ModelMatch | None = None
) -> StaticChoice:
    """Look for the static of a trial: in its folder, then in those of statics, then above.

    Parameters
    ----------
    path : str or Path
        Of the trial.
    trial : Recording
        As read, single labels mended.
    options : Options
        ``model``, ``subject_prefix``, ``rename``.
    match : ModelMatch, optional
        The trial's marker model; ``None`` where nothing says what its labels mean.
    """
    if takes_poses(trial, options.model):
        return StaticChoice(None, NEEDS_NO_STATIC)
    path = Path(path)
    own = Candidate(path, plain_names(trial.persons), trial)
    listed: list[str] = []
    damaged: list[str] = []
    for place, files in places(path):
        looked = [(f, look(f, options)) for f in files]
        others = [c for _, c in looked if c is not None]
        damaged += [f.name for f, c in looked if c is None]
        choice = choose(own, match, others, options)
        if choice.path is not None:
            where = "" if place == path.resolve().parent else f", in {place.name}/"
            return StaticChoice(choice.path, choice.reason + where)
        if others:
            listed.append(choice.reason)
    near = f"{_few(damaged)} cannot be read" if damaged else "no other recording is near the trial"
    nothing = f"no static found: {near}; name one with --static"
    return StaticChoice(None, "; ".join(listed) or nothing)


def _few(names: Sequence[str]) -> str:
    """Return some names of files, not all of many."""
    more = ", .." if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more


def look(path: Path, options: Options, *, called: bool | None = None) -> Candidate | None:
    """Look at a file that may be a static; ``None`` when it cannot be read."""
    try:
        found = file_sample(path, options.subject_prefix)
    except (FileRefused, OSError):
        return None
    if called is None:
        called = called_static(path.stem) or path.resolve().parent.name.lower() in FOLDERS
    names = plain_names(found.sample.persons)
    return Candidate(path, names, mended(found.sample, options.rename), called)


def choose(
    own: Candidate, match: ModelMatch | None, others: Sequence[Candidate], options: Options
) -> StaticChoice:
    """Return which of some files is the static of a trial, and why.

    Parameters
    ----------
    own : Candidate
        The trial.
    match : ModelMatch or None
        Its marker model.
    others : sequence of Candidate
        In natural order of their names.
    options : Options
    """
    if match is not None and match.model.engine == "poses":
        return StaticChoice(None, NEEDS_NO_STATIC)
    fit: list[Path] = []
    doubts: list[str] = []
    unnamed = False
    for other in others:
        same = same_person(own, other)
        doubt = _doubt(own, match, other, options)
        if doubt:
            doubts.append(f"{other.path.name}: {doubt}")
            continue
        fit.append(other.path)
        unnamed = unnamed or same is None
    if not fit:
        more = "; ..." if len(doubts) > _LISTED else ""
        why = "; ".join(doubts[:_LISTED]) + more or "no other recording"
        return StaticChoice(None, f"no static fits ({why}); name one with --static")
    who = "the files name no subject" if unnamed else "same person"
    return last_before(own.path, fit, f"{who}, all model markers")


def last_before(path: Path, found: Sequence[Path], why: str) -> StaticChoice:
    """Return the last of some statics, in natural order, that stands before a trial.

    Parameters
    ----------
    path : Path
        Of the trial.
    found : sequence of Path
        The statics that fit, at least one, sorted by :func:`natural_order`.
    why : str
        What they have in common with the trial.
    """
    if len(found) == 1:
        return StaticChoice(found[0], f"the only one that fits; {why}")
    before = [f for f in found if natural_order(f.name) < natural_order(path.name)]
    if before:
        return StaticChoice(before[-1], f"the last one before the trial that fits; {why}")
    names = ", ".join(f.name for f in found)
    return StaticChoice(
        None, f"no static: {names} fit equally; name one with --static or in session.toml"
    )


def same_person(own: Candidate, other: Candidate) -> bool | None:
    """Return whether two files hold the same person; ``None`` when they do not say.

    By the subject's name or, without names, by body mass and leg lengths.
    """
    if own.names or other.names:
        return bool(own.names & other.names) if own.names and other.names else None
    one, two = own.sample.subject, other.sample.subject
    pairs = [
        (one.mass_kg, two.mass_kg),
        (one.left.leg_length_m, two.left.leg_length_m),
        (one.right.leg_length_m, two.right.leg_length_m),
    ]
    known = [(a, b) for a, b in pairs if a and b]
    if any(abs(a - b) > _SAME * a for a, b in known):
        return False
    return True if len(known) == len(pairs) else None


def _doubt(own: Candidate, match: ModelMatch | None, other: Candidate, options: Options) -> str:
    """Return why a file cannot be the static of a trial; empty when it can."""
    same = same_person(own, other)
    if same is False:
        return "another subject" if own.names and other.names else "another body mass or leg length"
    if same is None and not other.called:
        return "nothing says that it is the same subject"
    lacking = _lacking(own.sample, match, other.sample, options)
    if lacking:
        return f"lacks {lacking}"
    return _moving(match, other, options) or _differs(own.sample, match, other.sample, options)


def _roles(sample: Recording, match: ModelMatch | None, options: Options) -> Recording:
    if match is None:
        return sample
    roles = tuple(new for _, new in options.rename)
    return renamed(sample, match_model(match.model, sample, roles))


def _lacking(
    trial: Recording, match: ModelMatch | None, static: Recording, options: Options
) -> str:
    """Return what a file lacks to be a static of a trial; empty when it has enough.

    What the legs need by the trial's model; without one, half of the trial's markers.
    """
    if match is not None:
        found = match_model(match.model, static, tuple(new for _, new in options.rename))
        lacking = [label for side in match.sides for label in found.missing[side]]
        return ", ".join(sorted(dict.fromkeys(lacking))[:4])
    ours, theirs = _seen(trial), _seen(static)
    enough = ours and len(ours & theirs) >= _SHARED * len(ours)
    return "" if enough else f"{len(ours - theirs)} of {len(ours)} markers of the trial"


def _seen(sample: Recording) -> set[str]:
    known = known_points(sample.markers_L)
    return {label for i, label in enumerate(sample.labels) if known[:, i].any()}


def _moving(match: ModelMatch | None, other: Candidate, options: Options) -> str:
    """Return how far the person walks in a file; empty where a part of it is quiet."""
    moved = travel_m(_roles(other.sample, match, options))
    if moved is None:
        return "its pelvis is not seen"
    if moved <= WALKED_M or (other.called and has_quiet_part(other.path, match, options)):
        return ""
    return f"walks {moved:.1f} m"


def has_quiet_part(path: Path, match: ModelMatch | None, options: Options) -> bool:
    """Return whether somebody stands still in a part of a file; all of it is read.

    Where the trial's labels are those of no model, labels and places of the file itself say which
    markers are feet.
    """
    try:
        whole = mended(read_recording(path, options.subject_prefix), options.rename)
    except FileRefused:
        return False
    by_model = match is not None and not match.model.climbs
    named = _roles(whole, match, options) if by_model else _by_landmarks(whole)
    return quiet_part(named) is not None


def _by_landmarks(recording: Recording) -> Recording:
    from gaitdyn.landmarks import resolve  # of use for files of unknown labels alone

    roles = resolve(recording)[0].roles()
    labels = tuple(roles.get(i, f"*{label}") for i, label in enumerate(recording.labels))
    return replace(recording, labels=labels)


def travel_m(sample: Recording) -> float | None:
    """Return the largest box that pelvis or feet move in, diagonal in m; ``None`` when not seen.

    Of a file whose labels are not known, the median box of all its markers.

    Parameters
    ----------
    sample : Recording
        Markers under our names.
    """
    known = [x for x in (*_ROOT, *_FEET) if sample.has(x)]
    sizes = [_box(sample, sample.labels.index(x)) for x in known]
    sizes = [size for size in sizes if size is not None]
    if sizes:
        return max(sizes)
    boxes = [_box(sample, i) for i in range(len(sample.labels))]
    seen = [size for size in boxes if size is not None]
    return float(median(seen)) if seen and not known else None


def _box(sample: Recording, i: int) -> float | None:
    points = sample.markers_L[:, i]
    points = points[complete_rows(points)]
    return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else None


def _differs(
    trial: Recording, match: ModelMatch | None, static: Recording, options: Options
) -> str:
    """Return by how much the shanks differ; empty within 3 %, or where they are not known."""
    ours, theirs = (_roles(sample, match, options) for sample in (trial, static))
    told = shanks_differ(ours, theirs)
    return f"another person: knee to ankle {told}" if told else ""

"""Why a file cannot be the static of a trial: another person, other markers, or nobody stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from gaitdyn.calibrate.axes import WALKED_M
from gaitdyn.calibrate.models.fitted import match_model, renamed
from gaitdyn.calibrate.models.renaming import mended
from gaitdyn.calibrate.statics.files import called_static, holds_statics
from gaitdyn.calibrate.statics.laid import laid_elsewhere
from gaitdyn.calibrate.statics.objects import labels_of_objects
from gaitdyn.calibrate.statics.quiet import quiet_part
from gaitdyn.calibrate.statics.same_person import plain_names, shanks_differ
from gaitdyn.core.medians import known_median, known_medians, median
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import ever_known, known_points
from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.file_sample import file_sample
from gaitdyn.io.recording import read_recording
from gaitdyn.landmarks import with_bare_labels
from gaitdyn.landmarks.labels.label import is_unlabelled
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.marker_model import ModelMatch
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.words import counted

SAME = 0.01
"""Largest relative difference between masses or leg lengths of one person in two files."""

SHORTEST_FRAMES = 20
UNSAID = "nothing says that it is the same subject"
UPRIGHT = 0.9
"""In standing the pelvis is at least this far from the feet, as a share of the walk: it is not in
sitting or squatting."""

_SHARED, _SHARED_IF_CALLED = 0.5, 0.25
"""Least share of the markers of a trial that its static has, if no marker model is known; one that
is called a static may have the markers of the legs alone."""

_ROOT = ("LASI", "RASI", "LGTR", "RGTR")
_FEET = ("LTOE", "RTOE", "LHEE", "RHEE", "LMT5", "RMT5", "LANK", "RANK")


@frozen(eq=False)
class Candidate:
    """A file that may be a static, with some of its frames.

    Attributes
    ----------
    path : Path
    names : frozenset of str
        SUBJECTS:NAMES, plain; for comparison only, never for printing.
    sample : Recording
        Some frames, or all; labels of the file, single ones renamed.
    called : bool
        Whether its name, its folder or the laboratory calls it a static.
    """

    path: Path
    names: frozenset[str]
    sample: Recording
    called: bool = False


def read_candidate(path: Path, options: Options) -> Candidate | None:
    """Return a file that may be a static; ``None`` if it cannot be read."""
    try:
        file = file_sample(path, options.subject_prefix)
    except (FileRefused, OSError):
        return None
    called = called_static(path.stem) or holds_statics(path.resolve().parent.name)
    names = plain_names(file.sample.persons)
    return Candidate(path, names, mended(file.sample, options.rename), called)


def same_person(trial: Candidate, other: Candidate) -> bool | None:
    """Return whether two files show the same person; ``None`` if this is not known.

    The name of the subject decides or, without names, body mass and leg lengths.
    """
    if trial.names or other.names:
        return bool(trial.names & other.names) if trial.names and other.names else None
    one, two = trial.sample.subject, other.sample.subject
    pairs = [
        (one.mass_kg, two.mass_kg),
        (one.left.leg_length_m, two.left.leg_length_m),
        (one.right.leg_length_m, two.right.leg_length_m),
    ]
    known = [(a, b) for a, b in pairs if a and b]
    if any(abs(a - b) > SAME * a for a, b in known):
        return False
    return True if len(known) == len(pairs) else None


def _of_another(trial: Candidate, other: Candidate) -> str:
    """Return why a file may show another person, or too little; empty if it does not."""
    same = same_person(trial, other)
    if same is False:
        named = trial.names and other.names
        return "another subject" if named else "another body mass or leg length"
    if same is None and not other.called and (trial.names or other.names):
        return UNSAID
    if not other.called and other.sample.n_frames < SHORTEST_FRAMES:
        return f"{counted(other.sample.n_frames, 'frame')} do not show whether somebody stands"
    return ""


def why_not(trial: Candidate, match: ModelMatch | None, other: Candidate, options: Options) -> str:
    """Return why a file cannot be the static of a trial; empty if it can."""
    if doubt := _of_another(trial, other):
        return doubt
    if lacking := _lacking(trial.sample, match, other.sample, options):
        return f"lacks {lacking}"
    if doubt := _moving(match, other, options):
        return doubt
    samples = trial.sample, other.sample
    anything, unsaid = match is None or match.model.climbs, same_person(trial, other) is None
    unlike = unsaid and (anything or not other.called)
    if unlike and (doubt := _of_another_kind(samples, match, options, called=other.called)):
        return doubt
    if doubt := _differs(*(under_our_names(sample, match, options) for sample in samples)):
        return doubt
    return laid_elsewhere(*samples) if unsaid else ""


def _of_another_kind(
    samples: tuple[Recording, Recording],
    match: ModelMatch | None,
    options: Options,
    *,
    called: bool,
) -> str:
    """Return why a file of nobody knows whom is no static of this trial; empty if it may be.

    The roles of single files are compared, since the ladder fits any markers.
    """
    if lacking := _too_few(*samples, _SHARED_IF_CALLED if called else _SHARED):
        return f"lacks {lacking}"
    climbs = match is None or match.model.climbs
    ours, theirs = (
        by_landmarks(s) if climbs else under_our_names(s, match, options) for s in samples
    )
    if not called and not height_m(theirs) >= UPRIGHT * height_m(ours):
        return "nobody stands upright in it"
    return _differs(ours, theirs)


def height_m(sample: Recording) -> float:
    """Return the median distance from the middle of the pelvis to that of the feet, m."""
    middles = [
        sample.markers_L[:, [i for i, label in enumerate(sample.labels) if label in ends]]
        for ends in (_ROOT, _FEET)
    ]
    pelvis, feet = (known_medians(np.moveaxis(points, 1, 0)) for points in middles)
    return known_median(lengths(pelvis - feet))


def under_our_names(sample: Recording, match: ModelMatch | None, options: Options) -> Recording:
    """Return some frames under the names that a marker model gives, unchanged without a model."""
    return sample if match is None else renamed(sample, _fit(match, sample, options))


def _fit(match: ModelMatch, sample: Recording, options: Options) -> ModelMatch:
    """Return how the model of the trial fits another file, as written or without what all share."""
    fit = match_model(match.model, sample, tuple(new for _, new in options.rename))
    if fit.places or options.rename:
        return fit
    return match_model(match.model, with_bare_labels(sample))


def fits(match: ModelMatch | None, sample: Recording, options: Options) -> bool:
    """Return whether a file has the labels of a model; of the ladder it never has them all."""
    if match is None or match.model.climbs:
        return False
    missing = _fit(match, sample, options).missing
    return not any(missing[side] for side in match.sides)


def _lacking(
    trial: Recording, match: ModelMatch | None, static: Recording, options: Options
) -> str:
    """Return what a file lacks to be a static of a trial; empty if it has enough.

    It needs the markers of the legs in the model of the trial; without a model half of the markers
    of the trial, and with the ladder, which fits any, a quarter.
    """
    if match is None:
        return _too_few(trial, static, _SHARED)
    fit = _fit(match, static, options)
    lacking = [label for side in match.sides for label in fit.missing[side]]
    if not lacking and match.model.climbs:
        return _too_few(trial, static, _SHARED_IF_CALLED)
    return ", ".join(sorted(dict.fromkeys(lacking))[:4])


def _too_few(trial: Recording, static: Recording, share: float) -> str:
    """Return how many markers of the trial a file lacks; empty if it has this share of them."""
    ours, theirs = _seen_in(trial, static)
    enough = ours and len(ours & theirs) >= share * len(ours)
    return "" if enough else f"{len(ours - theirs)} of {len(ours)} markers of the trial"


def shares_labels(trial: Recording, static: Recording) -> bool:
    """Return whether the labels of two files are those of one marker set.

    They share a quarter of the trial's, as a static of the legs does, and half of those of the file
    that has fewer.
    """
    ours, theirs = _seen_in(trial, static)
    fewer = min(len(ours), len(theirs))
    return len(ours & theirs) >= max(_SHARED_IF_CALLED * len(ours), _SHARED * fewer, 1)


def _seen_in(trial: Recording, static: Recording) -> tuple[set[str], set[str]]:
    """Return the labels of the markers that each file shows, without what all of them share.

    Those of objects in the trial are not counted, unless it shows nothing else.
    """
    walk = with_bare_labels(trial)
    ours = _visible(walk)
    return ours - labels_of_objects(walk) or ours, _visible(with_bare_labels(static))


def _visible(sample: Recording) -> set[str]:
    """Return the labels of markers that are seen; points that nobody named are not counted."""
    seen = {sample.labels[i] for i in np.flatnonzero(ever_known(sample.markers_L))}
    return {label for label in seen if not is_unlabelled(label)} or seen


def _moving(match: ModelMatch | None, other: Candidate, options: Options) -> str:
    """Return how far the person walks in a file, in words; empty if part of it is quiet."""
    moved = travel_m(under_our_names(other.sample, match, options))
    if moved is None:
        return "its pelvis is not seen"
    if moved <= WALKED_M or (other.called and has_quiet_part(other.path, match, options)):
        return ""
    return f"walks {moved:.1f} m"


def has_quiet_part(path: Path, match: ModelMatch | None, options: Options) -> bool:
    """Return whether somebody stands still in part of a file, which is read completely.

    If no model has the labels of the trial, labels and positions in the file itself identify the
    markers of the feet.
    """
    try:
        whole = mended(read_recording(path, options.subject_prefix), options.rename)
    except FileRefused:
        return False
    known = fits(match, whole, options)
    named = under_our_names(whole, match, options) if known else by_landmarks(whole)
    return quiet_part(named) is not None


def by_landmarks(recording: Recording, given: Mapping[str, str] | None = None) -> Recording:
    """Return a recording under our names; a lone label of the trial means the same (``given``)."""
    from gaitdyn.landmarks import resolve

    labels = with_bare_labels(recording).labels
    lone = {label for label, count in Counter(labels).items() if count == 1}
    given = {label: role for label, role in (given or {}).items() if label in lone}
    taken = set(given.values())
    roles = {i: r for i, r in resolve(recording)[0].roles().items() if r not in taken}
    ours = (given.get(label) or roles.get(i, f"*{label}") for i, label in enumerate(labels))
    return replace(recording, labels=tuple(ours))


def travel_m(sample: Recording) -> float | None:
    """Return the diagonal of the largest box in which pelvis or feet move, m; ``None`` if unknown.

    In a file with unknown labels it is the median over the boxes of all markers.

    Parameters
    ----------
    sample : Recording
        Markers under our names.
    """
    known = [sample.labels.index(x) for x in (*_ROOT, *_FEET) if sample.has(x)]
    if (sizes := _boxes(sample.markers_L[:, known])).size:
        return float(sizes.max())
    sizes = _boxes(sample.markers_L)
    return float(median(sizes)) if sizes.size and not known else None


def _boxes(points: Array) -> Array:
    """Return the diagonal of the box in which each marker moves, m; none for one never seen."""
    seen = np.where(known_points(points)[..., None], points, np.nan)
    sizes = lengths(np.fmax.reduce(seen, axis=0) - np.fmin.reduce(seen, axis=0))
    return sizes[np.isfinite(sizes)]


def _differs(ours: Recording, theirs: Recording) -> str:
    """Return by how much the shanks differ, in words; empty within 3 % or if not known."""
    difference = shanks_differ(ours, theirs)
    return f"another person: knee to ankle {difference}" if difference else ""

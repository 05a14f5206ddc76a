"""The search for the static of a trial among the files near it, the same for every command.

A static is used only if it shows the same person (subject name or, without names, body mass and leg
lengths), has the markers that the legs of the trial need, and the person stands still in it. If the
files do not tell the person, the markers must lie on the body nearly as in the trial. Of several,
those called statics come first, then those in which the markers lie as in the trial, then those
named like it; of these it is the last one before the trial. Headers, parameters and two dozen
frames are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from gaitdyn.calibrate.models.fitted import renamed
from gaitdyn.calibrate.posture.posed import NEEDS_NO_STATIC, takes_poses
from gaitdyn.calibrate.statics.doubts import (
    UNSAID,
    UPRIGHT,
    Candidate,
    by_landmarks,
    fits,
    height_m,
    read_candidate,
    same_person,
    shares_labels,
    under_our_names,
    why_not,
)
from gaitdyn.calibrate.statics.files import called_alike, natural_order, searched_folders
from gaitdyn.calibrate.statics.laid import ELSEWHERE_M, laid_elsewhere, misfit_m
from gaitdyn.calibrate.statics.quiet import quiet_part
from gaitdyn.calibrate.statics.same_person import plain_names
from gaitdyn.landmarks import with_bare_labels
from gaitdyn.types.frozen import frozen
from gaitdyn.types.marker_model import ModelMatch
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording

_LISTED = 6


@frozen()
class StaticChoice:
    """The static, or ``None``, the reason in one sentence, and the frames given for it."""

    path: Path | None
    reason: str
    frames: tuple[int, int] | None = None


def find_static(
    path: str | Path, trial: Recording, options: Options, match: ModelMatch | None = None
) -> StaticChoice:
    """Return the static of a trial: from its folder, then those of statics, then the parent folder.

    Parameters
    ----------
    path : str or Path
        Of the trial.
    trial : Recording
        As read, single labels renamed.
    options : Options
        ``model``, ``subject_prefix``, ``rename``.
    match : ModelMatch, optional
        The marker model of the trial; ``None`` if the meaning of its labels is not known.
    """
    if takes_poses(trial, options.model):
        return StaticChoice(None, NEEDS_NO_STATIC)
    path = Path(path)
    walk = Candidate(path, plain_names(trial.persons), trial)
    reasons: list[str] = []
    damaged: list[str] = []
    for folder, files, left_out in searched_folders(path):
        candidates = [(f, read_candidate(f, options)) for f in files]
        others = [c for _, c in candidates if c is not None]
        damaged += [f.name for f, c in candidates if c is None]
        choice = choose(walk, match, others, options)
        if choice.path is not None:
            where = "" if folder == path.resolve().parent else f", in {folder.name}/"
            return StaticChoice(choice.path, choice.reason + where + left_out)
        if others:
            reasons.append(choice.reason + left_out)
    why = f"{_few(damaged)} cannot be read" if damaged else "no other recording is near the trial"
    not_found = f"no static found: {why}; name one with --static"
    reasons = [*(reasons or [not_found]), *_own_standing(trial, match, options)]
    return StaticChoice(None, "; ".join(reasons))


def _own_standing(trial: Recording, match: ModelMatch | None, options: Options) -> list[str]:
    """Return the frames of a trial in which the person stands still and upright, as an option."""
    named = by_landmarks(trial) if match is None else under_our_names(trial, match, options)
    part = quiet_part(named)
    if part is None or part.whole:
        return []
    stood = replace(named, markers_L=named.markers_L[slice(part.start, part.stop)])
    if not height_m(stood) >= UPRIGHT * height_m(named):
        return []
    first, last = (trial.first_frame + row for row in (part.start, part.stop - 1))
    return [f"or use the frames in which the person stands: --static {trial.name}:{first}-{last}"]


def _few(names: Sequence[str]) -> str:
    """Return the first of some file names as text."""
    more = ", .." if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more


def choose(
    trial: Candidate, match: ModelMatch | None, others: Sequence[Candidate], options: Options
) -> StaticChoice:
    """Return which of some files is the static of a trial, and why.

    Files that are called statics precede others in which the same person stands, unless the
    markers of another lie much nearer to those of the trial (:func:`laid_nearer`).

    Parameters
    ----------
    trial : Candidate
    match : ModelMatch or None
        Its marker model.
    others : sequence of Candidate
        In natural order of their names.
    options : Options
    """
    if match is not None and match.model.engine == "poses":
        return StaticChoice(None, NEEDS_NO_STATIC)
    alike_set = {c.path for c in others if shares_labels(trial.sample, c.sample)}
    if match is not None and not match.model.climbs and not fits(match, trial.sample, options):
        trial, others = _by_places(trial, match, others)
    doubts = [
        why_not(trial, match, other, options)
        or ("" if other.path in alike_set else laid_elsewhere(trial.sample, other.sample))
        for other in others
    ]
    fit = [other for other, doubt in zip(others, doubts, strict=True) if not doubt]
    called = [c for c in fit if c.called] or [c for c in fit if same_person(trial, c)]
    if not called and len(fit) == 1:
        why = "the only one in which somebody stands; all model markers, no file names a subject"
        return StaticChoice(fit[0].path, why)
    if not called:
        return _none_fits(others, doubts)
    if nearer := laid_nearer(trial, called, fit):
        return nearer
    called = [c for c in called if c.path in alike_set] or called
    return _best(trial, called)


def _by_places(
    trial: Candidate, match: ModelMatch, others: Sequence[Candidate]
) -> tuple[Candidate, list[Candidate]]:
    """Return a trial under the names of its model, and other files under those of landmarks.

    Labels that one marker of the trial has mean the same in the other files.
    """
    labels = with_bare_labels(trial.sample).labels
    given = {labels[i]: role for i, role in match.places.items() if labels.count(labels[i]) == 1}
    named = replace(trial, sample=renamed(trial.sample, match))
    return named, [replace(c, sample=by_landmarks(c.sample, given)) for c in others]


def _none_fits(others: Sequence[Candidate], doubts: Sequence[str]) -> StaticChoice:
    """Return that no file is the static of a trial, with what speaks against the first ones."""
    told = [f"{c.path.name}: {d or UNSAID}" for c, d in zip(others, doubts, strict=True)]
    more = "; ..." if len(told) > _LISTED else ""
    why = "; ".join(told[:_LISTED]) + more or "no other recording"
    return StaticChoice(None, f"no static fits ({why}); name one with --static")


def _best(trial: Candidate, called: Sequence[Candidate]) -> StaticChoice:
    """Return which of the statics that fit a trial agrees best with it in markers and name."""
    unnamed = any(same_person(trial, c) is None for c in called)
    person = "the files name no subject" if unnamed else "same person"
    alike = called_alike(trial.path, [c.path for c in laid_alike(trial.sample, called)])
    why = f"{person}, all model markers"
    if len(alike) == 1 < len(called):
        return StaticChoice(
            alike[0], f"the one of {len(called)} that agrees best in markers and name; {why}"
        )
    return last_before(trial.path, alike, why)


def last_before(path: Path, found: Sequence[Path], why: str) -> StaticChoice:
    """Return the last of some statics that precedes a trial in natural order, or the first.

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
    if before := [f for f in found if natural_order(f.name) < natural_order(path.name)]:
        return StaticChoice(before[-1], f"the last one before the trial that fits; {why}")
    return StaticChoice(found[0], f"the first one after the trial that fits; {why}")


def laid_nearer(
    trial: Candidate, called: Sequence[Candidate], fit: Sequence[Candidate]
) -> StaticChoice | None:
    """Return a file that is not called a static, if its markers lie much nearer to the trial's.

    Only where nothing says whose the statics are: one that is called a static may then be another
    person's. ``None`` unless those that are called so are 1.7 times and 2 mm further off.

    Parameters
    ----------
    trial : Candidate
    called, fit : sequence of Candidate
        The statics that are called so, and all files that may be the static.
    """
    rest = [c for c in fit if not c.called]
    if not rest or any(same_person(trial, c) for c in called):
        return None
    off = {c.path: misfit_m(trial.sample, c.sample) for c in (*called, *rest)}
    best, first = (
        min(some, key=lambda c: (not np.isfinite(off[c.path]), off[c.path]))
        for some in (rest, called)
    )
    near, far = off[best.path], off[first.path]
    if not far > max(OTHERS * near, near + LAID_M):
        return None
    sizes = f"{1000 * near:.0f} against {1000 * far:.0f} mm"
    return StaticChoice(
        best.path,
        f"its markers lie nearer to the trial's than those of {first.path.name} ({sizes})",
    )


OTHERS = 1.7
"""In the static of another person the distances of markers differ by so many times as much."""

LAID_M = 0.002
"""Markers lie alike if their distances differ by at most 2 mm more than in the best static."""


def laid_alike(trial: Recording, statics: Sequence[Candidate]) -> list[Candidate]:
    """Return the statics in which the markers lie on the body as in the trial.

    The distances of markers that keep them in the trial are compared. In 21 trials of the corpus
    they differ by 2 to 10 mm on average from the static of the person, by 1.7 times as much or more
    from that of another person, and by 4 mm more once the markers had been placed again.
    """
    if len(statics) <= 1:
        return list(statics)
    off = [misfit_m(trial, static.sample) for static in statics]
    best = min((m for m in off if np.isfinite(m)), default=np.nan)
    far = [m > best + LAID_M or (best <= ELSEWHERE_M and not np.isfinite(m)) for m in off]
    return [s for s, is_far in zip(statics, far, strict=True) if not is_far]

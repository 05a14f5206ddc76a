"""Translate the labels of a laboratory into our marker names."""

from __future__ import annotations

from collections import Counter
from dataclasses import field, replace

from gaitdyn.calibrate.ladder.model import LADDER, is_role, ladder_match
from gaitdyn.calibrate.models.choice import (
    AUTO,
    PLUG_IN_GAIT,
    choose_model,
    first_that_fits,
    outclimbed,
)
from gaitdyn.calibrate.models.fitted import match_model, renamed, renaming_lines
from gaitdyn.calibrate.posture.posed import posed, takes_poses
from gaitdyn.errors import ModelNotFound
from gaitdyn.landmarks import with_bare_labels
from gaitdyn.stages.label_lines import (
    first_few,
    labels_read,
    names_hidden,
    people_beside,
    told_masked,
)
from gaitdyn.stages.labels_above import landmarks_beside, with_upper
from gaitdyn.stages.lost_markers import is_upper
from gaitdyn.stages.shared_labels import one_of_each
from gaitdyn.stages.vendor_labels import wands_astray, with_medial
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.landmarks import Resolution
from gaitdyn.types.marker_model import ModelMatch
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording


@frozen(eq=False)
class Labelled:
    """Trial and static under our names.

    Attributes
    ----------
    trial : Recording
    static : Recording or None
    match : ModelMatch
        Of the trial.
    log : list of str
    findings : list of Finding
        What is doubtful about the labels.
    """

    trial: Recording
    static: Recording | None
    match: ModelMatch
    log: list[str]
    findings: list[Finding] = field(default_factory=list["Finding"])


def model_of(trial: Recording, options: Options) -> ModelMatch | None:
    """Return the marker model of a trial, from its labels or from labels and positions together.

    Parameters
    ----------
    trial : Recording
        With the labels of the file, single ones renamed.
    options : Options
        ``model``, ``rename``.

    Returns
    -------
    ModelMatch or None
        ``None`` if neither gives a model.
    """
    try:
        return choose_model(trial, options.model, tuple(new for _, new in options.rename))
    except ModelNotFound:
        pass
    try:
        return resolve(trial, None, options).match
    except ModelNotFound:
        return None


def resolve(trial: Recording, static: Recording | None, options: Options) -> Labelled:
    """Return trial and static under our names.

    Labels of a model that fits both legs are taken at their word. Otherwise labels and positions
    are weighed together (:func:`gaitdyn.landmarks.resolve`), and each leg uses what is available.

    Parameters
    ----------
    trial, static : Recording
        With the labels of the files, single ones renamed
        (:func:`gaitdyn.calibrate.models.renaming.mended`).
    options : Options
        ``model``, and the targets of ``rename``, which may be our own marker names.

    Raises
    ------
    ModelNotFound
        When no marker model fits.
    """
    hidden = names_hidden(trial, static)
    try:
        found = _resolved(trial, static, options)
    except ModelNotFound as refusal:
        refusal.args = (hidden(str(refusal)),)
        raise
    findings, log = told_masked(hidden, found.findings, found.log)
    return replace(found, log=log, findings=findings)


def _resolved(trial: Recording, static: Recording | None, options: Options) -> Labelled:
    if takes_poses(trial, options.model):
        walk, match = posed(trial)
        return Labelled(walk, None, match, [f"segment poses: {match.model.title}"])
    given = tuple(new for _, new in options.rename)
    match = _by_labels(trial, options.model, given)
    if match is None and options.model == AUTO and not given:
        bare = with_bare_labels(trial)
        fits = _by_labels(bare, AUTO, ())
        if fits is not None and fits.model.name == PLUG_IN_GAIT:
            match, trial, static = fits, bare, None if static is None else with_bare_labels(static)
    if match is None or (options.model == AUTO and _shares_labels(match, trial)):
        return _by_landmarks(trial, static, options)
    of_trial, of_static = landmarks_beside(match, trial, static)
    if of_trial and options.model == AUTO and _leaves_better(match, of_trial, of_static, static):
        return _by_landmarks(trial, static, options)
    log = [] if match.model.name == PLUG_IN_GAIT else [
        f"marker model: {match.model.name} ({match.model.title})"
    ]  # fmt: skip
    in_trial, doubts = with_upper(match, trial, of_trial)
    vendor = match.model.name == PLUG_IN_GAIT and options.profile != PLUG_IN_GAIT
    if vendor and static is None:
        in_trial = with_medial(in_trial, trial, standing=False)
    pairs = renaming_lines(trial, in_trial)
    walk, shared = _under_our_names(trial, in_trial)
    doubts = [*doubts, *people_beside(trial)]
    if static is None:
        lines, findings = labels_read(pairs, [])
        findings += [*shared, *doubts, *wands_astray(trial, None, (in_trial,))]
        return Labelled(walk, None, match, log + lines, findings)
    in_static, _ = with_upper(match_model(match.model, static, given), static, of_static)
    if vendor:
        in_static = with_medial(in_static, static)
    lines, findings = labels_read(pairs, renaming_lines(static, in_static))
    still, others = _under_our_names(static, in_static)
    findings += [*shared, *others, *doubts, *wands_astray(trial, static, (match, in_static))]
    return Labelled(walk, still, match, log + lines, findings)


def _under_our_names(recording: Recording, match: ModelMatch) -> tuple[Recording, list[Finding]]:
    """Return a recording under our names, each of one marker, and which names several share."""
    ours = _in_capitals(renamed(recording, match))
    roles = (x for x in ours.labels if x in match.model.labels or is_upper(x))
    return one_of_each(ours, roles)


def _in_capitals(recording: Recording) -> Recording:
    """Return a recording whose labels of markers above the pelvis are in capitals, as ours are.

    Leg markers belong to a model. Two labels that differ only in case are left unchanged.
    """
    lower_case = [label for label in recording.labels if label != label.upper()]
    if not lower_case:
        return recording
    from gaitdyn.upper.markers import wanted_labels

    count = Counter(label.upper() for label in recording.labels)
    ours = {x for x in wanted_labels(tuple(count)) if count[x] == 1}
    labels = (x.upper() if x.upper() in ours else x for x in recording.labels)
    return replace(recording, labels=tuple(labels))


def _by_labels(trial: Recording, name: str, given: tuple[str, ...]) -> ModelMatch | None:
    """Return the model whose labels fit; None if marker positions are needed to decide.

    The vendor's markers may have other labels; any other model states its own.
    """
    if name == LADDER:
        return None
    if name == AUTO:
        return first_that_fits(trial, given)
    try:
        return choose_model(trial, name, given)
    except ModelNotFound:
        if name != PLUG_IN_GAIT:
            raise
        return None


def _shares_labels(match: ModelMatch, trial: Recording) -> bool:
    """Return whether several markers have the label of one that the model lacks.

    The lateral and the medial marker of a joint may have one label; their places tell them apart.
    A label of which the model takes one marker, by its description, is the model's.
    """
    count, placed = Counter(trial.labels), set(match.places.values())
    taken = {trial.labels[i] for i in match.places}
    several = {label.casefold() for label in count if count[label] > 1 and label not in taken}
    return bool(several) and any(
        name.partition("|")[0].casefold() in several
        for role, names in match.model.labels.items()
        if role not in placed
        for name in (role, *names)
    )


def _leaves_better(
    match: ModelMatch, of_trial: Resolution, of_static: Resolution | None,
    static: Recording | None,
) -> bool:  # fmt: skip
    """Return whether a landmark model ignores landmarks that would define a joint better."""
    ladder = ladder_match(of_trial.roles(), None if of_static is None else of_static.roles())
    enough = len(ladder.sides) >= len(match.sides)
    return enough and outclimbed(match, ladder, static) is not None


def _by_landmarks(trial: Recording, static: Recording | None, options: Options) -> Labelled:
    """Return trial and static under our names, from labels and positions together."""
    from gaitdyn.landmarks import resolve as landmarks_of

    given = tuple(new for _, new in options.rename)
    of_trial, of_static = landmarks_of(trial, static, {new: new for new in given})
    walk = _under_roles(trial, of_trial.roles())
    still = None if static is None or of_static is None else _under_roles(static, of_static.roles())
    try:
        match = choose_model(walk, options.model, given, static=still)
    except ModelNotFound as refusal:
        doubts = [f for f in of_trial.findings if f.level != "info"]
        labels = [f.scope for f in doubts if f.scope in trial.labels]
        details = f"doubtful labels: {first_few(labels)}; gaitdyn info says why" if labels else ""
        details = details or "; ".join(f.message for f in doubts)
        raise ModelNotFound(f"{refusal}{f' ({details})' if details else ''}") from refusal
    if not match.model.climbs:
        walk = renamed(walk, match)
        still = None if still is None else renamed(still, match_model(match.model, still, given))
    log = [f"marker model: {match.model.name} ({match.model.title})"]
    lines, read = labels_read(_lines(of_trial), [] if of_static is None else _lines(of_static))
    findings = list(
        dict.fromkeys((*of_trial.findings, *(() if of_static is None else of_static.findings)))
    )
    log += [*lines, *(finding.message for finding in findings if finding.level != "info")]
    return Labelled(walk, still, match, log, [*findings, *read])


def _under_roles(recording: Recording, roles: dict[int, str]) -> Recording:
    """Return a recording under our names; a label that only looks like one gets a ``*``."""
    labels = tuple(
        roles.get(i) or (f"*{label}" if is_role(label) else label)
        for i, label in enumerate(recording.labels)
    )
    return replace(recording, labels=labels)


def _lines(resolution: Resolution) -> list[str]:
    """Return which labels were taken for which markers, ``file label = our name``."""
    return [f"{m.label} = {m.role}" for m in resolution.landmarks if m.role and m.label != m.role]

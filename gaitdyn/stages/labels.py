"""From the labels of a laboratory to our names: the one place where it happens."""

from __future__ import annotations

from collections import Counter
from dataclasses import field, replace
from typing import TYPE_CHECKING

from gaitdyn.calibrate.ladder import LADDER, is_role, ladder_match
from gaitdyn.calibrate.marker_models import (
    AUTO,
    PLUG_IN_GAIT,
    choose_model,
    first_that_fits,
    match_model,
    one_plane,
    outclimbed,
    renamed,
    renaming_lines,
)
from gaitdyn.calibrate.posed import posed, takes_poses
from gaitdyn.errors import ModelNotFound
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.findings import Finding
    from gaitdyn.types.landmarks import Resolution
    from gaitdyn.types.marker_model import ModelMatch
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording

_TOLD = 3
"""Doubts about labels that a refusal repeats; renamed labels that a line shows of many."""
_MEDIAL = ("LKNM", "RKNM", "LMED", "RMED")
_FEW = 8
"""Renamed labels that are all shown."""


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
    """Return the marker model of a trial by its own labels, else by what they say with the places.

    Parameters
    ----------
    trial : Recording
        Labels as in the file, single ones mended.
    options : Options
        ``model``, ``rename``.

    Returns
    -------
    ModelMatch or None
        ``None`` where neither makes a model.
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

    Where the labels are those of a model that fits both legs, they say what they mean. Else labels
    and places are weighed (:func:`gaitdyn.landmarks.resolve`), and every leg takes what there is.

    Parameters
    ----------
    trial, static : Recording
        Labels as in the files, single ones mended (:func:`gaitdyn.calibrate.renaming.mended`).
    options : Options
        ``model``, and the targets of ``rename``, which may be names of ours.

    Raises
    ------
    ModelNotFound
        When no marker model fits.
    """
    if takes_poses(trial, options.model):
        walk, match = posed(trial)
        return Labelled(walk, None, match, [f"segment poses: {match.model.title}"])
    given = tuple(new for _, new in options.rename)
    match = _by_labels(trial, options.model, given)
    plane = one_plane(trial, given) if match is None and options.model == AUTO else None
    if match is None and plane is not None:
        match = plane
    if match is None or (options.model == AUTO and _leaves_better(match, trial, static)):
        return _by_landmarks(trial, static, options)
    log = [] if match.model.name == PLUG_IN_GAIT else [
        f"marker model: {match.model.name} ({match.model.title})"
    ]  # fmt: skip
    pairs = renaming_lines(trial, match)
    log += [told_labels("labels", pairs)] if pairs else []
    walk = _in_capitals(renamed(trial, match))
    if static is None:
        return Labelled(walk, None, match, log)
    in_static = match_model(match.model, static, given)
    if match.model.name == PLUG_IN_GAIT and options.profile != PLUG_IN_GAIT:
        in_static = _with_medial(in_static, trial, static)
    of_static = renaming_lines(static, in_static)
    if of_static and of_static != pairs:
        log.append(told_labels("labels of the static", of_static))
    return Labelled(walk, _in_capitals(renamed(static, in_static)), match, log)


def _in_capitals(recording: Recording) -> Recording:
    """Return a recording with the markers above the pelvis as we write them, in capitals.

    Those of the legs are a model's; two labels that differ by capitals alone stay as they are.
    """
    small = [label for label in recording.labels if label != label.upper()]
    if not small:
        return recording
    from gaitdyn.upper.markers import wanted_labels

    count = Counter(label.upper() for label in recording.labels)
    ours = {x for x in wanted_labels(tuple(count)) if count[x] == 1}
    labels = (x.upper() if x.upper() in ours else x for x in recording.labels)
    return replace(recording, labels=tuple(labels))


def _with_medial(in_static: ModelMatch, trial: Recording, static: Recording) -> ModelMatch:
    """Return the match of a static with the medial markers that it holds under other labels.

    The vendor's own model knows ``LKNM`` and ``LMED`` alone; laboratories write ``LMKNE``,
    ``LMMA``. Markers that the static shows and the trial does not are looked at.
    """
    lacking = {x for x in _MEDIAL if x not in in_static.places.values()}
    extra = set(static.labels) - set(trial.labels)
    if not lacking or not extra - set(in_static.places.values()):
        return in_static
    from gaitdyn.landmarks import static_roles

    roles = static_roles(static)
    more = {i: x for i, x in roles.items() if x in lacking and i not in in_static.places}
    return replace(in_static, places=in_static.places | more)


def told_labels(title: str, pairs: Sequence[str]) -> str:
    """Return one line of renamed labels; of many their number and the first."""
    if len(pairs) <= _FEW:
        return f"{title}: {', '.join(pairs)}"
    first = ", ".join(pairs[:_TOLD])
    return f"{title}: {len(pairs)} read under other names ({first}, ..; gaitdyn info lists them)"


def _by_labels(trial: Recording, name: str, given: tuple[str, ...]) -> ModelMatch | None:
    """Return the model whose labels fit; None where places must help."""
    if name == LADDER:
        return None
    if name != AUTO:
        return choose_model(trial, name, given)
    return first_that_fits(trial, given)


def _leaves_better(match: ModelMatch, trial: Recording, static: Recording | None) -> bool:
    """Return whether a model of landmarks leaves landmarks aside that show a joint better."""
    if match.model.engine != "landmarks":
        return False
    from gaitdyn.landmarks import resolve as landmarks_of

    own, other = landmarks_of(trial, static)
    climbed = ladder_match(own.roles(), None if other is None else other.roles())
    enough = len(climbed.sides) >= len(match.sides)
    return enough and outclimbed(match, climbed, static) is not None


def _by_landmarks(trial: Recording, static: Recording | None, options: Options) -> Labelled:
    """Return trial and static under our names, by what labels and places say together."""
    from gaitdyn.landmarks import resolve as landmarks_of

    given = tuple(new for _, new in options.rename)
    own, other = landmarks_of(trial, static, {new: new for new in given})
    walk = _under_roles(trial, own.roles())
    still = None if static is None or other is None else _under_roles(static, other.roles())
    try:
        match = choose_model(walk, options.model, given, static=still)
    except ModelNotFound as refusal:
        told = [f.message for f in own.findings if f.level != "info"][:_TOLD]
        more = f" ({'; '.join(told)})" if told else ""
        raise ModelNotFound(f"{refusal}{more}") from refusal
    if not match.model.climbs:
        walk = renamed(walk, match)
        still = None if still is None else renamed(still, match_model(match.model, still, given))
    log = [f"marker model: {match.model.name} ({match.model.title})"]
    log += [told_labels("labels", _lines(own))]
    if other is not None and _lines(other) != _lines(own):
        log.append(told_labels("labels of the static", _lines(other)))
    findings = list(dict.fromkeys((*own.findings, *(() if other is None else other.findings))))
    log += [finding.message for finding in findings if finding.level != "info"]
    return Labelled(walk, still, match, log, findings)


def _under_roles(recording: Recording, roles: dict[int, str]) -> Recording:
    """Return a recording with our names; a label that only looks like one is set aside."""
    labels = tuple(
        roles.get(i) or (f"*{label}" if is_role(label) else label)
        for i, label in enumerate(recording.labels)
    )
    return replace(recording, labels=labels)


def _lines(found: Resolution) -> list[str]:
    """Return which labels were taken for which markers, ``file label = our name``."""
    return [f"{m.label} = {m.role}" for m in found.landmarks if m.role and m.label != m.role]

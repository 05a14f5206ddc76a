"""Functional trials of a run: read, named as walk and static are, and put into the body."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, cast

from gaitdyn.calibrate.hip_choice import hip_offsets_P, pelvis_depth
from gaitdyn.calibrate.renaming import mended
from gaitdyn.calibrate.same_person import person_doubt
from gaitdyn.calibrate.static import inter_asis_distance
from gaitdyn.clean.smoothing import smooth
from gaitdyn.core.medians import median
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import FunctionalRefused, UsageError
from gaitdyn.io.recording import read_recording
from gaitdyn.stages.motion import marker_filter
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.functional import FunctionalFit, FunctionalTrial
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from gaitdyn.calibrate.landmarks import Posture
    from gaitdyn.stages.labels import Labelled
    from gaitdyn.stages.session import Session
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.functional import FunctionalJoint
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.subject import Side, Subject
    from gaitdyn.types.trial import Trial


@frozen(eq=False)
class FunctionalBody:
    """What the functional trials of a run say of the person.

    Attributes
    ----------
    hips_P : dict
        Side -> hip centre from the middle of the ASIS in pelvis axes, m.
    fits : dict
        ``hip_left`` and so on -> FunctionalFit.
    findings : list of Finding
    log : list of str
    """

    hips_P: dict[str, Array] = field(default_factory=dict[str, "Array"])
    fits: dict[str, FunctionalFit] = field(default_factory=dict[str, FunctionalFit])
    findings: list[Finding] = field(default_factory=list[Finding])
    log: list[str] = field(default_factory=list[str])

    @property
    def knees(self) -> dict[str, FunctionalFit]:
        """Side -> the axis of a knee."""
        return {fit.side: fit for fit in self.fits.values() if fit.joint == "knee"}


def with_places(posture: Posture, shown: FunctionalBody, static: Trial | None) -> Posture:
    """Return a standing posture with the markers of the thigh that carry a functional knee axis.

    A marker model need not know them, and the walk need not have them.
    """
    if static is None or posture.turns:
        return posture
    labels = {label for fit in shown.knees.values() for label in fit.labels}
    found = {
        label: median(at[complete_rows(at)], axis=0)
        for label in sorted(labels & set(static.labels))
        if complete_rows(at := static.marker(label)).any()
    }
    return replace(posture, places=found | posture.places)


def read_functional(
    options: Options, trial: Recording, static: Recording | None, named: Labelled
) -> tuple[FunctionalTrial, ...]:
    """Read the functional trials of a run.

    Parameters
    ----------
    options : Options
    trial, static : Recording
        Labels of the files, single ones mended.
    named : Labelled
        The same under our names.

    Raises
    ------
    FileRefused, FunctionalRefused
        Also when one is the trial or its static, shows another person or one who walks.
    UsageError
        When the trial has segment poses in the place of markers.
    """
    if not options.functional:
        return ()
    if named.match.model.engine == "poses":
        raise UsageError(
            "--functional needs markers on the pelvis; in segment poses the centres of the joints"
            " are the origins of the segments"
        )
    from gaitdyn.calibrate.functional import refuse_walking
    from gaitdyn.landmarks import resolve

    pairs = [(trial, named.trial), (static, named.static)]
    names = {
        old: new
        for raw, ours in pairs
        if raw is not None and ours is not None
        for old, new in zip(raw.labels, ours.labels, strict=True)
    }
    found: list[FunctionalTrial] = []
    for key, path in options.functional:
        read = mended(read_recording(path, options.subject_prefix, options.reader), options.rename)
        joint, _, side = key.partition("_")
        roles = resolve(read, static)[0].roles()
        ours = replace(read, labels=tuple(names.get(label, label) for label in read.labels))
        one = FunctionalTrial(cast("FunctionalJoint", joint), cast("Side", side), ours, roles)
        _check_whose(one, named, options)
        refuse_walking(one)
        found.append(one)
    return tuple(found)


def _check_whose(one: FunctionalTrial, named: Labelled, options: Options) -> None:
    """Refuse the walk or the static itself, and another person.

    Raises
    ------
    FunctionalRefused
    """
    for what, other in (("trial", named.trial), ("static", named.static)):
        if other is not None and other.sha256 == one.recording.sha256:
            raise FunctionalRefused(
                f"--functional {one.key}={one.recording.name} is the {what} itself; name a"
                " recording in which the joint is moved on purpose"
            )
    doubt = person_doubt(named.trial, one.recording)
    if doubt and not options.other_person:
        raise FunctionalRefused(
            f"--functional {one.key}={one.recording.name} shows another person than"
            f" {named.trial.name}: {doubt}; name another, or say --other-person"
        )


def _smoothed(one: FunctionalTrial, options: Options) -> FunctionalTrial:
    """Return a trial with its markers filtered as those of the walk.

    White noise turns small clusters, and the turns pull the centre towards them.
    """
    how = marker_filter(options, one.recording.rate_hz)
    if how.cutoff_hz is None:
        return one
    markers, _ = smooth(one.recording.markers_L, how)
    return replace(one, recording=replace(one.recording, markers_L=markers))


def _beside(one: FunctionalTrial, fit: FunctionalFit, base: Trial) -> FunctionalFit:
    """Return a knee axis with how far it is from the markers of the condyles, where they are."""
    from gaitdyn.calibrate.functional_carried import beside_condyles

    at = {role: one.recording.labels[i] for i, role in one.roles.items()}
    ends = [at.get(LETTER[one.side] + role, "") for role in ("KNE", "KNM")]
    if one.joint != "knee" or not set(ends) <= set(base.labels):
        return fit
    angle, off = beside_condyles(fit, base, *ends)
    return replace(fit, condyles_rad=angle, middle_m=off)


def find_functional_body(
    session: Session, options: Options, subject: Subject, rule: str, engine: str
) -> FunctionalBody:
    """Return hip centres and knee axes of the functional trials, and how far they shift the hips.

    Parameters
    ----------
    session : Session
    options : Options
        Which of the session's trials count: a sweep leaves some out.
    subject : Subject
    rule : str
        Of the hip centres, which the run would take without functional trials.
    engine : str
        Of the marker model.

    Raises
    ------
    FunctionalRefused
    UsageError
        When the model has no pelvis.
    """
    found = FunctionalBody()
    asked = {key for key, _ in options.functional}
    if not session.functional:
        return found
    if engine == "sagittal":
        raise UsageError(
            f"--functional needs markers on the pelvis; the model {session.model.name} has none"
        )
    from gaitdyn.calibrate.functional import doubtful, find_functional
    from gaitdyn.calibrate.functional_carried import hip_in_pelvis, shift_told

    base = session.static or session.trial
    for one in session.functional:
        if one.key not in asked:
            continue
        fit = _beside(one, find_functional(_smoothed(one, options)), base)
        found.fits[one.key] = fit
        found.findings.extend(doubtful(fit))
        found.log.extend(finding.message for finding in doubtful(fit))
        if one.joint == "knee":
            found.log.append(f"{one.side} knee: axis of {fit.name} ({fit.words})")
            where = f"{one.side} knee"
            found.findings.append(Finding("info", "functional-axis", where, found.log[-1]))
        if one.joint == "hip":
            at = hip_in_pelvis(fit, base, psis=engine == "landmarks")
            found.hips_P[one.side] = at
            width = subject.inter_asis_m or inter_asis_distance(base)
            sizes = width, pelvis_depth(base)
            own = "Davis" if rule in ("model", "davis") else rule.capitalize()
            rules = {
                own: hip_offsets_P(rule, subject, *sizes, [one.side])[one.side],
                "Harrington": hip_offsets_P("harrington", subject, *sizes, [one.side])[one.side],
            }
            said, findings = shift_told(fit, at, rules)
            found.log.append(said)
            found.findings.extend(findings)
    return found

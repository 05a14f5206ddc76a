"""Read functional trials, name their markers as in walk and static, and use their results."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, cast

from gaitdyn.calibrate.hip_choice import hip_offsets_P, pelvis_depth
from gaitdyn.calibrate.models.renaming import mended
from gaitdyn.calibrate.plug_in_gait.markers import inter_asis_distance
from gaitdyn.calibrate.statics.same_person import person_doubt
from gaitdyn.clean.smoothing import smooth
from gaitdyn.core.medians import median
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import FunctionalRefused, MarkersUnfit
from gaitdyn.io.recording import read_recording
from gaitdyn.stages.motion import marker_filter
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.functional import FunctionalFit, FunctionalJoint, FunctionalTrial
from gaitdyn.types.subject import LETTER, Side, Subject

if TYPE_CHECKING:
    from gaitdyn.calibrate.posture.reference import Posture
    from gaitdyn.stages.labels import Labelled
    from gaitdyn.stages.session import Session
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.trial import Trial


@frozen(eq=False)
class FunctionalBody:
    """Joint centres and axes from the functional trials of a run.

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
        """Side -> the functional axis of the knee."""
        return {fit.side: fit for fit in self.fits.values() if fit.joint == "knee"}


def with_places(posture: Posture, functional: FunctionalBody, static: Trial | None) -> Posture:
    """Return a standing posture that includes the thigh markers of a functional knee axis.

    These markers need not belong to the marker model, nor be present in the walk.
    """
    if static is None or posture.turns:
        return posture
    labels = {label for fit in functional.knees.values() for label in fit.labels}
    thigh_markers = {
        label: median(marker[complete_rows(marker)], axis=0)
        for label in sorted(labels & set(static.labels))
        if complete_rows(marker := static.marker(label)).any()
    }
    return replace(posture, places=thigh_markers | posture.places)


def read_functional(
    options: Options, trial: Recording, static: Recording | None, named: Labelled
) -> tuple[FunctionalTrial, ...]:
    """Read the functional trials of a run.

    Parameters
    ----------
    options : Options
    trial, static : Recording
        With the labels of the files, single ones renamed.
    named : Labelled
        The same recordings under our names.

    Raises
    ------
    FileRefused, FunctionalRefused
        Also when a functional trial is the trial or its static, or shows another person or a walk.
    MarkersUnfit
        When the trial has segment poses instead of markers.
    """
    if not options.functional:
        return ()
    if named.match.model.engine == "poses":
        raise MarkersUnfit(
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
    functional_trials: list[FunctionalTrial] = []
    for key, path in options.functional:
        read = mended(read_recording(path, options.subject_prefix, options.reader), options.rename)
        joint, _, side = key.partition("_")
        roles = resolve(read, static)[0].roles()
        ours = replace(read, labels=tuple(names.get(label, label) for label in read.labels))
        functional = FunctionalTrial(
            cast("FunctionalJoint", joint), cast("Side", side), ours, roles
        )
        _refuse_wrong_file(functional, named, options)
        refuse_walking(functional)
        functional_trials.append(functional)
    return tuple(functional_trials)


def _refuse_wrong_file(functional: FunctionalTrial, named: Labelled, options: Options) -> None:
    """Refuse the walk or the static itself, and a recording of another person."""
    for role, recording in (("trial", named.trial), ("static", named.static)):
        if recording is not None and recording.sha256 == functional.recording.sha256:
            raise FunctionalRefused(
                f"--functional {functional.key}={functional.recording.name} is the {role} itself;"
                " name a recording in which the joint is moved on purpose"
            )
    doubt = person_doubt(named.trial, functional.recording)
    if doubt and not options.other_person:
        raise FunctionalRefused(
            f"--functional {functional.key}={functional.recording.name} shows another person than"
            f" {named.trial.name}: {doubt}; name another, or give --other-person"
        )


def _smoothed(functional: FunctionalTrial, options: Options) -> FunctionalTrial:
    """Return a trial with its markers filtered as those of the walk.

    White noise rotates small clusters, and these rotations pull the centre towards the markers.
    """
    filter_ = marker_filter(options, functional.recording.rate_hz)
    if filter_.cutoff_hz is None:
        return functional
    markers, _ = smooth(functional.recording.markers_L, filter_)
    return replace(functional, recording=replace(functional.recording, markers_L=markers))


def _with_condyles(functional: FunctionalTrial, fit: FunctionalFit, base: Trial) -> FunctionalFit:
    """Return a knee axis with its distance from the condyle markers, if there are any."""
    from gaitdyn.calibrate.functional_carried import beside_condyles

    labels = {role: functional.recording.labels[i] for i, role in functional.roles.items()}
    ends = [labels.get(LETTER[functional.side] + role, "") for role in ("KNE", "KNM")]
    if functional.joint != "knee" or not set(ends) <= set(base.labels):
        return fit
    angle, offset = beside_condyles(fit, base, *ends)
    return replace(fit, condyles_rad=angle, middle_m=offset)


def find_functional_body(
    session: Session, options: Options, subject: Subject, rule: str, engine: str
) -> FunctionalBody:
    """Return hip centres and knee axes from functional trials, and how far the hips shift.

    Parameters
    ----------
    session : Session
    options : Options
        Name the trials of the session that are used: a sweep leaves some out.
    subject : Subject
    rule : str
        For the hip centres, used by the run if there were no functional trials.
    engine : str
        Of the marker model.

    Raises
    ------
    FunctionalRefused
    MarkersUnfit
        When the model has no pelvis.
    """
    body = FunctionalBody()
    requested = {key for key, _ in options.functional}
    if not session.functional:
        return body
    if engine == "sagittal":
        raise MarkersUnfit(
            f"--functional needs markers on the pelvis; the model {session.model.name} has none"
        )
    from gaitdyn.calibrate.functional import doubtful, find_functional
    from gaitdyn.calibrate.functional_carried import hip_in_pelvis, shift_report

    base = session.static or session.trial
    for functional in session.functional:
        if functional.key not in requested:
            continue
        fit = _with_condyles(functional, find_functional(_smoothed(functional, options)), base)
        body.fits[functional.key] = fit
        doubts = doubtful(fit)
        body.findings.extend(doubts)
        body.log.extend(finding.message for finding in doubts)
        side = functional.side
        if functional.joint == "knee":
            body.log.append(f"{side} knee: axis of {fit.name} ({fit.words})")
            body.findings.append(Finding("info", "functional-axis", f"{side} knee", body.log[-1]))
        if functional.joint == "hip":
            hip_P = hip_in_pelvis(fit, base, psis=engine == "landmarks")
            body.hips_P[side] = hip_P
            sizes = (subject.inter_asis_m or inter_asis_distance(base)), pelvis_depth(base)
            rule_name = "Davis" if rule in ("model", "davis") else rule.capitalize()
            rules = {
                name: hip_offsets_P(key, subject, *sizes, [side])[side]
                for name, key in ((rule_name, rule), ("Harrington", "harrington"))
            }
            shift, findings = shift_report(fit, hip_P, rules)
            body.log.append(shift)
            body.findings.extend(findings)
    return body

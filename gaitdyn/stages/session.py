"""Read the files of one run: the trial, its static, and both in G."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from gaitdyn.calibrate.axes import WALKED_M, find_axes, pelvis_pair, seen_labels
from gaitdyn.calibrate.axis_votes import up_votes
from gaitdyn.calibrate.clusters.astray import without_astray
from gaitdyn.calibrate.ladder.model import with_carried_pelvis
from gaitdyn.calibrate.models.fitted import unused_of_one_label
from gaitdyn.calibrate.models.renaming import mended, renaming_findings
from gaitdyn.calibrate.sagittal import in_centres_alone
from gaitdyn.calibrate.statics.doubts import SHORTEST_FRAMES
from gaitdyn.clean.wild import without_wild
from gaitdyn.core.runs import box_diagonal
from gaitdyn.errors import FileRefused, NobodyWalks, StaticRefused
from gaitdyn.io.labels import NO_SUCH_PREFIX
from gaitdyn.io.plates.wrenches import Thinning
from gaitdyn.io.recording import read_recording
from gaitdyn.io.trial import to_trial
from gaitdyn.stages.described_sides import described_otherwise
from gaitdyn.stages.functional import read_functional
from gaitdyn.stages.given_plates import usable_assignments
from gaitdyn.stages.label_lines import names_hidden, told_masked
from gaitdyn.stages.labels import Labelled, resolve
from gaitdyn.stages.lost_markers import lost_markers, without_lost_of_other_legs
from gaitdyn.stages.reading import (
    axes_report,
    filter_log,
    forces_log,
    found_in_reading,
    level_plates,
    missing_legs,
)
from gaitdyn.stages.standing import (
    UsedStatic,
    check_person,
    check_static,
    read_static,
    standing_trial,
    use_static,
)
from gaitdyn.stages.trial_events import with_events, without_events_of_another_clock
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.functional import FunctionalTrial
from gaitdyn.types.later import Last, computed_late, later
from gaitdyn.types.marker_model import MarkerModel, ModelMatch
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.trial import Trial
from gaitdyn.types.words import counted


@frozen(eq=False)
class Session:
    """A trial with its static.

    Attributes
    ----------
    trial : Trial
    static : Trial or None
    model : MarkerModel
    sides : list of {"left", "right"}
        Legs that can be computed.
    findings : list of Finding
    log : list of str
        What was chosen, one line each for the user.
    still : bool
        Whether the person stands still in the static.
    whole_static : Trial or None
        All frames of the static, not only its quiet part; computed when first read.
    functional : tuple of FunctionalTrial
    """

    trial: Trial
    static: Trial | None
    model: MarkerModel
    sides: list[str]
    findings: list[Finding]
    log: list[str]
    still: bool = True
    whole_static: Trial | None = None
    functional: tuple[FunctionalTrial, ...] = ()

    @property
    def markerless(self) -> str:
        """What the file has instead of markers, in words; empty for markers."""
        if self.model.engine == "poses":
            return "segment poses"
        planar = self.model.engine == "sagittal"
        if planar and in_centres_alone(self.trial.labels, self.sides):
            return "joint centres, as of a video"
        return ""


computed_late(Session, "whole_static")


def read_session(path: str | Path, options: Options) -> Session:
    """Read a trial and the static that belongs to it.

    Raises
    ------
    FileRefused, ModelNotFound, AxesRefused, StaticRefused, NobodyWalks, UsageError
    """
    stored = read_recording(path, options.subject_prefix, options.reader, forces=options.forces)
    read, outside = without_events_of_another_clock(with_events(stored, options))
    raw = mended(read, options.rename)
    file = read_static(path, raw, options)
    named = resolve(raw, file.recording, options)
    described = _described(raw, file.recording, named, options)
    tame, wild = without_wild(raw, named.match.places, walking=True)
    if wild:  # a marker may have been removed completely
        named = resolve(tame, file.recording, options)
    recording, astray = without_astray(named.trial)
    static, sides = named.static, named.match.sides
    functional = read_functional(options, raw, file.recording, named)
    files = [read] if file.as_read is None else [read, file.as_read]
    findings, log = renaming_findings(options.rename, files)
    lost = lost_markers(recording, static, named.match.model, tame.labels)
    shared = {told.scope for told in named.findings if told.code in ("marker-lost", "upper-marker")}
    lost = [finding for finding in lost if finding.scope not in shared]
    findings += [*outside, *wild, *astray, *missing_legs(named.match), *lost]
    findings += [*named.findings, *described]
    if not any(told.code == "landmark-copies" for told in named.findings):
        findings += unused_of_one_label(raw, named.match)
    log += [note for note in read.notes if note == NO_SUCH_PREFIX]
    log += [*named.log, *(told.message for told in described), *forces_log(read, options)]
    if options.events:
        log.append(f"events: {len(options.events)} given, those of the file are not used")
    _refuse_short(recording)
    if named.match.model.climbs:
        recording = with_carried_pelvis(recording, static)
    votes = up_votes(recording)
    R_GL = find_axes(recording, options.up, options.forward, votes)
    doubts, lines = axes_report(recording, R_GL, votes, options)
    findings += doubts
    log += [*lines, *filter_log(options, recording.rate_hz)]
    findings += found_in_reading(recording)
    trial, refused = level_plates(to_trial(recording, R_GL, thinning_of(options)))
    findings += refused
    usable_assignments(options, [plate.number for plate in trial.plates], recording)
    log += file.log
    model = named.match.model
    session = Session(trial, None, model, sides, findings, log, functional=functional)
    if static is not None and file.path is not None:
        session = _with_static(session, static, named.match, recording, options)
    hidden = names_hidden(raw, file.recording)
    masked, told = told_masked(hidden, session.findings, session.log)
    return replace(session, findings=masked, log=told)


def _described(
    trial: Recording, static: Recording | None, named: Labelled, options: Options
) -> list[Finding]:
    """Return findings on markers of trial and static whose descriptions name the other side."""
    if named.match.model.engine == "poses":
        return []
    given = {new for _, new in options.rename}
    found = described_otherwise(trial, named.trial, given)
    if static is not None and named.static is not None:
        found += described_otherwise(static, named.static, given, "labels of the static")
    return found


def _with_static(
    session: Session, static: Recording, match: ModelMatch, recording: Recording, options: Options
) -> Session:
    """Return the session with its static: another recording of the person, or chosen frames."""
    if static.sha256 == recording.sha256 and not options.static_frames:
        raise StaticRefused(
            f"{static.name} is the trial itself; name a standing trial with --static, or frames of"
            f" this one in which the person stands: --static {static.name}:FIRST-LAST"
        )
    standing, wild, in_G = _used_static(static, match.model, session.trial.R_GL, options)
    try:
        sides, lacking = check_static(standing, recording, match, session.sides)
        doubts = check_person(standing, recording, options)
    except StaticRefused:
        refuse_standing(
            session.trial
        )  # two statics: say that the trial is one, not that they differ
        raise
    kept = without_lost_of_other_legs(session.findings, sides)
    of_static = [replace(finding, scope=f"static {finding.scope}") for finding in wild]
    return replace(
        session,
        static=in_G,
        sides=sides,
        findings=[*kept, *lacking, *of_static, *standing.findings, *doubts],
        log=[*session.log, *standing.log, *(finding.message for finding in doubts)],
        still=standing.still,
        whole_static=later(lambda: _whole(static, in_G, thinning_of(options))),
    )


_OF_FOOT = ("TOE", "MT5", "MT1", "HEE")
"""The first of these markers that is visible shows whether a foot moves."""

_LAST_STATIC: Last[tuple[UsedStatic, list[Finding], Trial]] = Last()


def _used_static(
    static: Recording, model: MarkerModel, R_GL: Array, options: Options
) -> tuple[UsedStatic, list[Finding], Trial]:
    """Return the used part of a static, findings on what was left out, and its frames in G.

    Consecutive trials of a session with the same static share the result.
    """
    names = {i: x for i, x in enumerate(static.labels) if x in model.labels}
    thinning = thinning_of(options)

    def compute() -> tuple[UsedStatic, list[Finding], Trial]:
        standing = use_static(static, options)
        still, wild = without_wild(standing.recording, names, walking=False)
        in_G = standing_trial(still, R_GL, options, thinning)
        return replace(standing, recording=still), wild, in_G

    parts = tuple(getattr(static, x.name) for x in fields(static) if x.name != "labels")
    settings = static.labels, names, options.static_frames, options.up, thinning, R_GL.tobytes()
    return _LAST_STATIC.of(parts, settings, compute)


def thinning_of(options: Options) -> Thinning:
    """Return how forces are brought to the marker rate; unfiltered ones are sampled at frames."""
    if options.profile == "plug-in-gait":
        return "mean"
    cutoff = options.cutoff_hz if options.force_cutoff_hz == "same" else options.force_cutoff_hz
    return "sample" if cutoff is None else "low-pass"


def _whole(static: Recording, used: Trial, thinning: Thinning) -> Trial:
    """Return all frames of a static in G; the same trial if all of them are used."""
    same = static.n_frames == used.recording.n_frames
    return used if same else to_trial(static, used.R_GL, thinning)


def _refuse_short(recording: Recording) -> None:
    if recording.n_frames < SHORTEST_FRAMES:
        raise FileRefused(
            f"{recording.name}: {counted(recording.n_frames, 'frame')} found, wanted at least"
            f" {SHORTEST_FRAMES}; export a whole trial"
        )


def session_again(session: Session, options: Options) -> Session:
    """Return the session as it would have been read with other options, from the same recordings.

    The profile and the force cut-off decide how plates are brought to the marker rate. No other
    option that a run may vary matters at this stage.
    """
    thinning, static = thinning_of(options), session.static
    trial, _ = level_plates(to_trial(session.trial.recording, session.trial.R_GL, thinning))
    if static is not None:
        static = to_trial(static.recording, static.R_GL, thinning)
    return replace(session, trial=trial, static=static)


def refuse_standing(trial: Trial) -> None:
    """Refuse a static that is given as a trial, and a trial without any path of pelvis and feet.

    Raises
    ------
    NobodyWalks
        When the pelvis and both feet stay in place.
    FileRefused
        When none of their markers is left, because all of them are noise.
    """
    visible = seen_labels(trial.labels, trial.markers_G)
    pair = pelvis_pair(visible)
    feet = [next((s + x for x in _OF_FOOT if s + x in visible), "") for s in "LR"]
    moved = [box_diagonal(trial.marker(label)) for label in pair if label in trial.labels]
    moved += [box_diagonal(trial.marker(label)) for label in feet if label]
    if not moved:
        raise FileRefused(
            f"{trial.recording.name}: no sample of pelvis and feet is left without those that no"
            " limb can reach; wanted their paths; check unit, rate and noise of the recording"
        )
    if max(moved) < WALKED_M:
        raise NobodyWalks(
            f"{trial.recording.name}: nobody walks in it (pelvis and feet move by"
            f" {1000 * max(moved):.0f} mm at most), so it is a static; give it as --static and name"
            " a walking trial"
        )

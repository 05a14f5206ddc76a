"""Read the files of one run: the trial, its static, and both in G."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.axes import (
    WALKED_M,
    axis_names,
    find_axes,
    pelvis_pair,
    seen_labels,
    way_of,
)
from gaitdyn.calibrate.axis_votes import axis_name, up_votes
from gaitdyn.calibrate.axis_votes import votes_in_words as in_words
from gaitdyn.calibrate.ladder import with_carried_pelvis
from gaitdyn.calibrate.renaming import mended, renaming_findings
from gaitdyn.clean.wild import without_wild
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import FileRefused, ModelNotFound, StaticRefused, UsageError
from gaitdyn.io.labels import NO_SUCH_PREFIX
from gaitdyn.io.recording import read_recording
from gaitdyn.io.trial import to_trial
from gaitdyn.stages.functional import read_functional
from gaitdyn.stages.labels import resolve
from gaitdyn.stages.lost_markers import lost_markers
from gaitdyn.stages.poses import reading_findings
from gaitdyn.stages.standing import (
    check_person,
    check_static,
    read_static,
    standing_trial,
    use_static,
)
from gaitdyn.types.findings import Finding, Level
from gaitdyn.types.frozen import frozen
from gaitdyn.types.later import Last, computed_late, later

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.calibrate.axis_votes import Vote
    from gaitdyn.io.wrenches import Thinning
    from gaitdyn.stages.standing import UsedStatic
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.functional import FunctionalTrial
    from gaitdyn.types.marker_model import MarkerModel, ModelMatch
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Event, Recording
    from gaitdyn.types.trial import Trial

SHORTEST_FRAMES = 20
_LEVEL = 0.9
_ALONG = 0.5
"""Cosine of 60 degrees; a walk between two axes may be described along either of them."""
_ASTRAY_MEANS: dict[str, tuple[Level, str]] = {
    "default": (
        "info",
        "laboratory positions are given along {}; angles, moments and ground forces do not change",
    ),
    "plug-in-gait": ("warning", "this profile also refers angles and moments to {}"),
}


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


computed_late(Session, "whole_static")


def read_session(path: str | Path, options: Options) -> Session:
    """Read a trial and the static that belongs to it.

    Parameters
    ----------
    path : str or Path
    options : Options

    Returns
    -------
    Session

    Raises
    ------
    FileRefused, ModelNotFound, AxesRefused, StaticRefused
    """
    stored = read_recording(path, options.subject_prefix, options.reader, forces=options.forces)
    read, outside = without_events_of_another_clock(with_events(stored, options))
    raw = mended(read, options.rename)
    file = read_static(path, raw, options)
    named = resolve(raw, file.recording, options)
    tame, wild = without_wild(raw, named.match.places, walking=True)
    if wild:  # a marker may have been removed completely
        named = resolve(tame, file.recording, options)
    recording, static, sides = named.trial, named.static, named.match.sides
    functional = read_functional(options, raw, file.recording, named)
    files = [read] if file.recording is None else [read, file.recording]
    findings, log = renaming_findings(options.rename, files)
    lost = lost_markers(recording, static, named.match.model, tame.labels)
    findings += [*outside, *wild, *_missing_legs(named.match), *lost]
    findings += named.findings
    log += [note for note in read.notes if note == NO_SUCH_PREFIX]
    log += [*named.log, *_forces_log(read, options)]
    if options.events:
        log.append(f"events: {len(options.events)} given, those of the file are not used")
    _refuse_short(recording)
    if named.match.model.climbs:
        recording = with_carried_pelvis(recording, static)
    thinning = thinning_of(options)
    votes = up_votes(recording)
    R_GL = find_axes(recording, options.up, options.forward, votes)
    doubts, lines = _axes_report(recording, R_GL, votes, options)
    findings += doubts
    log += [*lines, *_cutoff_log(options, recording.rate_hz)]
    findings += _reading_findings(recording)
    trial, refused = _level_plates(to_trial(recording, R_GL, thinning))
    findings += refused
    log += file.log
    if static is None or file.path is None:
        return Session(trial, None, named.match.model, sides, findings, log, functional=functional)
    if static.sha256 == recording.sha256:
        message = f"{static.name} is the trial itself; name a standing trial with --static"
        raise StaticRefused(message)
    standing, wild, in_G = _used_static(static, named.match.model, R_GL, options)
    findings += [replace(finding, scope=f"static {finding.scope}") for finding in wild]
    log += standing.log
    try:
        sides = check_static(standing, recording, named.match, sides)
        doubts = check_person(standing, recording, options)
    except StaticRefused:
        refuse_standing(trial)  # two statics: say that the trial is one, not that they differ
        raise
    findings += [*standing.findings, *doubts]
    log += [finding.message for finding in doubts]
    whole = later(lambda: _whole(static, in_G, thinning))
    model = named.match.model
    return Session(trial, in_G, model, sides, findings, log, standing.still, whole, functional)


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
            f"{recording.name}: {recording.n_frames} frames found, wanted at least"
            f" {SHORTEST_FRAMES}; export a whole trial"
        )


def _axes_report(
    recording: Recording, R_GL: Array, votes: tuple[Vote, ...], options: Options
) -> tuple[list[Finding], list[str]]:
    """Return warnings if evidence contradicts the axes, and the lines to log about them."""
    forward, up = axis_names(R_GL)
    given = {name: " (given)" if value else "" for name, value in
             (("up", options.up), ("forward", options.forward))}  # fmt: skip
    line = f"axes: up {up}{given['up']}, walking along {forward}{given['forward']}"
    log = [f"{line} of the laboratory"]
    findings = _other_direction(recording, R_GL, options) if options.forward else []
    log += [finding.message for finding in findings]
    against = [vote for vote in votes if vote.witness != "force" and not vote.says(up)]
    if not against:
        return findings, log
    message = f"{recording.name}: up is taken to be {up}, but not all agree ({in_words(votes)})"
    return [*findings, Finding("warning", "axes-doubt", recording.name, message)], [*log, message]


def _other_direction(recording: Recording, R_GL: Array, options: Options) -> list[Finding]:
    """Return a finding if the person walks in another direction than the given forward axis."""
    try:
        travel, verb = way_of(recording, R_GL[1])
    except ModelNotFound:
        return []
    length = float(np.linalg.norm(travel))
    if not length or travel @ R_GL[0] >= _ALONG * length:
        return []
    given, walked = axis_name(R_GL[0]), axis_name(travel)
    level, consequence = _ASTRAY_MEANS[options.profile]
    message = (
        f"{recording.name}: forward {given} was given, but the person {verb} along {walked}:"
        f" {consequence.format(given)}"
    )
    return [Finding(level, "forward-astray", recording.name, message)]


def session_again(session: Session, options: Options) -> Session:
    """Return the session as it would have been read with other options, from the same recordings.

    The profile and the force cut-off decide how plates are brought to the marker rate. No other
    option that a run may vary matters at this stage.

    Parameters
    ----------
    session : Session
    options : Options
    """
    thinning, static = thinning_of(options), session.static
    trial, _ = _level_plates(to_trial(session.trial.recording, session.trial.R_GL, thinning))
    if static is not None:
        static = to_trial(static.recording, static.R_GL, thinning)
    return replace(session, trial=trial, static=static)


def _forces_log(recording: Recording, options: Options) -> list[str]:
    """Return log lines on the file of the forces if they are not in the recording itself."""
    source = "given" if options.forces else "by its name and its times"
    forces = recording.forces
    if forces is None:
        return []
    return [f"forces: {forces.name} ({source})", *([forces.turned] if forces.turned else [])]


def _cutoff_log(options: Options, rate_hz: float) -> list[str]:
    """Return a log line if the cut-off is above half the marker rate."""
    if options.cutoff_hz is None or options.cutoff_hz < 0.5 * rate_hz:
        return []
    cutoff, nyquist = options.cutoff_hz, 0.5 * rate_hz
    fact = f"--cutoff {cutoff:g} Hz is not below half the marker rate ({nyquist:g} Hz)"
    return [f"{fact}: the markers keep all their noise"]


def with_events(recording: Recording, options: Options) -> Recording:
    """Return the recording with the given events instead of those in the file.

    Raises
    ------
    UsageError
        When one lies outside the recording.
    """
    if not options.events:
        return recording
    start, stop = _time_range(recording)
    for event in options.events:
        if not _contains(recording, event):
            raise UsageError(
                f"{recording.name}: a given {event.side} {event.kind.replace('_', ' ')} is at"
                f" {event.time_s:g} s; the recording lasts from {start:g} to {stop:g} s"
            )
    return replace(recording, events=tuple(sorted(options.events)))


def without_events_of_another_clock(recording: Recording) -> tuple[Recording, list[Finding]]:
    """Return the recording without its events, and a finding, if no event lies within it.

    Files that were cut keep events outside the remaining frames, but have some inside as well.
    """
    events = recording.events
    if not events or any(_contains(recording, event) for event in events):
        return recording, []
    start, stop = _time_range(recording)
    message = (
        f"no event of the file ({len(events)}, from {events[0].time_s:.2f} to"
        f" {events[-1].time_s:.2f} s) lies within the recording (from {start:.2f} to"
        f" {stop:.2f} s): its rate or first frame is wrong, or the events are from another clock;"
        " they are detected again"
    )
    return replace(recording, events=()), [Finding("warning", "events-outside", "events", message)]


def _time_range(recording: Recording) -> tuple[float, float]:
    """Return the times of the first and the last frame, s."""
    first, rate = recording.first_frame, recording.rate_hz
    return (first - 1) / rate, (first + recording.n_frames - 2) / rate


def _contains(recording: Recording, event: Event) -> bool:
    """Return whether an event lies within a recording, with half a frame of tolerance."""
    (start, stop), half = _time_range(recording), 0.5 / recording.rate_hz
    return start - half <= event.time_s <= stop + half


def _level_plates(trial: Trial) -> tuple[Trial, list[Finding]]:
    """Return the trial with the plates that face up, and a finding for each of the others."""
    level = tuple(plate for plate in trial.plates if plate.normal_G[1] > _LEVEL)
    findings = []
    for plate in trial.plates:
        if plate not in level:
            scope = f"plate {plate.number}"
            message = f"{scope} is left out: its corners show that it faces down or sideways"
            findings.append(Finding("warning", "plate-refused", scope, message))
    return replace(trial, plates=level), findings


def _reading_findings(recording: Recording) -> list[Finding]:
    """Return what was noticed while reading the trial and its plates."""
    findings = [Finding("info", "read", recording.name, note) for note in recording.notes]
    for plate in recording.plates:
        scope = f"plate {plate.number}"
        if plate.problem:
            message = f"plate {plate.number} is left out: {plate.problem}"
            findings.append(Finding("warning", "plate-refused", scope, message))
        findings += [Finding("info", "plate-read", scope, note) for note in plate.notes]
    forces = recording.forces
    if forces is not None and forces.turned:
        findings.append(Finding("warning", "forces-turned", forces.name, forces.turned))
    return findings + reading_findings(recording)


def _missing_legs(match: ModelMatch) -> list[Finding]:
    """Return a finding for each leg that is not computed because markers are missing."""
    return [
        Finding(
            "warning",
            "leg-missing",
            side,
            f"the {side} leg is not computed; markers not seen: {', '.join(lacking)}",
            side=side,
        )
        for side, lacking in match.missing.items()
        if side not in match.sides
    ]


def refuse_standing(trial: Trial) -> None:
    """Refuse a static that is given as a trial.

    Raises
    ------
    ModelNotFound
        When the pelvis and both feet stay in place.
    """
    visible = seen_labels(trial.labels, trial.markers_G)
    pair = pelvis_pair(visible)
    toes = ("LTOE", "RTOE") if "LASI" in pair else ("LMT5", "RMT5")
    moved = [_travel(trial.marker(label)) for label in pair if label in trial.labels]
    moved += [_travel(trial.marker(m)) for m in toes if m in visible]
    if max(moved) < WALKED_M:
        raise ModelNotFound(
            f"{trial.recording.name}: nobody walks in it (pelvis and feet move by"
            f" {1000 * max(moved):.0f} mm at most); give it as --static and name a walking trial"
        )


def _travel(marker: np.ndarray) -> float:
    """Return the diagonal of the box in which a marker moves, m."""
    visible = marker[complete_rows(marker)]
    return float(np.linalg.norm(np.ptp(visible, axis=0))) if len(visible) else 0.0

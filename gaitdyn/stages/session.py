"""The files of one run: the trial, its static, and both in G."""

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
from gaitdyn.calibrate.axis_votes import axis_name, told, up_votes
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
_ASTRAY = 0.5
"""Cosine of 60 degrees; a walk between two axes may be told along either."""
_ASTRAY_MEANS: dict[str, tuple[Level, str]] = {
    "default": (
        "info",
        "positions in the laboratory are told along {}; angles, moments and ground forces stay",
    ),
    "plug-in-gait": ("warning", "this profile takes angles and moments against {}, too"),
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
        What was chosen, for the person who runs it.
    still : bool
        Whether the person stands still in the static.
    whole_static : Trial or None
        All frames of the static, those before and after its quiet part too; made when first read.
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
    found = read_recording(path, options.subject_prefix, options.reader, forces=options.forces)
    read, away = without_events_of_another_clock(with_events(found, options))
    raw = mended(read, options.rename)
    file = read_static(path, raw, options)
    named = resolve(raw, file.recording, options)
    tame, wild = without_wild(raw, named.match.places, walking=True)
    if wild:  # a marker may be gone
        named = resolve(tame, file.recording, options)
    recording, static, sides = named.trial, named.static, named.match.sides
    moved = read_functional(options, raw, file.recording, named)
    files = [read] if file.recording is None else [read, file.recording]
    findings, log = renaming_findings(options.rename, files)
    lost = lost_markers(recording, static, named.match.model, tame.labels)
    findings += [*away, *wild, *_missing_legs(named.match), *lost]
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
    doubts, lines = _axes_said(recording, R_GL, votes, options)
    findings += doubts
    log += [*lines, *_cutoff_log(options, recording.rate_hz)]
    findings += _reading_findings(recording)
    trial, tilted = _level_plates(to_trial(recording, R_GL, thinning))
    findings += tilted
    log += file.log
    if static is None or file.path is None:
        return Session(trial, None, named.match.model, sides, findings, log, functional=moved)
    if static.sha256 == recording.sha256:
        message = f"{static.name} is the trial itself; name a standing trial with --static"
        raise StaticRefused(message)
    standing, wild, in_G = _stood(static, named.match.model, R_GL, options)
    findings += [replace(finding, scope=f"static {finding.scope}") for finding in wild]
    log += standing.log
    try:
        sides = check_static(standing, recording, named.match, sides)
        said = check_person(standing, recording, options)
    except StaticRefused:
        refuse_standing(trial)  # of two statics the other is no better for being found beside it
        raise
    findings += [*standing.findings, *said]
    log += [finding.message for finding in said]
    whole = later(lambda: _whole(static, in_G, thinning))
    model = named.match.model
    return Session(trial, in_G, model, sides, findings, log, standing.still, whole, moved)


_LAST_STOOD: Last[tuple[UsedStatic, list[Finding], Trial]] = Last()


def _stood(
    static: Recording, model: MarkerModel, R_GL: Array, options: Options
) -> tuple[UsedStatic, list[Finding], Trial]:
    """Return what is used of a static, what was left out of it, and its frames in G.

    The trials of a session follow each other: with the same static this is found once.
    """
    names = {i: x for i, x in enumerate(static.labels) if x in model.labels}
    thinning = thinning_of(options)

    def found() -> tuple[UsedStatic, list[Finding], Trial]:
        standing = use_static(static, options)
        still, wild = without_wild(standing.recording, names, walking=False)
        in_G = standing_trial(still, R_GL, options, thinning)
        return replace(standing, recording=still), wild, in_G

    parts = tuple(getattr(static, one.name) for one in fields(static) if one.name != "labels")
    how = static.labels, names, options.static_frames, options.up, thinning, R_GL.tobytes()
    return _LAST_STOOD.of(parts, how, found)


def thinning_of(options: Options) -> Thinning:
    """Return how forces come to the marker rate: unfiltered ones are the samples at the frames."""
    if options.profile == "plug-in-gait":
        return "mean"
    cutoff = options.cutoff_hz if options.force_cutoff_hz == "same" else options.force_cutoff_hz
    return "sample" if cutoff is None else "low-pass"


def _whole(static: Recording, used: Trial, thinning: Thinning) -> Trial:
    """Return all frames of a static in G, of which some are used."""
    same = static.n_frames == used.recording.n_frames
    return used if same else to_trial(static, used.R_GL, thinning)


def _refuse_short(recording: Recording) -> None:
    if recording.n_frames < SHORTEST_FRAMES:
        raise FileRefused(
            f"{recording.name}: {recording.n_frames} frames were found, wanted at least"
            f" {SHORTEST_FRAMES}; export a whole trial"
        )


def _axes_said(
    recording: Recording, R_GL: Array, votes: tuple[Vote, ...], options: Options
) -> tuple[list[Finding], list[str]]:
    """Return a warning where a witness speaks against the axes, and what to log of them."""
    forward, up = axis_names(R_GL)
    given = {name: " (given)" if value else "" for name, value in
             (("up", options.up), ("forward", options.forward))}  # fmt: skip
    line = f"axes: up {up}{given['up']}, walking along {forward}{given['forward']}"
    log = [f"{line} of the laboratory"]
    said = _other_way(recording, R_GL, options) if options.forward else []
    log += [finding.message for finding in said]
    against = [vote for vote in votes if vote.witness != "force" and not vote.says(up)]
    if not against:
        return said, log
    message = f"{recording.name}: up is taken to be {up}, though not all agree ({told(votes)})"
    return [*said, Finding("warning", "axes-doubt", recording.name, message)], [*log, message]


def _other_way(recording: Recording, R_GL: Array, options: Options) -> list[Finding]:
    """Return what to say where the person goes another way than the forward that was given."""
    try:
        way, verb = way_of(recording, R_GL[1])
    except ModelNotFound:
        return []
    length = float(np.linalg.norm(way))
    if not length or way @ R_GL[0] >= _ASTRAY * length:
        return []
    given, found = axis_name(R_GL[0]), axis_name(way)
    level, then = _ASTRAY_MEANS[options.profile]
    message = (
        f"{recording.name}: forward {given} was given, but the person {verb} along {found}:"
        f" {then.format(given)}"
    )
    return [Finding(level, "forward-astray", recording.name, message)]


def session_again(session: Session, options: Options) -> Session:
    """Return a session as it would have been read under other options, from the same recordings.

    The profile and the cut-off of the forces decide how plates come to the marker rate; nothing
    else of the options that a run may vary enters here.

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
    """Return from which file the forces are, where they are not the recording's own."""
    how = "given" if options.forces else "by its name and its times"
    forces = recording.forces
    if forces is None:
        return []
    return [f"forces: {forces.name} ({how})", *([forces.turned] if forces.turned else [])]


def _cutoff_log(options: Options, rate_hz: float) -> list[str]:
    """Return what to say of a cut-off that lies above all that the markers can hold."""
    if options.cutoff_hz is None or options.cutoff_hz < 0.5 * rate_hz:
        return []
    cutoff, most = options.cutoff_hz, 0.5 * rate_hz
    told = f"--cutoff {cutoff:g} Hz is not below half the marker rate ({most:g} Hz)"
    return [f"{told}: the markers keep all their noise"]


def with_events(recording: Recording, options: Options) -> Recording:
    """Return the recording with the events that were given in the place of the file's.

    Raises
    ------
    UsageError
        When one lies outside the recording.
    """
    if not options.events:
        return recording
    start, stop = _lasts(recording)
    for event in options.events:
        if not _holds(recording, event):
            raise UsageError(
                f"{recording.name}: a given {event.side} {event.kind.replace('_', ' ')} is at"
                f" {event.time_s:g} s; the recording lasts from {start:g} to {stop:g} s"
            )
    return replace(recording, events=tuple(sorted(options.events)))


def without_events_of_another_clock(recording: Recording) -> tuple[Recording, list[Finding]]:
    """Return the recording without its events, and a finding, where none lies within it.

    Files that were cut keep events beside what is left, but not those alone.
    """
    events = recording.events
    if not events or any(_holds(recording, event) for event in events):
        return recording, []
    start, stop = _lasts(recording)
    message = (
        f"all {len(events)} events of the file lie outside the recording (from"
        f" {events[0].time_s:.2f} to {events[-1].time_s:.2f} s; it lasts from {start:.2f} to"
        f" {stop:.2f} s): its rate or first frame is wrong, or the events are another clock's; they"
        " are found anew"
    )
    return replace(recording, events=()), [Finding("warning", "events-outside", "events", message)]


def _lasts(recording: Recording) -> tuple[float, float]:
    """Return the times of the first and the last frame, s."""
    first, rate = recording.first_frame, recording.rate_hz
    return (first - 1) / rate, (first + recording.n_frames - 2) / rate


def _holds(recording: Recording, event: Event) -> bool:
    """Return whether an event lies within a recording, half a frame beside its ends included."""
    (start, stop), half = _lasts(recording), 0.5 / recording.rate_hz
    return start - half <= event.time_s <= stop + half


def _level_plates(trial: Trial) -> tuple[Trial, list[Finding]]:
    """Return the trial with the plates whose surface faces up, and a finding for each other."""
    level = tuple(plate for plate in trial.plates if plate.normal_G[1] > _LEVEL)
    findings = []
    for plate in trial.plates:
        if plate not in level:
            scope = f"plate {plate.number}"
            message = f"{scope} is left out: by its corners it faces down or sideways, not up"
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
    """Return a finding for each leg that is not computed for want of markers."""
    return [
        Finding(
            "warning",
            "leg-missing",
            side,
            f"the {side} leg is not computed: its markers {', '.join(lacking)} are not seen",
            side=side,
        )
        for side, lacking in match.missing.items()
        if side not in match.sides
    ]


def refuse_standing(trial: Trial) -> None:
    """Refuse a static given where a trial belongs.

    Raises
    ------
    ModelNotFound
        When the pelvis and both feet stay where they are.
    """
    seen = seen_labels(trial.labels, trial.markers_G)
    pair = pelvis_pair(seen)
    toes = ("LTOE", "RTOE") if "LASI" in pair else ("LMT5", "RMT5")
    moved = [_travel(trial.marker(label)) for label in pair if label in trial.labels]
    moved += [_travel(trial.marker(m)) for m in toes if m in seen]
    if max(moved) < WALKED_M:
        raise ModelNotFound(
            f"{trial.recording.name}: nobody walks in it (pelvis and feet move by"
            f" {1000 * max(moved):.0f} mm at most); give it as --static and name a walking trial"
        )


def _travel(marker: np.ndarray) -> float:
    """Return the size of the box that a marker moves in, m."""
    seen = marker[complete_rows(marker)]
    return float(np.linalg.norm(np.ptp(seen, axis=0))) if len(seen) else 0.0

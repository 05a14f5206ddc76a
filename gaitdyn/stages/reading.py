"""What reading a trial found out: axes, forces, plates and legs, as findings and lines to log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.axes import axis_names, way_of
from gaitdyn.calibrate.axis_votes import Vote, axis_name
from gaitdyn.calibrate.axis_votes import votes_in_words as in_words
from gaitdyn.errors import ModelNotFound
from gaitdyn.stages.poses import reading_findings
from gaitdyn.types.arguments import option_of
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding, Level
from gaitdyn.types.marker_model import ModelMatch
from gaitdyn.types.option_rows import not_usual
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDES
from gaitdyn.types.trial import Trial

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


def axes_report(
    recording: Recording, R_GL: Array, votes: tuple[Vote, ...], options: Options
) -> tuple[list[Finding], list[str]]:
    """Return warnings if evidence contradicts the axes, and the lines to log about them."""
    forward, up = axis_names(R_GL)
    given = {name: " (given)" if value else "" for name, value in
             (("up", options.up), ("forward", options.forward))}  # fmt: skip
    findings = _other_direction(recording, R_GL, options) if options.forward else []
    what = "forward is" if findings else "walking along"  # they walk along another axis
    line = f"axes: up {up}{given['up']}, {what} {forward}{given['forward']}"
    log = [f"{line} of the laboratory", *(finding.message for finding in findings)]
    witnesses = [vote for vote in votes if vote.witness != "force"]
    against = [vote for vote in witnesses if not vote.says(up)]
    if not against:
        return findings, log
    code, said = "axes-doubt", f"up is taken to be {up}, but not all agree ({in_words(votes)})"
    if options.up and len(against) == len(witnesses):
        code = "up-astray"
        said = (
            f"up {up} was given, but nothing in the file agrees ({in_words(votes)}): leave --up out"
        )
    message = f"{recording.name}: {said}"
    return [*findings, Finding("warning", code, recording.name, message)], [*log, message]


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


def forces_log(recording: Recording, options: Options) -> list[str]:
    """Return log lines on the file of the forces if they are not in the recording itself."""
    source = "given" if options.forces else "by its name and its times"
    forces = recording.forces
    if forces is None:
        return []
    return [f"forces: {forces.name} ({source})", *([forces.turned] if forces.turned else [])]


_OWN_OF_THE_VENDOR = ("cutoff_hz", "force_cutoff_hz", "filter", "baseline")
"""What the plug-in-gait profile sets itself."""


def filter_log(options: Options, rate_hz: float) -> list[str]:
    """Return log lines on settings of the filters that are not used, keep all noise or differ."""
    if options.profile == "plug-in-gait":
        unused = [option_of(field) for field in not_usual(options, _OWN_OF_THE_VENDOR)]
        why = "the profile plug-in-gait has its own; leave out one of them"
        return [f"{', '.join(unused)} not used: {why}"] if unused else []
    markers, forces, nyquist = options.cutoff_hz, options.force_cutoff_hz, 0.5 * rate_hz
    lines: list[str] = []
    if markers is not None and markers >= nyquist:
        fact = f"--cutoff {markers:g} Hz is not below half the marker rate ({nyquist:g} Hz)"
        lines.append(f"{fact}: the markers keep all their noise")
    if forces not in ("same", markers):
        of_markers, of_forces = ("none" if c is None else f"{c:g} Hz" for c in (markers, forces))
        fact = f"cut-offs differ: markers {of_markers}, forces {of_forces}"
        lines.append(f"{fact}: part of the peaks of moments after foot strike is an artefact")
    return lines


def level_plates(trial: Trial) -> tuple[Trial, list[Finding]]:
    """Return the trial with the plates that face up, and a finding for each of the others."""
    level = tuple(plate for plate in trial.plates if plate.normal_G[1] > _LEVEL)
    findings = []
    for plate in trial.plates:
        if plate not in level:
            scope = f"plate {plate.number}"
            message = f"{scope} is left out: its corners show that it faces down or sideways"
            findings.append(Finding("warning", "plate-refused", scope, message))
    return replace(trial, plates=level), findings


def found_in_reading(recording: Recording) -> list[Finding]:
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


def missing_legs(match: ModelMatch, sides: Iterable[str] = SIDES, where: str = "") -> list[Finding]:
    """Return a finding for each leg that is not computed because markers are missing.

    Parameters
    ----------
    match : ModelMatch
    sides : iterable of {"left", "right"}
        The legs to look at.
    where : str
        The recording that lacks the markers, if it is not the trial.
    """
    place = f" in {where}" if where else ""
    return [
        Finding(
            "warning",
            "leg-missing",
            side,
            f"the {side} leg is not computed; markers not seen{place}: {', '.join(lacking)}",
            side=side,
        )
        for side, lacking in match.missing.items()
        if side in sides and side not in match.sides
    ]

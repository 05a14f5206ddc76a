"""Find a session's data about the person, what is missing, and whether there are several people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gaitdyn.calibrate.axes import WALKED_M
from gaitdyn.calibrate.body.subject import resolve_subject
from gaitdyn.calibrate.posture.posed import NEEDS_NO_STATIC
from gaitdyn.calibrate.statics.doubts import SAME, SHORTEST_FRAMES
from gaitdyn.calibrate.statics.find import StaticChoice
from gaitdyn.calibrate.statics.same_person import plain_names
from gaitdyn.calibrate.widths import require_lengths
from gaitdyn.errors import SubjectDataMissing
from gaitdyn.io.names import name_code
from gaitdyn.io.text_files import shown
from gaitdyn.session.contents import RecordingContents, travel_m
from gaitdyn.session.trial_plan import TrialPlan
from gaitdyn.types.marker_model import ModelMatch
from gaitdyn.types.options import NO_FORCES, Options
from gaitdyn.types.subject import Subject
from gaitdyn.types.words import counted


def find_subject(
    options: Options, recording: RecordingContents, static: RecordingContents | None
) -> Subject:
    """Return the measurements that a trial will be processed with.

    Parameters
    ----------
    options : Options
    recording : RecordingContents
        The trial.
    static : RecordingContents or None

    Raises
    ------
    UsageError
        When the subject file has an error.
    """
    if recording.content is None:
        return Subject()
    standing = None if static is None or static.content is None else static.content.sample
    return resolve_subject(options, recording.content.sample, standing)[0]


def mass_in_others(
    recording: RecordingContents, subject: Subject, others: Sequence[RecordingContents]
) -> tuple[float, str] | None:
    """Return the body mass that other files state for the subject of a trial, and the first file.

    ``None`` if the trial names no subject, or if no file or files more than 1 % apart state one.
    A file of another height or leg length is of another person, as a name such as "New Patient"
    may be that of several.
    """
    samples = [r.content.sample for r in (recording, *others) if r.content is not None]
    names = plain_names(samples[0].persons) if recording.content is not None else None
    stated = [
        (s.subject.mass_kg, s.name) for s in samples[1:]
        if names and s.subject.mass_kg and names & plain_names(s.persons)
        and not _measured_apart(subject, s.subject)
    ]  # fmt: skip
    masses = [mass for mass, _ in stated]
    return stated[0] if masses and max(masses) <= (1.0 + SAME) * min(masses) else None


def _measured_apart(first: Subject, second: Subject) -> bool:
    """Return whether the measurements of two files are those of two people."""
    from gaitdyn.store.persons import why_different_persons  # few walks lack a mass

    documents = [
        {"subject": asdict(subject), "private": {"name_codes": []}} for subject in (first, second)
    ]
    return bool(why_different_persons(documents))


NO_MASS = "no body mass: kinematics only"

UNWEIGHED = f"{NO_MASS}, unless the static is on force plates"
"""What is missing if no file states a mass: a plan reads no plates."""

MUSCLES_ALONE = "; where its channels show muscles, these alone are given"
"""End of the problem of a trial that is processed for its electromyography."""


def expected_problem(
    recording: RecordingContents,
    role: str,
    subject: Subject,
    static: RecordingContents | None,
    options: Options,
) -> str:
    """Return why a trial will be refused, as far as can be told now; empty if nothing is wrong.

    Parameters
    ----------
    recording : RecordingContents
        The trial.
    role : {"dynamic", "static", "functional", "left-out"}
    subject : Subject
    static : RecordingContents or None
    options : Options
        Only the vendor's profile requires a length; named forces need no search.
    """
    if role in ("left-out", "functional"):
        return ""
    muscles = role == "dynamic" and recording.content is not None and recording.content.muscles
    if role == "static" or recording.content is None or recording.match is None:
        return _or_muscles(recording.problem, muscles)
    if static is not None and static.content is None:
        return f"its static: {static.problem}"
    if recording.content.frames < SHORTEST_FRAMES:
        return f"{counted(recording.content.frames, 'frame')}, wanted at least {SHORTEST_FRAMES}"
    travel = travel_m(recording)
    if travel is not None and travel <= WALKED_M:
        return "nobody walks in it"
    return (options.forces is None and recording.content.problem) or _or_muscles(
        _lengths_missing(subject, recording.match, options.profile), muscles
    )


def _or_muscles(problem: str, muscles: bool) -> str:
    return problem + MUSCLES_ALONE if problem and muscles else problem


def _lengths_missing(subject: Subject, match: ModelMatch, profile: str) -> str:
    """Return which lengths the model of a trial needs but lacks; empty if it lacks none."""
    try:
        if match.model.engine == "chord" and profile == "plug-in-gait":
            require_lengths(subject, match.sides)
    except SubjectDataMissing as error:
        return str(error)
    return ""


def missing_data(
    recording: RecordingContents, subject: Subject, static: StaticChoice, options: Options
) -> tuple[str, ...]:
    """Return which data are missing and what cannot be computed without them."""
    if recording.content is None or recording.match is None:
        return ()
    missing = []
    if not recording.content.plates and options.forces in (None, NO_FORCES):
        missing.append("no force plates: kinematics only")
    elif subject.mass_kg is None:
        missing.append(UNWEIGHED)
    if len(recording.match.sides) == 1:
        missing.append(f"markers of one leg only ({recording.match.sides[0]})")
    if static.path is None and static.reason != NEEDS_NO_STATIC:
        missing.append(static.reason)
    return tuple(missing)


def several_people(walks: Sequence[tuple[TrialPlan, RecordingContents]]) -> str:
    """Return a message if the walks of a folder show several people, without their names.

    Parameters
    ----------
    walks : sequence of (TrialPlan, RecordingContents)

    Returns
    -------
    str
        Empty if all of them may show one person.
    """
    documents = [_document(trial, recording) for trial, recording in walks]
    return people_words([trial.path for trial, _ in walks], documents)


def people_words(paths: Sequence[Path], documents: Sequence[dict[str, Any]]) -> str:
    """Return a message if walks show several people, without their names.

    Parameters
    ----------
    paths : sequence of Path
    documents : sequence of dict
        ``subject`` and ``private`` that a result of each would have.

    Returns
    -------
    str
        Empty if all of them may show one person.
    """
    if all(document == documents[0] for document in documents):
        return ""
    from gaitdyn.store.persons import (
        indices_by_person,
        why_different_persons,
    )  # few folders need it

    groups = indices_by_person(documents)
    if len(groups) < 2:  # noqa: PLR2004
        return ""
    files = "; ".join(", ".join(shown(paths[i].name) for i in group) for group in groups)
    return (
        f"the folder holds {len(groups)} people ({why_different_persons(documents)}): {files}; each"
        " is shown separately"
    )


def _document(trial: TrialPlan, recording: RecordingContents) -> dict[str, Any]:
    """Return the entries about the person that a result of this trial would have."""
    sample = None if recording.content is None else recording.content.sample
    names = () if sample is None else sample.persons or sample.called
    codes = sorted({name_code(name) for name in names})
    subject = asdict(trial.subject) | {"sources": {}}
    return {"subject": subject, "private": {"name_codes": codes}}

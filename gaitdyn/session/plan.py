"""Plan a session: what will be done with each file, and why. Nothing is processed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import date
from pathlib import Path
from typing import Any

from gaitdyn.calibrate.statics.find import StaticChoice
from gaitdyn.errors import UsageError
from gaitdyn.io.names import name_masked
from gaitdyn.io.text_files import shown
from gaitdyn.io.toml_lines import line_of
from gaitdyn.session.contents import (
    LABEL_OPTIONS,
    Contents,
    RecordingContents,
    folders_below,
    scan_file,
    scan_folder,
)
from gaitdyn.session.copies import twice_told
from gaitdyn.session.emg_names import with_emg_file
from gaitdyn.session.person import (
    expected_problem,
    find_subject,
    mass_in_others,
    missing_data,
    several_people,
)
from gaitdyn.session.roles import Decision, decide_role
from gaitdyn.session.session_file import SESSION_FILE, SessionFile, find_session_file
from gaitdyn.session.statics import choose_static, named_static
from gaitdyn.session.trial_options import trial_options
from gaitdyn.session.trial_plan import TrialPlan, unread_beside, with_renames
from gaitdyn.types.arguments import told
from gaitdyn.types.frozen import frozen
from gaitdyn.types.options import NO_STATIC, Options, split_frames
from gaitdyn.types.subject import Subject
from gaitdyn.types.words import counted

NO_TRIAL = "no trial to process: every file is a static, functional or left out"


@frozen()
class SessionPlan:
    """What will be done with a session.

    Attributes
    ----------
    folder : Path
    name : str
        Of the folder, for the results; it may be a person's name, see ``told_name``.
    trials : tuple of TrialPlan
        Every recording of the folder in natural order, including statics and files left out.
    subject : Subject
        Of the first trial that can be processed.
    notes : tuple of str
        Notes on the whole session.
    told_name : str
        The name of the folder for printing: masked if it is a person's.
    persons : tuple of str
        Names of persons in the files; for masking, never for printing.
    people : str
        Why the walks are taken to show several people; empty for one person.
    doubts : tuple of str
        The notes that call for a look: what cannot be used or is not read, walks that are there
        twice, several people.
    """

    folder: Path
    name: str
    trials: tuple[TrialPlan, ...]
    subject: Subject = field(default_factory=Subject)
    notes: tuple[str, ...] = ()
    told_name: str = ""
    persons: tuple[str, ...] = ()
    people: str = ""
    doubts: tuple[str, ...] = ()


def plan_session(
    folder: str | Path, given: Mapping[str, Any] | None = None, file: SessionFile | None = None
) -> SessionPlan:
    """Return what will be done with each C3D file of a folder; nothing is processed or written.

    Parameters
    ----------
    folder : str or Path
    given : mapping, optional
        Fields of :class:`gaitdyn.types.options.Options` from the command line; they win.
    file : SessionFile, optional
        Used instead of the ``session.toml`` of the folder.

    Raises
    ------
    FileRefused
        When there is no such folder, or no recording in it.
    UsageError
        When ``session.toml`` has an error.
    """
    folder = Path(folder)
    file = find_session_file(folder) if file is None else file
    given = with_renames(with_emg_file(dict(given or {}), folder, file.options), file)

    def options_of(name: str) -> dict[str, Any]:
        return file.options | file.trial(name).options | given

    contents = scan_folder(folder, options_of)
    _check_names(folder, file, contents)
    decided = [(recording, decide_role(recording, file)) for recording in contents.files]
    trials = tuple(_trial(*pair, (file, given), contents, decided) for pair in decided)
    walks = [
        (trial, recording)
        for trial, recording in zip(trials, contents.files, strict=True)
        if trial.role == "dynamic"
    ]
    first = [trial for trial, _ in walks if not trial.problem]
    people = several_people([walk for walk in walks if walk[1].content is not None])
    named = next((t.options.subject for t in trials if t.options.subject), None)
    doubts = _doubts(contents, trials)
    beside = tuple(filter(None, (people, unread_beside(folder, named))))
    return SessionPlan(
        folder=folder,
        name=folder.resolve().name,
        trials=trials,
        subject=first[0].subject if first else Subject(),
        notes=(*_facts(folder, contents), *doubts, *_without_trial(folder, trials), *beside),
        people=people,
        doubts=(*doubts, *beside),
        told_name=name_masked(folder.resolve().name, contents.persons),
        persons=_persons(contents),
    )


def _persons(contents: Contents) -> tuple[str, ...]:
    """Return every name of a person in the files of a folder."""
    samples = [
        recording.content.sample for recording in contents.files if recording.content is not None
    ]
    inside = [name for sample in samples for name in (*sample.persons, *sample.called)]
    return tuple(dict.fromkeys((*contents.persons, *inside)))


def _check_names(folder: Path, file: SessionFile, contents: Contents) -> None:
    """Refuse a ``session.toml`` that names files which do not exist."""
    names = [recording.path.name for recording in contents.files]
    in_folder = file.folder is None or file.folder.resolve() == folder.resolve()
    for name in file.trials if in_folder else ():
        if name not in names:
            lines = (folder / SESSION_FILE).read_text("utf-8-sig").splitlines()
            raise UsageError(
                f"{SESSION_FILE}{line_of(lines, ('trials', name))}: found a table for {name!r},"
                " wanted one of the files"
                f" {', '.join(map(shown, names[:8]))}{', ...' if len(names) > 8 else ''}"  # noqa: PLR2004
            )
    for entry in file.statics:
        named_static(file.folder or folder, entry.file)


def _trial(
    recording: RecordingContents,
    decision: Decision,
    session: tuple[SessionFile, dict[str, Any]],
    contents: Contents,
    decided: list[tuple[RecordingContents, Decision]],
) -> TrialPlan:
    """Return the plan of one file."""
    file, given = session
    options, sources = trial_options(recording, file, given, contents)
    chosen = StaticChoice(None, "")
    if decision.role == "dynamic":
        chosen = _static_of(recording, options, session, decided)
        options, sources = trial_options(recording, file, given, contents, chosen)
    static = _scan_static(chosen, decided, options)
    subject = find_subject(options, recording, static)
    if decision.role == "dynamic" and subject.mass_kg is None:
        stored = find_subject(Options(), recording, static)  # for all, [subject] is the same
        found = mass_in_others(recording, stored, [other for other, _ in decided])
        if found is not None:
            options, sources = replace(options, mass_kg=found[0]), sources | {"mass_kg": found[1]}
            subject = find_subject(options, recording, static)
    described = "" if recording.enf is None else recording.enf.description
    missing: tuple[str, ...] = ()
    if decision.role == "dynamic":
        missing = missing_data(recording, subject, chosen, options)
    return TrialPlan(
        path=recording.path,
        role=decision.role,
        options=options,
        condition=options.condition,
        reason=decision.reason,
        problem=expected_problem(recording, decision.role, subject, static, options),
        static_reason=chosen.reason,
        subject=subject,
        missing=missing,
        sources=sources,
        description=name_masked(described, contents.persons),
        visit=file.visit,
        notes=(
            *contents.unread,
            *(() if options.subject_parameters else _unclear(contents)),
            *((recording.enf.problem,) if recording.enf and recording.enf.problem else ()),
        ),
    )


def _static_of(
    recording: RecordingContents,
    options: Options,
    session: tuple[SessionFile, dict[str, Any]],
    decided: list[tuple[RecordingContents, Decision]],
) -> StaticChoice:
    file, given = session
    if "static" not in given:
        return choose_static(recording, options.condition, file, decided)
    if given["static"] in (None, NO_STATIC):
        return StaticChoice(None, "command line")
    path, frames = split_frames(given["static"])
    return StaticChoice(Path(path), "command line", frames)


def _scan_static(
    chosen: StaticChoice, decided: list[tuple[RecordingContents, Decision]], options: Options
) -> RecordingContents | None:
    """Return the contents of the chosen static, which may be outside the folder.

    Then it is read with the options of the trial about labels.
    """
    if chosen.path is None:
        return None
    wanted = chosen.path.resolve()
    for recording, _ in decided:
        if recording.path.resolve() == wanted:
            return recording
    return scan_file(chosen.path, {name: getattr(options, name) for name in LABEL_OPTIONS})


def _facts(folder: Path, contents: Contents) -> list[str]:
    """Return which files describe the session."""
    notes: list[str] = []
    if (folder / SESSION_FILE).exists():
        notes.append(f"{SESSION_FILE} is read")
    elif find_session_file(folder).folder is not None:
        notes.append(f"{SESSION_FILE} of the folder above is read")
    if enfs := sum(recording.enf is not None for recording in contents.files):
        notes.append(f"read: {counted(enfs, '.enf file')} of Vicon Eclipse")
    return notes


def _doubts(contents: Contents, trials: tuple[TrialPlan, ...]) -> list[str]:
    """Return what is left out or cannot be used, and which walks are there twice."""
    notes = [*contents.unread, *contents.notes, *_undated(trials)]
    notes += [file.enf.problem for file in contents.files if file.enf and file.enf.problem]
    if not any(trial.options.subject_parameters for trial in trials):
        notes += _unclear(contents)
    walks = {t.path for t in trials if t.role == "dynamic"}
    return notes + twice_told([one for one in contents.files if one.path in walks])


def _without_trial(folder: Path, trials: tuple[TrialPlan, ...]) -> list[str]:
    """Return that a session has no trial, and which of its sub-folders have some."""
    if any(trial.role == "dynamic" for trial in trials):
        return []
    below = folders_below(folder)
    more = [f"not part of it: {below}; `gaitdyn batch` takes each as a session"] if below else []
    return [NO_TRIAL, *more]


def _undated(trials: tuple[TrialPlan, ...]) -> list[str]:
    """Return a note if the date of the visit is a text that orders no sessions."""
    text = trials[0].visit.text("date") if trials else ""
    try:
        date.fromisoformat(text or "2024-05-17")
    except ValueError:
        advice = "sessions are not put in order by it; write year-month-day, such as 2024-05-17"
        return [f"{SESSION_FILE}: date is {told(text)}: {advice}"]
    return []


def _unclear(contents: Contents) -> tuple[str, ...]:
    """Return a note on ``.mp`` files of which none belongs to a trial."""
    count = len(contents.parameters)
    return (f"not clear whose: {counted(count, '.mp file')}",) if count else ()

"""The plan of a session: what will be done with each file, and why, before anything is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.calibrate.find_static import StaticChoice
from gaitdyn.errors import UsageError
from gaitdyn.io.names import name_told
from gaitdyn.io.plain_files import file_sha256
from gaitdyn.io.text_files import shown
from gaitdyn.io.toml_lines import line_of
from gaitdyn.session.contents import Contents, look_at_file, look_at_folder
from gaitdyn.session.emg_names import with_emg_file
from gaitdyn.session.person import expected_problem, find_subject, missing_data, several_people
from gaitdyn.session.roles import Decision, decide_role
from gaitdyn.session.session_file import SESSION_FILE, SessionFile, find_session_file
from gaitdyn.session.statics import choose_static, named_static
from gaitdyn.session.trial_options import trial_options
from gaitdyn.session.trial_plan import TrialPlan, with_renames
from gaitdyn.types.options import NO_STATIC, Options, split_frames
from gaitdyn.types.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.session.contents import RecordingContents


NO_TRIAL = "no trial to process: every file is a static, functional or left out"


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """What will be done with a session.

    Attributes
    ----------
    folder : Path
    name : str
        Of the folder, for the results; it may be a person's, see ``told_name``.
    trials : tuple of TrialPlan
        Every recording of the folder in natural order, statics and files left out among them.
    subject : Subject
        Of the first trial that can be processed.
    notes : tuple of str
        What concerns the whole session.
    told_name : str
        The name of the folder for printing: masked where it is a person's.
    persons : tuple of str
        Names that the files hold; for masking, never for printing.
    people : str
        That the walks are of several persons, and why; empty for one.
    """

    folder: Path
    name: str
    trials: tuple[TrialPlan, ...]
    subject: Subject = field(default_factory=Subject)
    notes: tuple[str, ...] = ()
    told_name: str = ""
    persons: tuple[str, ...] = ()
    people: str = ""


def plan_session(folder: str | Path, given: Mapping[str, Any] | None = None) -> SessionPlan:
    """Return what will be done with each C3D file of a folder; nothing is processed or written.

    Parameters
    ----------
    folder : str or Path
    given : mapping, optional
        Fields of :class:`gaitdyn.types.options.Options` from the command line; they win.

    Raises
    ------
    FileRefused
        When there is no such folder, or no recording in it.
    UsageError
        When ``session.toml`` has an error.
    """
    folder = Path(folder)
    file = find_session_file(folder)
    given = with_renames(with_emg_file(dict(given or {}), folder, file.options), file)

    def words(name: str) -> dict[str, Any]:
        return file.options | file.trial(name).options | given

    contents = look_at_folder(folder, words)
    _check_names(folder, file, contents)
    decided = [(seen, decide_role(seen, file)) for seen in contents.files]
    trials = tuple(
        _trial(seen, decision, (file, given), contents, decided) for seen, decision in decided
    )
    walks = [(t, seen) for t, seen in zip(trials, contents.files, strict=True)
             if t.role == "dynamic"]  # fmt: skip
    first = [trial for trial, _ in walks if not trial.problem]
    people = several_people(walks)
    return SessionPlan(
        folder=folder,
        name=folder.resolve().name,
        trials=trials,
        subject=first[0].subject if first else Subject(),
        notes=(*_notes(folder, contents, trials), *([people] if people else ())),
        people=people,
        told_name=name_told(folder.resolve().name, contents.persons),
        persons=_persons(contents),
    )


def _persons(contents: Contents) -> tuple[str, ...]:
    """Return every name of a person that the files of a folder hold."""
    samples = [seen.content.sample for seen in contents.files if seen.content is not None]
    inside = [name for sample in samples for name in (*sample.persons, *sample.called)]
    return tuple(dict.fromkeys((*contents.persons, *inside)))


def _check_names(folder: Path, file: SessionFile, contents: Contents) -> None:
    """Refuse a ``session.toml`` that names files which are not there.

    Raises
    ------
    UsageError
    """
    there = [seen.path.name for seen in contents.files]
    own = file.folder is None or file.folder.resolve() == folder.resolve()
    for name in file.trials if own else ():
        if name not in there:
            lines = (folder / SESSION_FILE).read_text("utf-8-sig").splitlines()
            raise UsageError(
                f"{SESSION_FILE}{line_of(lines, ('trials', name))}: found a table for {name!r},"
                " wanted one of the files"
                f" {', '.join(map(shown, there[:8]))}{', ...' if len(there) > 8 else ''}"  # noqa: PLR2004
            )
    for entry in file.statics:
        named_static(file.folder or folder, entry.file)


def _trial(
    seen: RecordingContents,
    decision: Decision,
    words: tuple[SessionFile, dict[str, Any]],
    contents: Contents,
    decided: list[tuple[RecordingContents, Decision]],
) -> TrialPlan:
    """Return the plan of one file."""
    file, given = words
    options, sources = trial_options(seen, file, given, contents)
    chosen = StaticChoice(None, "")
    if decision.role == "dynamic":
        chosen = _static_of(seen, options, words, decided)
        options, sources = trial_options(seen, file, given, contents, chosen)
    static = _look_at_static(chosen, decided)
    subject = find_subject(options, seen, static)
    described = "" if seen.enf is None else seen.enf.description
    return TrialPlan(
        path=seen.path,
        role=decision.role,
        options=options,
        condition=options.condition,
        reason=decision.reason,
        problem=expected_problem(seen, decision.role, subject, static, options),
        static_reason=chosen.reason,
        subject=subject,
        missing=missing_data(seen, subject, chosen, options) if decision.role == "dynamic" else (),
        sources=sources,
        description=name_told(described, contents.persons),
        visit=file.visit,
    )


def _static_of(
    seen: RecordingContents,
    options: Options,
    words: tuple[SessionFile, dict[str, Any]],
    decided: list[tuple[RecordingContents, Decision]],
) -> StaticChoice:
    file, given = words
    if "static" not in given:
        return choose_static(seen, options.condition, file, decided)
    if given["static"] in (None, NO_STATIC):
        return StaticChoice(None, "command line")
    path, frames = split_frames(given["static"])
    return StaticChoice(Path(path), "command line", frames)


def _look_at_static(
    chosen: StaticChoice, decided: list[tuple[RecordingContents, Decision]]
) -> RecordingContents | None:
    """Return the static after a look; it may stand outside the folder."""
    if chosen.path is None:
        return None
    wanted = chosen.path.resolve()
    for other, _ in decided:
        if other.path.resolve() == wanted:
            return other
    return look_at_file(chosen.path, {})


def _notes(folder: Path, contents: Contents, trials: tuple[TrialPlan, ...]) -> tuple[str, ...]:
    """Return what concerns the whole session."""
    notes = list(contents.notes)
    if (folder / SESSION_FILE).exists():
        notes.append(f"{SESSION_FILE} is read")
    elif find_session_file(folder).folder is not None:
        notes.append(f"{SESSION_FILE} of the folder above is read")
    enfs = [seen.enf for seen in contents.files if seen.enf is not None]
    if enfs:
        notes.append(f"{len(enfs)} .enf of Vicon Eclipse are read")
    notes += [enf.problem for enf in enfs if enf.problem]
    used = {t.options.subject_parameters for t in trials if t.options.subject_parameters}
    if contents.parameters and not used:
        notes.append(f"{len(contents.parameters)} .mp files: whose they are is not clear")
    notes += _copies([t.path for t in trials if t.role == "dynamic"])
    if not any(t.role == "dynamic" for t in trials):
        notes.append(NO_TRIAL)
    return tuple(notes)


def _copies(paths: list[Path]) -> list[str]:
    """Return a note for every walk that is a copy of one before it; few have one size at all."""
    notes: list[str] = []
    sizes = {path: path.stat().st_size for path in filter(Path.is_file, paths)}
    often, seen = Counter(sizes.values()), dict[str, Path]()
    for path in (path for path, size in sizes.items() if size and often[size] > 1):
        first = seen.setdefault(file_sha256(path), path)
        if first is not path:
            notes.append(
                f"{shown(path.name)} is a copy of {shown(first.name)}: its cycles count twice;"
                f" leave one out with use = false in {SESSION_FILE}"
            )
    return notes

"""A session whose trials are finished: its documents and its page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from gaitdyn.batch.outcome import Outcome, failed, outcome, survive
from gaitdyn.batch.pages import MUSCLES, SUMMARY, norm_of, put
from gaitdyn.batch.session_results import documents_of, has_muscles, other_folders, subjects_of
from gaitdyn.batch.session_rows import session_row, summary_text
from gaitdyn.batch.settings import BatchSettings
from gaitdyn.batch.task import described
from gaitdyn.batch.trials_apart import trials_apart
from gaitdyn.io.names import name_masked
from gaitdyn.judge.settings import settings_of
from gaitdyn.store.claims import claimed
from gaitdyn.store.pages import MADE_AGAIN, remove_report, report_files
from gaitdyn.store.persons import indices_by_person
from gaitdyn.store.removed import removed_words
from gaitdyn.store.shape import SESSION
from gaitdyn.store.single_file import put_in_place
from gaitdyn.store.stored import StoredTrial
from gaitdyn.store.whole import SEAL
from gaitdyn.tables.csv_files import Block, block_lines
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES
from gaitdyn.version import __version__

SCHEMA = 1
OWN_FILES = (SESSION, SUMMARY, MUSCLES, *MADE_AGAIN)
"""Files in the folder of a session, next to the folders of its trials."""

REPLACED = "another run has since replaced its results; the session's tables describe the new ones"
EARLIER = (
    "results of an earlier run, kept; this batch made none for this trial. The session's tables"
    " leave them out, but other commands read them: remove the folder if you do not want them"
)


@frozen()
class SessionTask:
    """The documents and the page of one session.

    Attributes
    ----------
    session : str
        Name of its folder in the output.
    source : str
        Folder of the recordings.
    settings : BatchSettings
    outcomes : tuple of Outcome
        Outcomes of its trials.
    owner : dict
        The source, as recorded in ``session.json``.
    masked : tuple of str
        Names of persons to mask in the documents of the session.
    others : tuple of (str, str, str)
        Name, role and reason of recordings that are not processed.
    notes : tuple of str
    limit_s : float or None
        Longest time that it may take.
    removed : tuple of str
        Files of the report of an earlier run that described results of the trials since replaced.
    """

    session: str
    source: str
    settings: BatchSettings
    outcomes: tuple[Outcome, ...]
    owner: dict[str, str] = field(default_factory=dict[str, str])
    masked: tuple[str, ...] = ()
    others: tuple[tuple[str, str, str], ...] = ()
    notes: tuple[str, ...] = ()
    limit_s: float | None = None
    removed: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Empty: the task is the session itself."""
        return ""

    @property
    def trial(self) -> str:
        """Path of the recordings."""
        return self.source

    def run(self) -> Outcome:
        """Write ``session.json``, ``summary.csv``, the report and, with EMG, ``emg.csv``."""
        return survive(self, self._run)

    def _run(self) -> Outcome:
        place = self.settings.out / self.session
        place.mkdir(parents=True, exist_ok=True)
        with claimed(place):
            return self._write(place)

    def _write(self, place: Path) -> Outcome:
        before = [*self.removed, *(path.name for path in report_files(place))]
        trials = sorted(self.outcomes, key=lambda o: o.name)
        documents = documents_of(place, trials)
        replaced = [t for t in trials if t.name in documents and t.seal != documents[t.name][SEAL]]
        trials = [
            described(trial, self._read(place, trial, documents[trial.name]))
            if trial in replaced
            else trial
            for trial in trials
        ]
        earlier = [f"{name}: {EARLIER}" for name in other_folders(place, documents)]
        rows = self._rows(place, trials, documents)
        put(place / SUMMARY, summary_text(self._masked(rows)))
        head: dict[str, Any] = {"people": len(indices_by_person(list(documents.values())))}
        head |= self._write_files(place, trials, documents)
        head["settings"] = settings_of(list(documents.values()))
        document = {**self._document(rows, subjects_of(documents), earlier), **head}
        put(place / SESSION, json.dumps(document, indent=1) + "\n")
        notes = self._masked([*(f"{trial.name}: {REPLACED}" for trial in replaced), *earlier])
        told = [f"{self.session}/{note}" for note in notes]
        if gone := removed_words(place, before):
            told.append(f"{self.session}: {gone}")
        return replace(outcome(self, "done"), notes=tuple(told))

    def _rows(
        self, place: Path, trials: Sequence[Outcome], documents: dict[str, dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the rows of the summary, and what sets a trial apart from the others."""
        done = [trial.row for trial in trials if trial.name in documents]
        apart = trials_apart(done, list(documents.values()))
        apart_by_name = dict(zip(documents, apart, strict=True))
        return [session_row(self.session, trial, place, apart_by_name) for trial in trials]

    def _write_files(
        self, place: Path, trials: Sequence[Outcome], documents: dict[str, dict[str, Any]]
    ) -> dict[str, Any]:
        """Write the page and the EMG normalised over the session; return what the page holds."""
        whole = [trial for trial in trials if trial.state != "failed"]
        asked = [
            trial
            for trial in whole
            if documents[trial.name]["options"]["emg_normalise"] == "session"
            and has_muscles(place, trial.name)
        ]
        head: dict[str, Any] = {}
        if self.settings.reports and whole:
            read = [self._read(place, trial, documents[trial.name]) for trial in whole]
            head = self._write_page(place, read)
            muscles = [one for trial, one in zip(whole, read, strict=True) if trial in asked]
        else:
            remove_report(place)
            muscles = [self._read(place, t, documents[t.name], muscles=True) for t in asked]
        self._write_muscles(place, muscles)
        return head

    def _document(
        self, rows: list[dict[str, Any]], subjects: list[str], notes: list[str]
    ) -> dict[str, Any]:
        states = [row["state"] for row in rows]
        document = {
            "schema": SCHEMA,
            "gaitdyn": __version__,
            "session": self.session,
            "source": self.owner,
            "subject": ", ".join(subjects),
            "counts": {
                "trials": len(rows),
                "done": len(rows) - states.count("failed"),
                "failed": states.count("failed"),
            },
            "trials": [{k: v for k, v in row.items() if k != "session"} for row in rows],
            "others": [dict(zip(("file", "role", "reason"), o, strict=True)) for o in self.others],
            "notes": [*self.notes, *notes],
        }
        masked = self._masked(document)
        for row, plain in zip(masked["trials"], rows, strict=True):
            row["name"] = plain["name"]  # the folder's name, which pages link to
        return masked

    def _masked(self, value: Any) -> Any:
        """Return a document with names of persons masked, if requested."""
        if not self.masked:
            return value
        if isinstance(value, str):
            return name_masked(value, self.masked)
        if isinstance(value, dict):
            return {key: self._masked(inner) for key, inner in value.items()}
        return [self._masked(inner) for inner in value] if isinstance(value, list) else value

    def _read(
        self, place: Path, trial: Outcome, document: dict[str, Any], *, muscles: bool = False
    ) -> StoredTrial:
        """Return a trial, or only its EMG, as it was passed on or from its folder.

        The folder is locked while it is read.
        """
        from gaitdyn.batch.handed_on import taken_over
        from gaitdyn.store.stored import read_muscles, read_trial

        known = taken_over(trial.kept, document)
        if known is not None:
            return known
        with claimed(place / trial.name):
            return (read_muscles if muscles else read_trial)(place / trial.name)

    def _write_muscles(self, place: Path, trials: Sequence[StoredTrial]) -> None:
        """Write the EMG envelopes of a session, where 1 is the peak of the session's mean.

        Only trials with that normalisation count. Each person has a mean of their own.
        """
        from gaitdyn.store.persons import by_person
        from gaitdyn.tables.emg import CURVE_WORDS, session_blocks

        if not trials:
            (place / MUSCLES).unlink(missing_ok=True)
            return
        blocks: list[Block] = []
        for person in by_person(trials):
            known = [(self._masked(t.name), t.emg) for t in person if t.emg is not None]
            blocks += session_blocks([name for name, _ in known], [emg for _, emg in known])
        put_in_place(place / MUSCLES, b"".join(block_lines(("trial", *CURVE_WORDS), blocks)))

    def _write_page(self, place: Path, read: Sequence[StoredTrial]) -> dict[str, Any]:
        """Write the page of all trials; return its date and GPS for the index."""
        from gaitdyn.report import make_report, pooled, write_report

        norm, with_names = norm_of(self.settings.norm), self.settings.with_names
        report = make_report(pooled(read), norm, with_names=with_names)
        write_report(report, [place / name for name in self.settings.reports])
        scores = report.views[0].scores
        gps = {s: None if scores is None else scores.gps[s].value for s in SIDES}
        return {"date": report.visit.text("date"), "gps_deg": gps}


@frozen()
class RefusedSession:
    """A session that cannot be planned; its outcome is the reason."""

    session: str
    trial: str
    reason: str
    name: str = ""
    limit_s: float | None = None

    def run(self) -> Outcome:
        """Return the failure."""
        return failed(self, self.reason)

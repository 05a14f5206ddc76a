"""Progress of long work: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gaitdyn.types.words import counted
from gaitdyn_cli.console import plain, say

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from gaitdyn.batch.outcome import Outcome
    from gaitdyn.session import SessionPlan


class Progress:
    """Count the trials of a batch silently; base class of the visible listeners."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._recordings = self._unplanned = 0
        self.counts = {"done": 0, "skipped": 0, "failed": 0}
        self.sessions_failed = 0
        self._no_trials = 0
        self.without_trials: list[str] = []
        self._told: set[str] = set()

    def begin(self, recordings: int) -> None:
        """Take the number of recordings."""
        self._recordings = self._unplanned = recordings

    def planned(self, plan: SessionPlan, trials: int) -> None:
        """Take the number of trials among the recordings of a session."""
        self._no_trials += len(plan.trials) - trials
        self._unplanned -= len(plan.trials)
        self.without_trials += [] if trials else [plan.told_name]

    def refused(self, recordings: int) -> None:
        """Take the number of recordings of a session that cannot be planned."""
        self._no_trials += recordings
        self._unplanned -= recordings

    def ended(self, outcome: Outcome) -> None:
        """Count a trial, or a session that failed."""
        if outcome.name and outcome.state in self.counts:
            self.counts[outcome.state] += 1
        elif outcome.state == "failed":
            self.sessions_failed += 1

    @property
    def settled(self) -> int:
        """Number of trials that need nothing more, as counted by the summary."""
        return sum(self.counts.values())

    @property
    def total(self) -> int:
        """Number of trials; until the last session is planned, its statics are among them."""
        return self._recordings - self._no_trials

    @property
    def total_words(self) -> str:
        """The total, until the last session is planned as the most that it can be."""
        return f"{'at most ' if self._unplanned > 0 else ''}{self.total}"

    @staticmethod
    def told_first(plan: SessionPlan) -> list[str]:
        """Return what to say of a session before its trials: the notes that call for a look."""
        return [f"{plan.told_name}: {text}" for text in plan.doubts]

    def noted(self, outcome: Outcome) -> list[str]:
        """Return notes on a trial for the user; each, and each reason to do it again, once."""
        notes = {note: note for note in outcome.notes}
        if outcome.changed:
            again = f"{outcome.session}/{outcome.name}: done again, {outcome.changed}"
            notes[outcome.changed] = again
        new = [note for reason, note in notes.items() if reason not in self._told]
        self._told.update(notes)
        return new

    @property
    def seconds(self) -> float:
        """Time since the start, s."""
        return time.perf_counter() - self._start

    def summary(self) -> str:
        """Return the counts and the speed as text."""
        before = [f"{self.counts['skipped']} already done"] if self.counts["skipped"] else []
        lost = self.sessions_failed
        sessions = [f"{counted(lost, 'session')} failed"] if lost else []
        if before and not sessions and not self.counts["done"] and not self.counts["failed"]:
            return f"nothing to do: {before[0]}"
        failed = f"{self.counts['failed']} failed"
        parts = [f"{self.counts['done']} done", *before, failed, *sessions]
        rate = self.counts["done"] / self.seconds if self.seconds else 0.0
        fast = f" ({rate:.1f} trials/s)" if self.counts["done"] else ""
        return f"{', '.join(parts)} in {self.seconds:.1f} s{fast}"


class Lines(Progress):
    """Print one line per trial, for logs and pipes."""

    def planned(self, plan: SessionPlan, trials: int) -> None:
        """Report functional trials, and what is doubtful about a session."""
        super().planned(plan, trials)
        say(*self.told_first(plan))
        for trial in plan.trials:
            if trial.role == "functional":
                say(f"{plan.told_name}/{trial.path.name}: functional, not a walk ({trial.reason})")

    def ended(self, outcome: Outcome) -> None:
        """Report the outcome of a trial."""
        super().ended(outcome)
        say(*self.noted(outcome))
        if outcome.state == "waiting":
            say(f"{outcome.session}/{outcome.name}: left for later, {outcome.reason}")
        elif outcome.name:
            word = _verdict(outcome.row) or outcome.reason
            task = outcome.row.get("task", "walking")
            word = word if task == "walking" else f"{task}, {word}"
            words = {"done": "", "skipped": "already done, ", "failed": "failed, "}[outcome.state]
            count = f"[{self.settled}/{self.total_words}]"
            say(f"{count} {outcome.session}/{outcome.name}: {words}{word}")


def _verdict(row: dict[str, Any]) -> str:
    """Return the verdict of a trial, with its worst reason in a few words."""
    from gaitdyn.quality.plain_words import in_few_words

    worst = row.get("worst")
    return f"{row['verdict']} ({in_few_words(worst)})" if worst else row.get("verdict", "")


class ProgressBar(Progress):
    """A bar with trials per second and the time left."""

    def __init__(self, bar: Any) -> None:
        super().__init__()
        self._bar = bar
        self._task = bar.add_task("trials", total=None, rate="")

    def begin(self, recordings: int) -> None:
        """Set the length of the bar."""
        super().begin(recordings)
        self._bar.update(self._task, total=self.total)

    def planned(self, plan: SessionPlan, trials: int) -> None:
        """Shorten the bar by what is no trial, and report doubts above it."""
        super().planned(plan, trials)
        for text in self.told_first(plan):
            self._bar.console.print(plain(text), markup=False, highlight=False)
        self._bar.update(self._task, total=self.total)

    def refused(self, recordings: int) -> None:
        """Shorten the bar by the recordings of the session."""
        super().refused(recordings)
        self._bar.update(self._task, total=self.total)

    def ended(self, outcome: Outcome) -> None:
        """Advance the bar, and report a failure above it."""
        super().ended(outcome)
        messages = self.noted(outcome)
        if outcome.state in {"failed", "waiting"}:
            messages.append(f"{outcome.state}: {outcome.session}/{outcome.file}: {outcome.reason}")
        for text in messages:
            self._bar.console.print(plain(text), markup=False, highlight=False)
        if outcome.name and outcome.state != "waiting":
            rate = f"{sum(self.counts.values()) / self.seconds:.1f}/s"
            self._bar.update(self._task, completed=self.settled, rate=rate)


@contextmanager
def progress(*, quiet: bool) -> Generator[Progress]:
    """Yield a listener for a batch: silent, a bar, or lines."""
    if quiet:
        yield Progress()
        return
    with _bar() as bar:
        yield Lines() if bar is None else ProgressBar(bar)


@contextmanager
def steps(
    what: str, *, quiet: bool = False, once: bool = False
) -> Generator[Callable[[int, int, str], None]]:
    """Yield a function that shows progress, from a number, the total and a text.

    Parameters
    ----------
    what : str
        Name of the work.
    quiet : bool
        Show nothing.
    once : bool
        Without a bar, print a text only when it is new, not at every step.
    """
    if quiet:
        yield lambda _at, _of, _text: None
        return
    with _bar(transient=True) as bar:
        if bar is None:
            printed: set[str] = set()

            def print_step(number: int, of: int, text: str) -> None:
                if not once:
                    say(f"{what} {number}/{of} {text}")
                elif text not in printed:
                    printed.add(text)
                    say(f"computing {text} ..")

            yield print_step
        else:
            from rich.markup import escape

            task = bar.add_task(what, total=None, rate="")
            yield lambda number, of, text: bar.update(
                task, completed=number, total=of, description=escape(plain(text))
            )


@contextmanager
def _bar(*, transient: bool = False) -> Generator[Any]:
    """Yield a progress bar on stderr, or None if that is not a terminal."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=transient) as bar:
        yield bar

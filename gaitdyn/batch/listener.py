"""Who is told of the progress of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gaitdyn.batch.outcome import Outcome

if TYPE_CHECKING:
    from gaitdyn.session import SessionPlan


class Listener(Protocol):
    """An observer of the progress of a batch."""

    def begin(self, recordings: int) -> None:
        """Receive the number of recordings."""
        ...

    def planned(self, plan: SessionPlan, trials: int) -> None:
        """Receive the plan of a session and its number of trials."""
        ...

    def refused(self, recordings: int) -> None:
        """Receive the number of recordings of a session that cannot be planned."""
        ...

    def ended(self, outcome: Outcome) -> None:
        """Receive the outcome of a trial, or of a session if ``name`` is empty.

        A trial that another run is writing is reported as ``waiting`` once, and ends later.
        """
        ...

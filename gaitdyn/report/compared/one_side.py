"""What a comparison of two groups shows of one side."""

from __future__ import annotations

from gaitdyn.plots.clinic.panel import Panelled
from gaitdyn.report.compared.changed_curves import ChangedCurve
from gaitdyn.report.numbers import shown
from gaitdyn.types.frozen import frozen


@frozen()
class Change:
    """A value in A and in B; None if not known."""

    title: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        """B less A."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before

    @property
    def cells(self) -> tuple[str, ...]:
        """Title, A, B and change."""
        ends = (shown(value, 1) for value in (self.before, self.after))
        return (self.title, *ends, shown(self.change, 1, "+"))


@frozen(eq=False)
class ComparedPanel:
    """A panel of the comparison; without a name it is the place of the key."""

    name: str
    title: str = ""
    note: str = ""
    word: str = ""
    drawn: Panelled | None = None
    both: bool = False


@frozen(eq=False)
class ComparedSide:
    """One side of a comparison.

    Attributes
    ----------
    side, headline, verdict : str
        The GPS before and after, and its change alone for use next to a table of both.
    changed : tuple of ChangedCurve
        The curves of this side that changed, clear ones first.
    unchanged : str
        The sentence in place of the list if none did.
    lowered : str
        Why a change is no more than possible; empty if every one may be clear.
    verdicts : tuple of (title, word, sentence)
        Of every curve.
    changes : tuple of Change
        Of scores or angles.
    panels, loads : tuple of ComparedPanel
        Of the angles, and of moments and powers.
    muscles : tuple of tuple of str
        Muscle, correlation of the shapes, lag.
    scored : bool
        Whether the changes are those of scores; without a norm they are of mean angles.
    columns : int
        Number of columns of the panels of the angles.
    refused : bool
        Whether the change of the GPS is not judged.
    """

    side: str
    headline: str
    verdict: str
    changed: tuple[ChangedCurve, ...]
    unchanged: str
    lowered: str
    verdicts: tuple[tuple[str, str, str], ...]
    changes: tuple[Change, ...]
    panels: tuple[ComparedPanel, ...]
    loads: tuple[ComparedPanel, ...]
    muscles: tuple[tuple[str, ...], ...]
    scored: bool
    columns: int
    refused: bool = False

    @property
    def table_title(self) -> str:
        """The title of the table of changes."""
        return "Change of score" if self.scored else "Mean of the angle over the cycle"

    @property
    def table_note(self) -> str:
        """What is below this table."""
        curves = any(word != "not judged" for _, word, _ in self.verdicts)
        if self.verdict and not self.refused:
            return f"Only the GPS {'and the curves are' if curves else 'is'} judged."
        return f"{'Scores' if self.scored else 'Means'} are not judged{', curves are' * curves}."

    @property
    def full(self) -> bool:
        """Whether no cell has room for the key: all have a panel, or five columns are narrow."""
        return self.columns > 4 or all(panel.name for panel in self.panels)  # noqa: PLR2004

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """Title, A, B and change, row by row."""
        return [change.cells for change in self.changes]

    @property
    def is_known(self) -> bool:
        """Whether any curve of this side is in both groups."""
        return any(panel.both for panel in (*self.panels, *self.loads))

    @property
    def letter(self) -> str:
        """L or R."""
        return self.side[0].upper()

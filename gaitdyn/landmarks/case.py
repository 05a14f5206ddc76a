"""All that is known about the labels of a session while they are judged."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gaitdyn.landmarks.evidence import NOWHERE, MarkerPosition, PlaceEvidence, PlaceFit
from gaitdyn.landmarks.items import Gathered, MarkerItem
from gaitdyn.landmarks.places import places
from gaitdyn.landmarks.reading import LabelWords
from gaitdyn.landmarks.standing import StandingPerson
from gaitdyn.types.later import Later
from gaitdyn.types.recording import Recording


@dataclass(slots=True)
class Case:
    """All that is known while labels are judged.

    Attributes
    ----------
    files : list of Recording
        Static first, when there is one.
    still : int
        Number of the static among them, -1 without one.
    gathered : Gathered
    words : list of LabelWords
        Of each item.
    sights : list of Later
        Of each file: its body by item, None where no axis is up, and its ground; found when first
        asked for, since the trial counts only where the static shows nothing.
    rare : list of dict
        Of each file: item -> frames, where they are less than a tenth of those with a person.
    fits : dict
        (item, code) -> how well its place fits, once asked for.
    """

    files: list[Recording]
    still: int
    gathered: Gathered
    words: list[LabelWords]
    sights: list[Later[tuple[StandingPerson | None, PlaceEvidence]]] = field(default_factory=list)
    rare: list[dict[int, int]] = field(default_factory=list)
    fits: dict[tuple[int, str], PlaceFit] = field(default_factory=dict)

    @property
    def items(self) -> list[MarkerItem]:
        """The markers to be named."""
        return self.gathered.items

    def body(self, number: int) -> StandingPerson | None:
        """Return the person of a file."""
        return self.sights[number].now()[0]

    def ground(self, number: int) -> PlaceEvidence:
        """Return what stands where in a file."""
        return self.sights[number].now()[1]

    def fit(self, i: int, code: str) -> PlaceFit:
        """Return how the place of an item fits a landmark: in the static, else in the trial."""
        if code not in places():
            return NOWHERE
        if (i, code) not in self.fits:
            ways = (self.ground(n).fit(i, code) for n in self.items[i].at if i not in self.rare[n])
            self.fits[i, code] = next((fit for fit in ways if fit.known), NOWHERE)
        return self.fits[i, code]

    def seen(self, i: int) -> MarkerPosition | None:
        """Return where an item is: in the static, else in the trial."""
        ways = (self.ground(number).seen(i) for number in self.items[i].at)
        return next((seen for seen in ways if seen is not None), None)

    def height(self, i: int) -> float:
        """Return the height of an item in ASIS heights, NaN when not known."""
        seen = self.seen(i)
        return math.nan if seen is None else seen.height

"""Collect the evidence on the labels of a session while they are judged."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gaitdyn.landmarks.body.evidence import NOWHERE, MarkerPosition, PlaceEvidence, PlaceFit
from gaitdyn.landmarks.body.places import places
from gaitdyn.landmarks.body.standing import StandingPerson
from gaitdyn.landmarks.labels.items import Gathered, MarkerItem
from gaitdyn.landmarks.labels.reading import LabelWords
from gaitdyn.types.later import Later
from gaitdyn.types.recording import Recording


@dataclass(slots=True)
class Case:
    """The evidence on the labels of one or two files.

    Attributes
    ----------
    files : list of Recording
        Static first, if there is one.
    static_index : int
        Index of the static among them, -1 without one.
    gathered : Gathered
    words : list of LabelWords
        One per item.
    views : list of Later
        For each file: its person by item (None if no axis is up) and the evidence on positions.
        Computed on first access, since the trial counts only where the static shows nothing.
    rare : list of dict
        For each file: item -> frames, for items in less than a tenth of the frames with a person.
    fits : dict
        (item, code) -> how well its position fits; filled on request.
    """

    files: list[Recording]
    static_index: int
    gathered: Gathered
    words: list[LabelWords]
    views: list[Later[tuple[StandingPerson | None, PlaceEvidence]]] = field(default_factory=list)
    rare: list[dict[int, int]] = field(default_factory=list)
    fits: dict[tuple[int, str], PlaceFit] = field(default_factory=dict)

    @property
    def items(self) -> list[MarkerItem]:
        """The markers to be named."""
        return self.gathered.items

    def label(self, i: int) -> str:
        """Return the label of an item as its file has it, which options take; of the last file."""
        number, index = max(self.items[i].index.items())
        return self.files[number].labels[index]

    def body(self, number: int) -> StandingPerson | None:
        """Return the person of a file."""
        return self.views[number].now()[0]

    def evidence(self, number: int) -> PlaceEvidence:
        """Return the evidence on the marker positions of a file."""
        return self.views[number].now()[1]

    def fit(self, i: int, code: str) -> PlaceFit:
        """Return how the position of an item fits a landmark: in the static, else in the trial."""
        if code not in places():
            return NOWHERE
        if (i, code) not in self.fits:
            fits = (
                self.evidence(n).fit(i, code) for n in self.items[i].index if i not in self.rare[n]
            )
            self.fits[i, code] = next((fit for fit in fits if fit.known), NOWHERE)
        return self.fits[i, code]

    def position(self, i: int) -> MarkerPosition | None:
        """Return the position of an item: in the static, else in the trial."""
        ways = (self.evidence(number).position(i) for number in self.items[i].index)
        return next((position for position in ways if position is not None), None)

    def height(self, i: int) -> float:
        """Return the height of an item in ASIS heights, NaN if unknown."""
        position = self.position(i)
        return math.nan if position is None else position.height

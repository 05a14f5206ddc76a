"""What labels may name by their words alone, before the landmarks of a file are resolved."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gaitdyn.landmarks.labels.items import gather
from gaitdyn.landmarks.labels.reading import read_items
from gaitdyn.landmarks.labels.vocabulary import shipped_vocabulary

if TYPE_CHECKING:
    from gaitdyn.types.recording import Recording


def may_name_thorax(recording: Recording) -> bool:
    """Return whether words alone allow labels to mean C7 and the jugular notch; cheap.

    Parameters
    ----------
    recording : Recording
    """
    return {"C7", "JN"} <= {code for codes in _codes_by_words(recording) for code in codes}


def likeliest_by_words(recording: Recording) -> Counter[str]:
    """Return how many labels most likely mean each landmark, by words alone; cheap.

    Parameters
    ----------
    recording : Recording
    """
    return Counter(max(codes, key=lambda c: codes[c]) for codes in _codes_by_words(recording))


def _codes_by_words(recording: Recording) -> list[dict[str, float]]:
    """Return the landmarks that each label with a meaning may name, from its words alone."""
    words = read_items(gather([recording], {}).items, shipped_vocabulary(), set())
    return [read.meaning.codes for read in words if read.meaning.codes]

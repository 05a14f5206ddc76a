"""Whether a file has labels of the thorax, before its landmarks are resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.landmarks.items import gather
from gaitdyn.landmarks.reading import read_items
from gaitdyn.landmarks.vocabulary import shipped_vocabulary

if TYPE_CHECKING:
    from gaitdyn.types.recording import Recording


def may_name_thorax(recording: Recording) -> bool:
    """Return whether words alone allow labels to mean C7 and the jugular notch; cheap.

    Parameters
    ----------
    recording : Recording
    """
    words = read_items(gather([recording], {}).items, shipped_vocabulary(), set())
    return {"C7", "JN"} <= {code for read in words for code in read.meaning.codes}

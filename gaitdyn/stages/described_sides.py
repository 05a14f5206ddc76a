"""Markers whose label and description in the file name different sides."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gaitdyn.calibrate.ladder.model import is_role
from gaitdyn.landmarks.labels.copies import described
from gaitdyn.landmarks.labels.side_words import side_of_text
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import SIDE_OF

if TYPE_CHECKING:
    from collections.abc import Collection

    from gaitdyn.types.recording import Recording


def described_otherwise(
    file: Recording, named: Recording, renamed: Collection[str], what: str = "labels"
) -> list[Finding]:
    """Return a finding if descriptions of markers that are used name the other side.

    A description that several markers share was copied, and says nothing of one of them.

    Parameters
    ----------
    file : Recording
        With the labels and descriptions of the file.
    named : Recording
        The same markers in the same order, under our names.
    renamed : collection of str
        Labels that the user gave.
    what : str
        Whose labels they are, in words.

    Returns
    -------
    list of Finding
        ``landmark-described-otherwise``.
    """
    if not any(file.descriptions):
        return []
    texts = described(file)
    counts = Counter(text.upper() for text in texts)
    against: list[str] = []
    for label, ours, text in zip(file.labels, named.labels, texts, strict=True):
        side = SIDE_OF.get(ours[:1]) if is_role(ours) else None
        if not text or side is None or label in renamed or counts[text.upper()] > 1:
            continue
        stated = side_of_text(text)
        if stated and stated != side:
            against.append(f"{label} as {side}, described as {stated}")
    if not against:
        return []
    message = (
        f"{what} whose descriptions in the file name the other side: {', '.join(against)}; the"
        " labels are used"
    )
    return [Finding("info", "landmark-described-otherwise", what, message, float(len(against)))]

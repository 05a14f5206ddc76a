"""Find the analog channels that another program computed from a raw channel of the same file.

Such a copy has the label of its raw channel followed by names of steps: ``EMG1_HPF``,
``EMG1_Rectify_Env``, ``L Tib Ant RMS50``. The raw channel alone is judged and used.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_STEP = re.compile(
    r"(hpf|lpf|bpf|high-?pass|low-?pass|band-?pass|notch|filt(er(ed)?)?|rect(if(y|ied))?|env(elope)?"
    r"|linear|rms|mav|iemg|integrated|norm(ali[sz]ed)?|mvc|smooth(ed)?|tkeo|proc(essed)?)\d*(hz|ms)?",
    re.IGNORECASE,
)
"""A word of a label that names a step of processing."""


def copies_of(labels: Sequence[str]) -> dict[int, int]:
    """Return row of a processed copy -> row of its raw channel.

    Parameters
    ----------
    labels : sequence of str
        Of all analog channels of a file.

    Examples
    --------
    >>> copies_of(["EMG1", "EMG1_HPF", "EMG1_Rectify_Env", "EMG2_HPF", "L Rect", "R Rect"])
    {1: 0, 2: 0}
    """
    words = [tuple(re.split(r"[\s._:\-]+", label.strip().lower())) for label in labels]
    rows: dict[tuple[str, ...], int] = {}
    for row, label_words in enumerate(words):
        rows.setdefault(label_words, row)
    copies: dict[int, int] = {}
    for row, label_words in enumerate(words):
        for end in range(len(label_words) - 1, 0, -1):
            if not _STEP.fullmatch(label_words[end]):
                break
            if label_words[:end] in rows:
                copies[row] = rows[label_words[:end]]
    return copies

"""What is said of labels that were read under other names."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.types.findings import Finding

_SHOWN = 3
"""How many doubts about labels a refusal repeats, and how many renamed labels a long list shows."""
_FEW = 8
"""Up to this many renamed labels are all shown."""


def labels_read(trial: Sequence[str], static: Sequence[str]) -> tuple[list[str], list[Finding]]:
    """Return a short line and a whole finding on the labels read under other names.

    Those of the static are told if they are not the same.
    """
    told = {"labels": trial, "labels of the static": [] if set(static) == set(trial) else static}
    given = {title: pairs for title, pairs in told.items() if pairs}
    findings = [
        Finding("info", "labels-read", title, f"{title} read under other names: {', '.join(pairs)}")
        for title, pairs in given.items()
    ]
    return [label_summary(title, pairs) for title, pairs in given.items()], findings


def label_summary(title: str, pairs: Sequence[str]) -> str:
    """Return one line on renamed labels; for many labels their number and the first few."""
    if len(pairs) <= _FEW:
        return f"{title}: {', '.join(pairs)}"
    few = first_few(pairs)
    return f"{title}: {len(pairs)} read under other names ({few}; gaitdyn info lists them)"


def first_few(texts: Sequence[str]) -> str:
    """Return the first few of several texts."""
    return ", ".join((*texts[:_SHOWN], *(["..."] if len(texts) > _SHOWN else [])))

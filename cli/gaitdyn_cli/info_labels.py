"""The table of labels and landmarks that ``gaitdyn info`` prints."""

from __future__ import annotations

import textwrap
from typing import Any

_WIDTH = 96
_WIDEST = 16
_OTHERS = 12


def landmark_lines(found: dict[str, Any]) -> list[str]:
    """Return one line a landmark: label, landmark, our name, how sure, why."""
    lines = ["label            landmark    name   sure      why"] if found["landmarks"] else []
    lines += [_row(row) for row in found["landmarks"]]
    if found["static_only"]:
        lines.append("in the static alone:")
        lines += [_row(row) for row in found["static_only"]]
    lines += _others(found["unresolved"])
    for finding in found["findings"]:
        lines += textwrap.wrap(f"{finding['level']}: {finding['message']}", _WIDTH)
    return lines or ["none of the labels is a landmark that we know"]


def _row(row: dict[str, Any]) -> str:
    where = f"{row['landmark']} {row['side'] or ''}".strip()
    head = f"{row['label'][:_WIDEST]:16s} {where:11s} {row['role'] or '-':6s} {row['sure']:9s}"
    return f"{head} {row['why']}".rstrip()


def _others(rows: list[dict[str, Any]]) -> list[str]:
    """Return what is not a landmark, gathered by reason."""
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        by_reason.setdefault(row["why"], []).append(row["label"])
    lines: list[str] = []
    for why, labels in by_reason.items():
        listed = " ".join(labels[:_OTHERS]) + (" ..." if len(labels) > _OTHERS else "")
        lines += textwrap.wrap(f"no landmark: {listed} ({why})", _WIDTH)
    return lines

"""The table of labels and landmarks that ``gaitdyn info`` prints."""

from __future__ import annotations

import textwrap
from typing import Any

_WIDTH = 96
_WIDEST = 16
_OTHERS = 12
_PLACE = " (height "
"""Start of the measured position in a reason; shown only if a label is not sure."""

_CODES = {
    "ASIS": "front of the pelvis", "PSIS": "back of the pelvis", "SACR": "sacrum",
    "GTR": "greater trochanter", "KLE": "knee outside", "KME": "knee inside",
    "ANL": "ankle outside", "ANM": "ankle inside", "CAL": "heel", "TOE": "forefoot",
    "HLX": "big toe", "MT1H": "first metatarsal", "MT5H": "fifth metatarsal",
    "FIB": "head of the fibula", "TTU": "tibial tuberosity", "PAT": "kneecap",
    "THX": "wand or cluster of the thigh", "SHX": "of the shank", "FTX": "of the foot",
    "PEX": "of the pelvis", "KJC": "centre of the knee", "AJC": "of the ankle", "HJC": "of the hip",
}  # fmt: skip
"""Codes of legs and pelvis in everyday words; the others have those of the table of roles."""


def wrapped(text: str) -> list[str]:
    """Return the lines of a text; names with hyphens are not broken. One empty line for nothing."""
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False) or [""]


def landmark_lines(labels: dict[str, Any]) -> list[str]:
    """Return one line per landmark: label, landmark, our name, how sure, why."""
    from gaitdyn.landmarks.roles import code_words

    lines = ["label            landmark    name   sure      why"] if labels["landmarks"] else []
    lines += [_row(row) for row in labels["landmarks"]]
    if labels["static_only"]:
        lines.append("only in the static:")
        lines += [_row(row) for row in labels["static_only"]]
    codes = {row["landmark"] for row in (*labels["landmarks"], *labels["static_only"])}
    meanings = [(code, words) for code, words in _CODES.items() if code in codes]
    meanings += code_words(codes - set(_CODES))
    if meanings:
        lines += wrapped(", ".join(f"{code} {words}" for code, words in meanings))
    lines += _others(labels["unresolved"])
    for finding in labels["findings"]:
        lines += wrapped(f"{finding['level']}: {finding['message']}")
    return lines or ["none of the labels is a landmark that we know"]


def _row(row: dict[str, Any]) -> str:
    where = f"{row['landmark']} {row['side'] or ''}".strip()
    head = f"{row['label'][:_WIDEST]:16s} {where:11s} {row['role'] or '-':6s} {row['sure']:9s}"
    reason = row["why"].partition(_PLACE)[0] if row["sure"] == "sure" else row["why"]
    return f"{head} {reason}".rstrip()


def _others(rows: list[dict[str, Any]]) -> list[str]:
    """Return the labels that are not landmarks, grouped by reason."""
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        by_reason.setdefault(row["why"], []).append(row["label"])
    lines: list[str] = []
    for reason, labels in by_reason.items():
        listed = " ".join(labels[:_OTHERS]) + (" ..." if len(labels) > _OTHERS else "")
        lines += wrapped(f"not landmarks: {listed} ({reason})")
    return lines

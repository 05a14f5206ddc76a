"""What the labels of a file mean, as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.landmarks import resolve

if TYPE_CHECKING:
    from gaitdyn.types.landmarks import Resolution
    from gaitdyn.types.recording import Recording


def landmark_rows(recording: Recording, static: Recording | None = None) -> dict[str, Any]:
    """Return landmarks, what is not a landmark, and findings of a file.

    Parameters
    ----------
    recording : Recording
    static : Recording, optional
        Judged together with it; its landmarks that the recording lacks are told too.
    """
    own, other = resolve(recording, static)
    return {
        "landmarks": _marks(own),
        "static_only": [] if other is None else _lacking(own, other),
        "unresolved": [{"label": u.label, "why": u.why} for u in own.unresolved],
        "findings": [
            {"level": f.level, "code": f.code, "scope": f.scope, "message": f.message}
            for f in own.findings
        ],
    }


def _marks(found: Resolution) -> list[dict[str, Any]]:
    return [
        {
            "label": mark.label, "landmark": mark.code, "side": mark.side or None,
            "role": mark.role or None, "sure": mark.sure, "why": mark.why,
        }
        for mark in found.landmarks
    ]  # fmt: skip


def _lacking(own: Resolution, other: Resolution) -> list[dict[str, Any]]:
    """Return the landmarks of the static that the trial does not show."""
    there = {mark.role for mark in own.landmarks if mark.role}
    return [row for row in _marks(other) if row["role"] and row["role"] not in there]

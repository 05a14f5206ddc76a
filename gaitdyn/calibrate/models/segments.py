"""Which segment a marker of a model belongs to."""

from __future__ import annotations

from gaitdyn.calibrate.ladder.model import segment_of as segment_of_role
from gaitdyn.types.marker_model import MarkerModel
from gaitdyn.types.subject import SIDE_OF

_NO_TRACKS = {"KJC": "thigh", "KAX": "thigh", "KD1": "thigh", "KD2": "thigh", "AJC": "shank"}
"""Roles, without their side, that move with a segment but never track it."""


def segment_of(label: str, model: MarkerModel) -> str | None:
    """Return the segment that a marker belongs to: ``pelvis``, ``left thigh``, ... or None."""
    if label == "SACR" or label.startswith("PEL"):
        return "pelvis"
    side = SIDE_OF.get(label[:1])
    role = label[1:]
    for segment, names in model.tracking.items():
        if label in names or (side and "{s}" + role in names):
            has_side = segment == "pelvis" or " " in segment
            return segment if has_side else f"{side} {segment}"
    if side is None:
        return None
    if role in _NO_TRACKS:
        return f"{side} {_NO_TRACKS[role]}"
    return "pelvis" if role == "HJC" else segment_of_role(label) or None

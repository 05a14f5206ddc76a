"""Point labels: which are markers, which are a model's outputs, and whose they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaitdyn.io.parameters import Parameters

_OUTPUT_GROUPS = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS")


def point_labels(params: Parameters, count: int) -> list[str]:
    """Return one label a point: LABELS, LABELS2, ... in order, cut or padded to ``count``."""
    labels = params.strings("POINT", "LABELS")[:count]
    return labels + [f"*{i + 1}" for i in range(len(labels), count)]


def output_labels(params: Parameters) -> set[str]:
    """Return the labels that POINT:ANGLES, FORCES, MOMENTS, POWERS list as model outputs."""
    return {label for group in _OUTPUT_GROUPS for label in params.strings("POINT", group)}


def prefixes(labels: list[str]) -> list[str]:
    """Return the different subject prefixes (``name`` of ``name:LASI``), in order."""
    return list(dict.fromkeys(label.split(":", 1)[0] for label in labels if ":" in label))


def strip_prefix(label: str) -> str:
    """Return the label without its subject prefix."""
    return label.rsplit(":", 1)[-1].strip()

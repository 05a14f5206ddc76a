"""What is said of cycles that differ in condition, ground, axes of moments or in axes of shanks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.metrics.norms.curve_names import OF_LABORATORY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gaitdyn.archive.curves import CurveSet


def mixed_conditions(conditions: Iterable[str]) -> list[str]:
    """Return a note if the cycles are of several conditions, otherwise nothing.

    Examples
    --------
    >>> mixed_conditions(["shod", "", "shod"])
    ['the conditions none, shod are pooled; for one of them add it to --where']
    >>> mixed_conditions(["shod"])
    []
    """
    names = [name or "none" for name in sorted(set(conditions))]
    note = f"the conditions {', '.join(names)} are pooled; for one of them add it to --where"
    return [note] if len(names) > 1 else []


def mixed_grounds(grounds: Sequence[str]) -> list[str]:
    """Return a note if cycles are on the belts of a treadmill, all or some, otherwise nothing.

    Examples
    --------
    >>> mixed_grounds(["belt", "floor"])
    ['strides on belts and on the floor are pooled; for one of them add ground=belt to --where']
    >>> mixed_grounds(["belt"]), mixed_grounds(["floor"])
    (['all strides are on belts'], [])
    """
    if "belt" not in grounds:
        return []
    both = "strides on belts and on the floor are pooled"
    wanted = "for one of them add ground=belt to --where"
    return [f"{both}; {wanted}" if len(grounds) > 1 else "all strides are on belts"]


def mixed_sides(name: str, sides: Iterable[str]) -> list[str]:
    """Return a note if a curve that is mirrored on the other side is of both, otherwise nothing.

    Examples
    --------
    >>> mixed_sides("grf_z", ["left", "right", "left"])
    ['grf_z of left and right, which mirror each other, are pooled; add side=left to --where']
    >>> mixed_sides("grf_z", ["left", "left"]), mixed_sides("grf_x", ["left", "right"])
    ([], [])
    """
    note = (
        f"{name} of left and right, which mirror each other, are pooled; add side=left to --where"
    )
    return [note] if name in OF_LABORATORY and len(set(sides)) > 1 else []


def mixed_settings(settings: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a note if the trials were processed in several ways, otherwise nothing.

    Examples
    --------
    >>> mixed_settings({"--profile": ["default"], "--cutoff": ["10", "6"]})
    ['the trials were processed with --cutoff 10 and 6: no verdict against the set is clear']
    """
    several = [f"{k} {' and '.join(texts)}" for k, texts in settings.items() if len(texts) > 1]
    note = (
        f"the trials were processed with {', '.join(several)}: no verdict against the set is clear"
    )
    return [note] if several else []


def mixed_axes(axes: Sequence[str]) -> list[str]:
    """Return a message if moments are in axes of several kinds, otherwise nothing.

    Examples
    --------
    >>> mixed_axes(["distal", "jcs"])  # doctest: +ELLIPSIS
    ['found moments in distal and jcs axes; wanted one kind, they are not comparable; add ...']
    """
    message = (
        f"found moments in {' and '.join(axes)} axes; wanted one kind, they are not comparable;"
        f" add moments_in={axes[0] if axes else ''} to --where"
    )
    return [message] if len(axes) > 1 else []


def mixed_shanks(curves: CurveSet) -> list[str]:
    """Return a message if the shanks of knee moments have axes of several kinds, or nothing."""
    axes = curves.shank_axes
    if len(axes) <= 1:
        return []
    pairs = zip(axes, curves.shank_models, strict=True)
    kinds = " and ".join(f"{kind} ({', '.join(models)})" for kind, models in pairs)
    message = (
        f"{curves.name}: found shanks aligned with {kinds}; wanted one kind, their knee moments are"
        f" not pooled; add one of them to --where, such as shank={axes[0]}"
    )
    return [message]

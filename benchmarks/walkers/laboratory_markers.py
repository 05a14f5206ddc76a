"""Which landmarks a laboratory marks in the walk and in the static, and when each is seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from walkers.dialects import MIDLINE, label_of
from walkers.laboratory_extras import extra_points
from walkers.marker_sets import marker_set_of, with_further, written

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkers.laboratory import Laboratory

    Array = NDArray[np.float64]
    Points = dict[str, Array]

GHOST = "RKME"
"""The landmark that is seen in 3 % of a static's frames only, beside its lateral twin."""

_TRACKING = {
    "wands": ("THW", "SHW"),
    "clusters": (*(f"THC{i}" for i in range(1, 5)), *(f"SHC{i}" for i in range(1, 5))),
    "bones": ("GTR", "FIB", "TTU"),
}
_FOOT = {
    "heel and toe": ("CAL", "TOE"),
    "all": ("CAL", "TOE", "M1", "M5"),
    "no toe": ("CAL", "M1", "M5"),
    "heel in static": ("CAL", "TOE"),
}
_GHOST_SHARE, _GHOST_M = 0.03, (0.005, 0.003, 0.004)
_PELVIS_UNTIL, _FEET_FROM = 0.6, 0.35
_SHORT_S, _LONG_S = 0.05, 0.35


@dataclass(frozen=True, slots=True, eq=False)
class Marked:
    """The points of a file: what its labels and descriptions say, and where they are.

    Attributes
    ----------
    labels, descriptions : tuple of str
    keys : tuple of str
        The landmark that each point truly is; empty for a point that is none.
    points_G : array, shape (n_frames, n_points, 3)
        m; NaN where a point is not seen.
    """

    labels: tuple[str, ...]
    descriptions: tuple[str, ...]
    keys: tuple[str, ...]
    points_G: Array


def in_static(lab: Laboratory) -> tuple[str, ...]:
    """Return the landmarks that carry a marker in the static."""
    if lab.marker_set:
        sides = "LR" if lab.legs == "both" else "R"
        return marker_set_of(lab.marker_set).keys(static=True, sides=sides)
    pelvis = ("LPSI", "RPSI") if lab.pelvis == "psis" else (MIDLINE,)
    names = ["KLE", "ANL", *_TRACKING[lab.tracking], *_FOOT[lab.foot]]
    if lab.rung in ("condyles", "clusters"):
        names += ["KME", "ANM"]
    if lab.rung == "centres":
        names += ["HJC", "KJC", "AJC"]
    sides = "LR" if lab.legs == "both" else "R"
    return ("LASI", "RASI", *pelvis, *(side + name for side in sides for name in names))


def in_walk(lab: Laboratory) -> tuple[str, ...]:
    """Return the landmarks that carry a marker in the walk: some are taken off after the static."""
    if lab.marker_set:
        sides = "LR" if lab.legs == "both" else "R"
        return marker_set_of(lab.marker_set).keys(static=False, sides=sides)
    off: set[str] = set()
    if lab.rung == "clusters":
        off |= {"KLE", "KME", "ANL", "ANM"}
    if lab.medial == "in static":
        off |= {"KME", "ANM"}
    if lab.foot == "heel in static":
        off |= {"CAL"}
    return tuple(key for key in in_static(lab) if key[1:] not in off)


def mark_walk(lab: Laboratory, places: Points) -> Marked:
    """Return the points of the walk.

    Parameters
    ----------
    lab : Laboratory
    places : dict
        Landmark -> array, shape (n_frames, 3), G, m.
    """
    rng, n = lab.rng(1), len(places["LASI"])
    places = _with_own(lab, places)
    seen: dict[str, NDArray[np.bool_]] = {}
    for key in in_walk(lab):
        seen[key] = _edges(lab, key, n, rng)
    _open_gaps(lab, seen, rng)
    return _labelled(lab, {k: _hidden(places[k], seen[k]) for k in seen}, places, rng)


def mark_static(lab: Laboratory, places: Points) -> Marked:
    """Return the points of the static.

    Parameters
    ----------
    lab : Laboratory
    places : dict
        Landmark -> array, shape (n_frames, 3), G, m.
    """
    places = _with_own(lab, places)
    shown = {key: places[key].copy() for key in in_static(lab)}
    if lab.seen == "ghost in static":
        n = len(places["LASI"])
        shown[GHOST] = np.full((n, 3), np.nan)
        few = slice(n // 2, n // 2 + max(1, round(_GHOST_SHARE * n)))
        shown[GHOST][few] = places["RKLE"][few] + _GHOST_M
    return _labelled(lab, shown, places, lab.rng(2))


def _with_own(lab: Laboratory, places: Points) -> Points:
    """Return places with those of the further markers of the laboratory's set."""
    return with_further(marker_set_of(lab.marker_set), places) if lab.marker_set else places


def _label(lab: Laboratory, key: str) -> str:
    """Return the label of a landmark, by the marker set or the dialect."""
    if not lab.marker_set:
        return label_of(lab, key)
    own = marker_set_of(lab.marker_set).label(key, lab.side_words)
    return lab.person + written(own, lab.writing)


def _edges(lab: Laboratory, key: str, n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return when a marker is within the volume of the cameras."""
    frame = np.arange(n) / n
    if lab.seen == "edges":
        start, stop = rng.uniform(0.0, 0.08), rng.uniform(0.92, 1.0)
        return (frame >= start) & (frame <= stop)
    if lab.seen == "pelvis first, feet later":
        if key in ("LASI", "RASI", "LPSI", "RPSI", MIDLINE):
            return frame < _PELVIS_UNTIL
        if key[1:] in _FOOT["all"]:
            return frame >= _FEET_FROM
    return np.ones(n, dtype=bool)


def _open_gaps(
    lab: Laboratory, seen: dict[str, NDArray[np.bool_]], rng: np.random.Generator
) -> None:
    """Take frames out of three markers (short) or one (long)."""
    if lab.gaps == "none":
        return
    count, length_s = (3, _SHORT_S) if lab.gaps == "short" else (1, _LONG_S)
    for key in rng.choice(sorted(seen), size=count, replace=False):
        mask = seen[str(key)]
        length = max(1, round(length_s * lab.rate_hz))
        start = int(rng.uniform(0.25, 0.7) * len(mask))
        mask[start : start + length] = False


def _hidden(place: Array, seen: NDArray[np.bool_]) -> Array:
    return np.where(seen[:, None], place, np.nan)


def _labelled(lab: Laboratory, shown: Points, places: Points, rng: np.random.Generator) -> Marked:
    """Return points under the laboratory's labels, with extras, copies, in its order."""
    rows = [(_label(lab, key), key, place) for key, place in shown.items()]
    if lab.style == "copies":
        rows = [row for label, key, place in rows for row in _copies(label, key, place)]
    rows += [
        (label if label.startswith("*") else lab.person + label, "", place)
        for label, place in extra_points(lab.extras, places)
    ]
    if lab.order == "shuffled":
        rows = [rows[i] for i in rng.permutation(len(rows))]
    names = tuple(label for label, _, _ in rows)
    labels, descriptions = _written(lab, names, tuple(key for _, key, _ in rows))
    points = np.stack([place for _, _, place in rows], axis=1)
    return Marked(labels, descriptions, tuple(key for _, key, _ in rows), points)


def _written(
    lab: Laboratory, names: tuple[str, ...], keys: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return labels and descriptions by the style of the laboratory."""
    if lab.style == "subject prefix":
        return tuple(f"SYN01:{name}" for name in names), ()
    if lab.style == "descriptions only":
        return tuple(f"{i:04d}" for i in range(1, len(names) + 1)), names
    if lab.style == "cut and described":
        return names, tuple(_words(lab, key) for key in keys)
    return names, ()


def _words(lab: Laboratory, key: str) -> str:
    """Return the whole label of a landmark whose label is cut."""
    return label_of(replace(lab, style="plain"), key) if key else ""


def _copies(label: str, key: str, place: Array) -> list[tuple[str, str, Array]]:
    """Return a label three times: seen in the first third, always, never."""
    first = place.copy()
    first[len(place) // 3 :] = np.nan
    return [(label, key, first), (label, key, place), (label, key, np.full_like(place, np.nan))]

"""Our curves beside the outputs that the vendor stored in the same C3D file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.compare.agreement import CurvePair, SourceComparison, compare_column
from gaitdyn.compare.detect import Pair, detect
from gaitdyn.compare.quantities import (
    ABOVE,
    LABEL,
    LEFT_OVER,
    LEGS,
    QUANTITIES,
    UPPER,
    component_words,
    quantity_of,
)
from gaitdyn.errors import FileRefused
from gaitdyn.types.subject import SIDE_OF

if TYPE_CHECKING:
    from gaitdyn.compare.detect import Convention
    from gaitdyn.compare.quantities import OutputKind
    from gaitdyn.compare.vendor_form import OwnVectors
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.recording import Recording

_PARTS = (*LEGS, *UPPER)
_FROM_ABOVE = (
    "loads of waist and neck are not compared: gaitdyn's come from hands and head, the vendor's are"
    " what plates and legs leave over; --profile plug-in-gait computes them as the vendor does"
)
_OWN_SUFFIX = re.compile(r"_gd\d*")


def compare_vendor(recording: Recording, own: OwnVectors) -> SourceComparison:
    """Return our values beside the vendor's, after turning the vendor's into our units and signs.

    Parameters
    ----------
    recording : Recording
        With the outputs that the vendor stored.
    own : OwnVectors
        Of the same recording.

    Raises
    ------
    FileRefused
        When the file holds no output that can be compared.
    """
    pairs = vendor_pairs(recording, own)
    found: list[Convention] = []
    drawn: list[CurvePair] = []
    for quantity in (*QUANTITIES, *ABOVE):
        of_it = pairs.get(quantity.name, [])
        said = recording.units.get(quantity.said, "")
        convention = detect(quantity, of_it, own.mass_kg, said) if of_it else None
        if convention is None:
            continue
        found.append(convention)
        columns = [x for pair in of_it for x in _columns(convention, pair, own)]
        order = list(dict.fromkeys(x.row.name for x in columns))
        drawn += sorted(columns, key=lambda x, o=order: (o.index(x.row.name), x.row.side))
    if not drawn:
        raise FileRefused(
            f"{recording.name}: found no angles, moments or powers of the vendor's in frames that"
            " gaitdyn computed; wanted outputs such as LKneeAngles; name a second result instead"
        )
    frames = own.first_frame + np.arange(recording.n_frames, dtype=float)
    time_s: Array = (frames - 1.0) / own.rate_hz
    title = f"{recording.name}: gaitdyn ({own.profile} profile) and the vendor"
    notes = own.notes
    if own.profile != "plug-in-gait" and any(x[1:].startswith(LEFT_OVER) for x in own.vectors):
        notes = (*notes, _FROM_ABOVE)
    return SourceComparison(title, "gaitdyn", "vendor", tuple(drawn), tuple(found), notes, time_s)


def vendor_pairs(recording: Recording, own: OwnVectors) -> dict[str, list[Pair]]:
    """Return quantity -> outputs of the file beside ours; a label of the usual name goes first."""
    chosen: dict[str, tuple[int, str, Pair, str]] = {}
    for name, values in recording.outputs.items():
        match = LABEL.fullmatch(name)
        if not match or _OWN_SUFFIX.fullmatch(match[8]):
            continue
        part = match[2] or match[4] or match[6]
        ending = match[3] or match[5] or match[7]
        label = f"{match[1]}{part}{ending}"
        if part in LEFT_OVER and ending != "Angles" and own.profile != "plug-in-gait":
            continue
        quantity = quantity_of(part, ending)
        if label not in own.vectors or len(values) != len(next(iter(own.vectors[label].values()))):
            continue
        rank = (len(match[8]), name)
        if label not in chosen or rank < chosen[label][:2]:
            pair = Pair(label, part, _known(values, quantity), own.vectors[label])
            chosen[label] = (*rank, pair, quantity.name)
    found: dict[str, list[Pair]] = {}
    for _, _, pair, quantity_name in sorted(chosen.values(), key=lambda c: _PARTS.index(c[2].part)):
        found.setdefault(quantity_name, []).append(pair)
    return found


def _known(values: Array, quantity: OutputKind) -> Array:
    """Return the values with NaN for the zeros that stand for a gap; a power is one number."""
    gaps = ~np.isfinite(values).all(axis=1) | (values == 0).all(axis=1)
    known = np.where(gaps[:, None], np.nan, values)
    if quantity.ending == "Power":
        total = known.sum(axis=1)
        return np.stack((total * 0.0, total * 0.0, total), axis=1)
    return known


def _columns(convention: Convention, pair: Pair, own: OwnVectors) -> list[CurvePair]:
    """Return the components of an output; one that is zero throughout is not stored."""
    ours, theirs = pair.own[convention.axes], convention.turned(pair)
    quantity = convention.quantity
    stored = (np.nan_to_num(theirs) != 0).any(axis=0)
    if quantity.unit == "deg":
        theirs = nearer_branch(ours, theirs) if stored.all() else _nearer_turn(ours, theirs)
    side = SIDE_OF[pair.label[0]]
    frame = own.first_frame + np.arange(len(ours), dtype=float)
    words = component_words(quantity.name, pair.part)
    part = re.sub(r"(?<!^)(?=[A-Z])", " ", pair.part).lower()
    found = []
    for i, word in enumerate(words):
        name = f"{part} {quantity.name.split()[-1]} {word}"
        columns = ours[:, i], theirs[:, i]
        row = compare_column(name, side, quantity.unit, columns, frame, own.cycles)
        if row is not None and word and stored[i]:
            found.append(CurvePair(row, *columns))
    return found


def nearer_branch(ours: Array, theirs: Array) -> Array:
    """Return the vendor's angles moved by whole turns, or to the other Cardan triple, towards ours.

    (b, a, c) and (b + 180, 180 - a, c + 180) are the same rotation.

    Parameters
    ----------
    ours, theirs : arrays, shape (n, 3)
        deg.
    """
    best = _nearer_turn(ours, theirs)
    for signs in ((1.0, -1.0, 1.0), (1.0, 1.0, -1.0)):
        other = _nearer_turn(ours, 180.0 + np.array(signs) * theirs)
        better = np.abs(ours - other).sum(axis=1) < np.abs(ours - best).sum(axis=1)
        best = np.where(better[:, None], other, best)
    return best


def _nearer_turn(ours: Array, angles: Array) -> Array:
    """Return angles moved by whole turns towards ours, deg."""
    turns = np.round((ours - angles) / 360.0)
    return angles + 360.0 * np.where(np.isfinite(turns), turns, 0.0)

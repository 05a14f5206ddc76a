"""Compare our curves with the outputs that the vendor stored in the same C3D file.

Ours are put into the vendor's form, in all axes that the vendor may use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from gaitdyn.compare.agreement import CurvePair, SourceComparison, compare_column
from gaitdyn.compare.detect import Convention, Pair, detect
from gaitdyn.compare.quantities import (
    ABOVE,
    LABEL,
    LEFT_OVER,
    LEGS,
    QUANTITIES,
    UPPER,
    OutputKind,
    component_words,
    quantity_of,
)
from gaitdyn.core.rotations import rotate_back
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.dynamics.clinical import clinical_moments, moments_in
from gaitdyn.errors import FileRefused
from gaitdyn.kinematics.angles import progression_frame
from gaitdyn.tables.vendor_names import vendor_curves, vendor_force
from gaitdyn.types.arrays import Array
from gaitdyn.types.cycles import Cycle
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.recording import Recording
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER, SIDE_OF

_PARTS = (*LEGS, *UPPER)
_FROM_ABOVE = (
    "loads of waist and neck are not compared: gaitdyn computes them from hands and head, the"
    " vendor from plates and legs; --profile plug-in-gait computes them as the vendor does"
)
_GAITDYN_SUFFIX = re.compile(r"_gd\d*")
_USUAL = {"Angles": "Cardan", "Moment": "distal", "Power": "scalar", "Force": "distal"}
_MM = 1000.0


def compare_vendor(
    recording: Recording,
    ours: ResultVectors,
    stored: Sequence[Convention] = (),
    remarks: Sequence[str] = (),
) -> SourceComparison:
    """Compare our values with the vendor's, converted to our units, order and signs.

    Parameters
    ----------
    recording : Recording
        Contains the outputs that the vendor stored.
    ours : ResultVectors
        Results of the same recording.
    stored : sequence of Convention
        How the file stores its values, as far as known; the rest is found by the best fit to ours.
    remarks : sequence of str
        Put before the other notes.

    Raises
    ------
    FileRefused
        If the file contains no output that can be compared.
    """
    pairs, exported = vendor_pairs(recording, ours), not vendor_labels(recording)
    known = {convention.quantity.name: convention for convention in stored}
    conventions: list[Convention] = []
    drawn: list[CurvePair] = []
    for quantity in (*QUANTITIES, *ABOVE):
        outputs = pairs.get(quantity.name, [])
        labelled = recording.units.get(quantity.units_key, "")
        convention = known.get(quantity.name)
        if outputs and not (convention and convention.covers(outputs)):
            convention = detect(quantity, outputs, ours.mass_kg, labelled)
        if convention is None or not outputs:
            continue
        conventions.append(convention)
        curves = [curve for pair in outputs for curve in _columns(convention, pair, ours)]
        order = list(dict.fromkeys(curve.row.name for curve in curves))
        drawn += sorted(curves, key=lambda x, o=order: (o.index(x.row.name), x.row.side))
    if not drawn:
        raise FileRefused(
            f"{recording.name}: found no angles, moments or powers of the vendor in frames that"
            " gaitdyn computed; wanted outputs such as LKneeAngles; name a second result instead"
        )
    frames = ours.first_frame + np.arange(recording.n_frames, dtype=float)
    time_s: Array = (frames - 1.0) / ours.rate_hz
    whose = "what gaitdyn export added" if exported else "the vendor"
    title = f"{recording.name}: gaitdyn ({ours.profile} profile) and {whose}"
    above = any(label[1:].startswith(LEFT_OVER) for label in ours.vectors)
    otherwise = above and ours.profile != "plug-in-gait" and not exported
    notes = (_FROM_ABOVE,) if otherwise else ()
    sources = title, "gaitdyn", "exported" if exported else "vendor"
    return SourceComparison(*sources, tuple(drawn), tuple(conventions), (*remarks, *notes), time_s)


def vendor_pairs(recording: Recording, ours: ResultVectors) -> dict[str, list[Pair]]:
    """Return quantity -> pairs of outputs; of several labels the one without a suffix is used.

    Of a file without outputs of a vendor, those that `gaitdyn export` added are taken.
    """
    of_vendor = vendor_labels(recording)
    chosen: dict[str, tuple[int, str, Pair, str]] = {}
    for name in of_vendor or recording.added:
        match, values = LABEL.fullmatch(name), recording.outputs.get(name)
        if not match or values is None:  # results that were read have no outputs
            continue
        part = match[2] or match[4] or match[6]
        ending = match[3] or match[5] or match[7]
        label = f"{match[1]}{part}{ending}"
        from_above = part in LEFT_OVER and ending != "Angles" and ours.profile != "plug-in-gait"
        if from_above and of_vendor:
            continue
        quantity = quantity_of(part, ending)
        vectors = ours.vectors.get(label)
        if vectors is None or len(values) != len(next(iter(vectors.values()))):
            continue
        rank = (len(match[8]), name)
        if label not in chosen or rank < chosen[label][:2]:
            pair = Pair(label, part, _without_gaps(values, quantity), vectors)
            chosen[label] = (*rank, pair, quantity.name)
    pairs: dict[str, list[Pair]] = {}
    for _, _, pair, quantity_name in sorted(chosen.values(), key=lambda c: _PARTS.index(c[2].part)):
        pairs.setdefault(quantity_name, []).append(pair)
    return pairs


def vendor_labels(recording: Recording) -> tuple[str, ...]:
    """Return the labels of the outputs that can be compared, but those `gaitdyn export` added."""
    return tuple(
        name
        for name in recording.outputs
        if (match := LABEL.fullmatch(name))
        and name not in recording.added
        and not _GAITDYN_SUFFIX.fullmatch(match[8])
    )


def _without_gaps(values: Array, quantity: OutputKind) -> Array:
    """Return the values with NaN for rows of zeros, which mark gaps; a power becomes one number."""
    gaps = ~np.isfinite(values).all(axis=1) | (values == 0).all(axis=1)
    known = np.where(gaps[:, None], np.nan, values)
    if quantity.ending == "Power":
        total = known.sum(axis=1)
        return np.stack((total * 0.0, total * 0.0, total), axis=1)
    return known


def _columns(convention: Convention, pair: Pair, results: ResultVectors) -> list[CurvePair]:
    """Return the components of an output; the vendor did not store one that is zero throughout."""
    ours, theirs = pair.ours[convention.axes], convention.turned(pair)
    quantity = convention.quantity
    stored = (np.nan_to_num(theirs) != 0).any(axis=0)
    if quantity.unit == "deg":
        theirs = nearer_branch(ours, theirs) if stored.all() else _nearer_turn(ours, theirs)
    side = SIDE_OF[pair.label[0]]
    frame = results.first_frame + np.arange(len(ours), dtype=float)
    words = component_words(quantity.name, pair.part)
    part = re.sub(r"(?<!^)(?=[A-Z])", " ", pair.part).lower()
    curves = []
    for i, word in enumerate(words):
        name = f"{part} {quantity.name.split()[-1]} {word}"
        columns = ours[:, i], theirs[:, i]
        row = compare_column(name, side, quantity.unit, columns, frame, results.cycles)
        if row is not None and word and stored[i]:
            curves.append(CurvePair(row, *columns))
    return curves


def nearer_branch(ours: Array, theirs: Array) -> Array:
    """Return the vendor's angles shifted to the turn and the Cardan triple nearest to ours.

    (b, a, c) and (b + 180, 180 - a, c + 180) are the same rotation.

    Parameters
    ----------
    ours, theirs : arrays, shape (n, 3)
        deg.
    """
    best = _nearer_turn(ours, theirs)
    for signs in ((1.0, -1.0, 1.0), (1.0, 1.0, -1.0)):
        candidate = _nearer_turn(ours, 180.0 + np.array(signs) * theirs)
        better = np.abs(ours - candidate).sum(axis=1) < np.abs(ours - best).sum(axis=1)
        best = np.where(better[:, None], candidate, best)
    return best


def _nearer_turn(ours: Array, angles: Array) -> Array:
    """Return angles shifted by whole turns to be nearest to ours, deg."""
    turns = np.round((ours - angles) / 360.0)
    return angles + 360.0 * np.where(np.isfinite(turns), turns, 0.0)


@frozen(eq=False)
class ResultVectors:
    """Our curves under the vendor's labels.

    Attributes
    ----------
    vectors : dict
        Label -> axes -> array, shape (n, 3), deg, N mm/kg, W/kg, N/kg; NaN if unknown.
    mass_kg : float
    first_frame : int
        Frame number of the first row in the file.
    rate_hz : float
    cycles : tuple of Cycle
    profile : str
    """

    vectors: dict[str, dict[str, Array]]
    mass_kg: float
    first_frame: int
    rate_hz: float
    cycles: tuple[Cycle, ...]
    profile: str


def result_vectors(result: Processed) -> ResultVectors:
    """Return the values of a processed trial in the vendor's form.

    Parameters
    ----------
    result : Processed
    """
    vectors: dict[str, dict[str, Array]] = {}
    for label, axes, values in _result_vectors(result):
        vectors.setdefault(label, {})[axes] = values
    cycles = [c for side in result.sides for c in find_cycles(result, side)]
    return ResultVectors(
        vectors,
        result.subject.mass_kg or np.nan,
        result.recording.first_frame,
        result.recording.rate_hz,
        tuple(cycles),
        result.options.profile,
    )


def usual_axes(label: str) -> str:
    """Return the usual axes of an output with this vendor label."""
    if "GroundReaction" in label:
        return "lab"
    return next((axes for word, axes in _USUAL.items() if label.endswith(word)), "lab")


def _result_vectors(result: Processed) -> Iterator[tuple[str, str, Array]]:
    curves = {curve.name: curve.values for curve in vendor_curves(result)}
    for name in curves:
        if name.endswith("_1"):
            label = name.removesuffix("_1")
            values = np.stack([curves[f"{label}_{i}"] for i in (1, 2, 3)], axis=1)
            yield label, usual_axes(label), values
            if "GroundReaction" in label:
                walking = progression_frame(result.pose.walking_G)
                yield label, "walking", values @ result.trial.R_GL.T @ walking
    if not result.pose.planar:
        yield from _other_axes(result)


def _other_axes(result: Processed) -> Iterator[tuple[str, str, Array]]:
    """Yield joint moments and forces in proximal and laboratory axes, and JCS moments."""
    mass = result.subject.mass_kg or np.nan
    R_GL = result.trial.R_GL
    for side, leg in result.sides.items():
        if leg.kinetics is None:
            continue
        loads, published = leg.kinetics.loads, leg.kinetics.published
        hidden = np.where(published, 1.0, np.nan)
        R = loads.chain.R_GS
        R_above = np.concatenate((R[:, 1:], result.pose.R_GP[:, None]), axis=1)
        moment = {a: moments_in(loads, result.pose, side, a) for a in ("proximal", "jcs", "lab")}
        force = rotate_back(R_above, loads.force_G)
        for i, joint in enumerate(JOINTS):
            name, per_kg = LETTER[side] + joint.title(), hidden[:, i : i + 1] / mass
            for axes in ("proximal", "jcs"):
                turned = clinical_moments(moment[axes][:, i], joint, side)
                yield f"{name}Moment", axes, turned * per_kg * _MM
            yield f"{name}Moment", "lab", moment["lab"][:, i] @ R_GL * per_kg * _MM
            yield f"{name}Force", "proximal", vendor_force(force[:, i], "knee") * per_kg
            yield f"{name}Force", "lab", loads.force_G[:, i] @ R_GL * per_kg

"""Evidence for the vertical axis of the laboratory: body, soles, plates and force.

Every witness compares points of the same frame only, so that markers visible in different parts of
a long walkway do not mislead it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.percentiles import percentiles
from gaitdyn.core.rotations import cross, lengths
from gaitdyn.core.runs import known_points
from gaitdyn.errors import AxesRefused
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.marker_model import PELVIS_MARKERS
from gaitdyn.types.recording import PlateRecord, Recording
from gaitdyn.types.words import counted

Witness = Literal["body", "soles", "plates", "force"]

_HIPS = ("LGTR", "RGTR", "LHJC", "RHJC")
_KNEES = ("LKNE", "RKNE", "LKNM", "RKNM", "LKJC", "RKJC")
_TRUNK = ("C7", "T10", "CLAV", "STRN", "LSHO", "RSHO")
_ANKLES = ("LANK", "RANK", "LMED", "RMED", "LAJC", "RAJC")
FEET = ("LTOE", "RTOE", "LHEE", "RHEE", "LMT1", "RMT1", "LMT5", "RMT5")
_NUMBERS = range(1, 9)
_ON_FEET, _ON_SHANKS, _ON_THIGHS = (
    tuple(f"{side}{stem}{i}" for side in "LR" for i in _NUMBERS) for stem in ("FT", "SK", "TH")
)
_OF_PELVIS = tuple(f"PEL{i}" for i in _NUMBERS)
_ABOVE = (
    (PELVIS_MARKERS, "pelvis", FEET, "feet"),
    (PELVIS_MARKERS, "pelvis", _ANKLES, "ankles"),
    (_HIPS, "hips", FEET, "feet"),
    (_HIPS, "hips", _ANKLES, "ankles"),
    (_TRUNK, "trunk", FEET, "feet"),
    (_KNEES, "knees", FEET, "feet"),
    (_KNEES, "knees", _ANKLES, "ankles"),
    (PELVIS_MARKERS, "pelvis", _KNEES, "knees"),
    (_TRUNK, "trunk", PELVIS_MARKERS, "pelvis"),
    ((*PELVIS_MARKERS, *_OF_PELVIS), "pelvis", _ON_FEET, "clusters of the feet"),
    ((*PELVIS_MARKERS, *_OF_PELVIS), "pelvis", _ON_SHANKS, "clusters of the shanks"),
    (_ON_THIGHS, "clusters of the thighs", _ON_SHANKS, "clusters of the shanks"),
)
"""Pairs of upper and lower parts of the body, the furthest apart first."""

_CLEAR, _DOUBTFUL = 0.8, 0.6
"""Component of a unit vector along an axis: within 37 and 53 degrees of it."""
_FLOOR_M, _LIFT, _STEP_M = 0.05, 3.0, 0.3
_VOTES_N, _LOADED = 50.0, 0.3
_PLATE_M2 = 0.01
_CORNER_M = 50.0


@frozen()
class Vote:
    """The vote of one witness.

    Attributes
    ----------
    witness : {"body", "soles", "plates", "force"}
    axis : str
        Such as ``+Z``; for plates and force the sign does not count.
    share : float
        Share of the direction that lies along the axis, 0 to 1.
    why : str
        In words.
    """

    witness: Witness
    axis: str
    share: float
    why: str

    def says(self, axis: str) -> bool:
        """Return whether this witness supports an axis."""
        signed = self.witness in ("body", "soles")
        return self.axis == axis if signed else self.axis[1] == axis[1]

    def __str__(self) -> str:
        """Return the vote as printed; the sign of a force depends on its file and is left out."""
        return f"{self.why} {self.axis[1] if self.witness == 'force' else self.axis}"


def up_votes(recording: Recording) -> tuple[Vote, ...]:
    """Return the votes of a recording for up, the body's first.

    Parameters
    ----------
    recording : Recording
        Its markers under our names, as far as they are known.
    """
    votes = (
        _body(recording),
        _soles(recording),
        _plates(recording.plates),
        _force(recording.plates),
    )
    return tuple(vote for vote in votes if vote is not None)


def decide_up(votes: Sequence[Vote], name: str) -> str:
    """Return the axis that is up, such as ``+Z``.

    The body decides unless soles or plates contradict it; then two of the three decide.

    Parameters
    ----------
    votes : sequence of Vote
    name : str
        Of the file, for the message.

    Raises
    ------
    AxesRefused
        If there is no evidence, or the witnesses disagree; the message has the votes.
    """
    by_witness = {vote.witness: vote for vote in votes}
    body, soles, floor = (by_witness.get(name) for name in ("body", "soles", "plates"))
    witnesses = [vote for vote in (body, soles, floor) if vote is not None]
    first = body if body is not None and body.share >= _DOUBTFUL else soles
    for candidate in (first, soles, body):
        if candidate is None:
            continue
        agreeing = [vote for vote in witnesses if vote.says(candidate.axis)]
        against = [vote for vote in witnesses if vote not in agreeing]
        if not against and (candidate.share >= _DOUBTFUL or len(agreeing) > 1):
            return candidate.axis
        if len(agreeing) > max(1, len(against)):
            return candidate.axis
    known = first is not None or body is not None or not votes
    unknown = "" if known else "the labels show no two levels of the body; "
    raise AxesRefused(
        f"{name}: which axis is up is not clear ({unknown}{votes_in_words(votes)}); name it with"
        " --up, such as --up +Z, or check the labels and the corners of the plates"
    )


def votes_in_words(votes: Sequence[Vote]) -> str:
    """Return the votes in one line."""
    return "; ".join(map(str, votes)) or "no two levels of the body are seen in one frame"


def together(recording: Recording, upper: Sequence[str], lower: Sequence[str]) -> Array:
    """Return the mean of some markers minus that of others in each frame, shape (n, 3), m.

    NaN in frames that do not show markers of both.
    """
    return _mean_in_frame(recording, upper) - _mean_in_frame(recording, lower)


def axis_vector(axis: str) -> Array:
    """Return the unit vector of ``+Z`` and the like."""
    return np.eye(3)["XYZ".index(axis[1])] * (1.0 if axis[0] == "+" else -1.0)


def axis_name(v: Array) -> str:
    """Return the axis nearest to a direction."""
    i = int(np.argmax(np.abs(v)))
    return ("+" if v[i] > 0 else "-") + "XYZ"[i]


def _mean_in_frame(recording: Recording, labels: Sequence[str]) -> Array:
    columns = [i for i, label in enumerate(recording.labels) if label in labels]
    points = recording.markers_L[:, columns]
    known = known_points(points)
    count = known.sum(axis=1)
    total = np.where(known[..., None], points, 0.0).sum(axis=1)
    return total / np.where(count, count, np.nan)[:, None]


def _vote(witness: Witness, v: Array, why: str) -> Vote:
    return Vote(witness, axis_name(v), float(np.abs(v).max() / np.linalg.norm(v)), why)


def _body(recording: Recording) -> Vote | None:
    """Return the direction from the lower to the upper part of the body, median of the frames."""
    for upper, above, lower, below in _ABOVE:
        v = together(recording, upper, lower)
        seen = known_points(v)
        if seen.any():
            middle = median(v[seen], axis=0)
            if np.linalg.norm(middle):
                why = f"{above} above {below} ({counted(int(seen.sum()), 'frame')}):"
                return _vote("body", middle, why)
    return None


def _soles(recording: Recording) -> Vote | None:
    """Return the axis along which the lowest foot marker keeps its level while feet are lifted.

    In a walk one foot is always on the floor. Along the vertical the lowest marker keeps its height
    and the highest does not; along the other axes both do, or neither does. Both feet must walk.
    """
    feet = [i for i, label in enumerate(recording.labels) if label in (*FEET, *_ANKLES)]
    shares = known_points(recording.markers_L[:, feet]).mean(axis=0)
    feet = [i for i, share in zip(feet, shares, strict=True) if share > 0.5]  # noqa: PLR2004
    sides = {recording.labels[i][0] for i in feet}
    points = recording.markers_L[:, feet]
    points = points[known_points(points).all(axis=1)]
    if sides != {"L", "R"} or len(points) < 10:  # noqa: PLR2004  both feet, in some frames
        return None
    for side in "LR":
        marker = next(j for j, i in enumerate(feet) if recording.labels[i][0] == side)
        if np.linalg.norm(np.ptp(points[:, marker], axis=0)) < _STEP_M:
            return None
    low, high = points.min(axis=1), points.max(axis=1)
    spread = [
        [high - low for low, high in (percentiles(column, 5, 95) for column in edge.T)]
        for edge in (low, high)
    ]
    candidates: list[tuple[float, str]] = []
    for i, letter in enumerate("XYZ"):
        for sign, (floor, lifted) in (("+", spread), ("-", spread[::-1])):
            if floor[i] < _FLOOR_M and lifted[i] > _LIFT * max(floor[i], 0.01):
                candidates.append((float(floor[i] / lifted[i]), sign + letter))
    if not candidates:
        return None
    ratio, axis = min(candidates)
    return Vote("soles", axis, 1.0 - ratio, "soles:")


def _plates(plates: Sequence[PlateRecord]) -> Vote | None:
    """Return the axis that most plates face according to their corners."""
    faces: list[str] = []
    for plate in plates:
        normal = None if plate.virtual else _normal(plate)
        if normal is not None and np.abs(normal).max() >= _CLEAR:
            faces.append(axis_name(-normal))
    letters = [face[1] for face in faces]
    if not letters:
        return None
    most = max(sorted(set(letters)), key=letters.count)
    if 2 * letters.count(most) <= len(letters):
        return None
    signs = [face[0] for face in faces if face[1] == most]
    axis = ("+" if signs.count("+") >= signs.count("-") else "-") + most
    return Vote("plates", axis, letters.count(most) / len(letters), "plates by their corners:")


def _normal(plate: PlateRecord) -> Array | None:
    """Return z of a plate from its corners, shape (3,); None if they do not span a surface."""
    corners = plate.corners_L
    if not np.isfinite(corners).all() or np.abs(corners).max() > _CORNER_M:
        return None
    v = cross(corners[0] - corners[1], corners[0] - corners[3])
    size = float(np.linalg.norm(v))
    return v / size if size > _PLATE_M2 else None


def _force(plates: Sequence[PlateRecord]) -> Vote | None:
    """Return the axis of the mean force on the plates while they are loaded."""
    total = np.zeros(3)
    for plate in plates:
        normal = _normal(plate)
        if plate.problem or normal is None or not len(plate.channels):
            continue
        x = plate.corners_L[0] - plate.corners_L[1]
        x = x / np.linalg.norm(x)
        R = np.stack((x, cross(normal, x), normal), axis=1)
        level = 0.0 if plate.virtual else median(plate.channels[:, :3], axis=0)
        force = plate.channels[:, :3] - level
        size = lengths(force)
        size = np.where(np.isfinite(size), size, 0.0)
        if size.max() > _VOTES_N:
            total += R @ force[size > _LOADED * size.max()].mean(axis=0)
    return _vote("force", total, "mean force, along") if np.linalg.norm(total) > _VOTES_N else None

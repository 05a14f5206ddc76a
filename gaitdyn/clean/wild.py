"""Samples that no marker on a walking person has: far away, jumping, frozen.

How a leap is found and what belongs to it is told in :mod:`gaitdyn.clean.leaps`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gaitdyn.clean.held import frozen, straight
from gaitdyn.clean.leaps import cut, leaps, off_path, shoulders
from gaitdyn.core.runs import known_points, runs
from gaitdyn.errors import FileRefused
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import SIDE_OF

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.recording import Recording

REACH_M = 100.0
"""No laboratory reaches further from its origin."""

NOISY, FEWEST_STEPS = 0.1, 6
"""A marker that jumps in more than this part of its frames shows no path at all."""

TOGETHER, JOINED_M, JOINED_S = 0.8, 0.25, 0.25
"""When this part of the markers jumps so far at once, the recording does; where both sides of it
last this long, they are two recordings."""

RARE, STANDS_S = 0.1, 0.3
"""A marker seen in less than this part of a static that lasts this long is a ghost."""

Kind = Literal["far", "jumps", "noise", "frozen", "straight", "rare"]
_SAID: dict[Kind, tuple[str, str]] = {
    "far": ("marker-far", "lies further than 100 m from the origin"),
    "jumps": ("marker-jumps", "jumps faster than a limb can move"),
    "noise": ("marker-jumps", "jumps all the time and shows no path"),
    "frozen": ("marker-frozen", "stays in one place while the others walk on"),
    "straight": ("marker-frozen", "follows a straight line to the bit, as drawn across a gap,"),
    "rare": ("marker-rare", "is seen for a moment only"),
}


@dataclass(frozen=True, slots=True)
class Wild:
    """Frames of one marker that are left out.

    Attributes
    ----------
    label : str
    kind : {"far", "jumps", "noise", "frozen", "straight", "rare"}
    rows : tuple of (int, int)
        Half-open.
    """

    label: str
    kind: Kind
    rows: tuple[tuple[int, int], ...]


def without_wild(
    recording: Recording, names: Mapping[int, str], *, walking: bool
) -> tuple[Recording, list[Finding]]:
    """Return the recording with wild samples of the model's markers turned into gaps.

    Parameters
    ----------
    recording : Recording
    names : mapping
        Index of a marker -> name it is told under; the others are left as they are.
    walking : bool
        The person goes somewhere: a marker that stays is frozen, and one piece of a recording that
        jumps as a whole is left out.

    Raises
    ------
    FileRefused
        When two recordings were joined.
    """
    if not names:
        return recording, []
    at = sorted(names)
    own = recording.markers_L[:, at]
    known = known_points(own)
    far = known & _beyond(own)
    own[far | ~known] = np.nan
    labels = [names[i] for i in at]
    found = [
        Wild(x, "far", tuple(runs(far[:, j]))) for j, x in enumerate(labels) if far[:, j].any()
    ]
    steps = leaps(own, recording.rate_hz)
    findings: list[Finding] = []
    if walking:
        steps, findings = _joined(recording, own, steps)
        for j, held in frozen(own, recording.rate_hz).items():
            own[held, j] = np.nan
            steps[:, j] = False
            found.append(Wild(labels[j], "frozen", tuple(runs(held))))
        for j, drawn in straight(own, recording.rate_hz).items():
            own[drawn, j] = np.nan
            found.append(Wild(labels[j], "straight", tuple(runs(drawn))))
    else:
        found += [Wild(labels[j], "rare", tuple(runs(seen))) for j, seen in _rare(recording, own)]
    for j in np.flatnonzero(steps.any(axis=0)):
        seen = ~np.isnan(own[:, j, 0])
        noisy = steps[:, j].sum() > max(NOISY * seen.sum(), FEWEST_STEPS)
        lost = seen if noisy else off_path(own[:, j], steps[:, j], recording.rate_hz)
        if lost.any():
            if walking:  # who stands has the place of all frames, not of those beside a spike
                lost |= shoulders(own[:, j], lost, recording.rate_hz)
            own[lost, j] = np.nan
            found.append(Wild(labels[j], "noise" if noisy else "jumps", tuple(runs(lost))))
    if not found and not findings:
        return recording, []
    markers = recording.markers_L.copy()
    markers[:, at] = own
    found.sort(key=lambda wild: labels.index(wild.label))
    findings += [_finding(recording, wild) for wild in found]
    return replace(recording, markers_L=markers), findings


def _beyond(points: Array) -> Mask:
    """Return where any coordinate lies further from the origin than any laboratory reaches."""
    with np.errstate(invalid="ignore"):
        far = np.abs(points) > REACH_M
    return far[..., 0] | far[..., 1] | far[..., 2]


def _rare(recording: Recording, own: Array) -> list[tuple[int, Mask]]:
    """Empty the markers of a static that are hardly seen; return which and where they were."""
    known = known_points(own)
    if len(own) < STANDS_S * recording.rate_hz:
        return []
    share = known.mean(axis=0)
    found = [(int(j), known[:, j]) for j in np.flatnonzero((share > 0) & (share < RARE))]
    for j, seen in found:
        own[seen, j] = np.nan
    return found


def _joined(recording: Recording, own: Array, steps: Mask) -> tuple[Mask, list[Finding]]:
    """Return the steps without those that all markers share, and what is told of those.

    Raises
    ------
    FileRefused
    """
    known = known_points(own)
    both = known[:-1] & known[1:]
    many = both.sum(axis=1)
    together = (steps[:-1] & both).sum(axis=1) >= np.maximum(TOGETHER * many, 4)
    if together.any():
        went = np.linalg.norm(np.diff(own, axis=0)[together], axis=2)
        together[together] = np.nanmedian(went, axis=1) > JOINED_M
    if not together.any() or together.sum() > FEWEST_STEPS:
        return steps, []
    cuts = np.flatnonzero(together) + 1
    pieces = cut(0, len(own), cuts)
    pieces.sort(key=lambda piece: piece[0] - piece[1])
    first, rate = recording.first_frame, recording.rate_hz
    if pieces[1][1] - pieces[1][0] > JOINED_S * rate:
        frames = " and ".join(str(int(i) + first) for i in cuts)
        raise FileRefused(
            f"{recording.name}: all markers jump at frame {frames}; wanted one recording; two were"
            " joined, or frames were cut out: export each part separately"
        )
    findings: list[Finding] = []
    for start, stop in pieces[1:]:
        own[start:stop] = np.nan
        message = (
            f"all markers jump at the {'start' if start == 0 else 'end'} of frames"
            f" {start + first}-{stop + first - 1}: these frames are left out"
        )
        at = _when(recording, start, stop)
        findings.append(
            Finding("warning", "recording-jumps", "markers", message, float(stop - start), **at)
        )
    steps = steps.copy()
    steps[cuts - 1] = False
    return steps, findings


def _when(recording: Recording, start: int, stop: int) -> dict[str, Any]:
    first, rate = recording.first_frame, recording.rate_hz
    return {"start_s": (start + first - 1) / rate, "stop_s": (stop + first - 2) / rate}


def _finding(recording: Recording, wild: Wild) -> Finding:
    """Return the finding about one marker; its time is from the first to the last frame."""
    code, said = _SAID[wild.kind]
    start, stop = wild.rows[0][0], wild.rows[-1][1]
    count = sum(b - a for a, b in wild.rows)
    first, n = recording.first_frame, recording.n_frames
    where = (
        f"in frames {start + first}-{stop + first - 1}"
        if count > 1
        else f"in frame {start + first}"
    )
    left = "they are left" if count > 1 else "it is left"
    message = f"{wild.label} {said} {where} ({count} of {n} frames): {left} out as a gap"
    side = SIDE_OF.get(wild.label[:1])
    if wild.label in ("LASI", "RASI", "LPSI", "RPSI", "SACR"):
        side = None  # the pelvis belongs to both
    at = _when(recording, start, stop)
    return Finding("warning", code, wild.label, message, float(count), side=side, **at)

"""How the recordings of a session are altered in memory: markers, events, subject."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from gaitdyn.clean.butterworth import zero_lag_butterworth
from gaitdyn.clean.wild import without_wild
from gaitdyn.core.rotations import unit
from gaitdyn.core.runs import runs
from gaitdyn.io.trial import to_trial

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.stages.session import Session
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.trial import Trial

SWAPPED_S, WIDTH_M, LATE_S, SHORTEST = 0.3, 0.02, 0.2, 20


def altered(trial: Trial | None, change: Callable[[Recording], Recording]) -> Trial | None:
    """Return a trial read again from a changed recording, or None."""
    return None if trial is None else to_trial(change(trial.recording), trial.R_GL)


def knee_too_wide(session: Session) -> Session:
    """Make the left knee 20 mm wider, in both files."""

    def widen(recording: Recording) -> Recording:
        subject = recording.subject
        width = subject.left.knee_width_m
        left = replace(subject.left, knee_width_m=width + WIDTH_M if width else width)
        return replace(recording, subject=replace(subject, left=left))

    return in_both(session, widen)


def mass_too_large(session: Session) -> Session:
    """Make the body mass of both files 20 % larger."""

    def weigh(recording: Recording) -> Recording:
        mass = recording.subject.mass_kg
        return replace(recording, subject=replace(recording.subject, mass_kg=1.2 * (mass or 0)))

    return in_both(session, weigh)


def sides_swapped(session: Session) -> Session:
    """Exchange all left and right labels of the trial."""

    def swap(recording: Recording) -> Recording:
        other = {"L": "R", "R": "L"}
        have = set(recording.labels)
        labels = [
            swapped if (swapped := other.get(name[:1], name[:1]) + name[1:]) in have else name
            for name in recording.labels
        ]
        return replace(recording, labels=tuple(labels))

    return in_trial(session, swap)


def marker_swapped(session: Session) -> Session:
    """Exchange LKNE and LTIB for 0.3 s in the middle of the trial."""

    def swap(recording: Recording) -> Recording:
        one, other = (recording.labels.index(name) for name in ("LKNE", "LTIB"))
        seen = np.flatnonzero(np.isfinite(recording.markers_L[:, [one, other], 0]).all(axis=1))
        start = int(seen[len(seen) // 2])
        rows = slice(start, start + round(SWAPPED_S * recording.rate_hz))
        markers = recording.markers_L.copy()
        markers[rows, one], markers[rows, other] = (
            recording.markers_L[rows, other],
            recording.markers_L[rows, one],
        )
        return replace(recording, markers_L=markers)

    return in_trial(session, swap)


def in_trial(session: Session, change: Callable[[Recording], Recording]) -> Session:
    """Return the session with a changed trial."""
    trial: Any = altered(session.trial, change)
    return replace(session, trial=trial)


def in_both(session: Session, change: Callable[[Recording], Recording]) -> Session:
    """Return the session with trial and static changed."""
    return replace(in_trial(session, change), static=altered(session.static, change))


def exchanged(one: str, other: str) -> Callable[[Session], Session]:
    """Return what exchanges two labels in the whole trial."""
    swap = {one: other, other: one}

    def change(recording: Recording) -> Recording:
        return replace(recording, labels=tuple(swap.get(x, x) for x in recording.labels))

    return lambda session: in_trial(session, change)


def markers(change: Callable[[Any], Any], *names: str) -> Callable[[Session], Session]:
    """Return what changes the paths of some markers, all where none is named, shape (n, m, 3)."""
    return lambda session: in_trial(session, lambda r: with_paths(r, change, names))


def standing(change: Callable[[Any], Any], name: str) -> Callable[[Session], Session]:
    """Return what changes the path of a marker of the static, shape (n, 1, 3)."""
    return lambda session: replace(
        session, static=altered(session.static, lambda r: with_paths(r, change, (name,)))
    )


def with_paths(
    recording: Recording, change: Callable[[Any], Any], names: tuple[str, ...]
) -> Recording:
    """Return a recording with the paths of some markers changed, all where none is named."""
    paths, labels = recording.markers_L.copy(), recording.labels
    at = [labels.index(name) for name in names] or list(range(len(labels)))
    paths[:, at] = change(paths[:, at])
    return replace(recording, markers_L=paths)


def spiked(session: Session) -> Session:
    """Move RANK by 300 mm in one frame; what reading leaves out is left out."""
    recording = session.trial.recording
    paths, names = recording.markers_L.copy(), dict(enumerate(recording.labels))
    row, at = recording.n_frames // 2, recording.labels.index("RANK")
    paths[row, at] += 0.3
    own = {i: name for i, name in names.items() if name in session.model.labels}
    tame, told = without_wild(replace(recording, markers_L=paths), own, walking=True)
    trial = to_trial(tame, session.trial.R_GL)
    return replace(session, trial=trial, findings=[*session.findings, *told])


def rate_times(factor: float) -> Callable[[Session], Session]:
    """Return what states another rate for markers and plates; the events keep their frames."""

    def change(recording: Recording) -> Recording:
        events = tuple(replace(e, time_s=e.time_s / factor) for e in recording.events)
        return replace(recording, rate_hz=factor * recording.rate_hz, events=events)

    return lambda session: in_trial(session, change)


def events_late(session: Session) -> Session:
    """Move all events by 0.2 s."""

    def change(recording: Recording) -> Recording:
        events = tuple(replace(e, time_s=e.time_s + LATE_S) for e in recording.events)
        return replace(recording, events=events)

    return in_trial(session, change)


def one_event(kind: str, /, **wrong: Any) -> Callable[[Session], Session]:
    """Return what alters the left event of a kind nearest to the middle of the trial.

    Parameters
    ----------
    kind : {"foot_strike", "foot_off"}
    **wrong
        Fields of the event to replace; ``late_s`` moves it.
    """
    late_s = wrong.pop("late_s", 0.0)

    def change(recording: Recording) -> Recording:
        middle = recording.time_of(recording.n_frames / 2)
        of_kind = [e for e in recording.events if (e.side, e.kind) == ("left", kind)]
        one = min(of_kind, key=lambda event: abs(event.time_s - middle))
        moved = replace(one, time_s=one.time_s + late_s, **wrong)
        events = sorted(moved if event == one else event for event in recording.events)
        return replace(recording, events=tuple(events))

    return lambda session: in_trial(session, change)


def noisy(paths: Any) -> Any:
    """Return paths with white noise of 5 mm."""
    return paths + np.random.default_rng(5).normal(0, 0.005, paths.shape)


def slipping(label: str, *by_m: float) -> Callable[[Session], Session]:
    """Return what moves a marker from the middle of the trial on, laboratory axes, m."""

    def moved(path: Any) -> Any:
        late = np.arange(len(path)) >= len(path) // 2
        return path + late[:, None, None] * np.asarray(by_m)

    return markers(moved, label)


def creeping(label: str, *by_m: float) -> Callable[[Session], Session]:
    """Return what moves a marker evenly over the trial, laboratory axes, m."""

    def moved(path: Any) -> Any:
        return path + np.linspace(0.0, 1.0, len(path))[:, None, None] * np.asarray(by_m)

    return markers(moved, label)


def drifting(label: str, by_m: float, lasting_s: float) -> Callable[[Session], Session]:
    """Return what moves a marker aside and back in the middle of the trial, as a reflection would.

    Along the second axis of the laboratory.
    """

    def change(recording: Recording) -> Recording:
        paths, at = recording.markers_L.copy(), recording.labels.index(label)
        n = round(lasting_s * recording.rate_hz)
        start = (len(paths) - n) // 2
        paths[start : start + n, at, 1] += by_m * np.sin(np.linspace(0.0, np.pi, n)) ** 2
        return replace(recording, markers_L=paths)

    return lambda session: in_trial(session, change)


def following(label: str, other: str, lasting_s: float) -> Callable[[Session], Session]:
    """Return what lets a marker keep its place beside another one for a while, as a wrong fill."""

    def change(recording: Recording) -> Recording:
        paths = recording.markers_L.copy()
        a, b = (recording.labels.index(x) for x in (label, other))
        start = len(paths) // 2
        rows = slice(start, start + round(lasting_s * recording.rate_hz))
        paths[rows, a] = paths[rows, b] + (paths[start - 1, a] - paths[start - 1, b])
        return replace(recording, markers_L=paths)

    return lambda session: in_trial(session, change)


def splined(label: str, lasting_s: float) -> Callable[[Session], Session]:
    """Return what fills a gap of a marker in the middle with a cubic, as capture software does."""

    def change(recording: Recording) -> Recording:
        paths, at = recording.markers_L.copy(), recording.labels.index(label)
        n = round(lasting_s * recording.rate_hz)
        start = (len(paths) - n) // 2
        gap, ends = slice(start, start + n), np.r_[start - 3 : start, start + n : start + n + 3]
        curve = CubicSpline(ends, 1000.0 * paths[ends, at])(np.arange(gap.start, gap.stop))
        paths[gap, at] = curve.astype(np.float32) / 1000.0  # mm as a file stores them
        return replace(recording, markers_L=paths)

    return lambda session: in_trial(session, change)


def tilted(degrees: float) -> Callable[[Session], Session]:
    """Return what tilts the markers of the trial so that the floor rises along the walk."""

    def tilt(session: Session) -> Session:
        up, paths = session.trial.R_GL[1], session.trial.recording.markers_L
        middle = np.nanmean(paths, axis=1)
        known = middle[np.isfinite(middle).all(axis=1)]
        ahead = known[-1] - known[0]
        across = unit(np.cross(ahead - (ahead @ up) * up, up))
        turn = Rotation.from_rotvec(np.radians(degrees) * across)
        origin = known.mean(axis=0) - (known.mean(axis=0) @ up) * up

        def change(recording: Recording) -> Recording:
            return replace(recording, markers_L=(paths - origin) @ turn.as_matrix().T + origin)

        return in_trial(session, change)

    return tilt


def towards(label: str, other: str, by_m: float) -> Callable[[Session], Session]:
    """Return what moves a marker towards another one in the whole trial."""

    def change(recording: Recording) -> Recording:
        paths = recording.markers_L.copy()
        a, b = (recording.labels.index(x) for x in (label, other))
        paths[:, a] += by_m * unit(paths[:, b] - paths[:, a])
        return replace(recording, markers_L=paths)

    return lambda session: in_trial(session, change)


def noisy_from_middle(paths: Any) -> Any:
    """Return paths with white noise of 5 mm in the second half."""
    late = np.arange(len(paths)) >= len(paths) // 2
    return np.where(late[:, None, None], noisy(paths), paths)


def smooth_markers(cutoff_hz: float) -> Callable[[Session], Session]:
    """Return what filters all markers, each run of known samples by itself."""

    def change(recording: Recording) -> Recording:
        paths = recording.markers_L.copy()
        for marker in paths.transpose(1, 0, 2):
            for start, stop in runs(np.isfinite(marker[:, 0])):
                if stop - start > SHORTEST:
                    known = marker[start:stop]
                    known[:] = zero_lag_butterworth(known, cutoff_hz, recording.rate_hz)
        return replace(recording, markers_L=paths)

    return lambda session: in_trial(session, change)


def ankles_halved(session: Session) -> Session:
    """Halve both ankle widths, in both files."""

    def halve(recording: Recording) -> Recording:
        subject = recording.subject
        legs = {
            side: replace(leg, ankle_width_m=0.5 * leg.ankle_width_m if leg.ankle_width_m else None)
            for side, leg in (("left", subject.left), ("right", subject.right))
        }
        return replace(recording, subject=replace(subject, **legs))

    return in_both(session, halve)

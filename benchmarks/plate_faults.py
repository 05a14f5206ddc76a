"""How the plates of a session are altered in memory: corners, channels, time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from fault_changes import in_trial
from scipy.signal import butter, lfilter

from gaitdyn.clean.butterworth import zero_lag_butterworth

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.stages.session import Session
    from gaitdyn.types.recording import PlateRecord, Recording


def with_plates(
    recording: Recording,
    change: Callable[[PlateRecord], PlateRecord],
    numbers: tuple[int, ...] = (),
) -> Recording:
    """Return a recording with some plates changed, all where no number is given."""
    plates = tuple(
        change(p) if not p.problem and (not numbers or p.number in numbers) else p
        for p in recording.plates
    )
    return replace(recording, plates=plates)


def plates(
    change: Callable[[PlateRecord], PlateRecord], *numbers: int
) -> Callable[[Session], Session]:
    """Return what changes some plates of the trial, all where no number is given."""
    return lambda session: in_trial(session, lambda r: with_plates(r, change, numbers))


def quarter_turn(plate: PlateRecord) -> PlateRecord:
    """Return a plate turned by 90 degrees about its normal: its corners are named one further."""
    return replace(plate, corners_L=np.roll(plate.corners_L, 1, axis=0))


def turned_by_5_deg(plate: PlateRecord) -> PlateRecord:
    """Return a plate turned by 5 degrees about its normal."""
    middle = plate.corners_L.mean(axis=0)
    arms = plate.corners_L - middle
    ahead, aside = (arms[k] - arms[0] for k in (1, 3))
    normal = np.cross(ahead, aside) / np.linalg.norm(np.cross(ahead, aside))
    turn = np.radians(5.0)
    turned = np.cos(turn) * arms + np.sin(turn) * np.cross(normal, arms)
    return replace(plate, corners_L=middle + turned)


def twice_as_large(plate: PlateRecord) -> PlateRecord:
    """Return a plate of twice the size about its middle."""
    middle = plate.corners_L.mean(axis=0)
    return replace(plate, corners_L=middle + 2.0 * (plate.corners_L - middle))


def dead_from_largest(plate: PlateRecord) -> PlateRecord:
    """Return a plate that reads nothing from its largest force on."""
    channels = plate.channels.copy()
    channels[int(np.abs(channels[:, 2]).argmax()) :] = 0.0
    return replace(plate, channels=channels)


def shifted(*by_m: float) -> Callable[[Session], Session]:
    """Return what moves the corners of all plates, laboratory axes, m."""
    return plates(lambda p: replace(p, corners_L=p.corners_L + by_m))


def channels(*factors: float, numbers: tuple[int, ...] = ()) -> Callable[[Session], Session]:
    """Return what multiplies the six channels of some plates, all where no number is given."""
    return plates(lambda p: replace(p, channels=p.channels * factors), *numbers)


def in_order(*places: int) -> Callable[[Session], Session]:
    """Return what puts the six channels of all plates into another order."""
    return plates(lambda p: replace(p, channels=p.channels[:, list(places)]))


def crackling(channel: int, part: float) -> Callable[[Session], Session]:
    """Return what puts white noise on a channel of all plates, a part of its largest value (SD)."""

    def noisier(plate: PlateRecord) -> PlateRecord:
        noise = np.zeros_like(plate.channels)
        own = np.random.default_rng(7).normal(size=len(noise))
        noise[:, channel] = part * np.abs(plate.channels[:, channel]).max() * own
        return replace(plate, channels=plate.channels + noise)

    return plates(noisier)


def stepping(channel: int, by: float) -> Callable[[Session], Session]:
    """Return what adds a constant to a channel of all plates from a third of the trial on."""

    def stepped(plate: PlateRecord) -> PlateRecord:
        own = plate.channels.copy()
        own[len(own) // 3 :, channel] += by
        return replace(plate, channels=own)

    return plates(stepped)


def drifting(channel: int, by: float) -> Callable[[Session], Session]:
    """Return what adds a drift to a channel of all plates, from zero to its end, N or N m."""

    def drifted(plate: PlateRecord) -> PlateRecord:
        own = plate.channels.copy()
        own[:, channel] += np.linspace(0.0, by, len(own))
        return replace(plate, channels=own)

    return plates(drifted)


def leaking(share: float) -> Callable[[Session], Session]:
    """Return what adds a share of the vertical force to the horizontal ones of all plates."""

    def leaked(plate: PlateRecord) -> PlateRecord:
        own = plate.channels.copy()
        own[:, :2] += share * own[:, 2:3]
        return replace(plate, channels=own)

    return plates(leaked)


def interrupted(factor: float, lasting_s: float) -> Callable[[Session], Session]:
    """Return what multiplies all channels by a factor for a while from the largest force on."""

    def change(recording: Recording) -> Recording:
        n = max(1, round(lasting_s * recording.rate_hz * recording.samples_per_frame))

        def broken(plate: PlateRecord) -> PlateRecord:
            own = plate.channels.copy()
            row = int(np.abs(own[:, 2]).argmax())
            own[row : row + n] *= factor
            return replace(plate, channels=own)

        return with_plates(recording, broken)

    return lambda session: in_trial(session, change)


def in_steps(lasting_s: float) -> Callable[[Session], Session]:
    """Return what repeats every sample of the plates for a while, and leaves out the next ones."""

    def change(recording: Recording) -> Recording:
        n = max(1, round(lasting_s * recording.rate_hz * recording.samples_per_frame))

        def stepped(plate: PlateRecord) -> PlateRecord:
            rows = np.arange(len(plate.channels)) // n * n
            return replace(plate, channels=plate.channels[rows])

        return with_plates(recording, stepped)

    return lambda session: in_trial(session, change)


def late(delay_s: float, *numbers: int) -> Callable[[Session], Session]:
    """Return what lets plates lag the markers, or lead them, all where no number is given."""

    def shift(recording: Recording) -> Recording:
        n = round(delay_s * recording.rate_hz * recording.samples_per_frame)

        def moved(plate: PlateRecord) -> PlateRecord:
            rows = np.clip(np.arange(len(plate.channels)) - n, 0, len(plate.channels) - 1)
            return replace(plate, channels=plate.channels[rows])

        return with_plates(recording, moved, numbers)

    return lambda session: in_trial(session, shift)


def smooth_forces(cutoff_hz: float, *, one_way: bool = False) -> Callable[[Session], Session]:
    """Return what filters the channels of all plates, there and back or as an amplifier does."""

    def change(recording: Recording) -> Recording:
        rate = recording.rate_hz * recording.samples_per_frame

        def smoothed(plate: PlateRecord) -> PlateRecord:
            if one_way:
                late = lfilter(*butter(2, cutoff_hz, fs=rate), plate.channels, axis=0)
                return replace(plate, channels=late)
            return replace(plate, channels=zero_lag_butterworth(plate.channels, cutoff_hz, rate))

        return with_plates(recording, smoothed)

    return lambda session: in_trial(session, change)

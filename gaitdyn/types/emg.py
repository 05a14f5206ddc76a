"""Electromyography: the analog channels as read, and the assessment of each."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Literal

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.later import computed_late

EmgStatus = Literal["ok", "check", "rejected", "not_recorded"]

CROSSED_LEGS, CROSSED_CABLES = "crossed legs", "crossed cables"
"""Each begins the reason of a channel that fits the other leg, or another muscle."""


@frozen(arrays=True)
class AnalogChannels:
    """Analog channels of a file that may be electromyography, without those of force plates.

    Attributes
    ----------
    numbers : tuple of int
        Numbers of the channels in the file, from 1.
    labels, descriptions, units : tuple of str
        One per channel, as in the file; empty if the file has none.
    sides : tuple of str
        ``left``, ``right`` or empty, from the group EMG of the file.
    declared : tuple of bool or None
        Whether the group EMG declares the channel as electromyography; None if it does not say.
    samples : array, shape (c, m)
        In the unit of the file, at the analog rate; sample 0 belongs to the first marker frame.
        Converted from the stored numbers when first read.
    """

    numbers: tuple[int, ...]
    labels: tuple[str, ...]
    descriptions: tuple[str, ...]
    units: tuple[str, ...]
    sides: tuple[str, ...]
    declared: tuple[bool | None, ...]
    samples: Array


computed_late(AnalogChannels, "samples")


@frozen()
class Health:
    """Measures of signal quality of one channel.

    Attributes
    ----------
    constant_s : float
        Longest run of equal samples.
    clipped_share : float
        Share of samples within 0.1 % of the ends of the channel's own range.
    snr_db : float
        20 log10 of the 95th over the 5th percentile of the 50 ms RMS, band-passed.
    median_frequency_hz : float
        Frequency below which half of the power of the band lies.
    hum_hz, hum_share : float
        50 or 60 Hz, and its share, with the 3rd and 5th harmonic, of the power above 20 Hz.
    line_share : float
        Largest share of the power of the band within 1.5 Hz of one frequency.
    low_share : float
        Share of the power below 20 Hz, before the filter.
    kurtosis : float
        Kurtosis of the band-passed signal; 3 for a normal distribution.
    recorded_s : float
        How long the channel was recorded.
    high_share : float
        Share of the power of the band above 150 Hz.
    """

    constant_s: float
    clipped_share: float
    snr_db: float
    median_frequency_hz: float
    hum_hz: float
    hum_share: float
    line_share: float
    low_share: float
    kurtosis: float
    recorded_s: float = math.inf
    high_share: float = 1.0


@frozen()
class EmgChannel:
    """One channel of electromyography.

    Attributes
    ----------
    number : int
        Number in the file, from 1.
    label : str
        As in the file.
    muscle : str
        Such as ``rectus_femoris``; empty if not known.
    side : str
        ``left``, ``right``, or empty if not known.
    unit : str
        As labelled in the file, which is often wrong.
    rate_hz : float
    status : {"ok", "check", "rejected", "not_recorded"}
    reason : str
        Why it is not ``ok``, or a caveat if it is.
    health : Health
    named_by : str
        ``user``, ``label``, ``description`` or empty.
    note : str
        What is ambiguous about its muscle.
    strides : int
        Number of strides of its side.
    norm_r : float or None
        Correlation of the mean envelope with the shape of its own norm.
    other_side_r : float or None
        The same, over the cycles of the other leg.
    likest : str
        The muscle whose norm it resembles most, and how much.
    """

    number: int
    label: str
    muscle: str
    side: str
    unit: str
    rate_hz: float
    status: EmgStatus
    reason: str
    health: Health
    named_by: str = ""
    note: str = ""
    strides: int = 0
    norm_r: float | None = None
    other_side_r: float | None = None
    likest: str = ""


@frozen(arrays=True)
class EmgCurves:
    """The envelope of one muscle over the gait cycles of its own side.

    Attributes
    ----------
    side, muscle : str
    channel : int
        Number in the file.
    cycles : tuple of int
        Numbers of the cycles.
    envelope : array, shape (n, 101)
        0 to 100 % of each cycle, divided by ``scale``.
    on : array, shape (n, 101)
        1 while the muscle is on, 0 while it is off; NaN if that cannot be determined.
    rectified : array, shape (n, 400)
        Largest absolute value of the band-passed signal in each quarter of a per cent of the
        cycle, divided by ``scale``; drawn behind the envelope.
    scale : float
        Value that corresponds to 1, in the unit of the file.
    variance_ratio, variation : float
        Between straight strides, see :mod:`gaitdyn.emg.ensemble`; NaN for one stride.
    turning : tuple of int
        Those of ``cycles`` that turn.
    """

    side: str
    muscle: str
    channel: int
    cycles: tuple[int, ...]
    envelope: Array
    on: Array
    rectified: Array
    scale: float
    variance_ratio: float
    variation: float
    turning: tuple[int, ...] = ()

    @property
    def mean(self) -> Array:
        """Mean envelope over the strides, shape (101,)."""
        return self.envelope.mean(axis=0)

    @property
    def on_share(self) -> Array:
        """Share of strides in which the muscle is on, 0 to 1, shape (101,)."""
        return self.on.mean(axis=0)


@frozen(arrays=True)
class Emg:
    """Electromyography of one trial.

    Attributes
    ----------
    channels : tuple of EmgChannel
        Every channel, in the order of the file.
    curves : tuple of EmgCurves
        Curves of the muscles whose channel is ``ok``, in the order of the file.
    crossed : tuple of str
        Suspected exchanges of cables or sides, one sentence each.
    group : str
        Speed group of the norm that the shapes were compared with; ``unknown`` without a walking
        speed, then it is the one of free speed; ``none`` if they were not compared, as in a walk
        backward.
    processing : dict
        Processing steps, in words and numbers.
    """

    channels: tuple[EmgChannel, ...]
    curves: tuple[EmgCurves, ...]
    crossed: tuple[str, ...] = ()
    group: str = "unknown"
    processing: dict[str, object] = field(default_factory=dict[str, object])

    def of(self, side: str, muscle: str) -> EmgCurves | None:
        """Return the curves of one muscle of one side, or None."""
        return next((c for c in self.curves if (c.side, c.muscle) == (side, muscle)), None)

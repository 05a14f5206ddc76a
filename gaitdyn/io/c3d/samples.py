"""Analog samples of a C3D file, kept as stored and scaled on request."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gaitdyn.io.c3d.checks import is_unsigned, joined
from gaitdyn.io.c3d.data import Data
from gaitdyn.io.c3d.records import Parameters, Processor, as_float64
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import counted

_WORD = 65536


@frozen(eq=False)
class Samples:
    """The analog channels kept while reading a file.

    A sample is (stored - offset) * scale * general scale (C3D format user guide, "ANALOG:OFFSET");
    ANALOG:FORMAT states whether offsets and stored integers are signed.

    Attributes
    ----------
    words : array, shape (n_frames, n_samples_per_frame, n_kept)
        Numbers as stored.
    processor : {"intel", "dec", "sgi"}
        Format of the numbers.
    kept : tuple of int
        Which channel each column is, from 0.
    n_channels : int
        In the file.
    offset, scale : array, shape (n_channels,)
    general : float
    """

    words: NDArray[np.generic]
    processor: Processor
    kept: tuple[int, ...]
    n_channels: int
    offset: NDArray[np.float64]
    scale: NDArray[np.float64]
    general: float

    def __len__(self) -> int:
        """Return the number of samples per channel."""
        return self.words.shape[0] * self.words.shape[1]

    def of(self, channels: Sequence[int]) -> NDArray[np.float64]:
        """Return samples in the units of the file, shape (n_samples, n_requested).

        Parameters
        ----------
        channels : sequence of int
            From 0; each must have been kept.
        """
        column_of = {channel: i for i, channel in enumerate(self.kept)}
        columns = [column_of[channel] for channel in channels]
        numbers = as_float64(np.take(self.words, columns, axis=2), self.processor)
        numbers = numbers.reshape(len(self), len(columns))
        requested = list(channels)
        numbers -= self.offset[requested]
        numbers *= self.scale[requested]
        numbers *= self.general
        return numbers


def samples_of(
    data: Data, params: Parameters, processor: Processor, kept: Sequence[int], n_channels: int
) -> tuple[Samples, tuple[str, ...]]:
    """Return the channels with their offsets and scales, and notes on the decisions made.

    Parameters
    ----------
    data : Data
    params : Parameters
    processor : {"intel", "dec", "sgi"}
    kept : sequence of int
        Which channel each column is, from 0.
    n_channels : int
        In the file.
    """
    words = data.words
    if data.scaled:
        return scaled_samples(words.astype(np.float64), kept, n_channels), ()
    offset, scale = (joined(params, name)[:n_channels] for name in ("OFFSET", "SCALE"))
    n_missing = n_channels - len(offset)
    offset, scale = (
        np.concatenate([stored, np.full(n_channels - len(stored), default)])
        for stored, default in ((offset, 0.0), (scale, np.nan))
    )
    unsigned = is_unsigned(params)
    lacking = f"ANALOG:OFFSET is taken as 0 for {counted(n_missing, 'channel')} without one"
    notes = [lacking] if n_missing else []
    if np.isnan(scale).any():
        notes.append("analog channels without ANALOG:SCALE are not used")
    if unsigned:
        offset = offset % _WORD
        if words.dtype.kind == "i":
            if (np.asarray(words, np.int16) < 0).any():
                notes.append("analog samples were read as unsigned integers")
            words = words.view(words.dtype.str.replace("i", "u"))
    if (offset < 0).any():
        notes.append("analog offsets were read with the sign that ANALOG:FORMAT gives them")
    general = params.number("ANALOG", "GEN_SCALE")
    general = 1.0 if general is None else general
    if n_channels and not general:
        notes.append("ANALOG:GEN_SCALE is 0, so that every analog sample is 0")
    return Samples(words, processor, tuple(kept), n_channels, offset, scale, general), tuple(notes)


def scaled_samples(numbers: NDArray[np.float64], kept: Sequence[int], n_channels: int) -> Samples:
    """Return samples that are already in the units of the file.

    Parameters
    ----------
    numbers : array, shape (n_frames, n_samples_per_frame, n_kept)
    kept : sequence of int
        Which channel each column is, from 0.
    n_channels : int
        In the file.
    """
    ones = np.ones(n_channels)
    return Samples(numbers, "intel", tuple(kept), n_channels, 0.0 * ones, ones, 1.0)

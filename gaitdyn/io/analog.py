"""Find analog channels that may be electromyography."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io.plates.reading import plate_channels
from gaitdyn.types.later import later
from gaitdyn.types.subject import SIDE_OF
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from gaitdyn.io.c3d.parameters import Parameters
    from gaitdyn.io.c3d.samples import Samples
    from gaitdyn.types.emg import AnalogChannels

_NEVER_LABEL = (
    r"(?i)raw\.|pin ?\d+$|electric potential|(tapis|belt)\b|.*\.fs$|hr$"
    r"|(pf\d+|fp\d+|f|m|p)?\d*[ _.-]*[fmp]?\d*[xyz][ _]?\d*([+_]\d+)?$"
)
"""Names of other devices: pins, plates (``Fx1``, ``F1X``, ``PF1Mz``), switches, heart rate."""

_NEVER_TEXT = (
    r"(?i)force|moment|switch|\bsync|digital|\bgonio|\bacc|angle|heart|speed|current|\be[ck]g\b"
    r"|electrodermal|trigger|kistler|amti\b|bertec|not used|unused|\bgyr|torque"
    r"|(?<!add[ .-])(?<!adductor[ .-])\bmagn(?!us)|\bmagn\w*[ .]*[xyz]\b"
    r"|pressure|insole|\bfsr|flexion\b|rotation\b|\bcontact\b|\b(pitch|roll|yaw)\d*\b"
    r"|\bsquare|\bpulse|\bttl\b|\bstim(ul\w*)?\d*\b"
)
"""Words in a label or a description that identify a channel as something else."""

_DECLARED = 1


def emg_candidates(params: Parameters) -> list[int]:
    """Return the analog channels, from 0, that may be electromyography.

    Channels of plates, and those whose names identify them as something else, are excluded.
    :mod:`gaitdyn.emg.naming` decides which of the rest are electromyography. If the file has a
    group EMG, its TYPE takes precedence.
    """
    labels = params.strings("ANALOG", "LABELS")
    texts = params.strings("ANALOG", "DESCRIPTIONS")
    texts += [""] * (len(labels) - len(texts))
    plates, types = set(plate_channels(params)), _numbers(params, "TYPE")
    candidates: list[int] = []
    for i, (label, text) in enumerate(zip(labels, texts, strict=False)):
        if i in plates or not label.strip():
            continue
        declared = types[i] == _DECLARED if i < len(types) else None
        if declared or (declared is None and not is_other(label.strip(), text)):
            candidates.append(i)
    return candidates


@lru_cache(maxsize=1024)
def is_other(label: str, text: str) -> bool:
    """Return whether the label or description identifies a channel as not electromyography."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", label)
    match = re.search(_NEVER_TEXT, spaced) or re.search(_NEVER_TEXT, text)
    return bool(match or re.match(_NEVER_LABEL, label))


MOST_SAMPLES = 40_000_000
"""Limit for all candidates together: sixteen channels at 2 kHz for twenty minutes, 320 MB."""


def read_analog(
    params: Parameters, analog: Samples
) -> tuple[AnalogChannels | None, tuple[str, ...]]:
    """Return the candidate channels with their samples, or None, and notes.

    More samples than :data:`MOST_SAMPLES` are left out, with a note.

    Parameters
    ----------
    params : Parameters
    analog : Samples
        With the channels of :func:`emg_candidates`.
    """
    kept = [i for i in emg_candidates(params) if i in analog.kept and np.isfinite(analog.scale[i])]
    count = len(kept) * len(analog)
    if not count:
        return None, ()
    if count > MOST_SAMPLES:
        message = (
            f"{counted(len(kept), 'channel')} may hold electromyography, {count:,} samples; it is"
            f" left out above {MOST_SAMPLES:,}: cut the trial, or export the channels with muscles"
            " alone"
        )
        return None, (message,)

    from gaitdyn.types.emg import AnalogChannels

    def texts(name: str) -> list[str]:
        stored = params.strings("ANALOG", name)
        return [stored[i].strip() if i < len(stored) else "" for i in kept]

    types = _numbers(params, "TYPE")
    sides = params.strings("EMG", "SIDE")
    channels = AnalogChannels(
        numbers=tuple(i + 1 for i in kept),
        labels=tuple(texts("LABELS")),
        descriptions=tuple(texts("DESCRIPTIONS")),
        units=tuple(texts("UNITS")),
        sides=tuple(
            SIDE_OF.get(sides[i].strip().upper()[:1], "") if i < len(sides) else "" for i in kept
        ),
        declared=tuple(types[i] == _DECLARED if i < len(types) else None for i in kept),
        samples=later(lambda: np.ascontiguousarray(analog.of(kept).T)),
    )
    return channels, ()


def _numbers(params: Parameters, name: str) -> list[float]:
    """Return the numbers of a parameter of the group EMG; empty if missing."""
    values = params.get("EMG", name)
    return [] if values is None or isinstance(values, list) else np.ravel(values).tolist()

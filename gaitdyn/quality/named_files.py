"""Files that options name, checked before anything is computed."""

from __future__ import annotations

from gaitdyn.quality.rules import load_rules
from gaitdyn.types.options import EMG_SCALES, Options
from gaitdyn.types.recording import Recording


def refuse_files(recording: Recording, options: Options) -> None:
    """Refuse rules of quality and maxima of muscles that cannot be read.

    Raises
    ------
    UsageError
    """
    load_rules(options.quality)
    if recording.analog is not None and options.emg_normalise not in EMG_SCALES:
        from gaitdyn.emg.maxima import read_maxima

        read_maxima(options.emg_normalise)

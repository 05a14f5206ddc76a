"""Files that options name, checked before anything is computed."""

from __future__ import annotations

from gaitdyn.quality.rules import load_rules
from gaitdyn.types.options import EMG_SCALES, Options


def refuse_files(options: Options) -> None:
    """Refuse rules of quality and maxima of muscles that cannot be read, also where not needed.

    Raises
    ------
    UsageError
    """
    load_rules(options.quality)
    if options.emg_normalise not in EMG_SCALES:
        from gaitdyn.emg.maxima import read_maxima

        read_maxima(options.emg_normalise)

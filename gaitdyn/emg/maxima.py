"""Maxima of channels, for example of maximal contractions, given by the laboratory."""

from __future__ import annotations

import math
from pathlib import Path

from gaitdyn.errors import UsageError
from gaitdyn.io.toml_lines import read_toml_file
from gaitdyn.types.arguments import told
from gaitdyn.types.options import EMG_SCALES


def read_maxima(how: str) -> dict[str, float]:
    """Return label -> largest value in the unit of the file; empty for a word such as ``session``.

    Parameters
    ----------
    how : str
        A word, or a TOML file of lines such as ``"Voltage.L Rect" = 0.35``.

    Raises
    ------
    UsageError
        Naming the file, what was found and what was wanted.
    """
    if how in EMG_SCALES:
        return {}
    path = Path(how)
    wanted = f'{", ".join(EMG_SCALES)} or a TOML file of maxima such as "L Rect" = 0.35'
    _, table = read_toml_file(path, "--emg-normalise", wanted)
    for label, value in table.items():
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not 0 < value < math.inf:
            wanted = "a number above zero in the unit of the channel"
            found = f"{told(label)} is {told(value)}"
            raise UsageError(f"--emg-normalise {path.name}: {found}, wanted {wanted}")
    return {label: float(value) for label, value in table.items()}

"""The channels of electromyography of a file by themselves, without events or markers."""

from __future__ import annotations

from typing import Any

from gaitdyn.emg.channels import channels_of, unwired
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording


def channel_rows(recording: Recording, options: Options) -> list[dict[str, Any]]:
    """Return number, label, muscle, side, status and reason of every channel.

    Without events nothing is said of crossed cables and legs.

    Parameters
    ----------
    recording : Recording
    options : Options
    """
    found = channels_of(recording, options)
    names = ("number", "label", "muscle", "side", "status", "reason")
    channels = [] if found is None else unwired(found[0])
    return [{name: getattr(channel, name) for name in names} for channel in channels]

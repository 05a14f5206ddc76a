"""Electromyography: channels and their health, envelopes and on-times over the gait cycle."""

from gaitdyn.emg.find import find_emg

__all__ = ["find_emg"]

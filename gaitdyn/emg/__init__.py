"""Electromyography: channels, health, envelopes, on and off, over the cycles of their own side."""

from gaitdyn.emg.find import find_emg

__all__ = ["find_emg"]

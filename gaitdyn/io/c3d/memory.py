"""Estimate the memory that a recording needs, and whether it is available."""

import os
from pathlib import Path

from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.checks import Layout
from gaitdyn.io.c3d.records import refused

_POINT_BYTES, _RESIDUAL_BYTES = 24, 12
_WORKING = 3.0
"""Peak memory of processing as a multiple of the markers, measured on 60,000 frames."""

_GIB = 2.0**30


def needed_bytes(layout: Layout, kept: int) -> float:
    """Return the approximate memory needed to process a recording, bytes.

    Parameters
    ----------
    layout : Layout
    kept : int
        Analog channels that are kept.
    """
    markers = layout.frames * layout.points * (_POINT_BYTES + _RESIDUAL_BYTES)
    analog = layout.frames * layout.samples_per_frame * kept * (layout.bytes_per_value + 8)
    return _WORKING * markers + analog


def free_bytes() -> float | None:
    """Return the free memory of this machine, bytes; None if unknown."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(line for line in lines if line.startswith("MemAvailable:"))
        return 1024.0 * int(free.split()[1])
    except (OSError, StopIteration, ValueError, IndexError):
        pass
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return None


def refuse_too_large(layout: Layout, kept: int, name: str) -> None:
    """Refuse a recording that does not fit into memory.

    Raises
    ------
    FileRefused
    """
    needed, free = needed_bytes(layout, kept), free_bytes()
    if free is not None and needed > free:
        raise too_large(layout, kept, name, free)


def too_large(layout: Layout, kept: int, name: str, free: float | None = None) -> FileRefused:
    """Return the refusal of a recording that does not fit into memory, with its size."""
    found = (
        f"{layout.frames} frames of {layout.points} points, which take about"
        f" {needed_bytes(layout, kept) / _GIB:.1f} GiB"
    )
    room = "less memory" if free is None else f"{free / _GIB:.1f} GiB at most: so much is free"
    return refused(name, found, room, "export a part of the recording")

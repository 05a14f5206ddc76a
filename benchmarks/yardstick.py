"""The yardstick of figures in seconds: the textbook's inverse dynamics as a Python loop.

Machines differ threefold, and one machine from day to day. A frame of the loop (Python that calls
numpy on small arrays, as most of what is timed) stands beside a time, so that figures of two
machines can be compared: reports/validation/speed.md has the loop among its rows.
"""

from __future__ import annotations

import time

LOOP_US, LOOP_PAGE = 158, "3a141c69 of 2026-11-21"
"""Of a frame of the loop where the limits were set, and the commit whose page speed.md says so."""
LOOP_FRAMES = 1000


def loop_us() -> float:
    """Return the processor time that a frame of the loop takes now, us: the least of three."""
    from dynamics import python_loop, random_leg

    leg, times = random_leg(LOOP_FRAMES), list[float]()
    for _ in range(3):
        begin = time.process_time()
        python_loop(leg)
        times.append(time.process_time() - begin)
    return 1e6 * min(times) / LOOP_FRAMES

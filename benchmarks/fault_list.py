"""The faults that are put into real trials and into generated laboratories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import fault_changes as alter
import numpy as np
import plate_faults as plate

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.stages.session import Session

FAULTS: dict[str, Callable[[Session], Session]] = {
    "untouched": lambda session: session,
    "plate 2 rotated by 90 degrees": plate.plates(plate.quarter_turn, 2),
    "moment sign flipped": plate.channels(1, 1, 1, -1, -1, -1),
    "left knee width + 20 mm": alter.knee_too_wide,
    "left and right swapped": alter.sides_swapped,
    "LKNE and LTIB swapped for 0.3 s": alter.marker_swapped,
    "mass + 20 %": alter.mass_too_large,
    "forces x 1.1": plate.channels(*[1.1] * 6),
    "plates 30 ms late": plate.late(0.03),
    "plate 1 30 ms late": plate.late(0.03, 1),
    "plate 1: forces and moments x 1.25": plate.channels(*[1.25] * 6, numbers=(1,)),
    "plate 1: forces and moments x 0.9": plate.channels(*[0.9] * 6, numbers=(1,)),
    "plate 1: Fx and Fy x 0.5": plate.channels(0.5, 0.5, 1, 1, 1, 1, numbers=(1,)),
    "plate 1: moments x 0.5": plate.channels(1, 1, 1, 0.5, 0.5, 0.5, numbers=(1,)),
    "LKNE and LANK exchanged": alter.exchanged("LKNE", "LANK"),
    "LASI and RASI exchanged": alter.exchanged("LASI", "RASI"),
    "LTHI and RTHI exchanged": alter.exchanged("LTHI", "RTHI"),
    "LTHI and LTIB exchanged": alter.exchanged("LTHI", "LTIB"),
    "RANK 300 mm off in one frame": alter.spiked,
    "LASI 100 mm aside": alter.markers(lambda x: x + np.array([0, 0.1, 0]), "LASI"),
    "RTOE 30 mm up": alter.markers(lambda x: x + np.array([0, 0, 0.03]), "RTOE"),
    "LKNE below the floor": alter.markers(lambda x: x * [1, 1, -1], "LKNE"),
    "all markers with 5 mm noise": alter.markers(alter.noisy),
    "all markers upside down": alter.markers(lambda x: x * [1, 1, -1]),
    "corners 50 mm along x": plate.shifted(0.05, 0.0, 0.0),
    "corners 100 mm along x": plate.shifted(0.1, 0.0, 0.0),
    "corners 100 mm along y": plate.shifted(0.0, 0.1, 0.0),
    "corners 100 mm up": plate.shifted(0.0, 0.0, 0.1),
    "corners 100 mm down": plate.shifted(0.0, 0.0, -0.1),
    "forces zero": plate.channels(0, 0, 0, 0, 0, 0),
    "Fx not connected": plate.channels(0, 1, 1, 1, 1, 1),
    "forces x 1.5 for 3 ms": plate.interrupted(1.5, 0.003),
    "forces zero for 30 ms": plate.interrupted(0.0, 0.03),
    "forces and moments exchanged": plate.in_order(3, 4, 5, 0, 1, 2),
    "Fx reversed": plate.channels(-1, 1, 1, 1, 1, 1),
    "Fy reversed": plate.channels(1, -1, 1, 1, 1, 1),
    "Mx not connected": plate.channels(1, 1, 1, 0, 1, 1),
    "moments x 0.5": plate.channels(1, 1, 1, 0.5, 0.5, 0.5),
    "moments x 0.7": plate.channels(1, 1, 1, 0.7, 0.7, 0.7),
    "Mz x 0.5": plate.channels(1, 1, 1, 1, 1, 0.5),
    "Fz with 5 % noise": plate.crackling(2, 0.05),
    "Mx with 10 % noise": plate.crackling(3, 0.1),
    "Fx and Fy exchanged": plate.in_order(1, 0, 2, 3, 4, 5),
    "Mx and My exchanged": plate.in_order(0, 1, 2, 4, 3, 5),
    "all rates doubled": alter.rate_times(2.0),
    "Fx and Fy x 2": plate.channels(2, 2, 1, 1, 1, 1),
    "Fx and Fz exchanged": plate.in_order(2, 1, 0, 3, 4, 5),
    "plates twice as large": plate.plates(plate.twice_as_large),
    "RASI 60 mm up": alter.markers(lambda x: x + np.array([0, 0, 0.06]), "RASI"),
    "static: LTHI 60 mm along x": alter.standing(lambda x: x + np.array([0.06, 0, 0]), "LTHI"),
    "static: LTHI 60 mm along y": alter.standing(lambda x: x + np.array([0, 0.06, 0]), "LTHI"),
    "static: LKNE 60 mm along y": alter.standing(lambda x: x + np.array([0, 0.06, 0]), "LKNE"),
    "static: LTOE 30 mm up": alter.standing(lambda x: x + np.array([0, 0, 0.03]), "LTOE"),
    "all rates a quarter too low": alter.rate_times(0.75),
    "events 200 ms late": alter.events_late,
    "a left strike is marked on the right": alter.one_event("foot_strike", side="right"),
    "a left foot-off is marked as a strike": alter.one_event("foot_off", kind="foot_strike"),
    "a left strike 150 ms late": alter.one_event("foot_strike", late_s=0.15),
    "LTOE slips by 15 mm": alter.slipping("LTOE", 0.0, 0.015, 0.0),
    "LKNE slips by 15 mm": alter.slipping("LKNE", 0.015, 0.0, 0.0),
    "all markers smoothed at 3 Hz": alter.smooth_markers(3.0),
    "forces smoothed at 5 Hz": plate.smooth_forces(5.0),
    "plate 1 dead from its largest force on": plate.plates(plate.dead_from_largest, 1),
    "both ankle widths halved": alter.ankles_halved,
    "plate 1 turned by 5 degrees": plate.plates(plate.turned_by_5_deg, 1),
    "RTOE creeps by 60 mm along x and y": alter.creeping("RTOE", 0.06, 0.06, 0.0),
    "LANK drifts 80 mm aside and back in 0.4 s": alter.drifting("LANK", 0.08, 0.4),
    "RTOE drifts 60 mm aside and back in 0.3 s": alter.drifting("RTOE", 0.06, 0.3),
    "LTIB keeps beside LKNE for 0.4 s": alter.following("LTIB", "LKNE", 0.4),
    "LKNE filled with a cubic for 0.3 s": alter.splined("LKNE", 0.3),
    "markers tilted by 2 degrees along the walk": alter.tilted(2.0),
    "plate 2: My x 0.5": plate.channels(1, 1, 1, 1, 0.5, 1, numbers=(2,)),
    "Mx steps by 8 N m": plate.stepping(3, 8.0),
    "Fx and Fy with 5 % of Fz": plate.leaking(0.05),
    "LTHI 100 mm towards RTHI": alter.towards("LTHI", "RTHI", 0.1),
    "LTOE 120 mm towards RTOE": alter.towards("LTOE", "RTOE", 0.12),
    "all markers with 5 mm noise from the middle on": alter.markers(alter.noisy_from_middle),
}

TIMED: dict[str, Callable[[Session], Session]] = {
    "plates 40 ms late": plate.late(0.04),
    "plates 80 ms late": plate.late(0.08),
    "plates 80 ms early": plate.late(-0.08),
    "200 for 250 Hz": alter.rate_times(0.8),
    "50 for 100 Hz": alter.rate_times(0.5),
    "forces x 1.3": plate.channels(*[1.3] * 6),
    "forces x 0.7": plate.channels(*[0.7] * 6),
}

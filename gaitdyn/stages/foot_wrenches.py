"""The ground wrench on each foot, from the plates that it loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.clean.smoothing import Filter
from gaitdyn.events.assignment import LoadedPlate
from gaitdyn.events.ground import foot_load, foot_wrench, unknown_force, unseen_load
from gaitdyn.events.shared import shared_rows
from gaitdyn.stages.ground_findings import as_swing
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from gaitdyn.events.feet import TrialFoot
    from gaitdyn.events.in_swing import SwingLoad
    from gaitdyn.types.arrays import Mask
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.options import Options
    from gaitdyn.types.trial import Trial
    from gaitdyn.types.wrench import FootWrench


def force_filter(options: Options, rate_hz: float) -> Filter:
    """Return the filter of the ground wrench."""
    cutoff = options.force_cutoff_hz
    if cutoff == "same":
        cutoff = options.cutoff_hz
    if options.profile == "plug-in-gait":
        cutoff = None
    return Filter(rate_hz, cutoff, options.filter, 0.0)


@frozen(eq=False)
class Steps:
    """What the feet do on the plates.

    Attributes
    ----------
    loaded : list of LoadedPlate
    contacts : list of Contact
    feet : list of TrialFoot
    stance : dict
        Side -> mask, shape (n,).
    closed : dict
        Side -> mask, shape (n,), of the stances that events of the file close.
    light : list of SwingLoad
        Loads of plates below a foot in swing.
    """

    loaded: list[LoadedPlate]
    contacts: list[Contact]
    feet: list[TrialFoot]
    stance: dict[str, Mask]
    closed: dict[str, Mask]
    light: list[SwingLoad]


def find_wrenches(
    trial: Trial, steps: Steps, weight: float, options: Options
) -> tuple[dict[str, FootWrench], list[Finding]]:
    """Return the wrench of each foot, and findings about them.

    The plug-in-gait profile uses the plates as recorded, except that a reversed sign is corrected.
    This profile and the vendor's column names also use the vendor's mask: only stances bounded by a
    foot strike and a foot-off are left empty.

    Parameters
    ----------
    trial : Trial
    steps : Steps
    weight : float
        Of the body, N; 0 if it is not known.
    options : Options
    """
    vendor = options.profile == "plug-in-gait"
    plates = steps.loaded
    if vendor or options.baseline == "keep":
        plates = [
            LoadedPlate(
                clean_plate(read, remove=False).wrench, plate.up, plate.noise_N, plate.edges
            )
            for read, plate in zip(trial.plates, steps.loaded, strict=True)
        ]
    filter_ = force_filter(options, trial.rate_hz)
    wrench: dict[str, FootWrench] = {}
    findings: list[Finding] = []
    shared = shared_rows(steps.contacts, trial.recording.n_frames)
    for foot in steps.feet:
        side = foot.side
        load = foot_load(plates, steps.contacts, side, steps.light, vendor=vendor)
        load[0][shared] = np.nan  # of both feet: filtering must not mix its two sides
        unknown = unknown_force(steps.stance[side], load[2], trial.rate_hz)
        if vendor or options.names == "pig":
            in_stance, unknown = unknown, unknown_force(steps.closed[side], load[2], trial.rate_hz)
            findings += as_swing(side, in_stance & ~unknown, trial.recording)
        unknown = unknown | (unseen_load(steps.loaded, steps.contacts, foot) & ~load[2])
        wrench[side] = foot_wrench(load, unknown, filter_, weight)
    return wrench, findings

"""Verdicts and the status of every cycle, from findings and curves."""

from typing import TYPE_CHECKING

from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.quality.status import JointStatus, cycle_status, verdict
    from gaitdyn.quality.verdicts import SideVerdict, side_verdicts

__all__ = ["JointStatus", "SideVerdict", "cycle_status", "side_verdicts", "verdict"]

__getattr__ = imported_late(
    __name__,
    status=("JointStatus", "cycle_status", "verdict"),
    verdicts=("SideVerdict", "side_verdicts"),
)

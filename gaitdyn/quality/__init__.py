"""Verdicts and the status of every cycle, from findings and curves."""

from gaitdyn.quality.status import JointStatus, cycle_status, verdict
from gaitdyn.quality.verdicts import SideVerdict, side_verdicts

__all__ = ["JointStatus", "SideVerdict", "cycle_status", "side_verdicts", "verdict"]

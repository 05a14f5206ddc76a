"""From findings and curves to a verdict and a status of every cycle."""

from gaitdyn.quality.status import JointStatus, cycle_status, verdict
from gaitdyn.quality.verdicts import SideVerdict, side_verdicts

__all__ = ["JointStatus", "SideVerdict", "cycle_status", "side_verdicts", "verdict"]

"""From findings and curves to a verdict and a status of every cycle."""

from gaitdyn.quality.status import JointStatus, cycle_status, verdict

__all__ = ["JointStatus", "cycle_status", "verdict"]

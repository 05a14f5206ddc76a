"""Newton-Euler equations of a chain of segments: stacked system, substitution, power; trees."""

from typing import TYPE_CHECKING

from gaitdyn.dynamics.inverse import inverse_dynamics, joint_loads
from gaitdyn.dynamics.segment_tree import generalised_loads, measured_tree
from gaitdyn.dynamics.stacked import StackedSystem, stacked_system
from gaitdyn.dynamics.whole_body import pelvis_motion
from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.dynamics.induced import induced_accelerations
    from gaitdyn.dynamics.sources import source_terms

__all__ = [
    "StackedSystem",
    "generalised_loads",
    "induced_accelerations",
    "inverse_dynamics",
    "joint_loads",
    "measured_tree",
    "pelvis_motion",
    "source_terms",
    "stacked_system",
]

__getattr__ = imported_late(
    __name__, {"induced_accelerations": "induced", "source_terms": "sources"}
)

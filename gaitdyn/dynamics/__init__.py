"""Newton-Euler equations of a chain of segments: stacked system, substitution, power."""

from gaitdyn.dynamics.inverse import inverse_dynamics, joint_loads
from gaitdyn.dynamics.sources import source_terms
from gaitdyn.dynamics.stacked import StackedSystem, stacked_system

__all__ = ["StackedSystem", "inverse_dynamics", "joint_loads", "source_terms", "stacked_system"]

"""gaitdyn: from C3D markers and force plates to joint forces and moments."""

from gaitdyn.dynamics import inverse_dynamics

__version__ = "0.1.0"

__all__ = ["__version__", "inverse_dynamics"]

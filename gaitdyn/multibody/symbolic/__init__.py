"""Equations of motion with sympy: from bodies and joints, or from a Lagrangian.

Needs the extra: ``pip install 'gaitdyn[symbolic]'``. Running a seed system does not need it; these
derivations and the closed forms of :mod:`gaitdyn.multibody.systems` are tested against each
other.
"""

from gaitdyn.multibody.symbolic.bodies import symbolic_tree
from gaitdyn.multibody.symbolic.independent import reduced
from gaitdyn.multibody.symbolic.lagrange import System
from gaitdyn.multibody.symbolic.pendula import (
    double_pendulum,
    one_link,
    two_link,
    two_link_newton_euler,
)

__all__ = [
    "System", "double_pendulum", "one_link", "reduced", "symbolic_tree", "two_link",
    "two_link_newton_euler",
]  # fmt: skip

"""Trees of rigid bodies: kinematics, dynamics, contacts, loops.

One form of the equations of motion, ``M qdd + c = tau + g + J^T w``, over all frames at once.
"""

from gaitdyn.multibody.body import Body
from gaitdyn.multibody.contact import Contact, Support, support_rows
from gaitdyn.multibody.dynamics import Energy, Matrices
from gaitdyn.multibody.state import Point, State
from gaitdyn.multibody.terms import Terms, View
from gaitdyn.multibody.tree import Tree

__all__ = [
    "Body", "Contact", "Energy", "Matrices", "Point", "State", "Support", "Terms", "Tree", "View",
    "support_rows",
]  # fmt: skip

"""Trees of rigid bodies: kinematics, dynamics, contacts, loops.

One form of the equations of motion, ``M qdd + c = tau + g + J^T w``, over all frames at once.
"""

from typing import TYPE_CHECKING

from gaitdyn.multibody.body import Body
from gaitdyn.multibody.causes import Terms
from gaitdyn.multibody.contact import AppliedWrench, Support
from gaitdyn.multibody.induced import induced, supported
from gaitdyn.multibody.recursive import recursive
from gaitdyn.multibody.state import State
from gaitdyn.multibody.tree import Tree
from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.multibody.cones import friction_margin, sliding_block, wrench_cone, wrench_margin
    from gaitdyn.multibody.constraint import RedundantContacts, close, invert, kkt, reduce
    from gaitdyn.multibody.floating import com_coordinates, driven, residual
    from gaitdyn.multibody.loop import Gear, Loop, Pin
    from gaitdyn.multibody.loops import crank_slider, four_bar, four_bar_transmission, transmission
    from gaitdyn.multibody.tensors import contact_hessian, coriolis_tensor
    from gaitdyn.multibody.wrenches import joint_wrenches

__all__ = [
    "AppliedWrench", "Body", "Gear", "Loop", "Pin", "RedundantContacts", "State", "Support",
    "Terms", "Tree", "close", "com_coordinates", "contact_hessian", "coriolis_tensor",
    "crank_slider", "driven", "four_bar", "four_bar_transmission", "friction_margin", "induced",
    "invert", "joint_wrenches", "kkt", "recursive", "reduce", "residual", "sliding_block",
    "supported", "transmission", "wrench_cone", "wrench_margin",
]  # fmt: skip

# a gait trial needs none of these
__getattr__ = imported_late(
    __name__,
    cones=("friction_margin", "sliding_block", "wrench_cone", "wrench_margin"),
    constraint=("RedundantContacts", "close", "invert", "kkt", "reduce"),
    floating=("com_coordinates", "driven", "residual"),
    loop=("Gear", "Loop", "Pin"),
    loops=("crank_slider", "four_bar", "four_bar_transmission", "transmission"),
    tensors=("contact_hessian", "coriolis_tensor"),
    wrenches=("joint_wrenches",),
)

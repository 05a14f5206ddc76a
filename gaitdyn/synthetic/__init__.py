"""A synthetic walker whose motion, loads and recordings are known exactly.

``walk()`` and ``stand()`` give a trial with its truth; ``write_session()`` writes C3D files
together with the truth. The frame is G: X along the walk, Y up, Z to the subject's right; SI units.
This package does not use the kinematics or dynamics of the rest of gaitdyn.
"""

from gaitdyn.synthetic.body import SIDES, BodySide, WalkerBody
from gaitdyn.synthetic.gait import Gait
from gaitdyn.synthetic.kinematics import Course, Walker, pose
from gaitdyn.synthetic.loads import LegMotion
from gaitdyn.synthetic.markers import LABELS
from gaitdyn.synthetic.newton import newtonian
from gaitdyn.synthetic.pose_file import write_pose_trial
from gaitdyn.synthetic.recording import Recording
from gaitdyn.synthetic.session import write_session, write_trial
from gaitdyn.synthetic.treadmill import BeltWalk, Treadmill, treadmill_walk
from gaitdyn.synthetic.walk import LegTruth, Walk, stand, walk

__all__ = [
    "LABELS", "SIDES", "BeltWalk", "BodySide", "Course", "Gait", "LegMotion", "LegTruth",
    "Recording", "Treadmill", "Walk", "Walker", "WalkerBody", "newtonian", "pose", "stand",
    "treadmill_walk", "walk", "write_pose_trial", "write_session", "write_trial",
]  # fmt: skip

"""A synthetic walker whose motion, loads and recordings are known exactly.

``walk()`` and ``stand()`` give a trial with its truth; ``write_session()`` writes C3D files
together with the truth. The frame is G: X along the walk, Y up, Z to the subject's right; SI units.
This package does not use the kinematics or dynamics of the rest of gaitdyn.
"""

from gaitdyn.synthetic.body import SIDES, BodySide, WalkerBody
from gaitdyn.synthetic.clinical import Columns
from gaitdyn.synthetic.gait import Gait, quiet_stance
from gaitdyn.synthetic.ground import FootContact, Wrench
from gaitdyn.synthetic.kinematics import Course, Walker, pose
from gaitdyn.synthetic.loads import JOINTS, SEGMENTS, JointTruth, LegMotion
from gaitdyn.synthetic.markers import LABELS
from gaitdyn.synthetic.newton import newtonian
from gaitdyn.synthetic.plates import WalkwayPlate
from gaitdyn.synthetic.pose_file import write_pose_trial
from gaitdyn.synthetic.recording import Recording
from gaitdyn.synthetic.session import write_session, write_trial
from gaitdyn.synthetic.treadmill import BeltWalk, Treadmill, treadmill_walk
from gaitdyn.synthetic.walk import GaitEvent, LegTruth, Walk, stand, walk

__all__ = [
    "JOINTS", "LABELS", "SEGMENTS", "SIDES", "BeltWalk", "BodySide", "Columns", "Course",
    "FootContact", "Gait", "GaitEvent", "JointTruth", "LegMotion", "LegTruth", "Recording",
    "Treadmill", "Walk", "Walker", "WalkerBody", "WalkwayPlate", "Wrench", "newtonian", "pose",
    "quiet_stance", "stand", "treadmill_walk", "walk", "write_pose_trial", "write_session",
    "write_trial",
]  # fmt: skip

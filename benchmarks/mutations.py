"""Show that no sign and no term of the mechanics can change unseen.

Every row of the table is a small change of the code that would make results wrong. The tree is
copied to a temporary folder, each change is made there by itself, and the tests that should see it
are run. The first failing test of each row is printed; a change that no test sees survives, and
the exit code is then 1.

usage: python benchmarks/mutations.py [WORD ...]     only the rows whose name holds a WORD
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from trust_mutations import TRUST, TRUST_TESTS

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("gaitdyn", "cli", "tests", "docs", "pyproject.toml")
JOBS = os.cpu_count() or 1


class Mutation(NamedTuple):
    """What is changed, where, from what, to what."""

    name: str
    file: str
    old: str
    new: str


TESTS = {
    "gaitdyn/core/splines.py": ["unit/test_splines.py"],
    "gaitdyn/core/cross_validation.py": ["unit/test_splines.py"],
    "gaitdyn/core/rotations.py": ["unit/test_rotations.py"],
    "gaitdyn/clean/smoothing.py": ["unit/test_smoothing.py"],
    "gaitdyn/clean/butterworth.py": ["unit/test_smoothing.py"],
    "gaitdyn/clean/baseline.py": ["unit/test_plates.py"],
    "gaitdyn/kinematics/derivatives.py": ["unit/test_derivatives.py"],
    "gaitdyn/kinematics/angles.py": ["unit/test_signs.py"],
    "gaitdyn/kinematics/plane.py": ["unit/test_sagittal.py"],
    "gaitdyn/calibrate/sagittal.py": ["unit/test_sagittal.py"],
    "gaitdyn/dynamics/substitution.py": ["peer", "property/test_laws.py"],
    "gaitdyn/dynamics/stacked.py": ["peer", "property/test_laws.py"],
    "gaitdyn/dynamics/terms.py": ["property/test_laws.py"],
    "gaitdyn/dynamics/clinical.py": ["unit/test_signs.py"],
    "gaitdyn/dynamics/power.py": ["unit/test_signs.py"],
    "gaitdyn/tables/columns.py": ["unit/test_signs.py"],
    "gaitdyn/io/plates.py": ["unit/test_plates.py"],
    "gaitdyn/io/wrenches.py": ["unit/test_plates.py"],
    "gaitdyn/metrics/strides.py": ["unit/test_gait_parameters.py"],
    "gaitdyn/metrics/gait_parameters.py": ["unit/test_gait_parameters.py"],
    "gaitdyn/events/contacts.py": ["unit/test_plates.py", "unit/test_signs.py"],
    **TRUST_TESTS,
}
_TREES = [
    "unit/test_multibody_trees.py", "unit/test_multibody_constraints.py",
    "peer/test_multibody_engines.py", "peer/test_seed_trees.py", "peer/test_seed_loops.py",
]  # fmt: skip
_MULTIBODY = "gaitdyn/multibody"
TESTS |= {
    f"{_MULTIBODY}/{name}.py": _TREES
    for name in (
        "joints", "state", "dynamics", "contact", "constraint", "loop", "loops", "cones",
        "floating", "induced", "terms", "tree", "body",
    )
}  # fmt: skip
ALL = ["unit/test_signs.py", "unit/test_plates.py", "unit/test_walker_truth.py"]

_SUB, _STACK = "gaitdyn/dynamics/substitution.py", "gaitdyn/dynamics/stacked.py"
_TERMS, _CLINICAL = "gaitdyn/dynamics/terms.py", "gaitdyn/dynamics/clinical.py"
_ANGLES, _COLUMNS = "gaitdyn/kinematics/angles.py", "gaitdyn/tables/columns.py"
_SPLINES, _RATES = "gaitdyn/core/splines.py", "gaitdyn/kinematics/derivatives.py"
_WRENCH, _PLATES = "gaitdyn/io/wrenches.py", "gaitdyn/io/plates.py"
_FRAMES = "gaitdyn/calibrate/segments.py"
_LEG, _GROUND = "gaitdyn/dynamics/leg.py", "gaitdyn/events/ground.py"

_GYRO = " + cross(chain.omega_S[:, i], I_omega[:, i])"
_THRUST = "force_G = m * (chain.a_cm_G - chain.gravity_G) - chain.external_force_G"
_ARMS = "arms_G = -chain.external_moment_G[:, i] - cross(chain.r_prox_G[:, i] - cm, F)"
_BELOW = "arms_G += cross(chain.r_prox_G[:, i - 1] - cm, np.asarray(force_below))"
_I_ALPHA = "moment_S = times_inertia(chain, chain.alpha_S)"
_FOOT = "moment[:, 0] = wrench.moment_G - cross(body.r_cm_G[:, 0], wrench.force_G)"
_IN_LAB = "rotate_back(chain.R_GS, times_inertia(chain, rotate(chain.R_GS, chain.{})))"
_NOT_THE_FOOT = "np.minimum(np.arange(chain.n_segments), 1)[:, None]"

RECURSION = [
    ("gyroscopic term gone", _GYRO, ""),
    ("gyroscopic term reversed", _GYRO, _GYRO.replace("+", "-")),
    ("I alpha gone", _I_ALPHA, "moment_S = np.zeros_like(chain.alpha_S)"),
    ("I alpha reversed", _I_ALPHA, _I_ALPHA.replace("= times", "= -times")),
    (
        "inertia in the laboratory's axes",
        _I_ALPHA,
        f"moment_S = {_IN_LAB.format('alpha_S')}",
    ),
    (
        "inertia of omega in the laboratory's axes",
        "I_omega = chain.mass[:, None], times_inertia(chain, chain.omega_S)",
        f"I_omega = chain.mass[:, None], {_IN_LAB.format('omega_S')}",
    ),
    ("acceleration of the centre gone", _THRUST, _THRUST.replace("chain.a_cm_G -", "-")),
    ("acceleration of the centre reversed", _THRUST, _THRUST.replace("(chain.a", "(-chain.a")),
    ("gravity gone", _THRUST, _THRUST.replace(" - chain.gravity_G", "")),
    ("gravity reversed", _THRUST, _THRUST.replace("- chain.gravity", "+ chain.gravity")),
    (
        "gravity of the foot gone",
        _THRUST,
        _THRUST.replace("chain.gravity_G", f"chain.gravity_G * {_NOT_THE_FOOT}"),
    ),
    (
        "gravity of the last segment gone",
        _THRUST,
        _THRUST.replace("chain.gravity_G", f"chain.gravity_G * {_NOT_THE_FOOT}[::-1]"),
    ),
    ("external force gone", _THRUST, _THRUST.replace(" - chain.external_force_G", "")),
    ("external force reversed", _THRUST, _THRUST.replace("- chain.ext", "+ chain.ext")),
    ("external moment gone", _ARMS, "arms_G = -cross(chain.r_prox_G[:, i] - cm, F)"),
    ("external moment reversed", _ARMS, _ARMS.replace("= -chain", "= chain")),
    ("arm of the proximal force gone", _ARMS, "arms_G = -chain.external_moment_G[:, i]"),
    ("arm of the proximal force reversed", _ARMS, _ARMS.replace("- cross", "+ cross")),
    ("force of the segment below gone", "F = force_G[:, i] + force_below", "F = force_G[:, i]"),
    (
        "force of the segment below reversed",
        "F = force_G[:, i] + force_below",
        "F = force_G[:, i] - force_below",
    ),
    ("arm of the distal force gone", _BELOW, "pass"),
    ("arm of the distal force reversed", _BELOW, _BELOW.replace("+=", "-=")),
    ("moment of the segment below gone", "arms_G += moment_below", "pass"),
    ("moment of the segment below reversed", "arms_G += moment_below", "arms_G -= moment_below"),
    (
        "moment of the segment below in its own axes",
        "moment_below = F, rotate(R, M_S)",
        "moment_below = F, M_S",
    ),
    ("moment left in the laboratory's axes", "rotate_back(R, arms_G)", "arms_G"),
]
STACKED = [
    ("gyroscopic term gone", "rows(zero, -cross(chain.omega_S, momentum))", "rows(zero, zero)"),
    (
        "gyroscopic term reversed",
        "-cross(chain.omega_S, momentum)",
        "cross(chain.omega_S, momentum)",
    ),
    ("I alpha gone", "chain.a_cm_G, times_inertia(chain, chain.alpha_S)", "chain.a_cm_G, zero"),
    ("acceleration of the centre gone", "rows(chain.mass[:, None] * chain.a_cm_G,", "rows(zero,"),
    ("gravity gone", "gravity=rows(weight, zero)", "gravity=rows(zero, zero)"),
    ("gravity reversed", "gravity=rows(weight, zero)", "gravity=rows(-weight, zero)"),
    ("external force gone", "rows(chain.external_force_G, rotate", "rows(zero, rotate"),
    (
        "external moment gone",
        "rotate_back(chain.R_GS, chain.external_moment_G)",
        "zero",
    ),
    (
        "external moment in the laboratory's axes",
        "rotate_back(chain.R_GS, chain.external_moment_G)",
        "chain.external_moment_G",
    ),
    ("arm of the proximal force gone", "A[:, i, 1, :, i, 0] = S_prox[:, i]", "pass"),
    ("arm of the proximal force reversed", "= S_prox[:, i]", "= -S_prox[:, i]"),
    ("force of the segment below gone", "A[:, i, 0, :, i - 1, 0] = -np.eye(3)", "pass"),
    ("arm of the distal force gone", "A[:, i, 1, :, i - 1, 0] = -S_dist[:, i - 1]", "pass"),
    ("arm of the distal force reversed", "= -S_dist[:, i - 1]", "= S_dist[:, i - 1]"),
    (
        "moment of the segment below gone",
        "A[:, i, 1, :, i - 1, 1] = -R_SG[:, i] @ chain.R_GS[:, i - 1]",
        "pass",
    ),
    (
        "moment of the segment below in its own axes",
        "-R_SG[:, i] @ chain.R_GS[:, i - 1]",
        "-np.eye(3)",
    ),
]
CAUSES = [
    ("inertial with spin", '"inertial": {**unloaded, **no_spin,', '"inertial": {**unloaded,'),
    ("velocity with inertia", '"velocity": {**unloaded, **at_rest,', '"velocity": {**unloaded,'),
    ("gravity with load", '"gravity": {**unloaded, **at_rest,', '"gravity": {**at_rest,'),
    ("external with weight", "**no_spin, **no_weight},\n    }", "**no_spin},\n    }"),
    ("load without its moment", ', "external_moment_G": zero}', "}"),
    ("rest without alpha", '"a_cm_G": zero, "alpha_S": zero', '"a_cm_G": zero'),
]
FROM_LEG = [
    ("ground's moment about the origin", _FOOT, "moment[:, 0] = wrench.moment_G"),
    ("ground's moment reversed", _FOOT, _FOOT.replace("wrench.moment_G -", "wrench.moment_G +")),
    (
        "free moment gone",
        _FOOT,
        _FOOT.replace("= wrench.moment_G -", "= wrench.moment_G * [1, 0, 1] -"),
    ),
    ("ground's moment gone", _FOOT, "pass"),
    ("ground's force gone", "force[:, 0] = wrench.force_G", "pass"),
    ("ground under the shank", "force[:, 0] = wrench.force_G", "force[:, 1] = wrench.force_G"),
    ("weight upwards", "np.array([0.0, -STANDARD_GRAVITY", "np.array([0.0, STANDARD_GRAVITY"),
]
FOOT_WRENCH = [
    (
        "plate's place reversed",
        "+ cross(w.centre_G, w.force_G[rows])",
        "- cross(w.centre_G, w.force_G[rows])",
    ),
    ("plate's place gone", " + cross(w.centre_G, w.force_G[rows])", ""),
    (
        "pressure about the origin",
        "about = moment[shown] - cross(np.nan_to_num(reference), force[shown])",
        "about = moment[shown]",
    ),
    (
        "free moment reversed",
        "cross(cop[shown], force[shown]))[:, 1]",
        "cross(cop[shown], force[shown]))[:, 1] * -1",
    ),
    (
        "free moment about the origin",
        "(moment[shown] - cross(cop[shown], force[shown]))[:, 1]",
        "moment[shown][:, 1]",
    ),
    ("unknown force as zero", "force[unknown], moment[unknown] = np.nan, np.nan", "pass"),
]
PRESSURE = [
    ("centre of pressure reversed", "centre_G + np.cross(normal_G", "centre_G - np.cross(normal_G"),
]
TO_WRENCH = [
    ("negative origin as it is", "-origin if origin[2] < 0 else origin", "origin"),
    ("positive origin turned", "-origin if origin[2] < 0 else origin", "-origin"),
    (
        "origin with z alone turned",
        "-origin if origin[2] < 0 else origin",
        "np.array([origin[0], origin[1], abs(origin[2])])",
    ),
    ("origin forgotten", "moment = moment + cross(sensor_offset(record.origin), force)", "pass"),
    ("origin's moment reversed", "moment + cross(sensor", "moment - cross(sensor"),
    ("force in plate axes", "force_G=force @ R.T", "force_G=force"),
    ("force turned back", "force_G=force @ R.T", "force_G=force @ R"),
    ("moment turned back", "moment_G=moment @ R.T", "moment_G=moment @ R"),
    ("normal downwards", "normal_G=-R[:, 2]", "normal_G=R[:, 2]"),
    ("samples decimated", "[:n_frames] @ weights", "[:n_frames, :, half]"),
    ("window one sample late", "np.pad(samples, ((half, 0)", "np.pad(samples, ((half - 1, 1)"),
    ("window one sample short", "at = np.arange(-half, half + 1)", "at = np.arange(-half, half)"),
    ("no parabola", "if parabola:\n        design", "if False:\n        design"),
    ("always a parabola", "if parabola:\n        design", "if True:\n        design"),
    ("no line at the start", "if parabola:\n        start", "if False:\n        start"),
    ("first frame half empty", "averaged[0] = start / start.sum() @ samples[: half + 1]", "pass"),
    ("plate x reversed", "unit(corners[0] - corners[1])", "unit(corners[1] - corners[0])"),
    ("plate y not squared", "y = unit(y - (y @ x) * x)", "y = unit(y)"),
]
FROM_FILE = [
    ("matrix row by row", 'reshape(6, 6, order="F")', "reshape(6, 6)"),
    (
        "matrix transposed",
        "channels @ _calibration(params, k).T",
        "channels @ _calibration(params, k)",
    ),
    ("matrix forgotten", "if kind == 4:", "if False:"),
    ("no tare", "if tare is not None:", "if False:"),
    ("tare in samples", "last * samples_per_frame)", "last)"),
    ("moments never in N m", "if metres != 1.0 and loaded.any():", "if False:"),
    ("moments never scaled", "metres, metres, metres]", "1.0, 1.0, 1.0]"),
    ("channel 0", "numbers.min() < 1", "numbers.min() < -9"),
    ("corners not looked at", "check_corners(corners)\n", "pass\n"),
]
POLARITY = [
    ("polarity not looked at", "    if inverted:\n", "    if False:\n"),
    ("moment not turned round", "moment_G=-wrench.moment_G", "moment_G=wrench.moment_G"),
    ("baseline kept", "    if remove:", "    if False:"),
    (
        "baseline of the moment kept",
        "moment_G=wrench.moment_G - moment",
        "moment_G=wrench.moment_G",
    ),
]
WORDS = [
    *(
        (f"{joint} sagittal sign", f'"{joint}": {sign}', f'"{joint}": {-sign}')
        for joint, sign in (("ankle", -1.0), ("knee", 1.0), ("hip", -1.0))
    ),
    ("frontal sign", "[_SAGITTAL[joint], sg, sg]", "[_SAGITTAL[joint], -sg, sg]"),
    ("transverse sign", "[_SAGITTAL[joint], sg, sg]", "[_SAGITTAL[joint], sg, -sg]"),
    ("frontal not mirrored", "[_SAGITTAL[joint], sg, sg]", "[_SAGITTAL[joint], 1.0, sg]"),
    ("transverse not mirrored", "[_SAGITTAL[joint], sg, sg]", "[_SAGITTAL[joint], sg, 1.0]"),
    ("sagittal mirrored", "[_SAGITTAL[joint], sg, sg]", "[sg * _SAGITTAL[joint], sg, sg]"),
    ("frontal and transverse swapped", "moment[:, [2, 0, 1]]", "moment[:, [2, 1, 0]]"),
    ("proximal axes are the distal ones", "rotate_back(above, moment_G)", "loads.moment_S"),
    (
        "proximal axes of the hip are the thigh's",
        "(R[:, 1:], pose.R_GP[:, None])",
        "(R[:, 1:], R[:, 2:])",
    ),
    ("laboratory axes are segment axes", "return moment_G", "return loads.moment_S"),
    *(
        (f"external word of {inside}", f'"{inside}": "{outside}"', f'"{inside}": "{inside}"')
        for inside, outside in (
            ("plantarflexion", "dorsiflexion"),
            ("eversion", "inversion"),
            ("extension", "flexion"),
            ("abduction", "adduction"),
            ("external_rotation", "internal_rotation"),
        )
    ),
]


def _angle_rows() -> list[tuple[str, str, str]]:
    """Return three reversed signs and two lost mirrors for each of the five Cardan triples."""
    triples = {
        "pelvis": ("relative(walking, pose.R_GP)) * ", ("-1.0", "sg", "-sg")),
        "hip": ("relative(pose.R_GP, thigh)) * ", ("1.0", "-sg", "-sg")),
        "knee": ("relative(thigh, shank)) * ", ("-1.0", "-sg", "-sg")),
        "ankle": ("relative(at_ankle, foot)) * ", ("1.0", "-sg", "-sg")),
        "foot": ("relative(walking, foot)) * ", ("1.0", "-sg", "-sg")),
    }
    rows = []
    for joint, (before, signs) in triples.items():
        old = f"{before}({', '.join(signs)})"
        for i, sign in enumerate(signs):
            if joint == "foot" and i != 1:
                continue  # pitch and inversion of the foot are in no column
            other = sign.removeprefix("-") if sign.startswith("-") else f"-{sign}"
            changes = {"reversed": other, "not mirrored": sign.replace("sg", "1.0")}
            for what, new in changes.items():
                if new != sign:
                    three = ", ".join(new if j == i else s for j, s in enumerate(signs))
                    rows.append((f"{joint} {i + 1} {what}", old, f"{before}({three})"))
    return rows


ANGLES = [
    *_angle_rows(),
    (
        "ankle 2 and 3 swapped",
        "(relative(at_ankle, foot)) * (1.0, -sg, -sg))[:, [0, 2, 1]]",
        "(relative(at_ankle, foot)) * (1.0, -sg, -sg))[:, [0, 1, 2]]",
    ),
    (
        "tibial torsion forgotten",
        "shank if leg.R_shank_distal is None else leg.R_shank_distal",
        "shank",
    ),
    ("walking direction forgotten", "columns(walking_G, up, cross(walking_G, up))", "np.eye(3)"),
]
TABLE = [
    (
        "force in the laboratory's axes",
        "rotate_back(kinetics.loads.chain.R_GS, kinetics.loads.force_G)",
        "kinetics.loads.force_G",
    ),
    ("ground reaction in the laboratory's axes", "wrench.force_G @ walking", "wrench.force_G"),
    ("external vector not reversed", "(-1.0 if external else 1.0)", "1.0"),
    (
        "external words not changed",
        "for word in words) if external else words",
        "for word in words) if False else words",
    ),
    ("planes of the power", "zip((2, 0, 1), _PLANES", "zip((2, 1, 0), _PLANES"),
    ("centre of pressure in m", "wrench.cop_G[:, i] * _MM", "wrench.cop_G[:, i]"),
]
POWER = [
    ("power of the sum of the turns", "chain.omega_S - rotate_back", "chain.omega_S + rotate_back"),
    (
        "power of the distal turn alone",
        "(chain.omega_S - rotate_back(chain.R_GS, above_G))",
        "chain.omega_S",
    ),
    ("power reversed", "return moment_S * (", "return -moment_S * ("),
    ("pelvis still", "above_G[:, -1] = omega_pelvis_G", "above_G[:, -1] = 0.0"),
]
SPLINE = [
    ("first: central difference gone", "0.5 * (wide[2:] - wide[:-2]) - ", "0.0 - "),
    ("first: third derivative gone", " - D_delta2 / 6", ""),
    ("first: third derivative reversed", " - D_delta2 / 6", " + D_delta2 / 6"),
    ("first: fourth difference gone", " - (delta4[2:] - delta4[:-2]) / 240", ""),
    (
        "first: fourth difference reversed",
        " - (delta4[2:] - delta4[:-2])",
        " + (delta4[2:] - delta4[:-2])",
    ),
    ("second: difference gone", "np.diff(wide, n=2, axis=0) - ", "0.0 - "),
    ("second: fourth difference gone", " - delta4[1:-1] / 12", ""),
    ("second: fourth difference reversed", " - delta4[1:-1] / 12", " + delta4[1:-1] / 12"),
    ("second: sixth difference gone", " - np.diff(delta4, n=2, axis=0) / 120", ""),
    ("second: sixth difference reversed", " - np.diff(delta4, n=2", " + np.diff(delta4, n=2"),
    ("start of the curve", " - (26 * g[3] + g[4]) / 120", ""),
    ("end of the curve", " + (26 * g[n - 1] + g[n - 2]) / 120", ""),
    ("smoothing reversed", "y - q * spread(gamma) if q", "y + q * spread(gamma) if q"),
    ("first derivative per sample", "first / step,", "first,"),
    ("second derivative per step", "second / step**2", "second / step"),
    ("Gram matrix", "[66.0, 26.0, 1.0, 0.0]", "[66.0, 26.0, 0.0, 0.0]"),
    ("third differences", "[20.0, -15.0, 6.0, -1.0]", "[20.0, -15.0, 6.0, 1.0]"),
    ("gain of a half at the cut-off", "(math.sqrt(2.0) - 1.0) / (2.0", "1.0 / (2.0"),
    ("fourth power of the cut-off", "/ rate_hz) ** 6", "/ rate_hz) ** 4"),
    (
        "gap filled with the wrong sign",
        "filled[missing] = -np.linalg",
        "filled[missing] = np.linalg",
    ),
    (
        "gap filled without the smoothing",
        "third_derivative(both, q)",
        "third_derivative(both, 0.0)",
    ),
    ("level forgotten", "return Spline(value + level", "return Spline(value"),
]
VALIDATION = [
    ("trace counts a diagonal once", "(1.0 if k == 0 else 2.0)", "1.0"),
    ("trace without the second part", " - y[: m - k] * y[k:]", ""),
    ("criterion without freedom", "/ (freedom / n) ** 2", ""),
]
TURNING = [
    ("omega in the laboratory's axes", "vee(R_SG @ dR)", "vee(dR @ R_SG)"),
    ("alpha in the laboratory's axes", "vee(R_SG @ ddR)", "vee(ddR @ R_SG)"),
    ("omega reversed", "return vee(R_SG @ dR)", "return -vee(R_SG @ dR)"),
    ("runs joined", "in runs(complete_rows(flat)):", "in [(0, len(flat))]:"),
]
PLANE = [
    ("limb axes turned back", "columns(cross(y, z), y, z)", "columns(cross(z, y), y, z)"),
    ("foot upside down", "columns(x, cross(z, x), z)", "columns(x, cross(x, z), z)"),
    ("foot from toe to heel", "_in_plane(toe - heel, right)", "_in_plane(heel - toe, right)"),
    ("plane's normal to the left", "cross(walking, _UP)", "cross(_UP, walking)"),
    ("bones not projected", "return unit(v - dot(", "return unit(v - 0 * dot("),
    ("trunk upside down", "planar_limb(above, below, right)", "planar_limb(below, above, right)"),
    ("belt walked backwards", "line * np.sign(line @ facing)", "-line * np.sign(line @ facing)"),
]
EMPTY = [
    ("what is not known is zero", "values, np.nan)", "values, 0.0)"),
    ("frontal moment shown", "ABOUT_Z = (False,", "ABOUT_Z = (True,"),
    ("lateral force shown", "ALONG_XY = (True, True, False)", "ALONG_XY = (True, True, True)"),
    ("pelvis and foot angles shown", "(name in JOINTS, False, False)", "(True, False, False)"),
]
CLEANING = [
    ("gaps never filled", "<= longest_gap:", "< 0:"),
    ("gaps one frame shorter", "<= longest_gap:", "< longest_gap:"),
    ("filled frames not marked", "filled[start:stop, j] = ~seen", "pass"),
    (
        "gap filled without the smoothing",
        "splines.fill(y[start:stop, j], seen, how.q)",
        "splines.fill(y[start:stop, j], seen)",
    ),
]
FRAMES = [
    (
        "tibial torsion reversed",
        'about("y", SIGN[side] * torsion)',
        'about("y", -SIGN[side] * torsion)',
    ),
    ("tibial torsion not mirrored", 'about("y", SIGN[side] * torsion)', 'about("y", torsion)'),
    (
        "foot rotation reversed",
        "-SIGN[side] * offsets.static_rotation",
        "SIGN[side] * offsets.static_rotation",
    ),
    (
        "foot rotation not mirrored",
        "-SIGN[side] * offsets.static_rotation",
        "offsets.static_rotation",
    ),
    ("plantar flexion gone", 'about("z", offsets.static_plantar_flexion)', 'about("z", 0.0)'),
    ("plantar flexion reversed", 'about("z", offsets', 'about("z", -offsets'),
    (
        "lateral marker on the other side",
        "unit(-SIGN[side] * (lateral",
        "unit(SIGN[side] * (lateral",
    ),
]
BUTTER = [("cut-off of one pass", "(math.sqrt(2.0) - 1.0) ** 0.25", "1.0")]
STRIDES = [
    ("stride: step begun, not ended", "(last - other) @ pelvis", "(other - first) @ pelvis"),
    ("stride: step along x", "(last - other) @ pelvis) / walked", "(last - other)[0])"),
    ("stride: width not mirrored", "SIGN[side] * float((other", "float((other"),
    ("stride: width without its sign", "float((other - first)", "abs((other - first)"),
    ("stride: height counts", "(last - first) * flat", "last - first"),
    ("stride: strides a minute", "120.0 / at.duration", "60.0 / at.duration"),
    ("stride: own and other foot", "(e.side == side) == own", "(e.side != side) == own"),
    ("stride: swing as stance", '"stance": percent(at.off', '"stance": percent(at.next_strike'),
    ("stride: initial support twice", "percent(initial + terminal)", "percent(2 * initial)"),
]
PARAMETERS = [
    ("stride: toe for heel", "result.feet[side][0]", "result.feet[side][1]"),
    ("stride: sides exchanged", "Quantity(side,", "Quantity(_OTHER[side],"),
    ("stride: minutes as seconds", '["cadence"] / 60.0', '["cadence"]'),
    ("stride: leg of the other side", "leg(cycle.side)", "leg(_OTHER[cycle.side])"),
    ("stride: other heel is own", "_heel(result, _OTHER[side])", "_heel(result, side)"),
]

JOINTS = [
    (
        "ball: quaternion read backwards",
        "(w[:, None, None] * S + S @ S)",
        "(S @ S - w[:, None, None] * S)",
    ),
    ("ball: w first", "quaternion[:, :3], quaternion[:, 3]", "quaternion[:, 1:], quaternion[:, 0]"),
    ("revolute: turned the other way", "+ sine * S", "- sine * S"),
    ("revolute: versine gone", " + versine * (S @ S)", ""),
    (
        "prismatic: stays where it is",
        "Motion(None, q * axis, None, along)",
        "Motion(None, None, None, along)",
    ),
    (
        "free: angular velocity in world axes",
        "np.concatenate((zero, turn), axis=2)",
        "np.concatenate((zero, slide[:, :, :3]), axis=2)",
    ),
    ("rates: quaternion in world axes", "scalar * v + np.einsum", "scalar * v - np.einsum"),
    ("rates: not halved", "return 0.5 * np.concatenate", "return np.concatenate"),
]
KINEMATICS = [
    ("R0 gone", "joint = R @ body.R0", "joint = R"),
    ("arm in the parent's axes", "arm = R @ body.p", "arm = body.p + 0 * w"),
    ("shift in the parent's axes", "rotate(joint, moved.shift)", "rotate(R, moved.shift)"),
    (
        "velocity: turning of the arm gone",
        '"v": self.of("v", parent) + w_arm',
        '"v": self.of("v", parent)',
    ),
    ("bias: centripetal gone", " + cross(w, w_arm),\n        }", ",\n        }"),
    ("bias: angular bias of the arm gone", 'cross(self.of("aw", parent), arm) + ', ""),
    ("bias: gyroscopic gone", 'put["aw"] = put["aw"] + cross(w, spin)', "pass"),
    ("bias: gyroscopic reversed", 'put["aw"] + cross(w, spin)', 'put["aw"] - cross(w, spin)'),
    ("bias: Coriolis gone", 'put["ap"] = put["ap"] + 2.0 * cross(w, slide)', "pass"),
    ("bias: Coriolis once", "2.0 * cross(w, slide)", "cross(w, slide)"),
    ("Jacobian: arm gone", "linear[..., before] += cross_columns(above, arm)", "pass"),
    ("Jacobian: arm reversed", "linear[..., before] += cross", "linear[..., before] -= cross"),
    ("point: arm gone", "state.Jp[:, b] + cross_columns(state.Jw[:, b], arm)", "state.Jp[:, b]"),
    ("point: centripetal gone", " + cross(w, cross(w, arm))", ""),
    ("point: angular bias gone", "cross(state.aw[:, b], arm) + ", ""),
    ("centres: arm of the Jacobian gone", "state.Jp + cross_columns(state.Jw, arm)", "state.Jp"),
    ("centres: angular bias gone", "cross(state.aw, arm) + ", ""),
    ("centres: centripetal gone", " + cross(state.w, w_arm),", ","),
    ("centres: velocity of the origin", "state.v + w_arm", "state.v"),
    (
        "centre of mass: bodies weigh the same",
        "tree.masses / total,",
        "np.full(len(tree.masses), 1 / len(tree.masses)),",
    ),
]
MATRICES = [
    ("M: translation gone", "linear, 1, 2) @ heavy + np", "linear, 1, 2) @ heavy * 0 + np"),
    ("M: rotation gone", " + np.swapaxes(angular, 1, 2) @ turning", ""),
    ("M: masses gone", "np.repeat(tree.masses, 3)[:, None] * linear", "linear"),
    (
        "inertia in the body's axes",
        "state.R @ tree.inertias @ np.swapaxes(state.R, -1, -2)",
        "tree.inertias + 0 * state.R",
    ),
    (
        "inertia turned backwards",
        "state.R @ tree.inertias @ np.swapaxes(state.R, -1, -2)",
        "np.swapaxes(state.R, -1, -2) @ tree.inertias @ state.R",
    ),
    ("c: gyroscopic gone", " + cross(state.w, momentum)", ""),
    ("c: gyroscopic reversed", "+ cross(state.w, momentum)", "- cross(state.w, momentum)"),
    ("c: angular bias gone", "rotate(inertia, state.aw) + cross", "cross"),
    ("c: thrust gone", "_transposed(linear, thrust.reshape(n, -1)) + ", ""),
    ("c: moments gone", " + _transposed(angular, moment.reshape(n, -1))", ""),
    ("g: reversed", "tree.masses[:, None] * tree.gravity", "-tree.masses[:, None] * tree.gravity"),
    ("g: masses gone", "tree.masses[:, None] * tree.gravity", "tree.gravity + 0 * tree.coms"),
    ("energy: of turning gone", "kinetic = kinetic + 0.5", "kinetic = kinetic + 0.0"),
    ("energy: of height reversed", "Energy(kinetic, -np.einsum", "Energy(kinetic, np.einsum"),
    ("inverse: velocity terms reversed", "C=c, G=-g", "C=-c, G=-g"),
    ("inverse: gravity reversed", "C=c, G=-g", "C=c, G=g"),
    ("inverse: outside reversed", "E=-outside", "E=outside"),
    ("forward: velocity terms reversed", "tau + g - c + applied", "tau + g + c + applied"),
    ("forward: gravity reversed", "tau + g - c + applied", "tau - g - c + applied"),
    ("forward: outside reversed", "- c + applied", "- c - applied"),
]
TOUCHED = [
    ("contact: arm gone", "moment = moment + cross(arm, force)", "pass"),
    ("contact: world point from the origin", "arm = arm - state.p[:, b]", "pass"),
    ("contact: free moment gone", "moment + cross(arm, force)", "cross(arm, force)"),
    ("support: bias reversed", "gamma.append(-at.bias", "gamma.append(at.bias"),
    ("support: point holds the rotation", '6 if support.kind == "surface" else 3', "6"),
]
HELD = [
    ("multipliers: gamma gone", "missing = gamma - np", "missing = -np"),
    ("multipliers: reversed", "self.over * parts)", "-self.over * parts)"),
    (
        "multipliers: motion not pushed",
        "Constrained(free + np.einsum",
        "Constrained(free + 0 * np.einsum",
    ),
    ("redundant: silent", 'if redundant == "warn":', 'if redundant == "loud":'),
    ("contradiction: silent", "if (left > _CONTRADICTION * scale).any():", "if False:"),
    (
        "singular: silent",
        "bad = values[:, -1] <= SINGULAR * values[:, 0]",
        "bad = values[:, -1] < 0",
    ),
    ("reduce: B reversed", "B = -inverse @ Ju", "B = inverse @ Ju"),
    ("reduce: b gone from h", "full = c + np", "full = c + 0 * np"),
    ("close: branch not looked at", "if branch and other.any():", "if False:"),
    ("close: gap not looked at", "if size[frame] > limit:", "if False:"),
]
LOOPED = [
    ("pin: gamma reversed", "(two.bias - one.bias)", "(one.bias - two.bias)"),
    ("pin: force on the second body", "(one.J - two.J)[:, plane]", "(two.J - one.J)[:, plane]"),
    ("gear: ratio upside down", "= -self.ratio, 1.0", "= 1.0, -self.ratio"),
    (
        "loop: dependent loads gone",
        'load[:, : self.u] + np.einsum("nik,ni->nk", B',
        'load[:, : self.u] + 0 * np.einsum("nik,ni->nk", B',
    ),
    ("loop: b gone", 'np.einsum("nik,nk->ni", B, udd) + b', 'np.einsum("nik,nk->ni", B, udd)'),
    ("loop: branch of the other sense", "branch * self.sense", "branch"),
]
CONES = [
    ("cone: mu not inside", "mu / np.sqrt(2.0) if inner else mu", "mu"),
    (
        "cone: length for width",
        "[[0, 0, -Y, sign, 0, 0], [0, 0, -X, 0, sign, 0]]",
        "[[0, 0, -X, sign, 0, 0], [0, 0, -Y, 0, sign, 0]]",
    ),
    (
        "cone: free moment one way",
        "[a * Y, b * X, turn, a * m, b * m, 1.0]",
        "[a * -Y, b * -X, turn, a * m, b * m, 1.0]",
    ),
    ("friction: along x alone", "np.hypot(f[..., 0], f[..., 1])", "np.abs(f[..., 0])"),
    ("block: never sticks", "np.where(stuck, 0.0, ", "np.where(stuck & False, 0.0, "),
    ("block: friction pushes", "push / mass - way", "push / mass + way"),
    ("block: sticks while it slides", "(speed == 0.0) & (np.abs(push)", "(np.abs(push)"),
]
FLOATING = [
    ("centre of mass: bias gone", "moving[:, :3] = centre.bias", "pass"),
    ("centre of mass: bias reversed", "turned = c - np.einsum", "turned = c + np.einsum"),
    ("driven: free joint too", 'keep[at] = body.joint != "free"', "keep[at] = True"),
]
SHARES = [
    ("share: velocity reversed", 'share("velocity", -c,', 'share("velocity", c,'),
    (
        "share: velocity without its constraint",
        "-c, rows.gamma, centre.bias",
        "-c, still, centre.bias",
    ),
    ("share: bias of the centre gone", "rows.gamma, centre.bias)", "rows.gamma, 0.0)"),
    ("supported: gravity gone", "+ g - c + applied", "- c + applied"),
    ("supported: outside gone", "+ g - c + applied(tree, state, known)", "+ g - c"),
]
VIEWS = [
    ("watanabe: C as duarte", '"C": -C, "G": -G, "Q"', '"C": C, "G": -G, "Q"'),
    ("watanabe: E as duarte", '"Q": tau, "E": -E', '"Q": tau, "E": E'),
    (
        "duarte: C reversed",
        '"M qdd": M, "C": C, "G": G, "E": E}',
        '"M qdd": M, "C": -C, "G": G, "E": E}',
    ),
    ("own: g reversed", '"tau": tau, "g": -G', '"tau": tau, "g": G'),
    ("pymbs: gravity gone", '"h": C + G', '"h": C'),
    ("caron: gravity reversed", '"tau_g": -G', '"tau_g": G'),
]

MUTATIONS = [
    Mutation(name, file, old, new)
    for file, rows in (
        (_SUB, RECURSION),
        (_STACK, STACKED),
        (_TERMS, CAUSES),
        (_LEG, FROM_LEG),
        (_GROUND, FOOT_WRENCH),
        ("gaitdyn/events/contacts.py", PRESSURE),
        (_WRENCH, TO_WRENCH),
        (_PLATES, FROM_FILE),
        ("gaitdyn/clean/baseline.py", POLARITY),
        (_CLINICAL, WORDS),
        (_ANGLES, ANGLES),
        (_FRAMES, FRAMES),
        (_COLUMNS, TABLE),
        ("gaitdyn/dynamics/power.py", POWER),
        (_SPLINES, SPLINE),
        ("gaitdyn/core/cross_validation.py", VALIDATION),
        (_RATES, TURNING),
        ("gaitdyn/calibrate/sagittal.py", PLANE),
        ("gaitdyn/kinematics/plane.py", EMPTY),
        ("gaitdyn/clean/smoothing.py", CLEANING),
        ("gaitdyn/clean/butterworth.py", BUTTER),
        ("gaitdyn/metrics/strides.py", STRIDES),
        ("gaitdyn/metrics/gait_parameters.py", PARAMETERS),
        (f"{_MULTIBODY}/joints.py", JOINTS),
        (f"{_MULTIBODY}/state.py", KINEMATICS),
        (f"{_MULTIBODY}/dynamics.py", MATRICES),
        (f"{_MULTIBODY}/contact.py", TOUCHED),
        (f"{_MULTIBODY}/constraint.py", HELD),
        (f"{_MULTIBODY}/loop.py", LOOPED),
        (f"{_MULTIBODY}/cones.py", CONES),
        (f"{_MULTIBODY}/floating.py", FLOATING),
        (f"{_MULTIBODY}/induced.py", SHARES),
        (f"{_MULTIBODY}/terms.py", VIEWS),
        *TRUST,
    )
    for name, old, new in rows
]


def copy_tree(folder: Path) -> Path:
    """Return a copy of the tree, with ../shared beside it where there is one."""
    copy = folder / "main"
    copy.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, copy / name)
    shared = ROOT.parent / "shared"
    if shared.is_dir():
        (folder / "shared").symlink_to(shared)
    return copy


def first_failure(copy: Path, tests: list[str]) -> tuple[int, str]:
    """Run tests in a copy; return pytest's exit code and the first test that failed."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += [f"tests/{name}" for name in tests]
    env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, check=False)
    crash = r"^E +((?:Name|Import|Attribute|Syntax|Type|Index|UnboundLocal)Error.*)"
    if slip := re.search(crash, done.stdout, re.MULTILINE):
        return -1, slip[1]  # the change is no program: nothing was seen
    found = re.search(r"^(?:FAILED|ERROR) tests/(\S+)", done.stdout, re.MULTILINE)
    return done.returncode, found[1] if found else done.stdout[-200:].strip()


def tried(mutation: Mutation, copies: list[Path]) -> tuple[str, str]:
    """Make one change in a free copy; return ``killed``, ``SURVIVED`` or ``BROKEN``, and where."""
    copy = copies.pop()
    path = copy / mutation.file
    text = path.read_text(encoding="utf-8")
    try:
        if text.count(mutation.old) != 1:
            return "BROKEN", f"the text stands {text.count(mutation.old)} times in the file"
        path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
        code, name = first_failure(copy, TESTS.get(mutation.file, ALL))
    finally:
        path.write_text(text, encoding="utf-8")
        copies.append(copy)
    return {0: "SURVIVED", 1: "killed"}.get(code, "BROKEN"), name


def main() -> int:
    """Try every mutation and print the table."""
    chosen = [m for m in MUTATIONS if all(word in f"{m.file} {m.name}" for word in sys.argv[1:])]
    with tempfile.TemporaryDirectory() as folder:
        copies = [copy_tree(Path(folder) / str(i)) for i in range(JOBS)]
        needed = sorted({test for m in chosen for test in TESTS.get(m.file, ALL)})
        code, name = first_failure(copies[0], needed)
        if code:
            print(f"the tests fail without any change: {name}")
            return 1
        bad = 0
        with ThreadPoolExecutor(JOBS) as pool:
            outcomes = pool.map(lambda m: tried(m, copies), chosen)
            for mutation, (outcome, by) in zip(chosen, outcomes, strict=True):
                bad += outcome != "killed"
                where = Path(mutation.file).stem
                print(f"{outcome:8s} {where:16s} {mutation.name:45s} {by}", flush=True)
    print(f"{len(chosen)} changes, {bad} of them not seen")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

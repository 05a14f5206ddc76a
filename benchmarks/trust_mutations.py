"""Rows of :mod:`mutations` for what a run says about itself: audit, bands, rules of the audit."""

_CLOSURE, _ENERGY = "gaitdyn/audit/closure.py", "gaitdyn/audit/energy.py"
_LEGS, _SECOND = "gaitdyn/audit/legs.py", "gaitdyn/audit/second_opinion.py"
_LINEAR, _BANDS = "gaitdyn/uncertainty/linear.py", "gaitdyn/uncertainty/bands.py"
_POSES, _RULES = "gaitdyn/uncertainty/poses.py", "gaitdyn/quality/rules/own_loads.py"
_JUDGE, _HIP = "gaitdyn/quality/rules/check.py", "gaitdyn/calibrate/hip_choice.py"

TRUST_TESTS = {
    _CLOSURE: ["unit/test_audit.py"],
    _ENERGY: ["unit/test_audit.py"],
    _LEGS: ["unit/test_audit.py"],
    _SECOND: ["unit/test_audit.py"],
    _LINEAR: ["unit/test_uncertainty.py"],
    _BANDS: ["unit/test_uncertainty.py"],
    _POSES: ["unit/test_uncertainty.py"],
    _RULES: ["unit/test_quality_rules.py"],
    _JUDGE: ["unit/test_quality_rules.py"],
    _HIP: ["unit/test_hip_choice.py"],
}

FORWARD = [
    ("gyroscopic term gone", "torque -= cross(omega, rotate(self.inertia_S[at], omega))", "pass"),
    ("gyroscopic term reversed", "torque -= cross(omega, r", "torque += cross(omega, r"),
    ("weight gone", "chain.mass[:, None] + chain.gravity_G", "chain.mass[:, None]"),
    ("ground's force gone", " - F_dist + chain.external_force_G", " - F_dist"),
    ("ground's moment gone", "M_G = chain.external_moment_G - M_dist", "M_G = -M_dist"),
    ("distal moment reversed", "external_moment_G - M_dist", "external_moment_G + M_dist"),
    ("distal force reversed", "loads.force_G - F_dist +", "loads.force_G + F_dist +"),
    (
        "arm of the distal force reversed",
        "- cross(arm_dist, rotate_back(R, F_dist))",
        "+ cross(arm_dist, rotate_back(R, F_dist))",
    ),
    ("arm of the proximal force gone", "torque += cross(arm_prox, rotate_back(R, F_prox))",
     "torque += 0.0 * cross(arm_prox, rotate_back(R, F_prox))"),
    ("turning reversed", "R @ skew(omega), rotate", "R @ skew(-omega), rotate"),
    ("middle of the step twice", "k1 + 2 * k2 + 2 * k3 + k4", "k1 + 2 * k2 + k3 + k4"),
    ("six frames between frames", "BESIDE = 6", "BESIDE = 3"),
    ("axis without inertia not filled", "np.where(without, largest, principal)", "principal"),
    ("acceleration is not taken off", "chain.mass[:, None] - chain.a_cm_G",
     "chain.mass[:, None]"),
    ("windows beside what is published", "usable[rows].all(axis=1) & known", "known"),
]  # fmt: skip
BALANCE = [
    ("potential energy gone", "_power(v_cm_G, v_cm_G) - height)", "_power(v_cm_G, v_cm_G))"),
    ("kinetic energy doubled", "(0.5 * _power(v_cm_G", "(1.0 * _power(v_cm_G"),
    ("energy of turning gone", " + 0.5 * turning", ""),
    ("distal power reversed", "proximal - distal + ground", "proximal + distal + ground"),
    ("ground's power gone", "proximal - distal + ground", "proximal - distal"),
    ("moment's power gone", " + _power(moment_G, omega_G)\n", "\n"),
    (
        "distal moment on its own segment",
        "_power(moment_G[:, :-1], omega_G[:, 1:])",
        "_power(moment_G[:, :-1], omega_G[:, :-1])",
    ),
    ("slip of the distal centre gone", "slip[:, 1:] -= ", "slip[:, 1:] -= 0.0 * "),
]
STATED = [
    ("rest without the slip", "(missing, missing + slip_w", "(missing, missing - slip_w"),
    ("median for the largest", "(50, 95, 100)", "(50, 95, 50)"),
    ("planar loads as they are", "loads = joint_loads(loads.chain)", "pass"),
]
LINEAR = [
    ("gain without its moment", "moment[:, 0] = cross(arm_to_floor(chain), force[:, 0])", "pass"),
    ("gain of another size", "errors.plate_force_percent * _PERCENT", "errors.plate_force_percent"),
    ("place of pressure reversed in x", "x = (M[:, 2] + down", "x = (-M[:, 2] + down"),
    ("place of pressure in z", "z = (down * F[:, 2] - M[:, 0])", "z = (down * F[:, 2] + M[:, 0])"),
    ("shift upwards", "for axis in (0, 2):", "for axis in (0, 1):"),
    ("mass without its inertia", ("inertia_S=chain.inertia_S * (1.0 + k * one)[:, None, None],\n"
     "    )"), "inertia_S=chain.inertia_S,\n    )"),
    ("radius enters once", "one[i] = 2.0 * sd", "one[i] = sd"),
    ("centre of mass across", "rotate(R, cross(alpha, d_S) + cross(", "rotate(R, cross("),
    ("ground about the old centre", "dm[:, i] = -cross", "dm[:, i] = cross"),
    ("half the difference not halved", "(half / 2.0) ** 2", "half**2"),
]  # fmt: skip
BAND = [
    ("one deviation for the band", "return NORMAL_95 * np.sqrt(total)", "return np.sqrt(total)"),
    ("variance for deviation", "NORMAL_95 * np.sqrt(total)", "NORMAL_95 * total"),
]
DRAWN = [
    ("noise in metres", "errors.marker_noise_mm * _MM", "errors.marker_noise_mm"),
    ("noise beside the filter", ("noise = smooth(noise, Filter(how.rate_hz, how.cutoff_hz,"
     " how.kind))[0]"), "pass"),
    ("centres in the laboratory's axes", 'np.einsum("nsij,ksj->nksi", above, shifts)',
     "shifts[None]"),
    ("turn reversed", "np.eye(3) + S + S @ S", "np.eye(3) - S + S @ S"),
    ("draws not counted", "(off**2).sum(axis=1) / errors.draws", "(off**2).sum(axis=1)"),
    ("hip and ankle exchanged", "[errors.ankle_mm, errors.knee_mm, errors.hip_mm]",
     "[errors.hip_mm, errors.knee_mm, errors.ankle_mm]"),
]  # fmt: skip
RULES = [
    ("windows never drift", "if not drift.largest_deg > rule.bound:", "if True:"),
    ("windows always drift", "if not drift.largest_deg > rule.bound:", "if False:"),
    ("the vendor is held to all", "if not vendor else ()", "if True else ()"),
    ("another joint", '{"side": side, "joint": joint}', '{"side": side}'),
    ("rest for residual", "balance.rms_w / balance", "balance.rest_w / balance"),
    ("linear accelerations alone", "np.fmax(leg.acceleration_m_s2, leg.angular",
     "np.fmin(leg.acceleration_m_s2, leg.angular"),
]  # fmt: skip
JUDGED = [
    ("at the limit is above", "found.value > rule.limit", "found.value >= rule.limit"),
    ("information is dropped", 'limit=rule.limit)] if found.level == "info" else []', "limit=0)]"),
    ("audit without rules", "for f in audit_rules(result, rules) if", "for f in () if"),
]
HIP = [
    ("width for depth", "PelvisMeasures(width_m, depth_m,", "PelvisMeasures(width_m, width_m,"),
    ("no marker on the skin", "length or np.nan, diameter)", "length or np.nan, 0.0)"),
]

TRUST = (
    (_CLOSURE, FORWARD),
    (_ENERGY, BALANCE),
    (_LEGS, STATED),
    (_LINEAR, LINEAR),
    (_BANDS, BAND),
    (_POSES, DRAWN),
    (_RULES, RULES),
    (_JUDGE, JUDGED),
    (_HIP, HIP),
)

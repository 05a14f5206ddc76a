"""Measure how often a virtual second session is called changed.

usage: python benchmarks/known_error_placed.py [DRAWS]
The markers of four Plug-in Gait walkers of ../shared are placed anew DRAWS times (default 100), by
3.5 and by 5 mm along the skin; five drawn strides a session; all 15 angles, published errors.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import page
from known_error import mixed
from usage import help_shown

from gaitdyn.judge.curves import judged_curves
from gaitdyn.pipeline import process_trial
from gaitdyn.statistics.change import judge_level_and_shape
from gaitdyn.statistics.families import holm
from gaitdyn.statistics.session_error import error_of_sd
from gaitdyn.types.options import Options
from gaitdyn.uncertainty.leg_curves import stages_of
from gaitdyn.uncertainty.placing import place_again

if TYPE_CHECKING:
    from gaitdyn.uncertainty.placing import Placed

WALKERS = {
    "BTK-A": ("BTK-A/PiG_Motion-FlatFoot-Full.c3d", "BTK-A/PiG_Calibration-FlatFoot-Full.c3d"),
    "BTK-B": ("BTK-B/PiG_Motion3_FF.c3d", "BTK-B/PiG_Calibration3_FF.c3d"),
    "McGill": ("McGill/HC002D06.c3d", "McGill/HC002D02.c3d"),
    "Sydney": ("Sydney/S4-AMGait03.c3d", "Sydney/S4 AM Cal 01.c3d"),
}
STRIDES = {
    "pelvis_angle_tilt": (1.1, 7, 0.45), "pelvis_angle_obliquity": (0.9, 10, 0.26),
    "pelvis_angle_rotation": (2.1, 6, 0.5), "hip_angle_flexion": (1.6, 9, 0.36),
    "hip_angle_adduction": (1.1, 10, 0.2), "hip_angle_internal_rotation": (1.7, 18, 0.16),
    "knee_angle_flexion": (2.6, 13, 0.08), "ankle_angle_dorsiflexion": (1.4, 14, 0.12),
    "foot_angle_progression": (2.5, 8, 0.48),
}  # fmt: skip
"""SD, roughness and level of strides, measured on 16 walkers."""


def flagged(placed: Placed, rng: np.random.Generator) -> tuple[float, float, dict[str, float]]:
    """Return % of sessions with any clear, with any possible, and % of each curve."""
    curves = [(side, rule) for side, rule in judged_curves() if rule.family == "angles"]
    draws = min(len(values) for values in placed.curves.values())
    clear, possible = 0, 0
    hits = {rule.name: [] for _, rule in curves}
    for i in range(draws):
        p = []
        for side, rule in curves:
            sd, rough, level = STRIDES[rule.name]
            first, second = (mixed(rng, 5, sd, rough, level) for _ in range(2))
            second = second + placed.curves[side, rule.name][i]
            error = error_of_sd(rule.session_sd or 0.0, 101, "table")
            found = judge_level_and_shape(first, second, error, rule.level_of_strides)
            p.append(found.p)
            hits[rule.name].append(found.p <= 0.05)
        clear += bool((holm(p) <= 0.05).any())
        possible += min(p) <= 0.05
    each = {name: 100 * float(np.mean(own)) for name, own in hits.items()}
    return 100 * clear / draws, 100 * possible / draws, each


def main() -> int:
    """Print the table."""
    corpus = page.SHARED / "corpus" / "gait"
    if not corpus.is_dir():
        print("needs ../shared/corpus, which is not here")
        return 1
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    rng = np.random.default_rng(1)
    print("| walker | mm | any clear (4) | any possible (18) | each curve |\n|---|---|---|---|---|")
    for mm in (3.5, 5.0):
        every = []
        for name, (trial, static) in WALKERS.items():
            result = process_trial(corpus / trial, Options(static=str(corpus / static)))
            # two sessions: both are placed, so the difference has twice the variance of one
            both = place_again(stages_of(result), result, mm * np.sqrt(2), draws)
            clear, possible, each = flagged(both, rng)
            every.append((clear, possible))
            told = ", ".join(f"{key.split('_angle_')[0]} {key.split('_')[-1]} {value:.0f}"
                             for key, value in each.items())  # fmt: skip
            print(f"| {name} | {mm:g} | {clear:.0f} | {possible:.0f} | {told} |", flush=True)
        mean = np.mean(every, axis=0)
        print(f"| all | {mm:g} | {mean[0]:.1f} | {mean[1]:.1f} | |")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())

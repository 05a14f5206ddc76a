"""A walker whose left knee hardly bends in swing: what a report against a norm should find."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.synthetic import Walker
from gaitdyn.synthetic.gait import Gait, coefficients_of, sampled

_SAMPLES = 64
_SWING = 0.45, 1.0
"""Where in the cycle of the left leg its angles change; they change most half way."""

_HIP_FLEXION, _HIP_ADDUCTION, _KNEE_FLEXION = 0, 1, 3
_LESS, _LIFTED_RAD, _ASIDE_RAD = 0.5, np.radians(-5.0), np.radians(-5.0)
"""Part of the knee's flexion that is lost; less hip flexion, and the leg swings to the side."""


def stiff_knee() -> Walker:
    """Return the default walker with a stiff left knee; its right leg walks as ever.

    Examples
    --------
    >>> from gaitdyn.synthetic import Recording, walk
    >>> walked = walk(stiff_knee(), Recording()).columns()
    >>> [round(float(walked[f"{side}_knee_angle_flexion"].max())) for side in ("left", "right")]
    [30, 60]
    """
    gait = Gait()
    phase = np.arange(_SAMPLES) / _SAMPLES
    start, stop = _SWING
    swing = np.sin(np.pi * np.clip((phase - start) / (stop - start), 0.0, 1.0)) ** 2
    angles = sampled(gait.leg_angles, _SAMPLES)
    angles[_KNEE_FLEXION] *= 1.0 - _LESS * swing
    angles[_HIP_FLEXION] += _LIFTED_RAD * swing
    angles[_HIP_ADDUCTION] += _ASIDE_RAD * swing
    return Walker(gait=replace(gait, follow_angles=coefficients_of(angles)))

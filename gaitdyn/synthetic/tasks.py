"""Tasks other than walking, as periodic movements of the walker with known truth.

Paths of pelvis and feet in the sagittal plane are given in closed form; the joint angles follow
from the law of cosines, and their truncated Fourier series is the movement. Only the markers are
realistic: record such a task without plates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from gaitdyn.errors import UsageError
from gaitdyn.synthetic import coefficients
from gaitdyn.synthetic.gait import Gait, coefficients_of, fourier_table

if TYPE_CHECKING:
    from gaitdyn.synthetic.arrays import Array

    Path = tuple[Array, Array]

SyntheticTask = Literal["squat", "sit-to-stand", "jump", "running"]
SYNTHETIC_TASKS: tuple[SyntheticTask, ...] = ("squat", "sit-to-stand", "jump", "running")

_SAMPLES, _HARMONICS = 512, 24
_STANDING, _THIGH = 0.98, 0.5
_STANCE, _RUN = 0.35, 2.4


def task_gait(task: SyntheticTask) -> Gait:
    """Return the movement of a task, as the gait of a :class:`gaitdyn.synthetic.Walker`.

    Parameters
    ----------
    task : {"squat", "sit-to-stand", "jump", "running"}
        Record it with ``Recording(plates=0, events=False)``.

    Raises
    ------
    UsageError
        For another task.
    """
    if task not in SYNTHETIC_TASKS:
        raise UsageError(f"task is {task!r}, wanted one of {', '.join(SYNTHETIC_TASKS)}")
    phase = np.arange(_SAMPLES) / _SAMPLES
    pelvis, foot = _PATHS[task](phase)
    runs = task == "running"
    angles = _leg(pelvis, foot)
    rest = np.zeros((1, 1))
    path = [_series(pelvis[0] * 0.0 if runs else pelvis[0]), _series(pelvis[1]), rest[0]]
    rows = [_series(angles[0]), rest[0], rest[0], _series(angles[1]), rest[0], rest[0]]
    return Gait(
        stride_s=0.7 if runs else 3.0,
        stride_length=_RUN if runs else 0.0,
        stance=_STANCE if runs else 1.0,
        follow=0.5 if runs else 0.0,
        pelvis_path=fourier_table(path),
        pelvis_angles=fourier_table([(angle,) for angle in coefficients.STANDING_PELVIS]),
        leg_angles=fourier_table([*rows, _series(angles[2]), rest[0]]),
    )


def _squat(phase: Array) -> tuple[Path, Path]:
    down = 0.5 * (1.0 - np.cos(2.0 * np.pi * phase))
    return (-0.08 * down, _STANDING - 0.40 * down), (0 * phase, 0 * phase)


def _sit_to_stand(phase: Array) -> tuple[Path, Path]:
    up = 0.5 * (1.0 + np.tanh(6.0 * np.cos(2.0 * np.pi * phase)))  # pauses sitting and standing
    return (-0.42 * (1.0 - up), _STANDING - 0.44 * (1.0 - up)), (0 * phase, 0 * phase)


def _jump(phase: Array) -> tuple[Path, Path]:
    crouch = 0.25 * np.exp(-(((phase - 0.35) / 0.09) ** 2))
    landing = 0.18 * np.exp(-(((phase - 0.70) / 0.07) ** 2))
    flight = np.clip((phase - 0.45) / 0.16, 0.0, 1.0)
    raised = 0.30 * 4.0 * flight * (1.0 - flight)
    return (0 * phase, _STANDING - crouch - landing + raised), (0 * phase, raised)


def _running(phase: Array) -> tuple[Path, Path]:
    """Return a pelvis that bounces twice per stride, and the foot relative to it."""
    half = 0.5 * _STANCE * _RUN
    swing = np.clip((phase - _STANCE) / (1.0 - _STANCE), 0.0, 1.0)
    on_ground = half * (1.0 - 2.0 * phase / _STANCE)
    ahead = np.where(phase < _STANCE, on_ground, -half * np.cos(np.pi * swing))
    raised = 0.30 * np.sin(np.pi * swing)
    bounce = 0.03 * np.cos(4.0 * np.pi * (phase - 0.5 * _STANCE - 0.25))
    return (0 * phase, 0.84 + bounce), (ahead, raised)


_PATHS = {"squat": _squat, "sit-to-stand": _sit_to_stand, "jump": _jump, "running": _running}


def _leg(pelvis: Path, foot: Path) -> tuple[Array, Array, Array]:
    """Return hip flexion, knee flexion and ankle dorsiflexion of a flat foot, rad.

    Thigh and shank are half a leg length each. The law of cosines gives the knee angle, the
    direction from hip to ankle the thigh.
    """
    ahead, below = foot[0] - pelvis[0], pelvis[1] - foot[1]
    reach = np.minimum(np.hypot(ahead, below), 0.999)
    knee = np.arccos(np.clip(reach**2 / (2.0 * _THIGH**2) - 1.0, -1.0, 1.0))
    tilt = coefficients.STANDING_PELVIS[0]
    hip = np.arctan2(ahead, below) + 0.5 * knee + tilt
    return hip, knee, knee + tilt - hip


def _series(values: Array) -> Array:
    """Return the Fourier coefficients c0, a_1, b_1, ... of one period."""
    return coefficients_of(values[None])[0, : 1 + 2 * _HARMONICS]

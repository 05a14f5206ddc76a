"""The movement in a trial, in one word."""

from __future__ import annotations

from typing import Literal

Task = Literal[
    "walking", "running", "stairs", "jump", "squat", "sit-to-stand", "functional", "other"
]
WALKING: Task = "walking"
IN_FLIGHT: frozenset[Task] = frozenset(("running", "jump"))
"""Tasks in which both feet leave the ground: joints bear several times the loads of walking."""

TASK_WORDS: dict[Task, str] = {
    "walking": "the feet swing in turn, one of them always on the ground",
    "running": "the feet swing in turn, with both in the air between steps",
    "stairs": "each foot is set down higher or lower than the one before",
    "jump": "both feet leave the ground together",
    "squat": "both feet stay, the pelvis goes down and up again",
    "sit-to-stand": "both feet stay, the pelvis goes between a seat behind them and standing",
    "functional": "one foot stays, the other leg moves about its hip or knee",
    "other": "none of the movements that are known",
}
"""Word -> how the movement is recognised."""

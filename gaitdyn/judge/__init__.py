"""Judgement of results: what is abnormal and what has changed, given a known error."""

from typing import TYPE_CHECKING

from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.judge.abnormal import find_abnormal
    from gaitdyn.judge.changes.changed import find_changes
    from gaitdyn.judge.groups.two import compare_people
    from gaitdyn.judge.repeats.file import read_repeats
    from gaitdyn.judge.repeats.own_error import build_repeats
    from gaitdyn.judge.together import judge_groups

__all__ = [
    "build_repeats",
    "compare_people",
    "find_abnormal",
    "find_changes",
    "judge_groups",
    "read_repeats",
]

__getattr__ = imported_late(
    __name__,
    abnormal=("find_abnormal",),
    together=("judge_groups",),
    **{
        "changes.changed": ("find_changes",),
        "groups.two": ("compare_people",),
        "repeats.file": ("read_repeats",),
        "repeats.own_error": ("build_repeats",),
    },
)

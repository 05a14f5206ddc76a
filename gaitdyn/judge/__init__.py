"""Judgement of results: what is abnormal and what has changed, given a known error."""

from typing import TYPE_CHECKING

from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.judge.abnormal import find_abnormal
    from gaitdyn.judge.changed import find_changes
    from gaitdyn.judge.groups import compare_people
    from gaitdyn.judge.repeats import build_repeats
    from gaitdyn.judge.repeats_file import read_repeats
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
    repeats=("build_repeats",),
    groups=("compare_people",),
    abnormal=("find_abnormal",),
    changed=("find_changes",),
    together=("judge_groups",),
    repeats_file=("read_repeats",),
)

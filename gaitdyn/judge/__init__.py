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

_HOMES = {
    "build_repeats": "repeats",
    "compare_people": "groups",
    "find_abnormal": "abnormal",
    "find_changes": "changed",
    "judge_groups": "together",
    "read_repeats": "repeats_file",
}
__getattr__ = imported_late(__name__, _HOMES)

"""Judgement of results: what is abnormal and what has changed, given a known error."""

from gaitdyn.judge.abnormal import find_abnormal
from gaitdyn.judge.changed import find_changes
from gaitdyn.judge.together import judge_groups

__all__ = ["find_abnormal", "find_changes", "judge_groups"]

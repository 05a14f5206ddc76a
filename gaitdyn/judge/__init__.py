"""Results judged: what is abnormal, what has changed, with an error that is known."""

from gaitdyn.judge.abnormal import Abnormal, find_abnormal
from gaitdyn.judge.changed import Changes, find_changes
from gaitdyn.judge.files import write_changes
from gaitdyn.judge.finding import Finding
from gaitdyn.judge.first_page import change_sentences, first_sentences
from gaitdyn.judge.largest import Largest, largest_findings
from gaitdyn.judge.repeats import build_repeats, read_repeats, write_repeats
from gaitdyn.judge.together import Judgement, judge_groups, write_judgement

__all__ = [
    "Abnormal",
    "Changes",
    "Finding",
    "Judgement",
    "Largest",
    "build_repeats",
    "change_sentences",
    "find_abnormal",
    "find_changes",
    "first_sentences",
    "judge_groups",
    "largest_findings",
    "read_repeats",
    "write_changes",
    "write_judgement",
    "write_repeats",
]

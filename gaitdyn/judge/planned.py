"""Curves and phases named before the second session: tested alone, without Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gaitdyn.errors import UsageError
from gaitdyn.judge.curves import CurveRule, curve_rules
from gaitdyn.judge.session import PHASES
from gaitdyn.types.subject import SIDES

MOST = 3
_JOINT_PHASES = ("stance", "swing", "single support")


@dataclass(frozen=True, slots=True)
class Planned:
    """One plan: a side, a curve, and a phase or an empty text."""

    text: str
    side: str
    rule: CurveRule
    phase: str


def planned_of(texts: str | Sequence[str]) -> tuple[Planned, ...]:
    """Return the plans that texts describe.

    Parameters
    ----------
    texts : str or sequence of str
        ``SIDE CURVE [PHASE]``, at most three.

    Raises
    ------
    UsageError

    Examples
    --------
    >>> (plan,) = planned_of("left knee_angle_flexion swing")
    >>> plan.side, plan.rule.name, plan.phase
    ('left', 'knee_angle_flexion', 'swing')
    """
    if isinstance(texts, str):
        texts = [texts] if texts else []
    if len(texts) > MOST:
        raise UsageError(
            f"found {len(texts)} planned curves; wanted at most {MOST}; name the most important"
        )
    return tuple(_plan(text) for text in texts)


def _plan(text: str) -> Planned:
    words = text.split()
    rules = {rule.name: rule for rule in curve_rules()}
    phase = " ".join(words[2:]).replace("_", " ")
    known = len(words) > 1 and words[0] in SIDES and words[1] in rules
    if not known or (phase and phase not in (*PHASES, *_JOINT_PHASES)):
        raise UsageError(
            f"planned {text!r} cannot be read; wanted SIDE CURVE [PHASE], such as"
            f" 'left knee_angle_flexion swing'; phases: {', '.join((*_JOINT_PHASES, *PHASES))}"
        )
    return Planned(text, words[0], rules[words[1]], phase)

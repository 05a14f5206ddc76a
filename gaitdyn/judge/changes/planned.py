"""Curves and peaks named before the second session: tested alone, without Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.errors import UsageError
from gaitdyn.judge.curves import CurveRule, curve_rules
from gaitdyn.judge.phases import PHASES
from gaitdyn.metrics.peak_definitions import DEFINITIONS, Definition
from gaitdyn.types.arguments import told
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

MOST = 3
_JOINT_PHASES = ("stance", "swing", "single support")


@frozen()
class Planned:
    """One plan: a side, a curve, and a phase or an empty text; or a number read off the curve."""

    text: str
    side: str
    rule: CurveRule
    phase: str
    number: Definition | None = None


def planned_of(texts: str | Sequence[str]) -> tuple[Planned, ...]:
    """Return the plans that texts describe.

    Parameters
    ----------
    texts : str or sequence of str
        ``SIDE CURVE [PHASE]`` or ``SIDE PEAK``, at most three. A peak of a moment may have the name
        of either convention; what two texts name counts once.

    Raises
    ------
    UsageError

    Examples
    --------
    >>> (plan,) = planned_of("left knee_angle_flexion swing")
    >>> plan.side, plan.rule.name, plan.phase
    ('left', 'knee_angle_flexion', 'swing')
    >>> (plan,) = planned_of("left knee_moment_extension_max")
    >>> plan.rule.name, plan.number.title
    ('knee_moment_extension', 'Knee extension moment, largest in stance')
    """
    if isinstance(texts, str):
        texts = [texts] if texts else []
    if not (isinstance(texts, Sequence) and all(isinstance(text, str) for text in texts)):
        raise UsageError(
            f"planned is {told(texts)}, wanted texts such as 'left knee_angle_flexion swing'"
        )
    if len(texts) > MOST:
        raise UsageError(
            f"found {len(texts)} planned changes; wanted at most {MOST}; name the most important"
        )
    found: dict[tuple[str, ...], Planned] = {}
    for plan in map(_plan, texts):
        number = plan.number.name if plan.number else ""
        found.setdefault((plan.side, plan.rule.name, plan.phase, number), plan)
    return tuple(found.values())


def _plan(text: str) -> Planned:
    side, name, *rest = [*text.split(), "", ""]
    phase = " ".join(rest).replace("_", " ").strip()
    rules = {rule.name: rule for rule in curve_rules()}
    numbers = {one.name: one for one in DEFINITIONS if one.curve in rules}
    number, rule = numbers.get(internal_name(name)), rules.get(name)
    if side in SIDES and number is not None and not phase:
        return Planned(text, side, rules[number.curve], "", number)
    if side in SIDES and rule is not None and phase in ("", *PHASES, *_JOINT_PHASES):
        return Planned(text, side, rule, phase)
    if side in SIDES and number is not None:
        raise UsageError(
            f"planned {text!r}: found a peak and {phase!r}; wanted a peak alone, which has a part"
            f" of the cycle of its own; write '{side} {name}', or name the curve {number.curve}"
        )
    raise UsageError(
        f"planned {text!r} cannot be read; wanted SIDE CURVE [PHASE] or SIDE PEAK, such as"
        " 'left knee_angle_flexion swing' or 'left knee_moment_extension_max'; phases:"
        f" {', '.join((*_JOINT_PHASES, *PHASES))}{_near(name, (*rules, *numbers))}"
    )


def _near(name: str, known: Sequence[str]) -> str:
    """Return the known names that are near to one that is not known, as an end of a message."""
    near = [] if name in known else get_close_matches(internal_name(name), known, 3, 0.6)
    return f"; near {name!r}: {', '.join(near)}" if near else ""

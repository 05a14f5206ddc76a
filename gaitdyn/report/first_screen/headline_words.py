"""The headline of the first screen: class of each leg, findings by certainty, sides apart."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field

from gaitdyn.metrics.knee_axis import KneeAxisRemark
from gaitdyn.metrics.scores import GDI_STAR_A, GDI_STAR_B
from gaitdyn.report.first_screen.wording import APART_DEG
from gaitdyn.report.numbers import decimal
from gaitdyn.statistics.families import Word
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import OTHER, SIDES

_CLASSES = (
    (1.0, "on average within the norm"),
    (1.3, "just above the norm"),
    (2.0, "above the norm"),
)
"""A GPS averages nine angles: even within the norm, one of them may be far out."""

_WORST = "far above the norm"
_MOST, _LETTERS, _TWO_LINES = 3, 72, 190
"""Findings in the headline, their characters, and those of its two lines beside a warning."""

_SPEED_SD = 2.0


def gps_class(gps_deg: float) -> tuple[float, str]:
    """Return the distance of a GPS from healthy children, SD of its logarithm, and its class.

    Examples
    --------
    >>> gps_class(5.35)[1], gps_class(12.0)[1]
    ('on average within the norm', 'far above the norm')
    """
    z = (math.log(gps_deg) - GDI_STAR_A) / GDI_STAR_B
    return z, next((word for most, word in _CLASSES if z <= most), _WORST)


@frozen()
class AgainstNorm:
    """What the headline tells of a person who is compared with a reference set.

    Attributes
    ----------
    gps : mapping
        Side -> deg, or None.
    classed : bool
        Whether the GPS of the people of the reference is known, and they are of this age.
    gps_norm : str
        The GPS of the people of the reference, deg, if it has no class.
    findings : sequence of (word, words)
        Of :func:`gaitdyn.judge.largest.largest_findings`.
    doubtful : sequence of str
        The words of those that may reflect the knee axis, and therefore stand below smaller ones.
    sustained : sequence of str
        Of :func:`gaitdyn.judge.largest.sustained_findings`.
    angles : mapping
        Side -> those of the findings and the sustained ones that are of its angles.
    farthest : mapping
        Side -> its angle whose score is most above that of the reference, with a verdict that is
        not at least possible.
    aside : sequence of (word, title)
        Curves outside the reference that are not among the findings, the most certain first.
    open_of : tuple of int
        Curves that are not judged, and all.
    speed_z : float or None
        Mean over the sides, SD from the free speed at the leg length.
    speed_unmatched : bool
        Whether curves that depend on the speed have no reference to be compared with.
    others : str
        Whose the reference is, if of other ages than this person.
    treadmill : bool
        Whether the person walks on belts.
    """

    gps: Mapping[str, float | None] = field(default_factory=dict[str, "float | None"])
    classed: bool = True
    gps_norm: str = ""
    findings: Sequence[tuple[Word, str]] = ()
    doubtful: Sequence[str] = ()
    sustained: Sequence[str] = ()
    angles: Mapping[str, Collection[str]] = field(default_factory=dict[str, "Collection[str]"])
    farthest: Mapping[str, str] = field(default_factory=dict[str, str])
    aside: Sequence[tuple[Word, str]] = ()
    open_of: tuple[int, int] = (0, 0)
    speed_z: float | None = None
    speed_unmatched: bool = False
    others: str = ""
    treadmill: bool = False


def headline_with_norm(told: AgainstNorm, *, brief: bool = False) -> str:
    """Return the headline with a reference set; it may be empty.

    Parameters
    ----------
    told : AgainstNorm
    brief : bool
        Leave out the findings, which a list below gives.
    """
    before = [f"The norm is of {told.others}"] if told.others else []
    before += [_legs(told)] if any(told.gps.values()) else []
    before += [_UNMATCHED] if told.speed_unmatched else []
    after: list[str] = []
    if told.speed_z is not None and abs(told.speed_z) > _SPEED_SD:
        after.append("Walks slowly" if told.speed_z < 0 else "Walks fast")
    after += ["Walks on a treadmill"] if told.treadmill else []
    room = _TWO_LINES - len(_sentences([*before, *after]))
    return _sentences([*before, *_finding_parts(told, room, brief=brief), *after])


def _sentences(parts: Sequence[str]) -> str:
    return " ".join(f"{part}." for part in parts)


def axis_warning(remarks: Sequence[KneeAxisRemark]) -> str:
    """Return the warning of doubtful knee axes, ``""`` without any."""
    if not remarks:
        return ""
    sides = [remark.side for remark in remarks]
    which = f"the {sides[0]} knee axis" if len(sides) == 1 else "both knee axes"
    return f"Check {which} first."


_UNMATCHED = "Speed not matched: tilt, flexion and loads are not judged"
"""They depend on the speed, which cannot be matched to a norm without a leg length. The GPS does
not: it is against free speed in any case."""


def _finding_parts(told: AgainstNorm, letters: int, *, brief: bool) -> list[str]:
    """Return what is outside the reference by certainty, three findings in all; brief names none.

    If no curve is outside but the GPS is raised, the farthest curves are what raises it. Angles
    that are far out over the whole cycle have a place of the three, and what is left of them where
    the characters of the headline leave room.
    """
    by_word: dict[str, list[str]] = {}
    for word, words in told.findings:
        by_word.setdefault(word, []).append(words[0].lower() + words[1:])
    sure = [f"Clear: {_fitting(by_word['clear'])}"] if "clear" in by_word else []
    lasting = [words[0].lower() + words[1:] for words in told.sustained]
    room = _MOST - len(by_word.get("clear", ())) - bool(lasting)
    possible = by_word.get("possible", [])[: max(room, 0)]
    sure += [f"Possible: {', '.join(possible)}"] if possible else []
    if sure:
        left = letters - len(_sentences([*sure, _SUSTAINED]))
        lasting = lasting[: max(room - len(possible), 0) + 1]
        sure += [f"{_SUSTAINED}: {_fitting(lasting, left)}"] if lasting else []
        unnamed = _unnamed_angles(told, " ".join(sure))
        sure += [f"Farthest angle: {', '.join(unnamed)}"] if unnamed else []
        return [] if brief else sure
    if none_outside := _none_outside(told.open_of, told.aside):
        known = [gps_class(value)[0] for value in told.gps.values() if value]
        raised = told.classed and max(known, default=0.0) > _CLASSES[0][0]
        farther = lasting or (by_word.get("not shown", []) if raised else [])
        if brief or not farther:
            return [none_outside]
        told_so_far = f"{none_outside}; farthest: "
        return [told_so_far + _fitting(farther, min(_LETTERS, letters - len(told_so_far)))]
    if brief or "not judged" not in by_word:
        return []
    doubtful = {words[0].lower() + words[1:] for words in told.doubtful}
    certain = [words for words in by_word["not judged"] if words not in doubtful]
    aside = _ASIDE if 0 < len(certain) < len(by_word["not judged"]) else ""
    few = _LETTERS - len(aside) - len(_UNMATCHED) * told.speed_unmatched
    words = _fitting(certain or by_word["not judged"], few)
    return [f"Too few strides to judge; farthest from the norm{aside}: {words}"]


def _unnamed_angles(told: AgainstNorm, named: str) -> list[str]:
    """Return the farthest angle of each leg whose GPS is raised and of which no angle is named."""
    raised = [
        side
        for side, value in told.gps.items()
        if value and told.classed and gps_class(value)[0] > _CLASSES[0][0]
    ]
    texts = {side: [w[0].lower() + w[1:] for w in told.angles.get(side, ())] for side in raised}
    return [
        told.farthest[side]
        for side in raised
        if side in told.farthest and not any(words in named for words in texts[side])
    ]


_ASIDE = ", the knee axis aside"


_SUSTAINED = "Far out over the cycle, but not beyond chance"


def _none_outside(open_of: tuple[int, int], aside: Sequence[tuple[Word, str]]) -> str:
    """Return how many judged curves are outside if no finding is; empty if none is judged."""
    unjudged, total = open_of
    if total == unjudged:
        return ""
    judged = f"{total - unjudged} of {total} curves judged: " if unjudged else ""
    titles = [title for word, title in aside if word == aside[0][0]][:2]
    none = "none" if unjudged else "no curve"
    if not titles:
        text = f"{judged}{none} lies outside the norm by more than chance"
    elif aside[0][0] == "possible":
        text = f"{judged}{none} is clearly outside the norm; possible: {' and '.join(titles)}"
    else:
        lie = "lie" if len(titles) > 1 else "lies"
        text = f"{judged}only {' and '.join(titles)} {lie} outside the norm by more than chance"
    return text[0].upper() + text[1:]


def _fitting(words: Sequence[str], letters: int = _LETTERS) -> str:
    """Return as many items of a list as fit a headline, at least one."""
    count = _MOST
    while count > 1 and len(", ".join(words[:count])) > letters:
        count -= 1
    return ", ".join(words[:count])


def _legs(told: AgainstNorm) -> str:
    known = {side: value for side, value in told.gps.items() if value}
    norm_told = f" (norm {told.gps_norm}\u00b0)" if told.gps_norm else ""
    if len(known) == 1:
        ((side, value),) = known.items()
        gps = f"GPS {value:.1f}\u00b0"
        words = f"{gps_class(value)[1]} ({gps})" if told.classed else f"{gps}{norm_told}"
        return f"{side.capitalize()} leg {words}, {OTHER[side]} leg not known"
    left, right = (known[side] for side in SIDES)
    if not told.classed:
        return f"GPS L {left:.1f}\u00b0, R {right:.1f}\u00b0{norm_told}"
    worse, better = ("left", "right") if left >= right else ("right", "left")
    word = gps_class(max(left, right))[1]
    if word == gps_class(min(left, right))[1]:
        return f"Both legs {word} (GPS L {left:.1f}\u00b0, R {right:.1f}\u00b0)"
    first, second = gps_class(known[worse])[1], gps_class(known[better])[1]
    short = second.removesuffix(" the norm").removeprefix("on average ")
    return (
        f"{worse.capitalize()} leg {first} (GPS {known[worse]:.1f}\u00b0),"
        f" {better} leg {short} ({known[better]:.1f}\u00b0)"
    )


def headline_without_norm(
    speed: Mapping[str, float | None],
    apart: Sequence[tuple[str, float]],
    strides: Mapping[str, int] | None = None,
    pelvis: Sequence[str] = (),
    *,
    treadmill: bool = False,
) -> str:
    """Return the headline without a reference set: speed, the largest asymmetries, the pelvis.

    Parameters
    ----------
    speed : mapping
        Side -> m/s, or None.
    apart : sequence of (str, float)
        Angles and the largest difference of the sides, deg, the largest first; those of 5 deg and
        more are named.
    strides : mapping, optional
        Side -> strides behind the angles; if only one, the headline says so.
    pelvis : sequence of str, optional
        Of :func:`pelvis_words`.
    treadmill : bool
        Whether the person walks on belts.
    """
    where = " on a treadmill" if treadmill else ""
    known = [value for value in speed.values() if value is not None]
    parts = [f"Walks at {decimal(sum(known) / len(known), 2)} m/s{where}"] if known else []
    named = [f"{name} ({decimal(value, 0)}\u00b0)" for name, value in apart if value >= APART_DEG]
    if named:
        words = f"differ most in {', '.join(named[:3])}"
        single = [side for side, count in (strides or {}).items() if count == 1]
        whose = "each" if len(single) > 1 else "".join(f"of the {side}" for side in single)
        parts.append(f"One stride {whose}: sides {words}" if single else f"Left and right {words}")
    elif apart:
        parts.append(f"No leg angle differs by {APART_DEG:g}\u00b0 or more between the sides")
    parts += [f"Left side of the pelvis {' and '.join(pelvis)}"] if pelvis else []
    return " ".join(f"{part}." for part in parts)

"""Check names against positions once the landmarks are assigned."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import product

from gaitdyn.landmarks.assign import MarkerClaim
from gaitdyn.landmarks.body.case import Case
from gaitdyn.landmarks.labels.role_table import words_for
from gaitdyn.landmarks.rigid import check_rigid
from gaitdyn.types.findings import Finding

CONTRADICTED = 2.0
"""Penalty from which a position contradicts a name."""

_TWINS = (
    ("KLE", "KME", 0.05, 0.18, "epicondyle"),
    ("ANL", "ANM", 0.035, 0.13, "malleolus"),
    ("MT5H", "MT1H", 0.03, 0.14, "metatarsal head"),
)
_ACROSS = -0.04
_OUTSIDE, _NEAR = 0.02, 0.09
"""A toe marker is less than 0.023 outside the ankle and, if outside, at least 0.12 ahead of it (18
laboratories); the fifth metatarsal is -0.004 to 0.06 outside and 0.07 to 0.165 ahead (13)."""
_TRUNK = (
    ("C7", "JN", "C7", -0.08, 0.145),
    ("JN", "XIP", "XIP", 0.09, 0.31),
)
"""Two landmarks of the trunk, the one in doubt, and the range of heights of the upper one
above the other, ASIS heights. Statics and walks of real laboratories have 0.00 to 0.122 (59) and
0.125 to 0.279 (49)."""
_BY_SIDE = {"ASIS", "PSIS", "GTR", "KLE", "THX", "SHX", "FIB", "ILC"}


def check(case: Case, won: dict[int, MarkerClaim]) -> list[tuple[int, Finding]]:
    """Return findings, each with its item."""
    located = _places(case, won) + _trunk(case, won)
    for number in range(len(case.files)):
        located += _twins(case, won, number)
        located += _toes(case, won, number)
        located += _lumbosacral(case, won, number)
        if number != case.static_index:
            located += check_rigid(case, won, number)
    unique: dict[tuple[int, str], tuple[int, Finding]] = {}
    for item, finding in located:
        unique.setdefault((item, finding.message), (item, finding))
    return list(unique.values())


def _finding(scope: str, message: str, value: float, limit: float, side: str) -> Finding:
    return Finding(
        "warning", "landmark-geometry", scope, message, round(value, 3), limit, side or None
    )


def _places(case: Case, won: dict[int, MarkerClaim]) -> list[tuple[int, Finding]]:
    """Find names whose marker is not where the name implies."""
    out: list[tuple[int, Finding]] = []
    for i, claim in sorted(won.items()):
        label = case.label(i)
        fit = case.fit(i, claim.code)
        if fit.known and fit.penalty >= CONTRADICTED:
            message = (
                f"{label} is named like {words_for(claim.code)} but is elsewhere ({fit.words});"
                " check its name, or rename it"
            )
            out.append((i, _finding(label, message, fit.penalty, CONTRADICTED, claim.side)))
        for number in case.items[i].index:
            position, body = case.evidence(number).position(i), case.body(number)
            upright = body is not None and body.standing.upright
            if (
                position
                and upright
                and claim.code in _BY_SIDE
                and claim.side
                and position.outward < _ACROSS
            ):
                message = (
                    f"{label} is named {claim.side} but lies on the other side of the body;"
                    " the sides may be exchanged"
                )
                out.append((i, _finding(label, message, position.outward, _ACROSS, claim.side)))
    return out


def _toes(case: Case, won: dict[int, MarkerClaim], number: int) -> list[tuple[int, Finding]]:
    """Find toe markers at the position of the head of the fifth metatarsal."""
    ankles = {
        c.side: i for i, c in won.items() if c.code == "ANL" and number in case.items[i].index
    }
    out: list[tuple[int, Finding]] = []
    for i, claim in won.items():
        if claim.code != "TOE" or number not in case.items[i].index or claim.side not in ankles:
            continue
        position = case.evidence(number).position(i)
        ankle = case.evidence(number).position(ankles[claim.side])
        if position is None or ankle is None:
            continue
        outward, ahead = position.outward - ankle.outward, position.ahead - ankle.ahead
        if outward > _OUTSIDE and ahead < _NEAR:
            label = case.label(i)
            message = (
                f"{label} is named like a toe but is {outward:.3f} heights of the pelvis outside"
                f" the lateral malleolus and {ahead:.3f} ahead of it, as the fifth metatarsal is;"
                " check it, or rename it"
            )
            finding = Finding(
                "warning", "landmark-doubtful", label, message, round(outward, 3), _OUTSIDE,
                claim.side or None,
            )  # fmt: skip
            out.append((i, finding))
    return out


def _lumbosacral(case: Case, won: dict[int, MarkerClaim], number: int) -> list[tuple[int, Finding]]:
    """Report a marker on the lumbosacral joint that serves as the sacrum."""
    out: list[tuple[int, Finding]] = []
    for i, claim in won.items():
        if (
            claim.code == "SACR"
            and "L5" in case.words[i].sided.core
            and number in case.items[i].index
        ):
            label = case.label(i)
            message = (
                f"{label} is on the lumbosacral joint and serves as the sacrum, which is lower:"
                " the zero of pelvic tilt, and with it of hip flexion, is some degrees off"
            )
            out.append((i, Finding("warning", "landmark-doubtful", label, message)))
    return out


def _trunk(case: Case, won: dict[int, MarkerClaim]) -> list[tuple[int, Finding]]:
    """Find a nape taken for C7, or the middle of the sternum for the xiphoid.

    The finding does not concern the loads of the legs.
    """
    at = {claim.code: i for i, claim in won.items() if not claim.side}
    out: list[tuple[int, Finding]] = []
    for upper, lower, doubted, least, most in _TRUNK:
        above = _above(case, at[upper], at[lower]) if {upper, lower} <= at.keys() else math.nan
        if least <= above <= most or math.isnan(above):
            continue
        a, b, label = (case.label(at[code]) for code in (upper, lower, doubted))
        message = (
            f"{words_for(upper)} {a} is {above:.3f} heights of the pelvis above {words_for(lower)}"
            f" {b}, wanted {least:g} to {most:g}: one of them is elsewhere or named wrongly"
        )
        limit = most if above > most else least
        finding = Finding("warning", "upper-marker", label, message, round(above, 3), limit)
        out.append((at[doubted], finding))
    return out


def _above(case: Case, upper: int, lower: int) -> float:
    """Return the height of one item above another in the first file that shows both standing."""
    for number in range(len(case.files)):
        body = case.body(number)
        places = [case.evidence(number).position(i) for i in (upper, lower)]
        if body is not None and body.standing.upright and places[0] and places[1]:
            return places[0].height - places[1].height
    return math.nan


def _twins(case: Case, won: dict[int, MarkerClaim], number: int) -> list[tuple[int, Finding]]:
    """Find lateral markers that are not outside their medial twin."""
    items_of: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, claim in won.items():
        if number in case.items[i].index:
            items_of[claim.code, claim.side].append(i)
    out: list[tuple[int, Finding]] = []
    body = case.body(number)
    if body is None or not body.standing.upright:
        return out
    for (lateral, medial, least, most, name), side in product(_TWINS, ("left", "right")):
        for pair in product(items_of[lateral, side], items_of[medial, side]):
            outer, inner = (case.evidence(number).position(i) for i in pair)
            apart = math.nan if outer is None or inner is None else outer.outward - inner.outward
            if not least <= apart <= most:
                out += _inside_out(case, pair, (apart, (least, most)), (name, side))
    return out


def _inside_out(
    case: Case,
    pair: tuple[int, int],
    measured: tuple[float, tuple[float, float]],
    words: tuple[str, str],
) -> list[tuple[int, Finding]]:
    (i, j), (apart, (least, most)), (name, side) = pair, measured, words
    if math.isnan(apart):
        return []
    a, b = case.label(i), case.label(j)
    verdict = f"wanted {least:g} to {most:g}: one of them is misplaced or misnamed"
    if apart < 0:
        verdict = "inside out: side or names are wrong"
    message = (
        f"the lateral {name} {a} is {apart:.3f} heights of the pelvis outside the medial one {b},"
        f" {verdict}"
    )
    finding = _finding(f"{a} {b}", message, apart, most if apart > most else least, side)
    return [(i, finding), (j, finding)]

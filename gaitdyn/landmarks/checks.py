"""What names and places say against each other, once the landmarks are assigned."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from gaitdyn.landmarks.rigid import check_rigid
from gaitdyn.landmarks.roles import words_for
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from gaitdyn.landmarks.assign import MarkerClaim
    from gaitdyn.landmarks.case import Case

CONTRADICTED = 2.0
"""Penalty of a place from which a name is said to be contradicted by it."""

_TWINS = (
    ("KLE", "KME", 0.05, 0.18, "epicondyle"),
    ("ANL", "ANM", 0.035, 0.13, "malleolus"),
    ("MT5H", "MT1H", 0.03, 0.14, "metatarsal head"),
)
_ACROSS = -0.04
_OUTSIDE, _NEAR = 0.02, 0.09
"""A toe stands less than 0.023 outside the ankle and, if so, 0.12 and more ahead of it (18
laboratories); the fifth metatarsal -0.004 to 0.06 and 0.07 to 0.165 (13)."""
_BY_SIDE = {"ASIS", "PSIS", "GTR", "KLE", "THX", "SHX", "FIB", "ILC"}


def check(case: Case, won: dict[int, MarkerClaim]) -> list[tuple[int, Finding]]:
    """Return findings, each with the item that it is about."""
    found = _places(case, won)
    for number in range(len(case.files)):
        found += _twins(case, won, number)
        found += _toes(case, won, number)
        found += _lumbosacral(case, won, number)
        if number != case.still:
            found += check_rigid(case, won, number)
    told: set[tuple[int, str]] = set()
    out: list[tuple[int, Finding]] = []
    for item, finding in found:
        if (item, finding.message) not in told:
            told.add((item, finding.message))
            out.append((item, finding))
    return out


def _finding(scope: str, message: str, value: float, limit: float, side: str) -> Finding:
    return Finding(
        "warning", "landmark-geometry", scope, message, round(value, 3), limit, side or None
    )


def _places(case: Case, won: dict[int, MarkerClaim]) -> list[tuple[int, Finding]]:
    """Find names whose marker does not stand where the name wants it."""
    out: list[tuple[int, Finding]] = []
    for i, claim in sorted(won.items()):
        label = case.items[i].text
        fit = case.fit(i, claim.code)
        if fit.known and fit.penalty >= CONTRADICTED:
            message = (
                f"{label} is named like {words_for(claim.code)} and stands elsewhere ({fit.words};"
                " fractions of the height of the pelvis); look whether it is misnamed, or rename it"
            )
            out.append((i, _finding(label, message, fit.penalty, CONTRADICTED, claim.side)))
        for number in case.items[i].at:
            seen, body = case.ground(number).seen(i), case.body(number)
            upright = body is not None and body.standing.upright
            if (
                seen
                and upright
                and claim.code in _BY_SIDE
                and claim.side
                and seen.outward < _ACROSS
            ):
                message = (
                    f"{label} is named {claim.side} and lies on the other side of the body;"
                    " the sides may be exchanged"
                )
                out.append((i, _finding(label, message, seen.outward, _ACROSS, claim.side)))
    return out


def _toes(case: Case, won: dict[int, MarkerClaim], number: int) -> list[tuple[int, Finding]]:
    """Find toes that stand where the head of the fifth metatarsal does."""
    ankles = {c.side: i for i, c in won.items() if c.code == "ANL" and number in case.items[i].at}
    out: list[tuple[int, Finding]] = []
    for i, claim in won.items():
        if claim.code != "TOE" or number not in case.items[i].at or claim.side not in ankles:
            continue
        seen = case.ground(number).seen(i)
        ankle = case.ground(number).seen(ankles[claim.side])
        if seen is None or ankle is None:
            continue
        outward, ahead = seen.outward - ankle.outward, seen.ahead - ankle.ahead
        if outward > _OUTSIDE and ahead < _NEAR:
            label = case.items[i].text
            message = (
                f"{label} is named like a toe and stands {outward:.3f} outside the lateral"
                f" malleolus and {ahead:.3f} ahead of it, as the fifth metatarsal does; look at"
                " it, or rename it"
            )
            finding = Finding(
                "warning", "landmark-doubtful", label, message, round(outward, 3), _OUTSIDE,
                claim.side or None,
            )  # fmt: skip
            out.append((i, finding))
    return out


def _lumbosacral(case: Case, won: dict[int, MarkerClaim], number: int) -> list[tuple[int, Finding]]:
    """Say that a marker on the lumbosacral joint serves as the sacrum."""
    out: list[tuple[int, Finding]] = []
    for i, claim in won.items():
        if claim.code == "SACR" and "L5" in case.words[i].sided.core and number in case.items[i].at:
            label = case.items[i].text
            message = (
                f"{label} stands on the lumbosacral joint and serves as the sacrum, which is lower:"
                " the zero of pelvic tilt, and of hip flexion with it, is some degrees off"
            )
            out.append((i, Finding("warning", "landmark-doubtful", label, message)))
    return out


def _twins(case: Case, won: dict[int, MarkerClaim], number: int) -> list[tuple[int, Finding]]:
    """Find lateral markers that do not stand outside their medial twin."""
    at: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, claim in won.items():
        if number in case.items[i].at:
            at[claim.code, claim.side].append(i)
    out: list[tuple[int, Finding]] = []
    body = case.body(number)
    if body is None or not body.standing.upright:
        return out
    for lateral, medial, least, most, name in _TWINS:
        for side in ("left", "right"):
            for i in at[lateral, side]:
                for j in at[medial, side]:
                    one, other = case.ground(number).seen(i), case.ground(number).seen(j)
                    if one is None or other is None:
                        continue
                    apart = one.outward - other.outward
                    if not least <= apart <= most:
                        out += _inside_out(case, (i, j), (apart, least), (name, side))
    return out


def _inside_out(
    case: Case, pair: tuple[int, int], measured: tuple[float, float], words: tuple[str, str]
) -> list[tuple[int, Finding]]:
    (i, j), (apart, least), (name, side) = pair, measured, words
    if math.isnan(apart):
        return []
    a, b = case.items[i].text, case.items[j].text
    how = (
        "inside out: side or names are wrong" if apart < 0 else "not as far apart as they should be"
    )
    message = f"the lateral {name} {a} stands {apart:.3f} outside the medial one {b}, {how}"
    finding = _finding(f"{a} {b}", message, apart, least, side)
    return [(i, finding), (j, finding)]

"""What was found for one file: landmarks with roles, the rest with reasons, findings."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.landmarks.assign import MANY
from gaitdyn.landmarks.checks import CONTRADICTED
from gaitdyn.landmarks.roles import roles_of
from gaitdyn.types.findings import Finding
from gaitdyn.types.landmarks import Landmark, Resolution, Sure, Unresolved

if TYPE_CHECKING:
    from gaitdyn.landmarks.assign import Claim
    from gaitdyn.landmarks.case import Case

_SURE_WORD, _LIKELY_WORD = 0.45, 0.3
_CLOSE = 0.7
_ALIKE = {"MT2H": "TOE"}
"""Codes that are used alike."""
_GOOD = 1.2


def outcome(
    case: Case,
    number: int,
    won: dict[int, Claim],
    claims: list[Claim],
    findings: list[tuple[int, Finding]],
) -> Resolution:
    """Return the resolution of one file."""
    recording = case.files[number]
    here = {
        i: case.items[i].at[number] for i in range(len(case.items)) if number in case.items[i].at
    }
    doubted = {i for i, _ in findings}
    rare = {here[i]: frames for i, frames in case.rare[number].items() if i in here}
    marks: list[Landmark] = []
    left_out = case.gathered.left_out + case.gathered.copies
    loose = [
        Unresolved(place, recording.labels[place], why)
        for file, place, why in left_out
        if file == number
    ]
    next_best = _next_best(claims, won)
    roles = _roles(case, here, won, rare)
    told: list[Finding] = [f for i, f in findings if i in here]
    told += _copies(case, number)
    for i, place in here.items():
        label = recording.labels[place]
        claim = won.get(i)
        if claim is None or claim.code == "VIR":
            loose.append(Unresolved(place, label, _why_not(case, i, claim, claims)))
            continue
        sure, doubt = _how_sure(case, i, claim, next_best.get(i), doubted=i in doubted)
        why = _why(case, i, claim)
        if doubt and i not in doubted:
            told.append(_doubtful(label, claim, doubt))
        if place in rare:
            sure, why = "doubtful", f"{why}; seen in {rare[place]} frames alone, not used"
            told.append(_ghost(label, claim, rare[place]))
        marks.append(
            Landmark(place, label, claim.code, claim.side, roles.get(place, ""), sure, why)
        )
    told += _mirrored(case, number)
    body = case.bodies[number]
    standing = None if body is None else body.standing
    if standing is not None:
        standing = replace(standing, mirrored=case.grounds[number].mirrored)
    return Resolution(
        tuple(sorted(marks, key=lambda mark: mark.index)),
        tuple(sorted(loose)),
        tuple(told),
        standing,
    )


def _roles(
    case: Case, here: dict[int, int], won: dict[int, Claim], rare: dict[int, int]
) -> dict[int, str]:
    named = sorted(
        (i for i in here if i in won and here[i] not in rare), key=lambda i: -won[i].score
    )
    marks = [(here[i], won[i].code, won[i].side) for i in named]
    return roles_of(marks, {here[i]: case.items[i].text for i in named})


def _next_best(claims: list[Claim], won: dict[int, Claim]) -> dict[int, float]:
    """Return item -> how far its next meaning is behind the one it has.

    A meaning that another marker of the side has is none.
    """
    held = {(claim.code, claim.side) for claim in won.values()}
    others: dict[int, list[float]] = defaultdict(list)
    for claim in claims:
        mine = won.get(claim.item)
        if mine is None or _ALIKE.get(claim.code, claim.code) == _ALIKE.get(mine.code, mine.code):
            continue
        free = claim.code in MANY or (claim.code, claim.side) not in held
        if free or mine.score < claim.score:
            others[claim.item].append(mine.score - claim.score)
    return {item: min(gaps) for item, gaps in others.items()}


def _how_sure(
    case: Case, i: int, claim: Claim, gap: float | None, *, doubted: bool
) -> tuple[Sure, str]:
    """Return how sure a landmark is and, when it is doubtful, why."""
    fit = case.fit(i, claim.code)
    words = case.words[i].meaning
    if doubted or (fit.known and fit.penalty >= CONTRADICTED):
        return "doubtful", "its place speaks against its name"
    if gap is not None and gap < 0:
        return "doubtful", "its best meaning was taken by another marker"
    if gap is not None and gap < _CLOSE:
        return "doubtful", "another meaning fits nearly as well"
    if claim.weight < _LIKELY_WORD and not fit.known:
        return "doubtful", "its words say little and its place is not known"
    if not words.exact and not fit.known:
        return "doubtful", "its words are not a known spelling and its place is not known"
    good = fit.known and fit.penalty < _GOOD
    return ("sure" if words.exact and claim.weight >= _SURE_WORD and good else "likely"), ""


def _why(case: Case, i: int, claim: Claim) -> str:
    words, fit = case.words[i].meaning, case.fit(i, claim.code)
    how = words.how if claim.code in words.codes else "by its place among markers of its name"
    how = how or "one of a series"
    if not fit.known:
        return f"{how}; its place is not known"
    agrees = "its place agrees" if fit.penalty < CONTRADICTED else "its place does not agree"
    return f"{how}; {agrees} ({fit.words})"


def _why_not(case: Case, i: int, claim: Claim | None, claims: list[Claim]) -> str:
    words = case.words[i]
    if claim is not None:
        return words.meaning.how
    mine = [c for c in claims if c.item == i]
    if mine:
        best = max(mine, key=lambda c: c.score)
        if best.accepted:
            return f"{best.code} is another marker that fits better"
        fit = case.fit(i, best.code)
        if not fit.known or fit.penalty < CONTRADICTED:
            return f"its words say too little: perhaps {best.code}"
        return f"named like {best.code} and stands elsewhere ({fit.words})"
    if not words.sided.side:
        return "no side and no known point of the midline"
    return f"no word that we know in {words.sided.core or case.items[i].text!r}"


def _doubtful(label: str, claim: Claim, doubt: str) -> Finding:
    message = (
        f"{label} was taken for {claim.code}{' ' + claim.side if claim.side else ''}, which is"
        f" doubtful: {doubt}; look at it, or rename it"
    )
    return Finding("warning", "landmark-doubtful", label, message, side=claim.side or None)


def _ghost(label: str, claim: Claim, frames: int) -> Finding:
    message = (
        f"{label} ({claim.code}) is seen in {frames} frames, less than a tenth of those that show"
        " the person; it is not used"
    )
    return Finding(
        "warning", "landmark-rarely-seen", label, message, float(frames), side=claim.side or None
    )


def _copies(case: Case, number: int) -> list[Finding]:
    names = [case.files[number].labels[i] for file, i, _ in case.gathered.copies if file == number]
    if not names:
        return []
    unique = list(dict.fromkeys(names))
    listed = ", ".join(unique[:6]) + (", ..." if len(unique) > 6 else "")  # noqa: PLR2004
    message = (
        f"{len(names)} points repeat another of their label ({listed}); the best seen copy is used"
    )
    return [Finding("info", "landmark-copies", "labels", message, float(len(names)))]


def _mirrored(case: Case, number: int) -> list[Finding]:
    """Say that front and back contradict left and right."""
    if not case.grounds[number].mirrored:
        return []
    message = (
        "heels stand ahead of toes, or the back of the pelvis ahead of its front, when left and"
        " right are as named: the sides are exchanged in all labels, or the axes are left-handed"
    )
    return [Finding("warning", "landmark-sides", case.files[number].name, message)]

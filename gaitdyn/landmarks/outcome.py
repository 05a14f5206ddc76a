"""What was found for one file: landmarks with roles, the rest with reasons, findings."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gaitdyn.landmarks.assign import MANY
from gaitdyn.landmarks.checks import CONTRADICTED
from gaitdyn.landmarks.roles import Marked, roles_of, words_for
from gaitdyn.landmarks.wands import tracking_only
from gaitdyn.types.findings import Finding, Level
from gaitdyn.types.landmarks import Landmark, Resolution, Sure, Unresolved

if TYPE_CHECKING:
    from gaitdyn.landmarks.assign import MarkerClaim
    from gaitdyn.landmarks.case import Case

_SURE_WORD, _LIKELY_WORD = 0.45, 0.3
_CLOSE, _WEAK = 0.7, -1.7
_ALIKE = {"MT2H": "TOE"}
"""Codes that are used alike."""
_GOOD = 1.2


def outcomes(
    case: Case,
    won: dict[int, MarkerClaim],
    claims: list[MarkerClaim],
    findings: list[tuple[int, Finding]],
) -> list[Resolution]:
    """Return the resolution of each file.

    Parameters
    ----------
    case : Case
    won : dict
        Item -> its claim.
    claims : list of MarkerClaim
        All of them: what else an item may be.
    findings : list of (item, Finding)
    """
    verdict = _Verdict(case, won, claims, {i for i, _ in findings})
    return [_outcome(verdict, number, findings) for number in range(len(case.files))]


@dataclass(frozen=True, slots=True, eq=False)
class _Verdict:
    """What was decided about all files, as each of them is told."""

    case: Case
    won: dict[int, MarkerClaim]
    claims: list[MarkerClaim]
    doubted: set[int]
    gaps: dict[int, float] = field(init=False)
    roles: dict[int, str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "gaps", _next_best(self.claims, self.won))
        object.__setattr__(self, "roles", roles_in(self.case, self.won))


def _outcome(verdict: _Verdict, number: int, findings: list[tuple[int, Finding]]) -> Resolution:
    case = verdict.case
    here = {i: item.at[number] for i, item in enumerate(case.items) if number in item.at}
    labels = case.files[number].labels
    left_out = case.gathered.left_out + case.gathered.copies
    loose = [Unresolved(at, labels[at], why) for file, at, why in left_out if file == number]
    wands = tracking_only(case, verdict.won)
    told = (
        [finding for i, finding in findings if i in here]
        + [finding for i, finding in wands.items() if i in here]
        + _copies(case, number)
        + _shared(case, number)
    )
    marks: list[Landmark] = []
    for i, place in here.items():
        claim = verdict.won.get(i)
        if claim is None or claim.code == "VIR":
            why = _why_not(case, i, claim, verdict.claims)
            loose.append(Unresolved(place, labels[place], why))
            continue
        mark, doubts = _mark(verdict, number, i, claim)
        marks.append(mark)
        told += doubts
    body, mirrored = case.body(number), case.ground(number).mirrored
    return Resolution(
        tuple(sorted(marks, key=lambda mark: mark.index)),
        tuple(sorted(loose)),
        (*dict.fromkeys(told), *_mirrored(case, number)),
        None if body is None else replace(body.standing, mirrored=mirrored),
    )


def _mark(
    verdict: _Verdict, number: int, i: int, claim: MarkerClaim
) -> tuple[Landmark, list[Finding]]:
    """Return one landmark of a file and what is to be said about it."""
    case, doubted = verdict.case, i in verdict.doubted
    place = case.items[i].at[number]
    label = case.files[number].labels[place]
    sure, doubt = _how_sure(case, i, claim, verdict.gaps.get(i), doubted=doubted)
    why, role = _why(case, i, claim), verdict.roles.get(i, "")
    told = [_doubtful(label, claim, doubt)] if doubt and not doubted else []
    frames = case.rare[number].get(i)
    if frames is not None:
        sure, role = "doubtful", ""
        why = f"{why}; seen in {frames} frames alone, not used"
        told.append(_ghost(label, claim, frames))
    return Landmark(place, label, claim.code, claim.side, role, sure, why), told


def roles_in(case: Case, won: dict[int, MarkerClaim]) -> dict[int, str]:
    """Return item -> our name, the same in all files; what each shows rarely has none."""
    marks: list[Marked] = []
    tracks = tracking_only(case, won)
    for i in sorted(won, key=lambda i: (-len(won[i].files), -won[i].score, i)):
        shown = frozenset(file for file in won[i].files if i not in case.rare[file])
        if shown and won[i].code != "VIR":
            text, claim = case.items[i].text, won[i]
            marks.append(Marked(i, shown, claim.code, claim.side, text, tracks=i in tracks))
    return roles_of(marks)


def _next_best(claims: list[MarkerClaim], won: dict[int, MarkerClaim]) -> dict[int, float]:
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
    case: Case, i: int, claim: MarkerClaim, gap: float | None, *, doubted: bool
) -> tuple[Sure, str]:
    """Return how sure a landmark is and, when it is doubtful, why."""
    fit, words = case.fit(i, claim.code), case.words[i].meaning
    far = fit.known and fit.penalty >= CONTRADICTED
    weak = claim.score < _WEAK or fit.whole >= 2 * CONTRADICTED
    doubts = (
        (doubted or far, "its place speaks against its name"),
        (gap is not None and gap < 0, "its best meaning was taken by another marker"),
        (gap is not None and gap < _CLOSE, "another meaning fits nearly as well"),
        (
            not fit.known and (not words.exact or claim.weight < _LIKELY_WORD),
            "its words say little and its place is not known",
        ),
        (not words.exact and weak, "its words are not known spelling and its place says little"),
    )
    doubt = next((why for holds, why in doubts if holds), "")
    if doubt:
        return "doubtful", doubt
    good = fit.known and fit.penalty < _GOOD
    return ("sure" if words.exact and claim.weight >= _SURE_WORD and good else "likely"), ""


def _why(case: Case, i: int, claim: MarkerClaim) -> str:
    words, fit = case.words[i].meaning, case.fit(i, claim.code)
    how = words.how if claim.code in words.codes else "by its place among markers of its name"
    how = words.reasons.get(claim.code, how)
    how = how or "one of a series"
    if not fit.known:
        return f"{how}; its place is not known"
    agrees = "its place agrees" if fit.whole < CONTRADICTED else "its place does not agree"
    return f"{how}; {agrees} ({fit.words})"


def _why_not(case: Case, i: int, claim: MarkerClaim | None, claims: list[MarkerClaim]) -> str:
    words = case.words[i]
    if claim is not None:
        return words.meaning.how
    mine = [c for c in claims if c.item == i]
    if mine:
        best = max(mine, key=lambda c: c.score)
        if best.accepted:
            return f"{words_for(best.code)} is another marker that fits better"
        fit = case.fit(i, best.code)
        if not fit.known or fit.penalty < CONTRADICTED:
            return f"its words say too little: perhaps {words_for(best.code)}"
        return f"named like {words_for(best.code)} and stands elsewhere ({fit.words})"
    if not words.sided.side:
        return "no side and no known point of the midline"
    return f"no word that we know in {words.sided.core or case.items[i].text!r}"


def _doubtful(label: str, claim: MarkerClaim, doubt: str) -> Finding:
    message = (
        f"{label} was taken for {words_for(claim.code, claim.side)}, which is"
        f" doubtful: {doubt}; look at it, or rename it"
    )
    return Finding("warning", "landmark-doubtful", label, message, side=claim.side or None)


def _ghost(label: str, claim: MarkerClaim, frames: int) -> Finding:
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


def _shared(case: Case, number: int) -> list[Finding]:
    """Say that markers share a label: a side by its place is a doubt, a number by shape is none."""
    told = {at: text for (file, at), text in case.gathered.told.items() if file == number}
    labels = case.files[number].labels
    sided = [labels[at] for at, text in told.items() if re.search(r" (left|right)\b", text)]
    words: tuple[tuple[str, Level, list[str], str], ...] = (
        ("landmark-doubtful", "warning", sided, "their sides follow from their places"),
        ("landmark-copies", "info", [labels[at] for at in told if labels[at] not in sided],
         "which is which follows from the shape of the cluster"),
    )  # fmt: skip
    found: list[Finding] = []
    for code, level, names, how in words:
        if names:
            listed = ", ".join(dict.fromkeys(names))
            message = f"{len(names)} markers share their labels ({listed}): {how}"
            found.append(Finding(level, code, "labels", message, float(len(names))))
    return found


def _mirrored(case: Case, number: int) -> list[Finding]:
    """Say that front and back contradict left and right."""
    if not case.ground(number).mirrored:
        return []
    message = (
        "heels stand ahead of toes, or the back of the pelvis ahead of its front, when left and"
        " right are as named: the sides are exchanged in all labels, or the axes are left-handed"
    )
    return [Finding("warning", "landmark-sides", case.files[number].name, message)]

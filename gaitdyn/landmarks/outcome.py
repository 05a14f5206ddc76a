"""Report the outcome for each file: landmarks with roles, the rest with reasons, and findings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import field, replace

from gaitdyn.landmarks.assign import MANY, MarkerClaim
from gaitdyn.landmarks.body.case import Case
from gaitdyn.landmarks.checks import CONTRADICTED
from gaitdyn.landmarks.labels.derived import OTHERS, with_name_masked
from gaitdyn.landmarks.labels.role_table import words_for
from gaitdyn.landmarks.roles import Marked, roles_of
from gaitdyn.landmarks.wands import tracking_only
from gaitdyn.types.findings import Finding, Level
from gaitdyn.types.frozen import frozen
from gaitdyn.types.landmarks import Landmark, Resolution, Sure, Unresolved
from gaitdyn.types.words import counted

_SURE_WORD, _LIKELY_WORD = 0.45, 0.3
_CLOSE, _WEAK = 0.7, -1.7
_ALIKE = {"MT2H": "TOE"}
"""Codes that are used interchangeably."""
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
        All claims: what else an item may be.
    findings : list of (item, Finding)
    """
    verdict = _Verdict(case, won, claims, {i for i, _ in findings})
    return [_outcome(verdict, number, findings) for number in range(len(case.files))]


@frozen(eq=False)
class _Verdict:
    """The decisions about all files."""

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
    index_of = case.gathered.indices(number)
    labels = case.files[number].labels
    left_out = case.gathered.left_out + case.gathered.copies
    unresolved = [
        Unresolved(index, labels[index], reason)
        for file, index, reason in left_out
        if file == number
    ]
    wands = tracking_only(case, verdict.won)
    reports = (
        [finding for i, finding in findings if i in index_of]
        + [finding for i, finding in wands.items() if i in index_of]
        + _copies(case, number)
        + _shared(case, number)
        + _others(unresolved)
    )
    marks: list[Landmark] = []
    for i, index in index_of.items():
        claim = verdict.won.get(i)
        if claim is None or claim.code == "VIR":
            reason = _reason_unresolved(case, i, claim, verdict.claims)
            unresolved.append(Unresolved(index, labels[index], reason))
            continue
        mark, doubts = _mark(verdict, number, i, claim)
        marks.append(mark)
        reports += doubts
    body, mirrored = case.body(number), case.evidence(number).mirrored
    return Resolution(
        tuple(sorted(marks, key=lambda mark: mark.index)),
        tuple(sorted(unresolved)),
        (*dict.fromkeys(reports), *_mirrored(case, number)),
        None if body is None else replace(body.standing, mirrored=mirrored),
    )


def _mark(
    verdict: _Verdict, number: int, i: int, claim: MarkerClaim
) -> tuple[Landmark, list[Finding]]:
    """Return one landmark of a file, and findings on it."""
    case, doubted = verdict.case, i in verdict.doubted
    index = case.items[i].index[number]
    label = case.files[number].labels[index]
    sure, doubt = _how_sure(case, i, claim, verdict.gaps.get(i), doubted=doubted)
    reason, role = _reason(case, i, claim), verdict.roles.get(i, "")
    reports = [_doubtful(label, claim, doubt)] if doubt and not doubted else []
    reports += [_hallux(label, claim)] if claim.code == "HLX" and role[1:] == "TOE" else []
    if (frames := case.rare[number].get(i)) is not None:
        sure, role = "doubtful", ""
        reason = f"{reason}; visible in only {counted(frames, 'frame')}, not used"
        reports.append(_ghost(label, claim, frames))
    return Landmark(index, label, claim.code, claim.side, role, sure, reason), reports


def roles_in(case: Case, won: dict[int, MarkerClaim]) -> dict[int, str]:
    """Return item -> gaitdyn name, the same in all files; rarely visible markers have none."""
    marks: list[Marked] = []
    trackers = tracking_only(case, won)
    for i in sorted(won, key=lambda i: (-len(won[i].files), -won[i].score, i)):
        files = frozenset(file for file in won[i].files if i not in case.rare[file])
        if files and won[i].code != "VIR":
            text, claim = case.items[i].text, won[i]
            marks.append(Marked(i, files, claim.code, claim.side, text, tracks=i in trackers))
    return roles_of(marks)


def _next_best(claims: list[MarkerClaim], won: dict[int, MarkerClaim]) -> dict[int, float]:
    """Return item -> score of its meaning minus that of its next one.

    A meaning already taken by another marker on the side does not count.
    """
    taken = {(claim.code, claim.side) for claim in won.values()}
    others: dict[int, list[float]] = defaultdict(list)
    for claim in claims:
        winner = won.get(claim.item)
        if winner is None or _ALIKE.get(claim.code, claim.code) == _ALIKE.get(
            winner.code, winner.code
        ):
            continue
        free = claim.code in MANY or (claim.code, claim.side) not in taken
        gap = winner.score - claim.score
        if free or gap < 0:
            others[claim.item].append(max(gap, 0.0) if free else gap)
    return {item: min(gaps) for item, gaps in others.items()}


def _how_sure(
    case: Case, i: int, claim: MarkerClaim, gap: float | None, *, doubted: bool
) -> tuple[Sure, str]:
    """Return how sure a landmark is and, if doubtful, why."""
    fit, words = case.fit(i, claim.code), case.words[i].meaning
    contradicted = fit.known and fit.penalty >= CONTRADICTED
    weak = claim.score < _WEAK or fit.whole >= 2 * CONTRADICTED
    conditions = (
        (doubted or contradicted, "its position contradicts its name"),
        (gap is not None and gap < 0, "its best meaning was taken by another marker"),
        (gap is not None and gap < _CLOSE, "another meaning fits nearly as well"),
        (
            not fit.known and (not words.exact or claim.weight < _LIKELY_WORD),
            "its words are vague and its position is unknown",
        ),
        (not words.exact and weak, "its spelling is unknown and its position is not typical"),
    )
    doubt = next((reason for applies, reason in conditions if applies), "")
    if doubt:
        return "doubtful", doubt
    agrees = fit.known and fit.penalty < _GOOD
    return ("sure" if words.exact and claim.weight >= _SURE_WORD and agrees else "likely"), ""


def _reason(case: Case, i: int, claim: MarkerClaim) -> str:
    words, fit = case.words[i].meaning, case.fit(i, claim.code)
    how = words.how if claim.code in words.codes else "by its position among markers of its name"
    how = words.reasons.get(claim.code, how)
    how = how or "one of a series"
    if not fit.known:
        return f"{how}; its position is unknown"
    agrees = "its position agrees" if fit.whole < CONTRADICTED else "its position does not agree"
    return f"{how}; {agrees} ({fit.words})"


def _reason_unresolved(
    case: Case, i: int, claim: MarkerClaim | None, claims: list[MarkerClaim]
) -> str:
    words = case.words[i]
    if claim is not None:
        is_named = "VIR" in words.meaning.codes
        return words.meaning.how if is_named else "the centre of a joint, by its place"
    if item_claims := [c for c in claims if c.item == i]:
        best = max(item_claims, key=lambda c: c.score)
        if best.accepted:
            return f"{words_for(best.code)} is another marker that fits better"
        fit = case.fit(i, best.code)
        if not fit.known or fit.penalty < CONTRADICTED:
            return f"its words are too vague: perhaps {words_for(best.code)}"
        return f"named like {words_for(best.code)} but is elsewhere ({fit.words})"
    if not words.sided.side:
        return "no side and no known point of the midline"
    dropped = max(words.meaning.codes, key=lambda code: words.meaning.codes[code], default="")
    known = f"named like {words_for(dropped)} but is elsewhere" if dropped else ""
    return known or f"no known word in {words.sided.core or case.items[i].text!r}"


def _doubtful(label: str, claim: MarkerClaim, doubt: str) -> Finding:
    message = (
        f"{label} was taken for {words_for(claim.code, claim.side)}, which is"
        f" doubtful: {doubt}; check it, or rename it"
    )
    return Finding("warning", "landmark-doubtful", label, message, side=claim.side or None)


def _hallux(label: str, claim: MarkerClaim) -> Finding:
    message = (
        f"{label} stands for the toe marker of the {claim.side} foot, which has no other: seen from"
        " the heel the hallux is usually 4 degrees inwards of the second metatarsal head, 3 below"
    )
    return Finding("warning", "foot-coarse", label, message, side=claim.side or None)


def _ghost(label: str, claim: MarkerClaim, frames: int) -> Finding:
    message = (
        f"{label} ({claim.code}) is visible in {counted(frames, 'frame')}, less than a tenth of"
        " those that show the person; it is not used"
    )
    return Finding(
        "warning", "landmark-rarely-seen", label, message, float(frames), side=claim.side or None
    )


def _copies(case: Case, number: int) -> list[Finding]:
    names = [case.files[number].labels[i] for file, i, _ in case.gathered.copies if file == number]
    if not names:
        return []
    message = (
        f"{counted(len(names), 'point')} with the label of another ({_listed(names)}); the copy"
        " visible most often is used"
    )
    return [Finding("info", "landmark-copies", "labels", message, float(len(names)))]


def _others(unresolved: Sequence[Unresolved]) -> list[Finding]:
    names = [with_name_masked(point.label) for point in unresolved if point.why == OTHERS]
    if not names:
        return []
    message = f"not used: {counted(len(names), 'marker')} ({_listed(names)}) {OTHERS}"
    return [Finding("info", "landmark-others", "labels", message, float(len(names)))]


def _listed(names: Sequence[str]) -> str:
    unique = list(dict.fromkeys(names))
    return ", ".join(unique[:6]) + (", ..." if len(unique) > 6 else "")  # noqa: PLR2004


def _shared(case: Case, number: int) -> list[Finding]:
    """Report shared labels; a side from position is doubtful, a number from shape is not."""
    texts = {i: text for (file, i), text in case.gathered.separated.items() if file == number}
    labels = case.files[number].labels
    sided = [labels[i] for i, text in texts.items() if re.search(r" (left|right)\b", text)]
    words: tuple[tuple[str, Level, list[str], str, str], ...] = (
        ("landmark-doubtful", "warning", sided, "have labels without a side",
         "their sides follow from their positions"),
        ("landmark-copies", "info", [labels[i] for i in texts if labels[i] not in sided],
         "share their labels", "the shape of the cluster shows which is which"),
    )  # fmt: skip
    findings: list[Finding] = []
    for code, level, names, fact, explanation in words:
        if names:
            listed = ", ".join(dict.fromkeys(names))
            message = f"{len(names)} markers {fact} ({listed}): {explanation}"
            findings.append(Finding(level, code, "labels", message, float(len(names))))
    return findings


def _mirrored(case: Case, number: int) -> list[Finding]:
    """Report that front and back contradict left and right."""
    if not case.evidence(number).mirrored:
        return []
    message = (
        "heels are ahead of toes, or the back of the pelvis ahead of its front, when left and"
        " right are as named: the sides are exchanged in all labels, or the axes are left-handed"
    )
    return [Finding("warning", "landmark-sides", case.files[number].name, message)]

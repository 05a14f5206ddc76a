"""GPS, movement analysis profile and GDI* of each group, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gaitdyn.judge.repeats.scores import OVERALL
from gaitdyn.metrics.scores import (
    MCID_DEG,
    SDC_GPS_DEG,
    GaitScores,
    Score,
    free_speed_scores,
    score_change,
)
from gaitdyn.report.compared.changed_curves import gps_size
from gaitdyn.report.contents import TextTable
from gaitdyn.report.first_screen.wording import TITLES
from gaitdyn.report.numbers import DASH, decimal
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gaitdyn.judge.abnormal import Abnormal
    from gaitdyn.judge.repeats.scores import GpsLimits
    from gaitdyn.report.groups import Group
    from gaitdyn.types.norms import MatchedNorm


ComparedScores: TypeAlias = "tuple[int, int, GpsLimits | None]"


@frozen(eq=False)
class GroupScores:
    """The scores of one group under its label, and the reference for its speed."""

    label: str
    scores: GaitScores
    norm: MatchedNorm
    turning: bool = False


def group_scores(
    groups: Sequence[Group], norms: Sequence[MatchedNorm], judged: Iterable[Abnormal]
) -> list[GroupScores]:
    """Return the scores of every group against free speed; empty without a reference.

    Parameters
    ----------
    groups : sequence of Group
    norms : sequence of MatchedNorm
        One per group, or empty.
    judged : iterable of Abnormal
        Of the groups that do not turn, in their order.
    """
    straight = iter(judged)
    rows = []
    for group, norm in zip(groups, norms, strict=bool(norms)):
        cycles = [cycle for trial in group.trials for cycle in trial.cycles]
        scores = free_speed_scores(cycles, norm) if group.turning else next(straight).scores
        rows.append(GroupScores(group.label, scores, norm, group.turning))
    return rows


def score_tables(
    groups: Sequence[GroupScores], compared: Sequence[ComparedScores] = ()
) -> list[TextTable]:
    """Return GPS and GDI*, then the movement analysis profile.

    Parameters
    ----------
    groups : sequence of GroupScores
    compared : sequence of (int, int, GpsLimits or None)
        The numbers of two groups of one person, and what a second session causes by itself;
        without it no marker was placed again.
    """
    heads = [f"{side.capitalize()}{_tail(g)}" for g in groups for side in SIDES]
    columns = ("Score", *(f"{w}{_tail(g)}" for g in groups for w in ("Left", "Right", "Overall")))
    gps, own, gdi = ["GPS (deg)"], ["GPS at this speed (deg)"], ["GDI*"]
    for group in groups:
        scores = group.scores
        gps += [*(_words(scores.gps[s], 1) for s in SIDES), _words(scores.gps_overall, 1)]
        at_speed = {} if group.norm.unmatched else scores.gps_at_speed
        own += [*(_words(at_speed[s], 1) if at_speed else DASH for s in SIDES), DASH]
        gdi += [*(_words(scores.gdi_star[s], 0) for s in SIDES), DASH]
    notes = [
        (
            f"Medians over the cycles (quartiles) against {groups[0].norm.norm.name}."
            f" {groups[0].norm.norm.source}"
        ),
        *(f"{(g.label + ': ') if g.label else ''}{_reference_words(g)}." for g in groups),
        (
            f"GPS after Baker et al. 2009; {MCID_DEG:g} deg is the smallest difference that"
            " matters to a clinician (Baker et al. 2012). GDI* is the scaled logarithm of the GPS"
            " (Schwartz, Rozumalski and Baker 2013), not the GDI."
        ),
        *(f"{warning}." for warning in groups[0].scores.warnings),
        *_changes(groups, compared),
        *_reasons(groups),
    ]
    rows = [tuple(gps), tuple(own), tuple(gdi)]
    first = TextTable("Scores against the reference set", columns, tuple(rows), tuple(notes))
    profile = tuple(
        (title, *(_words(g.scores.profile[side, name], 1) for g in groups for side in SIDES))
        for name, title in TITLES.items()
    )
    second = TextTable("Movement analysis profile (deg)", ("Variable", *heads), profile)
    return [first, second]


def _reference_words(group: GroupScores) -> str:
    """Return against what the scores of a group are, or why it has none."""
    if group.norm.refused:
        return group.norm.refused
    at_speed = f"{'' if group.norm.unmatched else 'at this '}{group.norm.note}"
    return f"GPS: {group.scores.note}; {at_speed}"


def _tail(group: GroupScores) -> str:
    return f", {group.label}" if group.label else ""


def _words(score: Score, digits: int) -> str:
    if score.value is None:
        return DASH
    if score.quartiles is None or score.cycles == 1:
        return decimal(score.value, digits)
    low, high = (decimal(q, digits) for q in score.quartiles)
    return f"{decimal(score.value, digits)} ({low}\u2013{high})"


def _reasons(groups: Sequence[GroupScores]) -> list[str]:
    """Return why scores of straight walking are missing, with the titles of the tables."""
    texts: dict[str, None] = {}
    turned = any(group.turning for group in groups)
    straight = {f"no {s} cycle": f"no {s} cycle without a turn" for s in SIDES if turned}
    for group in (g for g in groups if not g.turning):
        for side, score in (*group.scores.gps.items(), ("overall", group.scores.gps_overall)):
            if score.value is None:
                reason = straight.get(score.reason, score.reason)
                for name, title in TITLES.items():
                    reason = reason.replace(name, title.lower())
                texts[f"No GPS, {side}{_tail(group)}: {reason}."] = None
    return list(texts)


def _changes(groups: Sequence[GroupScores], compared: Sequence[ComparedScores]) -> list[str]:
    """Return whether the GPS changed by more than what matters, and than what is measurable."""
    lines = []
    for i, j, limits in compared:
        first, other = groups[i], groups[j]
        detectable = SDC_GPS_DEG if limits is None else limits.overall
        before, after = first.scores.gps_overall.value, other.scores.gps_overall.value
        if before is None or after is None:
            continue
        change = score_change(before, after, detectable)
        if limits is not None and (why := limits.refused.get(OVERALL)):
            size = decimal(change.gps, 1, "+")
            lines.append(
                f"Overall GPS changes by {size} deg from {first.label} to {other.label}:"
                f" not judged, {why}."
            )
            continue
        word = "more" if change.matters else "less"
        measured = ""
        if limits is not None:
            sure = "more" if change.measurable else "no more"
            measured = (
                f", and {sure} than the {detectable:g} deg that a second session causes by itself"
                f" ({limits.origin})"
            )
        lines.append(
            f"Overall GPS changes by {gps_size(change, detectable)} deg from {first.label} to"
            f" {other.label}: {word} than the {MCID_DEG:g} deg that matter{measured}."
        )
    return lines

"""Make the contents of a report from groups of stored trials, or from one result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import UsageError
from gaitdyn.judge.changes.planned import planned_of
from gaitdyn.judge.together import Judgement, judge_groups
from gaitdyn.judge.way import as_walked
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.metrics.norms.speed import match_norm, without_moments
from gaitdyn.report.compared.groups import compared_groups, firsts_of_groups, people_apart
from gaitdyn.report.contents import TextTable, all_trials, headline, trimmed
from gaitdyn.report.extras import find_extras
from gaitdyn.report.files import report_files, write_report
from gaitdyn.report.first_screen.line_parts import remark_words
from gaitdyn.report.first_screen.notices import person_notices, twice_notices
from gaitdyn.report.groups import Group, outward_groups, pooled
from gaitdyn.report.report import Report
from gaitdyn.report.strides import mean_of
from gaitdyn.report.tables.channels import channels_table
from gaitdyn.report.tables.checklist import checklist, options_table, provenance
from gaitdyn.report.tables.extras import advice_table, cutoff_table, shares, sweep_tables
from gaitdyn.report.tables.number_changes import parameter_changes, peak_changes
from gaitdyn.report.tables.numbers import parameter_table, parameter_words, peak_tables, peak_words
from gaitdyn.report.tables.quality import (
    audit_table,
    by_hand_table,
    contacts_table,
    events_table,
    findings_table,
    status_table,
    stored_timeline,
)
from gaitdyn.report.tables.scores import GroupScores, group_scores, score_tables
from gaitdyn.report.title import title_of
from gaitdyn.report.views import GroupView, view_of_group
from gaitdyn.store.headings import rejoined
from gaitdyn.store.outward import pseudonymised_label
from gaitdyn.store.stored import StoredTrial, trial_of_result
from gaitdyn.store.visit import one_visit, read_comments
from gaitdyn.types.norms import MatchedNorm, Norm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gaitdyn.judge.changes.whose import PersonCheck
    from gaitdyn.statistics.session_error import SessionError
    from gaitdyn.trial import Result


def make_report(
    groups: Sequence[Group], norm: Norm | None = None, *, with_names: bool = False,
    repeats: Mapping[str, SessionError] | None = None, planned: Sequence[str] = (),
) -> Report:  # fmt: skip
    """Return the contents of a report.

    Parameters
    ----------
    groups : sequence of Group
    norm : Norm, optional
        Reference curves; matched to the mean speed of each group.
    with_names : bool
        Leave names of persons in names of files, folders and conditions.
    repeats : mapping, optional
        The laboratory's session error, from :func:`gaitdyn.judge.read_repeats`.
    planned : sequence of str
        Curves and peaks named in advance, such as ``left knee_angle_flexion swing``; if empty,
        those in the file of the first visit of a pair, or else of the second.

    Raises
    ------
    UsageError
        For a plan that cannot be read, or without a second session.
    """
    with_persons, groups = groups, outward_groups(groups, with_names=with_names)
    trials = all_trials(groups)
    norms = () if norm is None else tuple(_matched(norm, group) for group in groups)
    visit = one_visit(trials)
    firsts, person_checks = _person_checks(with_persons)
    judgement = judge_groups(
        [g.trials for g in groups], norms, repeats=repeats, person_checks=person_checks,
        planned=planned, firsts=firsts,
    )  # fmt: skip
    if planned and not judgement.pairs:
        planned_of(planned)
        raise UsageError("found planned changes and one session; wanted two sessions to compare")
    scored = group_scores(groups, norms, judgement.abnormal)
    views = _views(groups, norms, scored, judgement)
    one_person = not any(check.two for check in person_checks)
    compared = compared_groups(groups, firsts)
    straight = [view for view in views if not view.turning]
    names = [[trial.name for trial in view.trials] for view in straight]
    return Report(
        groups=tuple(groups),
        norms=norms,
        title=title_of(groups, person_checks),
        headline=headline(groups, with_persons, person_checks, _axis_lines(views)),
        extras=find_extras(groups),
        judgement=judgement,
        methods=(checklist(trials[0]), provenance(groups, norm)),
        scores=_score_tables(groups, scored, judgement, compared if one_person else ()),
        shares=tuple(shares(trials)),
        cutoffs=_filled(advice_table(trials), cutoff_table(trials)),
        sweeps=tuple(sweep_tables(trials)),
        views=views,
        notices=(
            *person_notices([view.label for view in straight], person_checks, names),
            *twice_notices(groups if one_person else ()),
        ),
        visit=visit,
        comments=read_comments(trial.path for trial in trials),
        **_trial_tables(groups, norms, () if people_apart(with_persons) else compared),
    )


def _score_tables(
    groups: Sequence[Group],
    scored: Sequence[GroupScores],
    judgement: Judgement,
    compared: Sequence[tuple[int, int]],
) -> tuple[TextTable, ...]:
    """Return the tables of the scores, each change with the limit by which its curves are judged.

    Straight strides and those that turn of one session have the same markers: without a limit.
    """
    straight = [i for i, group in enumerate(groups) if not group.turning]
    limits = {
        i: None if pair.markers_on and not pair.gps.refused else pair.gps
        for i, pair in zip(straight[1:], judgement.pairs, strict=True)
    }
    pairs = [(first, other, limits.get(other)) for first, other in compared]
    return tuple(score_tables(scored, pairs)) if scored else ()


def _axis_lines(views: Sequence[GroupView]) -> list[str]:
    """Return the remarks on the knee axes of each group, of those that do not turn if any."""
    shown = [view for view in views if not view.turning] or list(views)
    return [
        f"{view.label}: {remark_words(view.remarks)}" if view.label else remark_words(view.remarks)
        for view in shown
        if view.remarks and view.usable
    ]


def _trial_tables(
    groups: Sequence[Group], norms: Sequence[MatchedNorm], compared: Sequence[tuple[int, int]]
) -> dict[str, Any]:
    """Return the tables of the trials, with the definitions of what they hold."""
    trials = all_trials(groups)
    whole = rejoined(trials)
    pairs = list(zip(groups, norms or [None] * len(groups), strict=True))
    return {
        "quality": _quality_tables(trials),
        "notes": _filled(
            findings_table(trials, "Notes"),
            events_table(trials),
            audit_table(whole),
            channels_table(whole),
        ),
        "options": (options_table(trials[0]),),
        "parameters": tuple(trimmed(parameter_table(*pair)) for pair in pairs),
        "changes": tuple(parameter_changes(groups, compared)),
        "peak_changes": tuple(peak_changes(groups, compared)),
        "bursts": tuple(trimmed(table) for pair in pairs for table in peak_tables(*pair)),
        "definitions": parameter_words(),
        "burst_definitions": peak_words(),
        "timelines": tuple(stored_timeline(trial) for trial in whole),
    }


def _person_checks(groups: Sequence[Group]) -> tuple[list[int], list[PersonCheck]]:
    """Return with which group each but the first is compared, and whether both are of one person.

    Under pseudonyms.
    """
    known_persons, found = all_trials(groups), firsts_of_groups(groups)
    checks = [
        replace(check, differences=pseudonymised_label(check.differences, known_persons))
        for _, check in found
    ]
    return [first for first, _ in found], checks


def _quality_tables(trials: Sequence[StoredTrial]) -> tuple[TextTable, ...]:
    """Return decisions by hand if there are any, then status, warnings and steps."""
    tables = (
        status_table(trials), findings_table(trials, "Warnings"), contacts_table(trials),
    )  # fmt: skip
    return (*_filled(by_hand_table(trials)), *(trimmed(table) for table in tables))


def _views(
    groups: Sequence[Group],
    norms: Sequence[MatchedNorm],
    scored: Sequence[GroupScores],
    judgement: Judgement,
) -> tuple[GroupView, ...]:
    """Return the clinician's view of each group; strides that turn are not judged."""
    if not norms:
        return tuple(view_of_group(group, None, None) for group in groups)
    abnormal = iter(judgement.abnormal)
    return tuple(
        view_of_group(group, norm, score.scores, None if group.turning else next(abnormal))
        for group, norm, score in zip(groups, norms, scored, strict=True)
    )


def _filled(*tables: TextTable) -> tuple[TextTable, ...]:
    """Return the tables that have rows."""
    return tuple(trimmed(table) for table in tables if table.rows)


def _matched(norm: Norm, group: Group) -> MatchedNorm:
    """Return a reference set matched to the mean speed of a group, empty if strides turn.

    Its peaks of moments are left out for a group with moments in other axes.
    """
    if group.turning:
        note = "turning strides are not compared with straight walking"
        return MatchedNorm(norm, note, {}, refused=note)
    matched = match_norm(norm, mean_of(group.trials, "gait_parameters", "speed_nondimensional"))
    axes = {trial.document["options"]["moments_in"] for trial in group.trials}
    matched = matched if axes == {norm.moments_in} else without_moments(matched)
    return as_walked(matched, group.trials)


def report_of(
    result: Result, path: Path, norm: str | Path | None = None, *, with_names: bool = False
) -> Path:
    """Write the report of a result.

    Parameters
    ----------
    result : Result
    path : Path
        Ends in ``.html`` or ``.pdf``.
    norm : str or Path, optional
        A reference set.
    with_names : bool
        Leave names of persons in names of files and conditions.
    """
    (file,) = report_files([], path, pdf=False)
    reference = None if norm is None else read_norm(norm)
    groups = pooled([trial_of_result(result, result.folder)])
    return write_report(make_report(groups, reference, with_names=with_names), [file])[0]

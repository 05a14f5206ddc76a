"""One report: the contents of the page and of the PDF, computed once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.errors import UsageError
from gaitdyn.judge.planned import planned_of
from gaitdyn.judge.together import Judgement, judge_groups
from gaitdyn.judge.way import as_walked
from gaitdyn.metrics.norm_files import read_norm
from gaitdyn.metrics.norm_speed import match_norm, without_moments
from gaitdyn.report.channel_table import channels_table
from gaitdyn.report.checklist import checklist, options_table, provenance
from gaitdyn.report.contents import Headline, TextTable, all_trials, headline, trimmed
from gaitdyn.report.extra_tables import Share, advice_table, cutoff_table, shares, sweep_tables
from gaitdyn.report.extras import Extras, find_extras
from gaitdyn.report.files import report_files, write_report
from gaitdyn.report.groups import (
    STRAIGHT,
    Group,
    compared_groups,
    firsts_of_groups,
    outward_groups,
    people_apart,
    pooled,
)
from gaitdyn.report.notices import Notice, person_notices, twice_notices
from gaitdyn.report.number_tables import (
    parameter_changes,
    parameter_table,
    parameter_words,
    peak_changes,
    peak_tables,
    peak_words,
)
from gaitdyn.report.quality_tables import (
    audit_table,
    by_hand_table,
    contacts_table,
    events_table,
    findings_table,
    status_table,
    stored_timeline,
)
from gaitdyn.report.score_tables import GroupScores, group_scores, score_tables
from gaitdyn.report.side_lines import remark_words
from gaitdyn.report.strides import mean_of
from gaitdyn.report.views import GroupView, bands_of, view_of_group
from gaitdyn.store.headings import rejoined
from gaitdyn.store.modelled import with_model
from gaitdyn.store.outward import pseudonymised_label
from gaitdyn.store.stored import StoredTrial, trial_of_result
from gaitdyn.store.visit import one_visit, read_comments
from gaitdyn.types.norms import Band, MatchedNorm, Norm
from gaitdyn.types.visit import Visit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from gaitdyn.judge.whose import PersonCheck
    from gaitdyn.metrics.knee_axis import KneeAxisRemark
    from gaitdyn.plots.timeline import Timeline
    from gaitdyn.statistics.session_error import SessionError
    from gaitdyn.trial import Result


T = TypeVar("T")

_TITLE_LETTERS = 30
"""Names in a title that is longer than this leave no room for the person beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """The contents of a report.

    Attributes
    ----------
    groups : tuple of Group
    norms : tuple of MatchedNorm
        A reference set matched to the speed of each group, or nothing.
    title : str
    headline : Headline
    extras : Extras
        Bands, terms, cut-offs and sweeps, as far as the folders have them.
    judgement : Judgement
        What is abnormal in each group, and what changed between them.
    quality, notes, parameters, scores, bursts, methods, options : tuple of TextTable
    changes, peak_changes : tuple of TextTable
        Of parameters and peaks; empty for a single group.
    shares : tuple of Share
        Where the bands come from.
    cutoffs, sweeps : tuple of TextTable
    timelines : tuple of Timeline
        One per trial, for the picture of quality.
    views : tuple of GroupView
        The clinician's view of each group.
    notices : tuple of Notice
        Notices above all groups: that they may be of several people.
    visit : Visit
        The laboratory's own record of the visit.
    comments : str
        Comments that readers wrote into the page and saved next to the results.
    definitions, burst_definitions : tuple of (str, str)
    """

    groups: tuple[Group, ...]
    norms: tuple[MatchedNorm, ...]
    title: str
    headline: Headline
    extras: Extras
    judgement: Judgement
    quality: tuple[TextTable, ...]
    notes: tuple[TextTable, ...]
    methods: tuple[TextTable, ...]
    options: tuple[TextTable, ...]
    parameters: tuple[TextTable, ...] = ()
    changes: tuple[TextTable, ...] = ()
    peak_changes: tuple[TextTable, ...] = ()
    scores: tuple[TextTable, ...] = ()
    bursts: tuple[TextTable, ...] = ()
    definitions: tuple[tuple[str, str], ...] = ()
    burst_definitions: tuple[tuple[str, str], ...] = ()
    shares: tuple[Share, ...] = ()
    cutoffs: tuple[TextTable, ...] = ()
    sweeps: tuple[TextTable, ...] = ()
    timelines: tuple[Timeline, ...] = ()
    views: tuple[GroupView, ...] = ()
    notices: tuple[Notice, ...] = ()
    visit: Visit = field(default_factory=Visit)
    comments: str = ""
    _cache: dict[str, Any] = field(default_factory=dict[str, Any], init=False, repr=False)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return a value derived from the contents, computed at the first request."""
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    @property
    def straight(self) -> list[GroupView]:
        """The views that are compared: those of groups that do not turn."""
        return [view for view in self.views if not view.turning]

    @property
    def remarks(self) -> list[KneeAxisRemark]:
        """The knee axes to check, in strides that do not turn if there are any."""
        return [remark for view in self.straight or self.views for remark in view.remarks]

    @property
    def norm(self) -> MatchedNorm | None:
        """The reference behind the curves: that of the first group."""
        return self.norms[0] if self.norms else None

    @property
    def has_loads(self) -> bool:
        """Whether any cycle has a moment or a ground force."""
        return any(
            np.isfinite(curves.curve(name)).any()
            for trial in all_trials(self.groups)
            for curves in trial.cycles
            for name in curves.names
            if key_of(name).is_moment or key_of(name).is_ground
        )

    @property
    def no_loads(self) -> str:
        """Why no cycle has loads."""
        trials = with_model(all_trials(self.groups))
        reasons = dict.fromkeys(str(t.document["kinetics"]) for t in trials)
        return "; ".join(text for text in reasons if text != "computed") or "no cycle has kinetics"

    @property
    def norm_words(self) -> str:
        """The caption of the grey bands."""
        if self.norm is None:
            return ""
        match = f" matched to {self.groups[0].label or STRAIGHT}" if len(self.groups) > 1 else ""
        name, count = self.norm.norm.name, self.norm.people_words
        return f"Grey: {name}, mean \u00b1 1 and 2 SD{count}{match}; {self.norm.note}"

    @property
    def bands(self) -> dict[str, Band]:
        """The bands for the curves of the first group, under the names of the curves."""
        return bands_of(self.groups[0], self.norm)


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
        title=_title(groups, person_checks),
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
        i: None if pair.markers_on else pair.gps
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


def _title(groups: Sequence[Group], person_checks: Sequence[PersonCheck]) -> str:
    straight = [group for group in groups if not group.turning]
    names = [*dict.fromkeys(trial.name for trial in all_trials(groups))]
    named = names[0] if len(names) == 1 else f"{len(names)} trials: {_listed(names)}"
    if len(straight) == 1 and len({group.session for group in groups}) == 1:
        return f"{named}, straight and turning" if len(groups) > 1 else named
    two_people = any(check.two for check in person_checks)
    if len(straight) > 2:  # noqa: PLR2004  a series, or conditions
        word = "shown" if two_people else "compared"
        return f"{len(straight)} {word}: {_listed([group.label for group in straight])}"
    if len(groups) > 1:
        word = " and " if two_people else " against "
        apart = straight if len(straight) > 1 else groups
        return word.join(group.label or STRAIGHT for group in apart)
    return named


def _listed(names: Sequence[str]) -> str:
    """Return names in a row, or the first and the last of too many for a title."""
    words = ", ".join(names)
    return words if len(words) <= _TITLE_LETTERS else f"{names[0]} \u2026 {names[-1]}"


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

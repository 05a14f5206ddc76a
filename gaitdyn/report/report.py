"""One report: the contents of the page and of the PDF."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.judge.together import Judgement
from gaitdyn.report.contents import Headline, TextTable, all_trials
from gaitdyn.report.extras import Extras
from gaitdyn.report.first_screen.notices import Notice
from gaitdyn.report.groups import STRAIGHT, Group
from gaitdyn.report.tables.extras import Share
from gaitdyn.report.views import GroupView, bands_of
from gaitdyn.store.modelled import with_model
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Band, MatchedNorm
from gaitdyn.types.visit import Visit

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.metrics.knee_axis import KneeAxisRemark
    from gaitdyn.plots.timeline import Timeline

T = TypeVar("T")


@frozen(eq=False)
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

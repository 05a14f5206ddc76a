"""The settings of a batch."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.trial import Result
    from gaitdyn.types.options import Options

LIMIT_S = 300.0
"""Time limit for one trial; a process that exceeds it ends."""


@frozen()
class BatchSettings:
    """Settings of a batch.

    Attributes
    ----------
    out : Path
    jobs : int
        Number of processes.
    dask : str or None
        Address of a cluster's scheduler, used instead of processes.
    reports : tuple of str
        Report files of each trial and each session.
    figures : bool
    sensitivity : bool
        Write the peaks by cut-off.
    sweeps : tuple of str
        Write the peaks under other settings, as ``--sweep``.
    norm : Path or None
    options : dict
        Given fields of :class:`gaitdyn.types.options.Options`; they override a session's file.
    force : bool
        Process every trial again.
    limit_s : float or None
    verify : bool
        Check the hashes of existing results, not only the sizes of their files.
    pseudonyms : bool
        Also mask names of persons in the tables of sessions and in the index.
    with_names : bool
        Keep names of persons in the pages.
    tables : {"csv", "parquet"}
        ``parquet`` also writes the curves as Parquet, one partition per trial of a common table.
    place : Path or None
        Where trials leave what their session needs, see :func:`gaitdyn.batch.handed_on.with_place`;
        without one the session reads their folders.
    """

    out: Path
    jobs: int = 1
    dask: str | None = None
    reports: tuple[str, ...] = ("report.html",)
    figures: bool = False
    norm: Path | None = None
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    force: bool = False
    limit_s: float | None = LIMIT_S
    sensitivity: bool = False
    sweeps: tuple[str, ...] = ()
    verify: bool = False
    pseudonyms: bool = False
    with_names: bool = False
    tables: str = "csv"
    place: Path | None = None


def on_demand(options: Options, settings: BatchSettings) -> list[Callable[[Result], None]]:
    """Return the computations of bands and peaks of other settings that are requested.

    Raises
    ------
    UsageError
        For one that the options rule out.
    """
    if options.uncertainty == "none" and not settings.sensitivity and not settings.sweeps:
        return []
    from gaitdyn.uncertainty.on_demand import keepers_of

    return list(keepers_of(options, sensitivity=settings.sensitivity, sweeps=settings.sweeps))

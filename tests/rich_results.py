"""Results folders with everything that ``gaitdyn process`` writes on demand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from gaitdyn.pipeline import process_trial
from gaitdyn.report.tables.extras import SHOWN_HZ
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.types.options import Options
from gaitdyn.uncertainty.on_demand import keepers_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def rich_results(
    trial: Path, out: Path, cutoffs_hz: Iterable[float] = SHOWN_HZ, **words: Any
) -> Path:
    """Process a trial with bands, terms, cut-offs and a sweep; return its results folder.

    The cut-offs are those that the report has a column for, or some of them; the words are options.
    """
    few = out / "few.toml"
    few.write_text("draws = 20\n", encoding="utf-8")
    options = replace(Options(), terms=True, uncertainty=str(few), **words)
    folder = ResultsFolder.prepare(out, trial)
    result = process_trial(trial, options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gaitdyn.uncertainty.cutoffs.CUTOFFS_HZ", tuple(map(float, cutoffs_hz)))
        for keep in keepers_of(options, sensitivity=True, sweeps=["cutoff=6,12"]):
            keep(result)
    write_results(folder, result)
    return folder.path

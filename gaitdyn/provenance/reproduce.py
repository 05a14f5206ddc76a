"""Compute results again and compare them with the stored ones."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.provenance.differences import (
    TOLERANCE,
    FileDifference,
    folder_differences,
    not_compared,
)
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.store.machine import machine
from gaitdyn.types.frozen import frozen
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from gaitdyn.provenance.rerun import RecordedRun


@frozen()
class Reproduction:
    """Comparison of a second run with the first.

    Attributes
    ----------
    differences : tuple of FileDifference
        One per file.
    versions : tuple of (name, then, now)
        Version, system or library that has changed.
    not_compared : tuple of str
        Tables that ``process`` writes in addition: bands, other cut-offs and settings.
    """

    differences: tuple[FileDifference, ...]
    versions: tuple[tuple[str, str, str], ...]
    not_compared: tuple[str, ...] = ()

    def same(self, tolerance: float = TOLERANCE) -> bool:
        """Return whether every file is the same within a tolerance."""
        return all(difference.within(tolerance) for difference in self.differences)


def reproduce(run: RecordedRun) -> Reproduction:
    """Process a trial again in a temporary folder and compare every table.

    Parameters
    ----------
    run : RecordedRun
        Of :func:`gaitdyn.provenance.rerun.recorded_run`.
    """
    intermediate = (run.stored.path / "motion.npz").is_file()
    with tempfile.TemporaryDirectory(prefix="gaitdyn-") as temporary:
        folder = ResultsFolder.prepare(Path(temporary), run.trial)
        write_results(folder, run.result(), intermediate=intermediate)
        differences = folder_differences(run.stored.path, folder.path)
    skipped = tuple(not_compared(run.stored.path))
    return Reproduction(tuple(differences), changed_versions(run.stored.document), skipped)


def changed_versions(document: dict[str, object]) -> tuple[tuple[str, str, str], ...]:
    """Return name, earlier and current value of every version that has changed.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``.
    """
    platform = document.get("platform")
    then = {"gaitdyn": document.get("gaitdyn"), **(platform if isinstance(platform, dict) else {})}
    now = {"gaitdyn": __version__, **machine()}
    return tuple(
        (name, str(then.get(name) or "not recorded"), value)
        for name, value in now.items()
        if then.get(name) != value
    )

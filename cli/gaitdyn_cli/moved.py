"""The options that say where the inputs of recorded results are now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Optional

if TYPE_CHECKING:
    from gaitdyn.provenance.rerun import RecordedRun


class Moved(NamedTuple):
    """Inputs of results that were named by hand, and where to look for the others."""

    trial: Optional[Path] = None
    static: Optional[Path] = None
    subject: Optional[Path] = None
    near: Optional[list[Path]] = None
    subject_prefix: Optional[str] = None

    @property
    def named(self) -> dict[str, Path]:
        """Role of an input -> its path."""
        paths = {"trial": self.trial, "static": self.static, "subject": self.subject}
        return {role: path for role, path in paths.items() if path is not None}

    def run_of(self, results: Path) -> RecordedRun:
        """Return the run that results record, with these inputs."""
        from gaitdyn.provenance.rerun import recorded_run

        return recorded_run(results, self.named, self.near or (), self.subject_prefix)

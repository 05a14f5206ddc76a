"""Where results go: written aside, put in place as a whole, never over somebody's own files."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.errors import FileRefused, OutputRefused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DOCUMENT = "result.json"


@dataclass(frozen=True, slots=True)
class ResultsFolder:
    """The folder ``OUT/<trial stem>`` of one trial.

    Attributes
    ----------
    path : Path
    force : bool
        Replace the folder whoever wrote it.
    """

    path: Path
    force: bool = False

    @classmethod
    def prepare(
        cls, out: Path, trial: Path, others: Sequence[Path] = (), *, force: bool = False
    ) -> ResultsFolder:
        """Return the folder for a trial.

        Parameters
        ----------
        out : Path
            The folder above it.
        trial : Path
        others : sequence of Path
            Further inputs: static, subject file.
        force : bool

        Raises
        ------
        OutputRefused
            When the folder cannot be made, or recordings or an input lie in it: inputs are never
            written to, whatever ``force`` says.
        """
        if out.exists() and not out.is_dir():
            message = f"-o {out} is a file, wanted a folder; name another"
            raise OutputRefused(message)
        path = out / trial.stem
        if path.is_file():
            message = f"{path} is a file, wanted a folder for the results; name another with -o"
            raise OutputRefused(message)
        inside = [p for p in (trial, *others) if path.resolve() in p.resolve().parents]
        if inside or any(path.rglob("*.[cC]3[dD]")):
            message = (
                f"{path} holds recordings; results would replace the folder, which would lose them;"
                " choose another place with -o"
            )
            raise OutputRefused(message)
        return cls(path, force)

    def check(self, trial_sha256: str) -> None:
        """Refuse a folder that gaitdyn did not write for the same trial.

        Raises
        ------
        OutputRefused
            Unless the folder is empty, ours, or ``--force`` was given.
        """
        if self.force or not self.path.exists() or not any(self.path.iterdir()):
            return
        if trial_sha256 not in _written_for(self.path / DOCUMENT):
            message = (
                f"{self.path} holds files that are not gaitdyn's results of this trial;"
                " choose another place with -o or replace it with --force"
            )
            raise OutputRefused(message)

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """Give a folder beside the final one, and put it in place when all is written."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            aside = Path(tempfile.mkdtemp(prefix=f".{self.path.name}-", dir=self.path.parent))
        except OSError as error:
            message = f"cannot write to {self.path.parent}: {error.strerror}; choose another -o"
            raise OutputRefused(message) from error
        try:
            yield aside
            aside.chmod(0o777 & ~umask())
            if self.path.exists():
                self._exchange(aside)
            else:
                aside.replace(self.path)
        except OSError as error:
            message = f"results could not be written to {self.path}: {error.strerror}"
            raise FileRefused(message) from error
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def _exchange(self, new: Path) -> None:
        """Put a folder in the place of the old one; the old one comes back if that fails."""
        old = Path(tempfile.mkdtemp(prefix=f".{self.path.name}-old-", dir=self.path.parent))
        self.path.replace(old / "old")
        try:
            new.replace(self.path)
        except OSError:
            (old / "old").replace(self.path)
            raise
        finally:
            shutil.rmtree(old, ignore_errors=True)


def _written_for(document: Path) -> list[str]:
    """Return the hashes of the inputs that a ``result.json`` names."""
    try:
        inputs = json.loads(document.read_text(encoding="utf-8"))["inputs"]
        return [entry["sha256"] for entry in inputs if entry.get("role") == "trial"]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def umask() -> int:
    """Return the permissions that new files are not given."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

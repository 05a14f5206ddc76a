"""The results folder: written elsewhere, moved into place whole, never over other files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from gaitdyn.errors import FileRefused, OutputRefused
from gaitdyn.store.being_written import NEW, OLD, being_written, restore, sweep
from gaitdyn.store.claims import claimed
from gaitdyn.store.whole import LARGEST, regular_bytes, settle, settle_folder
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import cannot_write

DOCUMENT = "result.json"
DOCUMENTS = (DOCUMENT, "batch.json")
"""Documents of a results folder that name its recording."""

_VALUES = "values.npz"
_HASH = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def folder_name(name: str) -> str:
    """Return the name of a folder that every disk keeps as it is.

    Windows drops dots and spaces at the end, and has devices of some names.

    Examples
    --------
    >>> (
    ...     folder_name("walk 1 ."),
    ...     folder_name("Aux"),
    ...     folder_name("com1.left"),
    ...     folder_name("console"),
    ... )
    ('walk 1', '_Aux', '_com1.left', 'console')
    """
    kept = name.rstrip(". ")
    return kept if kept and not _DEVICE.fullmatch(kept) else f"_{kept}"


def refuse_among(out: Path, recordings: Iterable[Path]) -> None:
    """Refuse a place for results that is a folder of the recordings they are made from.

    Parameters
    ----------
    out : Path
    recordings : iterable of Path
        The folders.

    Raises
    ------
    OutputRefused
    """
    if out.resolve() in {folder.resolve() for folder in recordings}:
        message = f"-o {out} holds recordings, which are never written to; choose another place"
        raise OutputRefused(message)


@frozen()
class ResultsFolder:
    """The folder ``OUT/<trial stem>`` of one trial.

    Attributes
    ----------
    path : Path
    force : bool
        Replace results of any origin; files with other names are kept.
    held : bool
        Whether this run has already locked the folder.
    say : callable, optional
        Receives messages for the user, such as a wait for another run.
    """

    path: Path
    force: bool = False
    held: bool = False
    say: Callable[[str], None] | None = None

    @classmethod
    def prepare(
        cls,
        out: Path,
        trial: Path,
        others: Sequence[Path] = (),
        *,
        force: bool = False,
        say: Callable[[str], None] | None = None,
    ) -> ResultsFolder:
        """Return the folder for a trial.

        Parameters
        ----------
        out : Path
            The parent folder.
        trial : Path
        others : sequence of Path
            Further inputs: static, subject file.
        force : bool
        say : callable, optional
            Receives messages for the user.

        Raises
        ------
        OutputRefused
            If the folder cannot be made, or if it or its parent holds recordings or an input,
            which are never written to, even with ``force``.
        """
        from gaitdyn.io.file_kinds import exported, recordings_of  # not needed to read a folder

        if out.exists() and not out.is_dir():
            raise OutputRefused(f"-o {out} is a file, wanted a folder; name another")
        refuse_among(out, (p.parent for p in recordings_of([trial, *others])))
        path = out / folder_name(trial.stem)
        if path.is_file():
            message = f"{path} is a file, wanted a folder for the results; name another with -o"
            raise OutputRefused(message)
        inside = [p for p in (trial, *others) if path.resolve() in p.resolve().parents]
        if inside or not all(map(exported, path.rglob("*.[cC]3[dD]"))):
            raise OutputRefused(
                f"{path} holds recordings, and results would take the place of that folder; choose"
                " another place with -o"
            )
        return cls(path, force, say=say)

    def check(self, trial_sha256: str) -> None:
        """Refuse a folder that gaitdyn did not write for the same trial.

        Raises
        ------
        OutputRefused
            For a file; for another folder that is not empty, unless ``--force`` was given.
        """
        if self.path.is_file():
            raise OutputRefused(f"{self.path} is a file, wanted a folder for the results")
        if self.force or not self.path.exists() or not any(self.path.iterdir()):
            return
        recordings = _written_for(self.path)
        if trial_sha256 not in recordings:
            found = "the results of another file of that name"
            raise OutputRefused(
                f"{self.path} holds {found if recordings else 'files that gaitdyn did not write'};"
                " choose another place with -o or replace it with --force"
            )

    @contextmanager
    def writing(self, trial_sha256: str | None = None) -> Generator[Path]:
        """Yield a temporary folder, and move it into place when everything is written.

        If another run is writing the same folder, wait for it. Files not written by gaitdyn stay.

        Parameters
        ----------
        trial_sha256 : str, optional
            Refuse a folder of another trial, after the other run has ended.

        Raises
        ------
        OutputRefused
            If another run does not end, or the folder is not writable.
        FileRefused
            If the results could not be written.
        """
        path = Path(os.path.realpath(self.path))
        with ExitStack() as held:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                sweep(path.parent)
                if not self.held:
                    held.enter_context(claimed(path, self.say))
                place = held.enter_context(being_written(path))
            except OSError as error:
                raise OutputRefused(cannot_write(f"to {path.parent}", error)) from error
            if trial_sha256 is not None:
                self.check(trial_sha256)
            try:
                yield place / NEW
                put_folder(place, path)
            except OSError as error:
                raise FileRefused(cannot_write(f"to {path}", error)) from error


def put_folder(place: Path, path: Path) -> None:
    """Move ``new`` of a temporary folder into place; keep files that gaitdyn did not write.

    Raises
    ------
    OSError
        If that fails; the old folder is restored at once or by the next run.
    """
    new = place / NEW
    settle(new)
    if path.exists():
        sweep(path)
        path.replace(place / OLD)
    try:
        new.replace(path)
    finally:
        if (place / OLD).exists():
            restore(place, path)
    settle_folder(path.parent)


def _written_for(folder: Path) -> list[str]:
    """Return the hashes of the recordings of a results folder.

    They come from ``result.json`` and ``batch.json``. If the first is cut off, they are all hashes
    in the rest of it and in ``values.npz``.
    """
    hashes, damaged = [], False
    for name in DOCUMENTS:
        try:
            hashes += _recordings(json.loads(regular_bytes(folder / name, LARGEST)))
        except (ValueError, RecursionError):
            damaged |= name == DOCUMENT
        except OSError:
            continue
    if hashes or not damaged:
        return hashes
    return [x for name in (DOCUMENT, _VALUES) for x in _hashes_in(folder / name)]


def _recordings(document: Any) -> list[str]:
    try:
        inputs = document.get("inputs", ())
        hashes = [entry["sha256"] for entry in inputs if entry.get("role") == "trial"]
        return [text for text in (*hashes, document.get("trial")) if isinstance(text, str)]
    except (LookupError, TypeError, AttributeError):
        return []


def _hashes_in(path: Path) -> list[str]:
    """Return all texts in a damaged file that have the form of a hash."""
    try:
        return [digits.decode() for digits in _HASH.findall(regular_bytes(path, 8 * LARGEST))]
    except (OSError, ValueError):
        return []

"""Where results go: written aside, put in place as a whole, never over somebody's own files."""

from __future__ import annotations

import json
import os
import re
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import FileRefused, OutputRefused
from gaitdyn.store.being_written import NEW, OLD, being_written, restore, sweep
from gaitdyn.store.claims import claimed
from gaitdyn.store.whole import LARGEST, regular_bytes, settle, settle_folder
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

DOCUMENT = "result.json"
DOCUMENTS = (DOCUMENT, "batch.json")
"""Documents of a results folder that say which recording it is of."""

_VALUES = "values.npz"
_HASH = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


@frozen()
class ResultsFolder:
    """The folder ``OUT/<trial stem>`` of one trial.

    Attributes
    ----------
    path : Path
    force : bool
        Replace results whoever wrote them; files of other names are kept.
    held : bool
        This run holds the folder's lock already.
    say : callable, optional
        Hears what a person should know: another run is waited for, a dead one's lock taken over.
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
            The folder above it.
        trial : Path
        others : sequence of Path
            Further inputs: static, subject file.
        force : bool
        say : callable, optional
            Hears that another run is waited for.

        Raises
        ------
        OutputRefused
            When the folder cannot be made, or recordings or an input lie in it: inputs are never
            written to, whatever ``force`` says.
        """
        if out.exists() and not out.is_dir():
            raise OutputRefused(f"-o {out} is a file, wanted a folder; name another")
        path = out / trial.stem
        if path.is_file():
            message = f"{path} is a file, wanted a folder for the results; name another with -o"
            raise OutputRefused(message)
        inside = [p for p in (trial, *others) if path.resolve() in p.resolve().parents]
        if inside or any(path.rglob("*.[cC]3[dD]")):
            raise OutputRefused(
                f"{path} holds recordings; results would replace the folder, which would lose them;"
                " choose another place with -o"
            )
        return cls(path, force, say=say)

    def check(self, trial_sha256: str) -> None:
        """Refuse a folder that gaitdyn did not write for the same trial.

        Raises
        ------
        OutputRefused
            Unless the folder is empty, ours, or ``--force`` was given.
        """
        if self.force or not self.path.exists() or not any(self.path.iterdir()):
            return
        if trial_sha256 not in _written_for(self.path):
            raise OutputRefused(
                f"{self.path} holds files that are not gaitdyn's results of this trial;"
                " choose another place with -o or replace it with --force"
            )

    @contextmanager
    def writing(self, trial_sha256: str | None = None) -> Iterator[Path]:
        """Give a folder beside the final one, and put it in place when all is written.

        Another run that writes the same folder is waited for. What gaitdyn did not write is kept.

        Parameters
        ----------
        trial_sha256 : str, optional
            Refuse a folder that is not of this trial once the other run is through.

        Raises
        ------
        OutputRefused
            When another run does not end, or nothing can be written there.
        FileRefused
            When the results could not be written.
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
                reason = error.strerror or str(error)
                message = f"cannot write to {path.parent}: {reason}; choose another -o"
                raise OutputRefused(message) from error
            if trial_sha256 is not None:
                self.check(trial_sha256)
            try:
                yield place / NEW
                put_folder(place, path)
            except OSError as error:
                message = f"results could not be written to {path}: {error.strerror or error}"
                raise FileRefused(message) from error


def put_folder(place: Path, path: Path) -> None:
    """Put ``new`` of a marked folder in the place of a results folder, and keep its strangers.

    Raises
    ------
    OSError
        When that fails; the old folder is back, or comes back with the next run.
    """
    new = place / NEW
    settle(new)
    new.chmod(0o777 & ~umask())
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
    """Return the hashes of the recordings that a results folder says it is of.

    ``result.json`` and ``batch.json`` tell; where the first is cut off, the hashes that stand in
    what is left of it and in ``values.npz``.
    """
    found, damaged = [], False
    for name in DOCUMENTS:
        try:
            found += _told(json.loads(regular_bytes(folder / name, LARGEST)))
        except (ValueError, RecursionError):
            damaged |= name == DOCUMENT
        except OSError:
            continue
    if found or not damaged:
        return found
    return [x for name in (DOCUMENT, _VALUES) for x in _hashes_in(folder / name)]


def _told(document: Any) -> list[str]:
    try:
        told = [e["sha256"] for e in document.get("inputs", ()) if e.get("role") == "trial"]
        return [text for text in (*told, document.get("trial")) if isinstance(text, str)]
    except (LookupError, TypeError, AttributeError):
        return []


def _hashes_in(path: Path) -> list[str]:
    """Return whatever looks like a hash in a damaged file."""
    try:
        return [found.decode() for found in _HASH.findall(regular_bytes(path, 8 * LARGEST))]
    except (OSError, ValueError):
        return []


def umask() -> int:
    """Return the permissions that new files are not given."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

"""Find the input files of results again, by folder, name and SHA-256."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from glob import escape
from pathlib import Path

from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.parameters import size_of_file
from gaitdyn.io.labels import mask_prefix
from gaitdyn.io.plain_files import file_sha256
from gaitdyn.io.recording import prefixes_in, read_recording
from gaitdyn.store import StoredTrial
from gaitdyn.types.functional import FUNCTIONAL_KEYS
from gaitdyn.types.option_rows import FILES, MASKED
from gaitdyn.types.recording import Recording

_UP = 3
"""Number of parent folders of the results that are searched."""
_DOWN = 2
"""Depth to which folders named by ``--near`` are searched."""

OPTIONS = {
    **{role: f"--{role}" for role in ("trial", "static", "subject")},
    **dict.fromkeys(("forces", *(f"functional {key}" for key in FUNCTIONAL_KEYS)), "--near"),
    **{row.role: "--near" for row in FILES if row.again and row.role != "subject"},
}
"""Role of an input -> the option that gives its location."""

_EXAMPLES = {"trial": "FILE.c3d", "static": "FILE.c3d", "subject": "FILE.toml"}


def trial_of(stored: StoredTrial, named: Path | None = None, near: Sequence[Path] = ()) -> Path:
    """Return the recording that results were computed from; see :func:`input_of`."""
    return input_of(stored, "trial", named, near)


def recording_of(stored: StoredTrial, trial: Path, prefix: str | None = None) -> Recording:
    """Return the recording of results, read again.

    Parameters
    ----------
    stored : StoredTrial
    trial : Path
    prefix : str, optional
        Prefix of the subject's labels; by default the one that the results give masked with stars.
    """
    return read_recording(trial, prefix or prefix_of(stored, trial))


def prefix_of(stored: StoredTrial, trial: Path) -> str | None:
    """Return the prefix of the subject's labels as it was given, or None if none was given.

    Results give it masked with stars, for which the letters of the recording's prefix stand. It
    stays masked if not exactly one prefix fits: a recording of one subject needs none, and one of
    several is then refused.

    Parameters
    ----------
    stored : StoredTrial
    trial : Path
        A recording of these results.
    """
    masked = stored.document["options"].get("subject_prefix")
    if masked is None:
        return None
    fitting = [p for p in prefixes_in(trial) if mask_prefix(p).lower() == masked.lower()]
    if len(fitting) != 1:
        return masked
    return "".join(c if m == "*" else m for m, c in zip(masked, fitting[0], strict=False))


def static_of(stored: StoredTrial, near: Sequence[Path]) -> Path | None:
    """Return the static of results, see :func:`input_of`; None if there is none or it is gone."""
    if all(entry["role"] != "static" for entry in stored.document["inputs"]):
        return None
    try:
        return input_of(stored, "static", None, near)
    except FileRefused:
        return None


def input_of(stored: StoredTrial, role: str, named: Path | None, near: Sequence[Path]) -> Path:
    """Return an input file of results.

    Parameters
    ----------
    stored : StoredTrial
    role : str
        One of :data:`OPTIONS`, as in ``inputs`` of ``result.json``.
    named : Path or None
        Its path. If None, it is searched for in ``near``, in the folder given by
        ``inputs[].relative``, in the results folder, in its parents, in the current folder and in
        the subfolders of the parents.
    near : sequence of Path
        Further folders that are searched first, with their subfolders.

    Raises
    ------
    FileRefused
        When it is not found, or is another file than the one that was processed.
    """
    name, digest, relative = _wanted(stored, role)
    option = OPTIONS[role]
    if named is not None:
        size_of_file(named)
        if file_sha256(named) != digest:
            raise FileRefused(
                f"{option} {named.name} is not the file that was processed: its SHA-256 differs"
                " from the one in result.json; name that file, or process this one"
            )
        return named
    pattern = name if role == MASKED else escape(name).replace("\ufffd", "*")  # was not UTF-8
    recorded = None if relative is None else (stored.path / relative).parent
    for path in _candidates(stored.path, pattern, near, recorded):
        if _has_sha256(path, digest):
            return path
    kind = "recording" if role == "trial" else f"{role} file"
    by_name = "" if option == "--near" else f"{option} {_EXAMPLES[role]} or "
    raise FileRefused(
        f"{stored.path}: found no {kind} {name} with the SHA-256 in result.json; give its location"
        f" with {by_name}--near FOLDER"
    )


def _wanted(stored: StoredTrial, role: str) -> tuple[str, str, str | None]:
    entry = next(x for x in stored.document["inputs"] if x["role"] == role)
    relative = entry.get("relative")
    usable = isinstance(relative, str) and "\0" not in relative
    return entry["name"], entry["sha256"], relative if usable else None


def _candidates(
    results: Path, pattern: str, near: Sequence[Path], recorded: Path | None
) -> Iterator[Path]:
    """Yield the files that match a pattern, those in ``near`` first."""
    folder = results.resolve()
    parents = list(folder.parents)[:_UP]
    for start in near:
        for depth in range(_DOWN + 1):
            yield from sorted(start.glob("*/" * depth + pattern))
    for start in (*([] if recorded is None else [recorded]), folder, *parents, Path.cwd()):
        yield from sorted(start.glob(pattern))
    for start in parents:
        yield from sorted(start.glob(f"*/{pattern}"))


def _has_sha256(path: Path, digest: str) -> bool:
    """Return whether a file has a hash; False if it cannot be read."""
    try:
        return path.is_file() and file_sha256(path) == digest
    except OSError:
        return False

"""Read the header and the parameters of a C3D file, without its data.

Every offset is checked before it is followed, so that a damaged file gives a one-line message, not
a crash. The format is that of the C3D format user guide (c3d.org).

>>> from gaitdyn.io.c3d.parameters import read_parameters
>>> read_parameters("no-such-file.c3d")
Traceback (most recent call last):
gaitdyn.errors.FileRefused: no-such-file.c3d: found no such file; wanted a C3D file; check the path
"""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from io import FileIO
from pathlib import Path

from gaitdyn.io.c3d.checks import Layout, check, layout_of
from gaitdyn.io.c3d.records import BLOCK, C3DHeader, Parameters, Processor, Record, refused, shown
from gaitdyn.io.c3d.section import SectionWalk, header_of, parameter_block_of
from gaitdyn.types.words import counted

__all__ = [
    "C3DHeader", "Layout", "Parameters", "Processor", "Record", "layout_of", "open_c3d",
    "parameters_of", "read_parameters", "size_of_file",
]  # fmt: skip

_CHECK_PATH = "check the path"


def size_of_file(path: str | os.PathLike[str], wanted: str = "a C3D file") -> int:
    """Return the size in bytes of a regular, non-empty file, without opening it.

    Raises
    ------
    FileRefused
        There is no such file, it is empty, or it is a folder, a pipe or a device.
    """
    name = Path(path).name or str(path)
    try:
        status = os.stat(path)  # noqa: PTH116  pathlib would normalise the path
    except FileNotFoundError:
        raise refused(name, *_missing(Path(path), wanted)) from None
    except (OSError, ValueError) as error:
        raise refused(name, _reason(error), wanted, _todo(error)) from error
    if stat.S_ISDIR(status.st_mode):
        todo = "name one of the files in it; `gaitdyn batch` takes folders"
        raise refused(name, "a folder", wanted, todo)
    if not stat.S_ISREG(status.st_mode):
        raise refused(name, "a pipe or a device", wanted, _CHECK_PATH)
    if not status.st_size:
        raise refused(name, "an empty file", wanted)
    return status.st_size


def _missing(path: Path, wanted: str) -> tuple[str, str, str]:
    """Return what was found instead of a missing file, what was wanted, and what to do."""
    if path.is_symlink():
        found = f"a link to {shown(str(path.readlink()))}, which does not exist"
        return found, wanted, "copy the file itself here"
    return "no such file", wanted, _what_is_there(path)


def _what_is_there(path: Path) -> str:
    """Return what to do about a missing file: its folder is missing too, or has a like name."""
    from difflib import get_close_matches
    from unicodedata import normalize

    try:
        if not path.parent.is_dir():
            return "there is no such folder either: check the path"
        near = get_close_matches(path.name, (p.name for p in path.parent.iterdir()), 1, 0.8)
    except (OSError, ValueError):
        near = []
    if near and normalize("NFC", near[0]) == normalize("NFC", path.name):
        return "one is there whose accents are stored otherwise: rename it, or copy its name"
    return f"is it {shown(near[0])}?" if near else _CHECK_PATH


def read_parameters(path: str | os.PathLike[str]) -> tuple[C3DHeader, Parameters]:
    """Return the header and the parameters of a C3D file; the data are not read.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    header : C3DHeader
        The first block of the file.
    params : Parameters
        The parameters; its ``oddities`` list suspicious values.

    Raises
    ------
    FileRefused
        It is not a regular file, not a C3D file, or its header and parameters are damaged or
        contradict each other.
    """
    with open_c3d(path) as (stream, size):
        return parameters_of(stream, size, Path(path).name or str(path))[:2]


@contextmanager
def open_c3d(path: str | os.PathLike[str]) -> Generator[tuple[FileIO, int]]:
    """Open a regular, non-empty file; yield it with its size.

    Raises
    ------
    FileRefused
        It is not such a file, or the system cannot read it.
    """
    size = size_of_file(path)
    name = Path(path).name or str(path)
    try:
        with open(path, "rb", buffering=0) as stream:  # noqa: PTH123
            yield stream, size
    except OSError as error:
        raise refused(name, _reason(error), "a C3D file that can be read", _todo(error)) from error


def parameters_of(stream: FileIO, size: int, name: str) -> tuple[C3DHeader, Parameters, bytes]:
    """Return header and parameters of an open file, and all bytes before its data.

    Parameters
    ----------
    stream : binary file
        At its start; it is left at the first byte of the data.
    size : int
        Of the file, in bytes.
    name : str
        For messages.

    Raises
    ------
    FileRefused
    """
    block = _read(stream, BLOCK)
    start = (parameter_block_of(block, size, name) - 1) * BLOCK
    front = block + _read(stream, start + 4 - BLOCK)
    if len(front) < start + 4:
        raise refused(name, f"{len(front)} bytes", "a file that is not cut off")
    header = header_of(block, front[start + 3], name)
    end = (header.data_block - 1) * BLOCK
    if end > size:
        found = f"{counted(size, 'byte')}, and data that start at byte {end}"
        raise refused(name, found, "a file that is not cut off")
    front += _read(stream, end - len(front))
    walk = SectionWalk(front[start:], header.processor, name)
    params = Parameters(walk.run())
    oddities = (*walk.oddities, *check(header, params, size, name))
    return header, replace(params, oddities=oddities), front


def _read(stream: FileIO, count: int) -> bytes:
    """Read ``count`` bytes, or fewer if the file ends."""
    pieces: list[bytes] = []
    while count > 0:
        piece = stream.read(count)
        if not piece:
            break
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def _todo(error: Exception) -> str:
    return "check its permissions" if isinstance(error, PermissionError) else _CHECK_PATH


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "an unusable path"

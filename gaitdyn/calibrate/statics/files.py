"""Where the static of a trial may be stored, and how its name shows that it is one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from gaitdyn.io.file_kinds import exported, recordings_of

_MOST_FILES = 200
"""Most recordings of one folder that are looked at; every one of them is read."""

_PARTS = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
_STATIC_STARTS = ("static", "statik", "statisch", "statiq", "estatic", "calib", "kalib", "standing")
_STATIC_WORDS = ("cal", "stat", "tpose", "npose", "apose")
_MOVEMENTS = ("walk", "gait", "run", "trial", "dyn", "motion", "take", "capture")
"""Beginnings of words that say what a file shows, not of whom or in what condition."""

_FOLDERS = {
    "static", "statics", "statik", "statisch", "statique", "statica", "statico", "estatica",
    "estatico", "standing", "calibration", "calibrations", "calib", "cal", "kalibrierung",
    "kalibration", "trials", "files",
}  # fmt: skip
"""Words of the names of folders for statics, in the folder of a trial or next to it."""


def called_alike(trial: Path, statics: Sequence[Path]) -> list[Path]:
    """Return the statics whose names have most words of the name of a trial: ``S02_static.c3d``.

    A word with letters counts, with the number that belongs to it. If a person, a side or a
    condition is in the names of several files, that of the trial and its static agree.

    Examples
    --------
    >>> from pathlib import Path
    >>> found = [Path(x) for x in ("S01 static.c3d", "S02 static.c3d", "static_AFO.c3d")]
    >>> [x.stem for x in called_alike(Path("walk_S01.c3d"), found)]
    ['S01 static']
    >>> [x.stem for x in called_alike(Path("AFO walk 2.c3d"), found)]
    ['static_AFO']
    """
    words = _names_in(trial.stem)
    shared = [len(words & _names_in(static.stem)) for static in statics]
    return [s for s, count in zip(statics, shared, strict=True) if count == max(shared)]


def _names_in(stem: str) -> set[str]:
    pieces = re.findall(r"[^\W\d_]+\d+|[^\W\d_]+", stem)
    return {piece.lower() for piece in pieces} | {
        word for word in words_of(stem) if not word.startswith(_MOVEMENTS)
    }


def called_static(stem: str) -> bool:
    """Return whether a file name contains a word for static, calibration or standing.

    Examples
    --------
    >>> [called_static(x) for x in ("FunctionalStatic", "S4 AM Cal 01", "Capture0008_Standing")]
    [True, True, True]
    >>> [called_static(x) for x in ("Station 2 local walk", "PN01S01STAT", "S01_T-pose")]
    [False, True, True]
    """
    parts = words_of(re.sub(r"(?i)(?<![a-z])([tna])[ _.-]+pose", r"\1pose", stem))
    return any(part.startswith(_STATIC_STARTS) or part in _STATIC_WORDS for part in parts)


def holds_statics(folder: str) -> bool:
    """Return whether the name of a folder says that it holds statics, and nothing else.

    A number may be that of a person.

    Examples
    --------
    >>> [holds_statics(x) for x in ("cal", "Static_Trials", "Kalibrierung", "02 static", "walk")]
    [True, True, True, False, False]
    >>> holds_statics("standing jumps")
    False
    """
    words = set(words_of(folder))
    return words <= _FOLDERS and called_static(folder) and not any(map(str.isdigit, folder))


def words_of(stem: str) -> list[str]:
    """Return the words in a file name, in lower case.

    Examples
    --------
    >>> words_of("BTK_FunctionalLHip02")
    ['btk', 'functional', 'lhip']
    """
    plain = unicodedata.normalize("NFKD", stem)
    letters = "".join(c for c in plain if not unicodedata.combining(c))
    return [part.lower() for part in _PARTS.findall(letters)]


def searched_folders(path: Path) -> Iterator[tuple[Path, list[Path], str]]:
    """Yield the folders that are searched for statics of a trial, with files, and what is left out.

    These are the folder of the trial, folders called static, calibration and so on in it and next
    to it, and the parent folder, where only files with the name of a static count. A folder is
    listed when it is asked for. Of more than 200 recordings, those called statics come first; the
    text then says how many were not looked at, and is empty otherwise.

    Parameters
    ----------
    path : Path
        Of the trial.
    """
    folder = path.resolve().parent
    parent = folder.parent
    beside = _recordings(folder, exports=exported(path))
    yield _looked_at(folder, [p for p in beside if p.name != path.name])
    for above in dict.fromkeys((folder, parent)):
        for statics in _static_folders(above):
            if statics != folder:
                yield _looked_at(statics, _recordings(statics))
    if parent != folder:
        yield _looked_at(parent, [p for p in _recordings(parent) if called_static(p.stem)])


def _looked_at(folder: Path, files: list[Path]) -> tuple[Path, list[Path], str]:
    """Return a folder with the files of it that are looked at, in their order, and what is not."""
    if len(files) <= _MOST_FILES:
        return folder, files, ""
    kept = set(sorted(files, key=lambda p: not called_static(p.stem))[:_MOST_FILES])
    left_out = f"; of {len(files)} recordings in {folder.name}/ {_MOST_FILES} were looked at"
    return folder, [p for p in files if p in kept], left_out


def natural_order(name: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts ``walk2`` before ``walk10``."""
    parts = re.split(r"(\d+)", name.lower())
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts if p]


def _recordings(folder: Path, *, exports: bool = False) -> list[Path]:
    try:
        files = [p for p in folder.iterdir() if p.is_file() and not p.name.startswith(".")]
    except OSError:
        return []
    found = recordings_of([p for p in files if exports or not exported(p)], exports=exports)
    return sorted(found, key=lambda p: natural_order(p.name))


def _static_folders(folder: Path) -> list[Path]:
    try:
        folders = [p for p in folder.iterdir() if holds_statics(p.name) and p.is_dir()]
    except OSError:
        return []
    return sorted(folders, key=lambda p: p.name.lower())

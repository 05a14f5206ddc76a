"""A session of copies of one trial."""

from __future__ import annotations

import shutil
from pathlib import Path


def session(folder: Path, synthetic: Path, trials: int) -> Path:
    folder.mkdir(parents=True)
    shutil.copy(synthetic / "static.c3d", folder)
    for number in range(1, trials + 1):
        shutil.copy(synthetic / "walk01.c3d", folder / f"walk{number:02d}.c3d")
    return folder

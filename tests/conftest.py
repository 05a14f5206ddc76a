"""What several kinds of tests share: a synthetic session, the command, the shared folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the corpus, the oracles and the acceptance scripts."""
    if not (SHARED / "corpus" / "catalogue.csv").is_file():
        pytest.skip("needs ../shared with the corpus of real trials, which is not here")
    return SHARED


@pytest.fixture(scope="session")
def synthetic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session of the synthetic walker without noise: static.c3d and walk01.c3d, 100 Hz."""
    from gaitdyn.synthetic import Recording, Walker, write_session

    folder = tmp_path_factory.mktemp("session")
    write_session(folder, Walker(), Recording(), trials=1)
    return folder


@pytest.fixture
def gaitdyn(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command in an empty folder and return what it did."""

    def run(
        *words: str | Path, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "gaitdyn_cli.app", *map(str, words)]
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120,
            cwd=tmp_path,
            check=False,
            env=env,
        )

    return run

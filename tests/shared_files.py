"""Files of other laboratories beside the project, and the marks of tests that need them."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
CORPUS, ORACLES = SHARED / "corpus", SHARED / "oracles"
SEEDS = ORACLES / "seeds"
WITH_CORPUS, WITH_ORACLES, WITH_SEEDS = (
    pytest.mark.skipif(not folder.is_dir(), reason=f"{words} not there")
    for folder, words in (
        (CORPUS, "the files of ../shared/corpus are"),
        (ORACLES, "../shared/oracles is"),
        (SEEDS, "../shared/oracles/seeds is"),
    )
)

"""``--help`` of a script prints what it does, and does not begin to do it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.benchmark_scripts import FOLDER

SCRIPTS = sorted(
    path for path in FOLDER.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")
)


def test_a_script_reads_help_first():
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        begins = text.partition('if __name__ == "__main__":\n')[2]
        assert "argparse" in text or begins.startswith("    help_shown(__doc__)\n"), path.name


@pytest.mark.skipif(not SCRIPTS, reason="benchmarks/ is not here")
def test_help_is_printed():
    words = [sys.executable, FOLDER / "mutations.py", "--help"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    assert "usage: python benchmarks/mutations.py" in done.stdout

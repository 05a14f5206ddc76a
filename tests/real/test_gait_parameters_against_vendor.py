"""The gait parameters that the vendor stored: equal where the definition is, explained elsewhere.

Four trials of two laboratories carry them in the group ANALYSIS, as 32-bit numbers.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.benchmark_scripts import script

pytestmark = pytest.mark.real
ROOT = Path(__file__).resolve().parents[2]
TRIALS = (
    "BTK-A/PiG_Motion-FlatFoot-Full.c3d",
    "BTK-D/PiG_Motion-FlatFoot-Hole.c3d",
    "Sydney/S4-AMGait03.c3d",
    "Sydney/S4-AMGait04.c3d",
)
BY_RULE = ("stride_length", "step_length", "step_width", "speed", "limp_index")


@pytest.fixture(scope="module")
def beside():
    return script("parameters")


@pytest.fixture(scope="module", params=TRIALS)
def rows(request, beside, shared):
    path = shared / "corpus" / "gait" / request.param
    if not path.is_file():
        pytest.skip(f"needs {request.param} of the corpus, which is not here")
    found, _ = beside.compare(path)
    assert {row.side for row in found} == {"left", "right"}
    return found


def test_times_shares_and_cadence_are_the_stored_ones(rows):
    timing = [row for row in rows if row.quantity not in BY_RULE]
    assert len(timing) == 16
    for row in timing:
        # event times are 32-bit numbers of some seconds: 2e-7 s of each
        assert row.ours == pytest.approx(row.vendor, rel=3e-6), row


def test_by_the_vendors_rule_every_length_is_the_stored_one(rows):
    lengths = [row for row in rows if row.quantity in BY_RULE]
    assert len(lengths) in (6, 10)
    for row in lengths:
        assert row.again == pytest.approx(row.vendor, rel=2e-6), row


def test_our_lengths_stay_near_the_stored_ones(rows):
    for row in rows:
        if row.quantity in ("stride_length", "step_length") and math.isfinite(row.ours):
            # heel instead of toe: a foot does not land in the same posture twice
            assert row.ours == pytest.approx(row.vendor, abs=0.010), row
        if row.quantity == "step_width":
            # toes point outward
            assert row.vendor - 0.09 < row.ours < row.vendor - 0.05, row

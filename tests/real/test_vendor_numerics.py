"""The vendor's numerics in memory, on one trial: the gates of its moments, forces and powers."""

from __future__ import annotations

import tomllib

import pytest

from gaitdyn.compare import compare_vendor, result_vectors
from gaitdyn.pipeline import process_trial
from gaitdyn.types.options import Options
from gaitdyn.types.words import parse_assign

pytestmark = pytest.mark.real
GATE = {"angle": 0.002, "moment": 0.25, "power": 1e-3, "force": 5e-4, "ground": 1e-5}
"""Of the shared comparison with the vendor: deg, N mm/kg, W/kg, N/kg."""


def test_the_vendors_values_are_found_again(shared):
    text = (shared / "accept" / "pig.toml").read_text(encoding="utf-8")
    pair = next(p for p in tomllib.loads(text)["pair"] if p["name"].startswith("BTK-B"))
    words = dict(zip(pair["args"][::2], pair["args"][1::2], strict=True))
    folder = shared / "corpus" / "gait"
    options = Options(
        static=str(folder / pair["static"]),
        marker_diameter_mm=float(words["--marker-diameter"]),
        assign=parse_assign(words["--assign"]),
        profile="plug-in-gait",
    )
    result = process_trial(folder / pair["motion"], options)
    rows = compare_vendor(result.recording, result_vectors(result)).rows
    assert {word for word in GATE for row in rows if word in row.name} == set(GATE)
    for row in rows:
        limit = next(GATE[word] for word in ("ground", *GATE) if word in row.name)
        assert row.rmse <= limit, row

"""Real files: what the vendor stored is recognised, and the plug-in-gait profile agrees with it."""

from __future__ import annotations

import json
import tomllib
from functools import cache

import pytest

pytestmark = [pytest.mark.real, pytest.mark.slow]

GATE = {"angle": 0.001, "moment": 0.1, "power": 1e-3, "force": 5e-4}
"""docs/compare.md: one limit for all joints; deg, N mm/kg, W/kg, N/kg."""

LEFT_OVER = ("waist", "neck moment", "neck power", "neck force")
"""The vendor's trunk holds what the plates leave over: a foot beside them is a body weight off."""

LEGS_ALONE = ("BTK-B 3_FF", "Sydney 04")
PAIRS = ("BTK-A FlatFoot", "BTK-B 3_FF", "Sydney 04", "McGill HC002D", "McGill HC030A")


def pair_of(shared, name):
    for file in ("pig.toml", "pig-variants.toml"):
        pairs = tomllib.loads((shared / "accept" / file).read_text(encoding="utf-8"))["pair"]
        for pair in pairs:
            if pair["name"].startswith(name):
                return pair
    raise AssertionError(name)


@pytest.fixture(scope="module")
def document_of(gaitdyn_in, shared, tmp_path_factory):
    """Compare a pair under a profile, once; return the document."""

    @cache
    def compared(name, profile):
        pair, gait = pair_of(shared, name), shared / "corpus" / "gait"
        words = [*pair["args"], "--static", gait / pair["static"], "--profile", profile, "--json"]
        here = tmp_path_factory.mktemp("compared")
        done = gaitdyn_in(here, "compare", gait / pair["motion"], *words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return compared


@pytest.mark.parametrize("profile", ["default", "plug-in-gait"])
@pytest.mark.parametrize("name", PAIRS)
def test_the_vendors_convention_is_recognised(document_of, name, profile):
    found = {c["quantity"]: c for c in document_of(name, profile)["conventions"]}
    told = {q: (c["unit"], c["axes"]) for q, c in found.items()}
    assert told["moment"] == ("N mm/kg", "distal")
    assert told["power"] == ("W/kg", "scalar")
    assert told["force"] == ("N/kg", "distal")
    assert told["angle"][0] == "deg"
    assert ("upper angle" in told) == (name not in LEGS_ALONE)
    for convention in found.values():
        assert set(map(tuple, convention["order"].values())) == {(1, 2, 3)}
        assert -1 not in {s for signs in convention["signs"].values() for s in signs}


def test_offsets_that_fit_better_are_named(gaitdyn, shared):
    """This laboratory's foot offsets are stored in the trial, and a plain user was 5 deg off."""
    trial = shared / "corpus" / "gait" / "Sydney" / "S4-AMGait04.c3d"
    plain, stored = ("--profile", "plug-in-gait"), ("--offsets", "trial")
    notes = {
        words: json.loads(gaitdyn("compare", trial, *words, "--json").stdout)["notes"]
        for words in ((), plain, (*plain, *stored))
    }
    assert "--offsets trial" in notes[plain][0]
    assert "--profile plug-in-gait --offsets trial is within" in notes[()][0]
    assert not notes[*plain, *stored]


@pytest.mark.parametrize("name", PAIRS)
def test_the_plug_in_gait_profile_agrees(document_of, name):
    for row in document_of(name, "plug-in-gait")["rows"]:
        if row["name"].startswith(LEFT_OVER):
            continue
        limit = next(v for key, v in GATE.items() if key in row["name"])
        assert row["rmse"] <= limit, row

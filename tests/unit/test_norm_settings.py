"""A walk is judged against a set of one's own that was processed like it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.archive import build_norm, in_memory
from gaitdyn.archive.add import add_record
from gaitdyn.judge.abnormal import find_abnormal
from gaitdyn.metrics.norms.build import norm_text
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.types.subject import SIDES
from tests.unit import archive_records as records
from tests.unit import judge_cases as cases
from tests.unit.judge_cases import KNEE, of

MOMENT = "knee_moment_extension"
SAME = {
    "--profile": ("default",), "--filter": ("spline",), "--cutoff": ("10",),
    "--force-cutoff": ("10",), "--anthropometry": ("auto",),
}  # fmt: skip


def built(*people):
    """A set of people, each processed with options of their own."""
    with in_memory() as connection:
        for i, words in enumerate(people):
            values = np.tile(np.linspace(0, 1 + i, 101, dtype="f4"), (1, 1))
            cycles = tuple(
                records.cycle(side, 1, values, curves=((KNEE, "deg"),)) for side in SIDES
            )
            made = records.trial(subject=f"P{i}", cycles=cycles)
            document = {} if words is None else {"options": cases.options(**words)}
            add_record(connection, replace(made, document=json.dumps(document)))
        return build_norm(connection)


def read_back(norm, tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(norm_text(norm.groups, norm.source, norm.people), encoding="utf-8")
    return read_norm(path)


def judged(settings, **words):
    norm = cases.norm()
    told = replace(norm, norm=replace(norm.norm, settings=settings))
    return find_abnormal([cases.trial(4, **words)], told)


def test_a_set_says_how_its_people_were_processed(tmp_path):
    alike = built({}, {}, {})
    assert not any("processed with" in note for note in alike.notes)
    settings = read_back(alike, tmp_path).settings
    assert settings == SAME | {"--hip-centre": ("model",), "--offsets": ("static",)}
    mixed = built({}, {"cutoff_hz": 6.0, "force_cutoff_hz": None}, {})
    (note,) = (note for note in mixed.notes if "processed with" in note)
    assert note == (
        "the trials were processed with --cutoff 10 and 6, --force-cutoff none and 10: no verdict"
        " against the set is clear"
    )
    settings = read_back(mixed, tmp_path).settings
    assert (settings["--cutoff"], settings["--force-cutoff"]) == (("10", "6"), ("none", "10"))
    assert read_back(built(None, None), tmp_path).settings == {}


@pytest.mark.parametrize(
    ("words", "angles", "loads"),
    [
        ({}, "", ""),
        ({"cutoff_hz": 9.5}, "", ""),
        (
            {"cutoff_hz": 6.0},
            "processed with --cutoff 6, the people of the reference set with 10", "",
        ),
        (
            {"force_cutoff_hz": None}, "",
            "processed with --force-cutoff none, the people of the reference set with 10",
        ),
    ],
)  # fmt: skip
def test_a_walk_that_was_processed_unlike_a_set_is_not_judged_against_it(words, angles, loads):
    found = judged(SAME, **words)
    assert of(found, "left", KNEE).reason == angles
    assert of(found, "left", MOMENT).reason == (loads or angles)
    words = [of(found, "left", curve).word for curve in (KNEE, MOMENT)]
    assert words == [
        "not judged" if reason else "not shown" for reason in (angles, loads or angles)
    ]
    assert not of(judged({}, cutoff_hz=6.0), "left", KNEE).reason  # it does not say


def test_a_set_of_two_cut_offs_gives_no_clear_verdict():
    mixed = SAME | {"--cutoff": ("10", "6")}
    offsets = {f"left {KNEE}": 60.0}
    assert of(judged(SAME, offsets=offsets), "left", KNEE).word == "clear"
    one = of(judged(mixed, offsets=offsets), "left", KNEE)
    assert one.word == "possible"
    assert one.reason == "the people of the reference set were processed with --cutoff 10 and 6"
    other = of(judged(mixed, offsets=offsets, cutoff_hz=4.0), "left", KNEE)
    assert other.word == "not judged"

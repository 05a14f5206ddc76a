"""What ``result.json`` holds of the recording: names of persons in paths, plates left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gaitdyn.store.document import _file
from gaitdyn.store.private import with_private
from tests.walks import processed

WALK = Path(__file__).resolve().parents[2] / "data" / "walk01.c3d"


def test_a_name_is_looked_for_in_the_last_six_parts_of_a_path() -> None:
    walk = processed(WALK)
    named = replace(walk, recording=replace(walk.recording, persons=("Anna Smith",), path=None))
    for folder, words in (
        ("Anna/2026/walk01", ["Anna"]),
        ("Anna/1/2/3/4/Smith/walk01", ["Smith"]),
        ("1/2/3/4/5/walk01", []),
    ):
        private = with_private({"inputs": []}, named, Path(f"/{folder}"))["private"]
        assert private["names"] == words


def test_the_reason_why_a_plate_is_left_out_is_kept() -> None:
    walk = processed(WALK)
    first, *others = walk.recording.plates
    bad = replace(first, problem="no values for this plate")
    told = _file(replace(walk, recording=replace(walk.recording, plates=(bad, *others))))
    assert [p["problem"] for p in told["plates"]] == [bad.problem, *[None] * len(others)]

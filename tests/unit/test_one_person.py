"""Markers under two prefixes in the same places: one person."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.file_sample import file_sample
from gaitdyn.io.recording import read_recording
from gaitdyn.synthetic.session import write_trial
from gaitdyn.synthetic.walk import walk


def written(folder: Path, first: str, second: str, apart_m: float = 0.0) -> Path:
    """Write a walk with all its markers twice, with noise, those of the second prefix apart."""
    walked = walk()
    labels = tuple(f"{prefix}{label}" for prefix in (first, second) for label in walked.labels)
    markers_G = np.concatenate((walked.markers_G, walked.markers_G + apart_m), axis=1)
    write_trial(folder / "both.c3d", replace(walked, labels=labels, markers_G=markers_G))
    return folder / "both.c3d"


@pytest.mark.parametrize("prefixes", [("Ann:", ""), ("", "Ann:"), ("Ann:", "Ann 2:")])
@pytest.mark.parametrize("wanted", [None, "Ann", "none"])
def test_two_prefixes_of_markers_in_the_same_places_are_one_person(
    tmp_path: Path, prefixes: tuple[str, str], wanted: str | None
) -> None:
    path = written(tmp_path, *prefixes)
    once = walk().labels
    for found in (read_recording(path, wanted), file_sample(path, wanted).sample):
        assert found.labels == (*once, *once)
    notes = [x for x in read_recording(path, wanted).notes if "same places" in x]
    assert len(notes) == 1
    assert "Ann" not in notes[0].replace("A*n", "")


@pytest.mark.parametrize("second", ["", "Ben:"])
def test_markers_two_centimetres_apart_are_not_taken_for_copies(
    tmp_path: Path, second: str
) -> None:
    path = written(tmp_path, "Ann:", second, apart_m=0.02)
    with pytest.raises(FileRefused, match="markers of 2 subjects"):
        read_recording(path)
    assert not any("same places" in x for x in read_recording(path, "Ann").notes)

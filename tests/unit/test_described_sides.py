"""A label that names one side and its description in the file the other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gaitdyn.pipeline import process_trial
from gaitdyn.stages.described_sides import described_otherwise
from gaitdyn.synthetic import Recording, write_trial
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording as ReadRecording
from gaitdyn.types.subject import Subject
from tests.walks import stand, walk

WORDS = {"KNE": "knee", "ANK": "ankle", "TOE": "toe", "HEE": "heel"}


def described(labels: tuple[str, ...], **other: str) -> tuple[str, ...]:
    """Return ``Left knee`` for LKNE and so on, with other texts for some labels."""
    sides = {"L": "Left", "R": "Right"}
    right = {side + role: f"{sides[side]} {word}" for side in sides for role, word in WORDS.items()}
    return tuple((right | other).get(label, "") for label in labels)


def test_a_knee_described_as_that_of_the_other_leg_is_told(tmp_path: Path) -> None:
    bare = Recording(strides=2.0, events=False)
    trial, still = walk(recording=bare), stand(recording=bare)
    texts = described(trial.labels, LKNE="Right knee lateral", RANK="ankle izquierda")
    write_trial(tmp_path / "walk.c3d", replace(trial, descriptions=texts))
    write_trial(tmp_path / "static.c3d", replace(still, descriptions=described(still.labels)))
    result = process_trial(tmp_path / "walk.c3d", Options(static=str(tmp_path / "static.c3d")))
    (told,) = (f for f in result.findings if f.code == "landmark-described-otherwise")
    assert (told.level, told.value) == ("info", 2.0)
    assert told.message == (
        "labels whose descriptions in the file name the other side: LKNE as left, described as"
        " right, RANK as right, described as left; the labels are used"
    )
    assert told.message in result.log


@pytest.mark.parametrize(
    ("texts", "renamed", "told"),
    [
        (("Left knee", "Right knee"), (), 0),
        (("Right knee", "Left knee"), (), 2),
        (("Right knee", "right knee"), (), 0),  # copied
        (("Right knee", ""), ("LKNE",), 0),  # the user knows better
        (("*", "Unknown"), (), 0),
        (("Rear of the knee", "knee"), (), 0),
        ((), (), 0),
    ],
)
def test_only_a_description_of_its_own_contradicts_a_label(
    texts: tuple[str, ...], renamed: tuple[str, ...], told: int
) -> None:
    labels = ("LKNE", "RKNE")
    file = replace(blank(labels), descriptions=texts)
    assert sum(f.value or 0.0 for f in described_otherwise(file, file, renamed)) == told


def blank(labels: tuple[str, ...]) -> ReadRecording:
    points = walk().markers_G[:1, : len(labels)]
    return ReadRecording("w.c3d", "", 100.0, 1, 1, labels, points, {}, (), (), Subject())

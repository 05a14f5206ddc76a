"""A count of one has its noun in the singular: messages said "found 1 bytes" and "1 people"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gaitdyn.errors import GaitdynError
from gaitdyn.io.recording import read_recording
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TRC = "PathFileType\nDataRate\n100\nFrame#\tTime\tA\n1\t0\t1\t2\t3\t4\n"
NORM = "group,speed,count,curve,percent,mean,sd,unit\nfree\n"


@pytest.mark.parametrize(
    ("name", "text", "read", "told"),
    [
        ("walk.c3d", "x", read_recording, "found 1 byte; wanted"),
        ("walk.trc", TRC, read_recording, "three for each of 1 label;"),
        ("lab.csv", NORM, read_norm, "found 1 cell; wanted 8"),
    ],
)
def test_a_count_of_one_is_in_the_singular(
    tmp_path: Path, name: str, text: str, read: Callable[[Path], object], told: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GaitdynError) as caught:
        read(path)
    assert told in str(caught.value)


def test_people_are_persons_one_by_one() -> None:
    assert [counted(n, "person", "people") for n in (1, 2)] == ["1 person", "2 people"]

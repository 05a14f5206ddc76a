"""A walk whose file was saved again is left out of an archive, and it is said."""

from __future__ import annotations

import dataclasses
import shutil

import numpy as np
import pytest

from gaitdyn.archive import add_results, reading, writing
from gaitdyn.archive.add import add_record
from gaitdyn.archive.walked_before import walked_before
from gaitdyn.pipeline import process_trial
from gaitdyn.types.options import Options
from tests.unit import archive_records as records

PELVIS = ("tilt", "obliquity", "rotation")


def stride(side="left", start_s=1.0, stop_s=2.1, *, shift_deg=0.0, plane=0, names=PELVIS):
    """A cycle of a pelvis that swings with time, in one plane ``shift_deg`` off."""
    times = np.linspace(start_s, stop_s, 101)
    swing = np.stack([5.0 * np.sin(5.7 * times + i) for i in range(3)])
    swing[plane] += shift_deg
    curves = tuple((f"pelvis_angle_{name}", "deg") for name in names)
    made = records.cycle(side, 1, swing.astype(np.float32), curves=curves)
    return dataclasses.replace(made, start_s=start_s, stop_s=stop_s)


def found(before, after, **person):
    with writing(":memory:") as connection:
        add_record(connection, records.trial("walk01", cycles=(before,), session="May"))
        again = records.trial("walk01-events", cycles=(after,), session="May", **person)
        walked = walked_before(connection, again)
        return "" if walked is None else walked.name


@pytest.mark.parametrize(
    "after", [stride(), stride(start_s=1.02, stop_s=2.08), stride(shift_deg=0.05)]
)
def test_the_same_stride_between_other_events_is_known(after):
    assert found(stride(), after) == "walk01 of session May"


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(stride("right"), id="the other side"),
        pytest.param(stride(start_s=1.3, stop_s=2.4), id="another time"),
        pytest.param(stride(stop_s=2.3), id="another length"),
        pytest.param(stride(shift_deg=0.3, plane=0), id="tilt"),
        pytest.param(stride(shift_deg=-0.3, plane=2), id="rotation"),
        pytest.param(stride(names=("tilt", "obliquity", "list")), id="two curves"),
        pytest.param(dataclasses.replace(stride(), start_s=None), id="no time"),
    ],
)
def test_another_stride_is_not(after):
    assert found(stride(), after) == ""
    assert found(after, stride()) == ""


def test_another_person_and_the_same_file_are_not_meant():
    assert found(stride(), stride(), subject="S02") == ""
    assert found(stride(), stride(), recording="S01 May walk01", result="again") == ""


@pytest.fixture
def twice(synthetic, tmp_path):
    """Results of a walk and of the same walk saved again."""
    shutil.copy(synthetic / "static.c3d", tmp_path / "static.c3d")
    whole = bytearray((synthetic / "walk01.c3d").read_bytes())
    for name in ("walk01", "again"):
        whole[-1] ^= 1  # of the last sample of a channel
        (tmp_path / f"{name}.c3d").write_bytes(whole)
        process_trial(tmp_path / f"{name}.c3d").save(tmp_path / "May" / name)
    return tmp_path / "May"


TOLD = (
    "walk01: this is the walk of again of session May, saved again: left out, so that its strides"
    " count once; --replace takes it instead"
)


def counted(archive):
    with reading(archive) as connection:
        return connection.execute("SELECT name, newest FROM trial").fetchall()


def test_a_walk_that_was_saved_again_is_left_out(twice, tmp_path):
    added = list(add_results(tmp_path / "lab.gaitdyn", twice))
    assert [(one.folder.name, one.outcome, one.message) for one in added] == [
        ("again", "added", ""),
        (
            "walk01",
            "left out",
            TOLD,
        ),
    ]
    assert counted(tmp_path / "lab.gaitdyn") == [("again", 1)]
    (instead,) = add_results(tmp_path / "lab.gaitdyn", twice / "walk01", replace=True)
    assert instead.outcome == "replaced"
    assert counted(tmp_path / "lab.gaitdyn") == [("walk01", 1)]


def test_a_reference_set_tells_what_it_leaves_out(twice, tmp_path, gaitdyn_here):
    other = process_trial(tmp_path / "walk01.c3d", Options(cutoff_hz=9.0))
    other.save(twice / "walk01 9 Hz")
    other = process_trial(tmp_path / "again.c3d", Options(cutoff_hz=9.0))
    other.save(twice / "again 9 Hz")
    ran = gaitdyn_here("norms", "build", "-o", tmp_path / "own.csv", twice)
    assert ran.returncode == 1  # one person is no set
    words = "this is the walk of again of session May, saved again: left out, so that its"
    assert ran.stderr.splitlines()[:3] == [
        "computing the reference set ..",
        f"walk01: {words} strides count once",
        "of several results of one recording the last one counts: May/again 9 Hz",
    ]

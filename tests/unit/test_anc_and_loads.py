"""Electromyography from ANC files, and what OpenSim's ExternalLoads say of forces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.errors import FileRefused
from gaitdyn.io.anc import read_anc
from gaitdyn.io.forces.external_loads import loads_for, read_external_loads
from gaitdyn.io.forces.reading import read_forces
from gaitdyn.io.recording import read_recording
from tests.unit.trc_texts import body, mot_text, refusal_of, step_forces, trc_text

if TYPE_CHECKING:
    from pathlib import Path

RATE = 1000.0
LABELS = ("F1X", "F1Y", "M1Z", "L SOL", "R TA")


def anc_text(
    rows: int = 400,
    ranges: tuple[int, ...] = (5000, 5000, 5000, 2500, 1000),
    start_s: float = 0.0,
) -> str:
    """Return an ANC file: the muscles' counts are their sample and its negative."""
    lines = [
        "File_Type:\tAnalog R/C ASCII\tGeneration#:\t2",
        "Board_Type:\tNI USB-6225\tPolarity:\tBipolar",
        "Trial_Name:\tJane Doe\tTrial#:\t3\tDuration(Sec.):\t0.4\t#Channels:\t5",
        f"BitDepth:\t16\tPreciseRate:\t{RATE:f}",
        "", "", "", "",
        "Name\t" + "\t".join(LABELS) + "\t",
        "Rate\t" + "1000\t" * 5,
        "Range\t" + "".join(f"{r}\t" for r in ranges),
    ]  # fmt: skip
    lines += [f"{start_s + k / RATE:.6f}\t1\t2\t3\t{k}\t{-k}\t" for k in range(rows)]
    return "\n".join(lines) + "\n"


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_counts_become_millivolts_by_range_and_bits(tmp_path: Path) -> None:
    found = read_anc(put(tmp_path, "walk.anc", anc_text()))
    assert found.labels == ("L SOL", "R TA")
    assert found.numbers == (4, 5)
    assert found.rate_hz == RATE
    k = np.arange(400)
    np.testing.assert_allclose(found.samples_mv[0], k * 2500 * 2 / 65536)
    np.testing.assert_allclose(found.samples_mv[1], -k * 1000 * 2 / 65536)


@pytest.mark.parametrize("start_s", [0.0, 0.02])
def test_a_recording_takes_the_muscles_of_its_name_at_its_time(
    tmp_path: Path, start_s: float
) -> None:
    put(tmp_path, "walk.anc", anc_text(start_s=start_s))
    path = put(tmp_path, "walk.trc", trc_text(body(30), start_s=0.05))
    found = read_recording(path)
    assert found.analog is not None
    assert found.samples_per_frame == 10
    assert found.analog.samples.shape == (2, 300)
    first = round((0.05 - start_s) * RATE)
    assert found.analog.samples[0, 0] == pytest.approx(first * 2500 * 2 / 65536)
    assert found.muscles is not None
    assert found.muscles.name == "walk.anc"
    assert "Jane" not in repr(found)


@pytest.mark.parametrize(
    ("name", "todo"),
    [
        ("walk.anc", "next to which this one is read if it has the same name"),
        ("walk.mot", "and give this one with --forces if it has another name"),
    ],
)
def test_a_file_without_markers_says_how_it_is_read(tmp_path: Path, name: str, todo: str) -> None:
    """An ANC file was to be given with --forces, which refuses it."""
    with pytest.raises(FileRefused, match=f"name the TRC file, {todo}$"):
        read_recording(tmp_path / name)


def test_muscles_and_forces_of_other_rates_stand_together(tmp_path: Path) -> None:
    put(tmp_path, "walk.anc", anc_text())
    times = np.arange(200) / 500.0
    put(tmp_path, "walk.mot", mot_text(times, step_forces(200, 500.0)))
    found = read_recording(put(tmp_path, "walk.trc", trc_text(body(40))))
    assert found.analog is not None
    assert found.samples_per_frame == 10
    assert found.analog.samples.shape == (2, 400)
    assert found.plates[0].channels.shape == (400, 6)


def test_a_channel_without_a_name_does_not_shift_the_others(tmp_path: Path) -> None:
    path = put(tmp_path, "walk.anc", anc_text().replace("\tM1Z\t", "\t\t"))
    found = read_anc(path)
    assert (found.labels, found.numbers) == (("L SOL", "R TA"), (4, 5))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("\tF1X\t", "\t", "4 names and 5 ranges"),
        ("\t2500\t", "\tnan\t", "a Range"),
        ("\t2500\t", "\t-2500\t", "a Range"),
        ("BitDepth:\t16", "BitDepth:\t1e999", "no BitDepth"),
        ("PreciseRate:\t1000", "PreciseRate:\t1e999", "no BitDepth"),
        ("PreciseRate:\t1000", "PreciseRate:\t500", "times that do not fit"),
        ("BitDepth:\t16", "BitDepth:\t\u0661\u0666", "no BitDepth"),
        ("PreciseRate:\t1000", "PreciseRate:\t1_000", "no BitDepth"),
        ("\t100\t-100\t", "\t1_00\t-100\t", "not counts of 16 bits"),
        ("\n0.100000\t", "\nnan\t", "times that do not fit"),
        ("\n0.100000\t", "\n0.300000\t", "times that do not fit"),
        ("\t100\t-100\t", "\tinf\t-100\t", "not counts of 16 bits"),
        ("\t100\t-100\t", "\t100\t", "5 cells in row 101"),
    ],
)
def test_an_anc_file_that_contradicts_itself_is_refused(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    text = anc_text()
    assert text.count(old) == 1
    path = put(tmp_path, "walk.anc", text.replace(old, new))
    assert said in refusal_of(lambda: read_anc(path))


def test_muscles_of_another_time_are_left_out_and_it_is_said(tmp_path: Path) -> None:
    put(tmp_path, "walk.anc", anc_text(200))
    found = read_recording(put(tmp_path, "walk.trc", trc_text(body(40))))
    assert found.analog is None
    assert "walk.anc has other times and is not used" in found.notes


@pytest.mark.parametrize("rate", [60.0, 1500.0])
def test_of_muscles_of_a_rate_between_the_frames_the_rate_is_told(
    tmp_path: Path, rate: float
) -> None:
    put(tmp_path, "walk.anc", anc_text(400))
    found = read_recording(put(tmp_path, "walk.trc", trc_text(body(20), rate=rate)))
    told = f"walk.anc has 1000 samples/s, no multiple of {rate:g} frames/s, and is not used"
    assert (found.analog, told in found.notes) == (None, True)


@pytest.mark.parametrize(
    "text", ["", "\n\n", anc_text(0), anc_text().replace("BitDepth", "Bits"),
             anc_text().replace("\t7\t-7", "\tx\ty"), anc_text()[:400], "\x00" * 900,
             anc_text(ranges=(1, 2)), anc_text().replace("16", "999999999")],
)  # fmt: skip
def test_what_is_no_anc_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    path = put(tmp_path, "walk.anc", text)
    message = refusal_of(lambda: read_anc(path))
    assert message
    assert "\n" not in message


FORCE = (
    "<ExternalForce name='a'><applied_to_body>talus_r</applied_to_body>"
    "<force_expressed_in_body>{force}</force_expressed_in_body>"
    "<point_expressed_in_body>{point}</point_expressed_in_body>"
    "<force_identifier>ground_force_{which}_v</force_identifier></ExternalForce>"
)


def loads_text(force: str = "ground", point: str = "ground") -> str:
    forces = FORCE.format(force="ground", point="ground", which="r")
    forces += FORCE.format(force=force, point=point, which="l")
    return (
        "<?xml version='1.0'?><OpenSimDocument><!-- two --><ExternalLoads><objects>"
        f"{forces}</objects><datafile>C:\\Users\\Jane Doe\\walk.mot</datafile></ExternalLoads>"
        "</OpenSimDocument>"
    )


def test_external_loads_tell_file_foot_and_axes(tmp_path: Path) -> None:
    path = put(tmp_path, "loads.xml", loads_text("/bodyset/ground", "calcn_l"))
    file, forces = read_external_loads(path)
    assert file == "walk.mot"
    assert [force.body for force in forces] == ["talus_r", "talus_r"]
    assert [force.in_ground for force in forces] == [True, False]


@pytest.mark.parametrize(("force", "point"), [("calcn_l", "ground"), ("ground", "calcn_l")])
def test_a_force_in_the_axes_of_a_body_is_refused_alone(
    tmp_path: Path, force: str, point: str
) -> None:
    put(tmp_path, "loads.xml", loads_text(force, point))
    times = np.arange(400) / RATE
    found = read_forces(put(tmp_path, "walk.mot", mot_text(times, step_forces(400, RATE))))
    assert not found.plates[0].problem
    assert "in the axes of calcn_l" in found.plates[1].problem


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "UTF-9"])
def test_the_encoding_that_external_loads_declare_does_not_matter(
    tmp_path: Path, encoding: str
) -> None:
    text = loads_text("calcn_l").replace("version='1.0'", f"version='1.0' encoding='{encoding}'")
    assert not read_external_loads(put(tmp_path, "loads.xml", text))[1][1].in_ground


def test_the_foot_of_external_loads_decides_nothing(tmp_path: Path) -> None:
    put(tmp_path, "loads.xml", loads_text())
    times = np.arange(400) / RATE
    found = read_forces(put(tmp_path, "walk.mot", mot_text(times, step_forces(400, RATE))))
    assert not any(plate.problem for plate in found.plates)


@pytest.mark.parametrize(
    "text",
    ["<a>", "no", "<x/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><ExternalLoads>&b;</ExternalLoads>",
     loads_text()[:200]],
)  # fmt: skip
def test_what_is_no_external_loads_is_refused_and_not_looked_at(tmp_path: Path, text: str) -> None:
    path = put(tmp_path, "loads.xml", text)
    with pytest.raises(FileRefused) as caught:
        read_external_loads(path)
    assert "\n" not in str(caught.value)
    assert loads_for(tmp_path / "walk.mot") == {}

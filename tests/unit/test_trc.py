"""TRC files as laboratories write them: every oddity that was met in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.file_sample import file_sample
from gaitdyn.io.c3d.subject import person_names
from gaitdyn.io.file_kinds import MARKERS_ALONE
from gaitdyn.io.recording import READERS, read_recording
from gaitdyn.io.trc import trc_recording
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic.session import write_trial
from gaitdyn.types.options import NO_FORCES, Options
from tests.unit.trc_texts import LABELS, body, refusal_of, trc_text
from tests.walks import walk, without

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.types.recording import Recording


ASIDE = np.array([0.0, 0.0, 3.0])


def read(folder: Path, text: str, name: str = "walk.trc") -> Recording:
    path = folder / name
    path.write_bytes(text.encode())
    return trc_recording(path)


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(FileRefused) as caught:
        read(folder, text)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("walk.trc: found ")
    return message


def test_a_plain_file_is_read_in_metres(tmp_path: Path) -> None:
    found = read(tmp_path, trc_text(body()))
    assert found.labels == LABELS
    assert found.rate_hz == 100.0
    assert found.first_frame == 1
    np.testing.assert_allclose(found.markers_L, body(), atol=1e-8)
    assert found.notes == ()
    assert found.units == {"points": "mm"}


@pytest.mark.parametrize("step", [1, 2, 3])
def test_labels_are_taken_in_order_whatever_their_columns(tmp_path: Path, step: int) -> None:
    found = read(tmp_path, trc_text(body(), step=step))
    assert found.labels == LABELS
    np.testing.assert_allclose(found.marker("C7"), body()[:, 5], atol=1e-8)


def test_blanks_in_the_place_of_tabs(tmp_path: Path) -> None:
    text = trc_text(body()).replace("\t", "  ")
    np.testing.assert_allclose(read(tmp_path, text).markers_L, body(), atol=1e-8)


def test_labels_in_columns_of_blanks_and_a_tab_before_every_row(tmp_path: Path) -> None:
    """A laboratory writes them so: the file had "0 labels"."""
    lines = trc_text(body()).split("\n")
    head = next(i for i, line in enumerate(lines) if line.startswith("Frame#"))
    lines[head] = "Frame#\tTime" + "".join(f"{label:>20}" for label in LABELS)
    lines[head + 2 :] = [f"\t{line}" if line.strip() else line for line in lines[head + 2 :]]
    found = read(tmp_path, "\n".join(lines))
    assert found.labels == LABELS
    assert found.first_frame == 1
    np.testing.assert_allclose(found.markers_L, body(), atol=1e-8)


def test_a_gap_between_blanks_leaves_the_row_empty(tmp_path: Path) -> None:
    points = body()
    points[5:9, 2] = np.nan
    points[20, 5] = np.nan
    found = read(tmp_path, trc_text(points).replace("\t", " "))
    empty = np.isnan(found.markers_L).all(axis=(1, 2))
    assert np.flatnonzero(empty).tolist() == [5, 6, 7, 8, 20]
    np.testing.assert_allclose(found.markers_L[~empty], points[~empty], atol=1e-8)
    told = "5 rows without tabs with fewer numbers than the others: whose is not told, left empty"
    assert found.notes == (told,)


def test_no_blank_line_and_a_header_padded_with_tabs(tmp_path: Path) -> None:
    lines = trc_text(body()).split("\r\n")
    del lines[5]
    lines[2] = lines[2].replace("\t", " \t\t").replace("mm", "     mm")
    lines[0] += "\t" * 120
    assert read(tmp_path, "\n".join(lines)).labels == LABELS


def test_a_header_with_blank_lines_between_is_read(tmp_path: Path) -> None:
    """A file that was written twice as text, with CR CR LF, lost its unit and its rate."""
    found = read(tmp_path, trc_text(body(20), rate=60.0).replace("\r\n", "\r\r\n"))
    assert (found.rate_hz, found.notes) == (60.0, ())


def test_times_and_frames_of_a_cut_trial_keep_their_clock(tmp_path: Path) -> None:
    found = read(tmp_path, trc_text(body(), rate=200.0, start_s=3.38, first=23))
    assert found.first_frame == 677
    assert found.start_s == pytest.approx(3.38, abs=1e-9)
    assert any("it is 677 here" in note for note in found.notes)


def test_a_start_between_two_frames_is_kept(tmp_path: Path) -> None:
    found = read(tmp_path, trc_text(body(), start_s=0.001))
    assert found.first_frame == 1
    assert found.start_s == pytest.approx(0.001, abs=1e-9)


def test_times_of_three_digits_do_not_make_the_rate(tmp_path: Path) -> None:
    lines = trc_text(body(200), rate=60.0).split("\r\n")
    for i in range(6, 206):
        cells = lines[i].split("\t")
        lines[i] = "\t".join([cells[0], f"{float(cells[1]):.3f}", *cells[2:]])
    assert read(tmp_path, "\n".join(lines)).rate_hz == 60.0


def test_a_rate_with_rounding_is_the_whole_one(tmp_path: Path) -> None:
    assert read(tmp_path, trc_text(body(), rate=200, said_rate="199.9999999999954")).rate_hz == 200


def test_rate_and_times_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    text = refusal(tmp_path, trc_text(body(), rate=25.0, said_rate="250"))
    assert "DataRate 250 Hz and times of 25 Hz" in text


def test_the_rate_of_the_times_is_taken_when_the_header_drifts(tmp_path: Path) -> None:
    found = read(tmp_path, trc_text(body(1000), rate=59.94, said_rate="60"))
    assert found.rate_hz == pytest.approx(59.94, rel=1e-5)
    assert any("the header says 60" in note for note in found.notes)


@pytest.mark.parametrize("time", ["inf", "1e308", "-1e308"])
def test_a_time_that_is_none_is_refused_without_a_warning(tmp_path: Path, time: str) -> None:
    lines = trc_text(body()).split("\r\n")
    lines[6:8] = ["\t".join(["1", time, *line.split("\t")[2:]]) for line in lines[6:8]]
    refusal(tmp_path, "\n".join(lines))


def test_rows_that_are_missing_are_gaps(tmp_path: Path) -> None:
    lines = trc_text(body()).split("\r\n")
    del lines[16:19]
    found = read(tmp_path, "\n".join(lines))
    assert found.n_frames == 40
    assert np.isnan(found.markers_L[10:13]).all()
    assert np.isfinite(found.markers_L[13:]).all()
    assert any("no row for 3 of 40 frames" in note for note in found.notes)


def test_rows_of_numbers_before_the_first_frame_number_are_told(tmp_path: Path) -> None:
    whole = trc_text(body())
    assert not any("before the first" in note for note in read(tmp_path, whole).notes)
    found = read(tmp_path, whole.replace("\n1\t", "\nx\t", 1).replace("\n2\t", "\n\t", 1))
    assert found.notes == ("2 rows of numbers before the first frame number: left out",)
    assert (found.first_frame, found.n_frames) == (3, 38)


def test_times_that_jump_are_refused(tmp_path: Path) -> None:
    lines = trc_text(body()).split("\r\n")
    cells = lines[20].split("\t")
    lines[20] = "\t".join([cells[0], "0.5", *cells[2:]])
    assert "away from its expected time" in refusal(tmp_path, "\n".join(lines))


@pytest.mark.parametrize("gap", ["", "NaN", "0", "-0", "0.000", "-1.#IND", "inf", "1_0", "\u0661"])
def test_what_is_not_there_is_a_gap(tmp_path: Path, gap: str) -> None:
    points = body()
    points[5:9, 2] = np.nan
    found = read(tmp_path, trc_text(points, gap=gap))
    assert np.isnan(found.marker("LANK")[5:9]).all()
    assert np.isfinite(found.markers_L).all(axis=2).sum() == 40 * 6 - 4


def test_a_coordinate_that_is_0_by_itself_is_no_gap(tmp_path: Path) -> None:
    points = body()
    points[:, 4, 1] = 0.0
    assert np.isfinite(read(tmp_path, trc_text(points)).markers_L).all()


def test_a_short_row_between_tabs_lacks_only_its_last_markers(tmp_path: Path) -> None:
    lines = trc_text(body()).split("\r\n")
    lines[12] = "\t".join(lines[12].split("\t")[:-4])  # of the seventh frame the last marker
    found = read(tmp_path, "\r\n".join(lines))
    gaps = ~np.isfinite(found.markers_L).all(axis=2)
    assert np.argwhere(gaps).tolist() == [[6, 5]]
    assert not any("whose is not told" in note for note in found.notes)


def test_rows_may_end_before_the_virtual_markers(tmp_path: Path) -> None:
    points = body()
    lines = trc_text(points, (*LABELS, "V_R.Hip_JC", "V_L.Hip_JC")).split("\r\n")
    found = read(tmp_path, "\n".join(lines))
    assert found.labels == LABELS
    assert "V_R.Hip_JC, V_L.Hip_JC: never visible and left out" in found.notes


def test_the_prefix_of_labels_is_taken_away_and_known_as_a_name(tmp_path: Path) -> None:
    found = read(tmp_path, trc_text(body(), [f"Jane Doe:{label}" for label in LABELS]))
    assert (found.labels, found.called) == (LABELS, ("Jane Doe",))
    assert person_names(tmp_path / "walk.trc") == ["Jane Doe"]


def test_of_two_people_the_one_asked_for_is_read(tmp_path: Path) -> None:
    both = np.concatenate((body(), body() + ASIDE), axis=1)
    text = trc_text(both, [f"{name}:{label}" for name in ("Ann", "Bob") for label in LABELS])
    message = refusal(tmp_path, text)
    assert "markers of 2 subjects (A*n, B*b)" in message
    path = tmp_path / "walk.trc"
    path.write_text(text, encoding="utf-8")
    found = read_recording(path, "bob", forces=NO_FORCES)
    assert (found.labels, found.called) == (LABELS, ("Ann", "Bob"))
    np.testing.assert_allclose(found.markers_L, body() + ASIDE, atol=1e-8)
    assert file_sample(path, "bob").sample.labels == LABELS


def test_a_row_longer_than_the_labels_is_refused(tmp_path: Path) -> None:
    assert "18 coordinates in row 1" in refusal(tmp_path, trc_text(body(), LABELS[:4]))


def test_axes_of_the_laboratory_are_no_markers(tmp_path: Path) -> None:
    names = ("LASI", "RASI", "LANK", "RANK", "Oglobal", "X_global")
    found = read(tmp_path, trc_text(body(), names))
    assert found.labels == names[:4]
    assert any("Oglobal, X_global: the laboratory's axes" in note for note in found.notes)


def test_points_of_one_label_are_all_kept_and_pieces_of_one_path_joined(tmp_path: Path) -> None:
    """The first was taken, which cost a leg whose ankle stood second, after a wrong LANK."""
    names = ("LANK", "RASI", "LANK", "RANK", "LTOE", "C7")
    found = read(tmp_path, trc_text(body(), names))
    assert found.labels == names
    np.testing.assert_allclose(found.markers_L, body(), atol=1e-8)
    pieces = body()
    pieces[:, 4] = pieces[:, 0]
    pieces[20:, 0] = pieces[:20, 4] = np.nan
    joined = read(tmp_path, trc_text(pieces, ("V_R.TT", "RASI", "LANK", "RANK", "V_R.TT", "C7")))
    np.testing.assert_allclose(joined.markers_L[:, 0], body()[:, 0], atol=1e-8)
    assert np.isnan(joined.markers_L[:, 4]).all()
    assert "V_R.TT: 2 points of this label are pieces of one path" in joined.notes


@pytest.mark.parametrize("twice", [{"LTIB": "LKNE"}, {"LTHI": "LANK"}])
def test_labels_that_stand_twice_are_told_apart_as_in_a_c3d_file(
    tmp_path: Path, twice: dict[str, str]
) -> None:
    write_trial(tmp_path / "walk.c3d", without(walk(), **twice))
    recording = read_recording(tmp_path / "walk.c3d")
    text = trc_text(recording.markers_L, recording.labels)
    (tmp_path / "walk.trc").write_text(text, encoding="utf-8")
    how = Options(forces=NO_FORCES)
    c3d, trc = (process_trial(tmp_path / f"walk.{end}", how) for end in ("c3d", "trc"))
    assert trc.recording.labels == c3d.recording.labels
    np.testing.assert_allclose(trc.recording.markers_L, c3d.recording.markers_L, atol=1e-8)


@pytest.mark.parametrize(
    ("unit", "scale", "noted"),
    [("m", 1.0, False), ("  mm", 1000.0, False), ("mm", 1.0, True), ("m", 1000.0, True),
     ("", 1000.0, True), ("cm", 100.0, False), ("Meters", 1.0, False),
     ("millimeters", 1000.0, False), ("meters", 1000.0, True)],
)  # fmt: skip
def test_units_are_held_against_the_body(
    tmp_path: Path, unit: str, scale: float, noted: bool
) -> None:
    found = read(tmp_path, trc_text(body(), unit=unit, scale=scale))
    np.testing.assert_allclose(found.markers_L, body(), atol=2e-6)
    assert bool(found.notes) == noted


def test_no_unit_makes_a_body_of_these(tmp_path: Path) -> None:
    assert "fit a body in no unit" in refusal(tmp_path, trc_text(body(), scale=9e6))


def test_the_path_in_the_file_is_told_nowhere(tmp_path: Path) -> None:
    found = read(tmp_path, trc_text(body()))
    assert "Jane" not in f"{found!r} {found.notes} {found.units} {found.called}"
    assert "Jane" not in refusal(tmp_path, trc_text(body()).replace("Frame#", "Bild"))


def test_read_recording_reads_it_by_its_ending(tmp_path: Path) -> None:
    (tmp_path / "Walk.TRC").write_text(trc_text(body()), encoding="utf-8")
    found = read_recording(tmp_path / "Walk.TRC")
    assert found.n_frames == 40
    assert found.plates == ()


@pytest.mark.parametrize("end", [0, 1, 40, 150, 300, 420, 700, 1500])
def test_a_file_that_is_cut_off_is_read_or_refused_in_one_line(tmp_path: Path, end: int) -> None:
    text = trc_text(body())[:end]
    assert "\n" not in refusal_of(lambda: read(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "PathFileType\n\n\nFrame#\tTime\n1\t0\n",
        "PathFileType\nDataRate\n100\nFrame#\tTime\tA\n",
        "PathFileType\nDataRate\nnan\nFrame#\tTime\tA\n1\tx\ty\n2\tnan\tinf\n",
        "PathFileType\nDataRate\n1e400\nFrame#\tTime\tA\n1\t0\t1\t2\t3\n999999999\t1e9\t1\t2\t3\n",
        "PathFileType\nDataRate\n100\nFrame#\tTime\t" + "A\t" * 5000 + "\n1\t0\t1\t2\t3\n",
        "PathFileType\nDataRate\n100\nFrame#\tTime\tA\n1\t1e300\t1\t2\t3\n2\t2e300\t1\t2\t3\n",
        "PathFileType\nDataRate\n100\nFrame#\tTime\tA\n1\t0\t1e308\t2\t3\n2\t.01\t1\t2\t3\n",
        "\x00\x50" * 4000,
    ],
)  # fmt: skip
def test_what_is_no_recording_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(FileRefused) as caught:
        read(tmp_path, text)
    assert "\n" not in str(caught.value)


def test_altered_bytes_end_in_a_recording_or_in_one_line(tmp_path: Path) -> None:
    whole = bytearray(trc_text(body(8)).encode())
    random = np.random.default_rng(7)
    for _ in range(150):
        data = whole.copy()
        for at in random.integers(0, len(data), 4):
            data[at] = random.integers(0, 256)
        path = tmp_path / "walk.trc"
        path.write_bytes(data)
        assert "\n" not in refusal_of(lambda path=path: trc_recording(path))


def test_many_labels_over_empty_rows_ask_for_no_memory(tmp_path: Path) -> None:
    labels = "\t".join(f"A{i}" for i in range(1900))
    rows = "\n".join(str(i) for i in range(1, 50001))
    text = f"PathFileType\nDataRate\n100\nFrame#\tTime\t{labels}\n{rows}\n"
    assert "over empty rows" in refusal(tmp_path, text)


def as_cells(text: str, separator: str, *, comma: bool = False) -> str:
    """Return a file with other separators, and decimal commas."""
    title, rest = text.split("\r\n", 1)
    return title + "\r\n" + (rest.replace(".", ",") if comma else rest).replace("\t", separator)


@pytest.mark.parametrize(
    ("separator", "comma"), [("\t", True), (";", False), (";", True), (",", False), ("  ", True)]
)
def test_cells_and_numbers_are_read_as_spreadsheets_write_them(
    tmp_path: Path, separator: str, *, comma: bool
) -> None:
    text = as_cells(trc_text(body()), separator, comma=comma)
    found = read(tmp_path, text)
    assert found.labels == LABELS
    assert found.rate_hz == 100.0
    assert found.notes == ()
    np.testing.assert_allclose(found.markers_L, body(), atol=1e-8)


def test_commas_between_thousands_are_no_decimals(tmp_path: Path) -> None:
    text = trc_text(body(), digits=3).replace("1000.000", "1,000.000").replace("1600.", "1,600.")
    np.testing.assert_allclose(read(tmp_path, text).markers_L, body(), atol=1e-6)


@pytest.mark.parametrize("ending", ["_x", ".X", "X", " z"])
def test_a_label_of_each_coordinate_is_one_marker(tmp_path: Path, ending: str) -> None:
    before, letters = ending[:-1], "XYZ" if ending[-1].isupper() else "xyz"
    names = [f"{label}{before}{axis}" for label in LABELS for axis in letters]
    text = trc_text(body(), step=1).replace("\t".join(LABELS), "\t".join(names))
    found = read(tmp_path, text)
    assert found.labels == LABELS
    np.testing.assert_allclose(found.markers_L, body(), atol=1e-8)


def test_a_label_over_each_of_three_coordinates_is_one_marker(tmp_path: Path) -> None:
    names = "\t".join(label for label in LABELS for _ in range(3))
    text = trc_text(body(), step=1).replace("\t".join(LABELS), names)
    found = read(tmp_path, text)
    assert found.labels == LABELS
    np.testing.assert_allclose(found.markers_L, body(), atol=1e-8)
    three = np.concatenate([body() + 0.1 * k for k in range(3)], axis=1)
    order = np.arange(three.shape[1]).reshape(3, -1).T.ravel()
    text = trc_text(three[:, order], step=1, labels=tuple(names.split("\t")))
    assert len(read(tmp_path, text).labels) == 3 * len(LABELS)


def test_blank_lines_in_front_are_no_header(tmp_path: Path) -> None:
    assert read(tmp_path, "\r\n\n" + trc_text(body())).labels == LABELS
    assert "PathFileType" in refusal(tmp_path, trc_text(body()).split("\r\n", 1)[1])


@pytest.mark.parametrize("name", ["walk.csv", "walk.TSV", "walk.txt"])
def test_a_table_of_another_program_is_refused_with_what_to_do(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("Trajectories\n100\n")
    message = refusal_of(lambda: read_recording(tmp_path / name))
    assert message.startswith(f"{name}: found a {name[-4:].lower()} file")
    assert "as C3D or TRC" in message


def test_recordings_without_forces_are_those_with_a_reader_of_their_own():
    assert set(MARKERS_ALONE) == set(READERS)

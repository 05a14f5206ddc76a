import os
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np
import pytest

from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.parameters import layout_of, read_parameters
from gaitdyn.io.c3d.section import SectionWalk
from tests.unit import c3d_bytes as build

Write = Callable[..., Path]


def refusal(path: Path, **options: Any) -> str:
    with pytest.raises(FileRefused) as caught:
        read_parameters(path, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert str(Path(path).parent) not in message
    return message


@pytest.mark.parametrize("processor", ["intel", "dec", "sgi"])
def test_every_byte_order_gives_the_same_values(write: Write, processor: str) -> None:
    corners = np.arange(24.0).reshape(3, 4, 2)
    change = {("FORCE_PLATFORM", "CORNERS"): (build.FLOAT, (3, 4, 2), corners)}
    path = write(build.c3d(processor=processor, change=change))
    header, params = read_parameters(path)
    assert header.processor == processor
    assert (header.point_count, header.first_frame, header.last_frame) == (2, 1, 5)
    assert header.rate_hz == 100.0
    assert header.scale == pytest.approx(-0.1)
    assert params.number("POINT", "RATE") == 100.0
    np.testing.assert_array_equal(params.get("FORCE_PLATFORM", "CORNERS"), corners)
    assert params.oddities == ()


def test_names_are_found_in_any_case_of_letters(write: Write) -> None:
    change = {("PROCESSING", "Bodymass"): (build.FLOAT, (1,), 70.5)}
    _, params = read_parameters(write(build.c3d(change=change)))
    assert params.number("processing", "BODYMASS") == 70.5
    assert params.names("Processing") == ("BODYMASS",)
    assert params.groups() == ("POINT", "ANALOG", "PROCESSING")


def test_a_scalar_is_an_array_of_one_and_cannot_be_changed(write: Write) -> None:
    _, params = read_parameters(write(build.c3d()))
    used = params.get("POINT", "USED")
    assert used.shape == (1,)
    assert not used.flags.writeable
    assert params.get("POINT", "NOTHING", "default") == "default"


def test_label_lists_are_joined_in_numeric_order(write: Write) -> None:
    change = {("POINT", f"LABELS{n}"): build.text(f"L{n}") for n in (10, 2, 3)}
    _, params = read_parameters(write(build.c3d(change=change)))
    assert params.strings("POINT", "LABELS") == ["P0", "P1", "L2", "L3", "L10"]


def test_text_is_utf8_or_else_latin_1(write: Write) -> None:
    change = {
        ("SUBJECTS", "A"): (build.TEXT, (4,), "шаг".encode()[:4]),
        ("SUBJECTS", "B"): (build.TEXT, (4,), b"caf\xe9"),
        ("SUBJECTS", "C"): (build.TEXT, (4, 0), b""),
    }
    _, params = read_parameters(write(build.c3d(change=change)))
    assert params.get("SUBJECTS", "A") == ["ша"]
    assert params.get("SUBJECTS", "B") == ["caf\xe9"]
    assert params.get("SUBJECTS", "C") == []


def test_a_count_has_no_sign(write: Write) -> None:
    points = np.full((40000, 1, 3), 5.0)
    path = write(build.c3d(points, np.zeros((40000, 0)), samples=1))
    header, params = read_parameters(path)
    assert params.number("POINT", "FRAMES") == 40000 - 65536
    assert params.count("POINT", "FRAMES") == 40000
    assert layout_of(header, params, path.stat().st_size).frames == 40000


@pytest.mark.parametrize("wrong", [-1.0, 2.5, np.nan, np.inf])
def test_what_is_no_whole_number_from_0_is_no_count(write: Write, wrong: float) -> None:
    change = {("ROTATION", "USED"): (build.FLOAT, (), wrong)}
    _, params = read_parameters(write(build.c3d(change=change)))
    assert params.count("ROTATION", "USED") is None


def test_the_parameters_can_be_pickled(write: Write) -> None:
    _, params = read_parameters(write(build.c3d()))
    again = pickle.loads(pickle.dumps(params))  # noqa: S301
    assert again.strings("POINT", "LABELS") == ["P0", "P1"]


def test_a_directory_is_refused_at_once(tmp_path: Path) -> None:
    assert "a folder" in refusal(tmp_path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "none.c3d")


def test_of_a_missing_file_a_like_name_or_the_missing_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "walk01.c3d").touch()
    assert refusal(tmp_path / "walk1.c3d").endswith("; is it walk01.c3d?")
    apart = tmp_path / normalize("NFD", "L\u00e4ufer.c3d")  # as a Mac stores it
    apart.write_bytes(b"x")
    if not (tmp_path / "L\u00e4ufer.c3d").exists():
        told = refusal(tmp_path / "L\u00e4ufer.c3d")
        assert "; one is there whose accents are stored otherwise: rename it" in told
    assert refusal(tmp_path / "other.trc").endswith("; check the path")
    assert "no such folder either" in refusal(tmp_path / "none" / "walk01.c3d")


def test_of_a_file_that_must_not_be_read_the_permissions_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path was to be checked, in which nothing is wrong."""

    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "walk01.c3d").write_bytes(b"x")
    monkeypatch.setattr("builtins.open", denied)
    assert refusal(tmp_path / "walk01.c3d").endswith("; check its permissions")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.c3d")
    assert "a pipe or a device" in refusal(tmp_path / "pipe.c3d")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "an empty file"),
        (b"\x02\x50" + bytes(300), "302 bytes"),
        (b"some text " * 200, "found another kind of file (0x6f as second byte); wanted"),
        (b"\x00\x50" + bytes(2000), "parameters at block 0"),
        (b"\xc8\x50" + bytes(2000), "parameters at block 200"),
        (b"\x02\x50" + bytes(2000), "processor code 0"),
    ],
)
def test_what_is_no_c3d_is_refused(write: Write, content: bytes, found: str) -> None:
    assert found in refusal(write(content))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_a_name_with_a_line_break_stays_in_one_line(write: Write) -> None:
    assert "\\n" in refusal(write(b"", "two\nlines.c3d"))


def test_data_outside_the_file_are_refused(write: Write) -> None:
    assert "cut off" in refusal(write(build.c3d(words={"data_block": 50})))


INTEGER, FLOAT, TEXT = build.INTEGER, build.FLOAT, build.TEXT


@pytest.mark.parametrize(
    ("key", "entry", "found"),
    [
        (("POINT", "USED"), None, "POINT:USED None"),
        (("POINT", "USED"), (INTEGER, (), -5), "POINT:USED -5"),
        (("POINT", "USED"), (INTEGER, (0,), []), "POINT:USED empty"),
        (("POINT", "FRAMES"), (TEXT, (1,), b"5"), "POINT:FRAMES as text"),
        (("POINT", "RATE"), (FLOAT, (), np.nan), "POINT:RATE nan"),
        (("POINT", "SCALE"), (FLOAT, (), 0.1), "POINT:SCALE 0.1 and -0.1"),
        (("POINT", "SCALE"), (FLOAT, (), np.inf), "POINT:SCALE inf"),
        (("POINT", "LABELS"), (INTEGER, (2,), [1, 2]), "POINT:LABELS as 16-bit integers"),
        (("POINT", "UNITS"), (TEXT, (2,), b"mm", "x" * 200), "a description of 200 characters"),
        (("POINT", "UNITS"), (3, (1,), b"abc"), "type 3"),
        (("POINT", "UNITS"), (1, (1,) * 8, b"a"), "8 dimensions"),
        (("ANALOG", "OFFSET"), (FLOAT, (3,), [0, np.inf, 0]), "ANALOG:OFFSET inf"),
        (("ANALOG", "SCALE"), (FLOAT, (3,), [np.nan, 1, 1]), "ANALOG:SCALE nan"),
        (("ANALOG", "GEN_SCALE"), (FLOAT, (), np.nan), "ANALOG:GEN_SCALE nan"),
    ],
)
def test_a_parameter_that_cannot_be_is_refused(
    write: Write, key: tuple[str, str], entry: Any, found: str
) -> None:
    assert found in refusal(write(build.c3d(change={key: entry})))


def test_a_text_without_dimensions_is_one_letter(write: Write) -> None:
    _, params = read_parameters(write(build.c3d(change={("POINT", "UNITS"): (TEXT, (), b"m")})))
    assert params.strings("POINT", "UNITS") == ["m"]


def test_a_name_ends_at_a_null(write: Write) -> None:
    _, params = read_parameters(write(build.c3d(change={("POINT", "NOTE\0x"): build.text("a")})))
    assert params.strings("POINT", "NOTE") == ["a"]
    assert params.oddities == ()


@pytest.mark.parametrize(
    ("stored", "used"), [((66.5, 0.0), 66.5), ((0.0, 66.5), 66.5), ((66.5, 70.0), 66.5)]
)
def test_of_a_parameter_that_stands_twice_the_first_with_a_value_is_used(
    write: Write, stored: tuple[float, float], used: float
) -> None:
    names = "Bodymass", "BODYMASS"
    change = {
        ("PROCESSING", name): (FLOAT, (1,), mass) for name, mass in zip(names, stored, strict=True)
    }
    _, params = read_parameters(write(build.c3d(change=change)))
    assert params.number("PROCESSING", "BODYMASS") == used
    (told,) = params.oddities
    assert told == "PROCESSING has BODYMASS twice: the first that is not empty or 0 is used"


def test_dimensions_larger_than_the_section_are_refused(write: Write) -> None:
    change = {("POINT", "UNITS"): (TEXT, (255,) * 7, b"mm")}
    assert "bytes asked for" in refusal(write(build.c3d(change=change)))


def test_texts_without_a_letter_ask_for_no_memory(write: Write) -> None:
    labels = (build.TEXT, (0, 255, 255, 255, 255, 255, 255), b"")
    _, params = read_parameters(write(build.c3d(change={("POINT", "LABELS"): labels})))
    record = params.record("POINT", "LABELS")
    assert record is not None
    assert (record.size, params.strings("POINT", "LABELS")) == (0, [])


def test_a_section_that_ends_within_a_record_is_refused() -> None:
    content = build.c3d()
    section = content[512 : (int.from_bytes(content[16:18], "little") - 1) * 512]
    whole = SectionWalk(section, "intel", "walk.c3d")
    whole.run()
    for end in range(4, whole.spans[-1].end):
        with pytest.raises(FileRefused, match="an unbroken list of parameters"):
            SectionWalk(section[:end], "intel", "walk.c3d").run()


def test_two_groups_with_one_number_are_refused(write: Write) -> None:
    content = bytearray(build.c3d())
    content[content.index(b"ANALOG") - 1] = 0xFF
    assert "POINT and ANALOG as one" in refusal(write(bytes(content)))


def test_a_chain_that_goes_back_is_refused(write: Write) -> None:
    content = bytearray(build.c3d())
    at = content.index(b"USED") + 4
    content[at : at + 2] = b"\xf0\xff"
    assert "the next one at" in refusal(write(bytes(content)))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"words": {"last": 4}}, "frames: 5 in the parameters, 4 in the header"),
        ({"words": {"rate": 50.0}}, "rate: 100 in the parameters, 50 in the header"),
        ({"change": {("POINT", "DATA_START"): (INTEGER, (), 9)}}, "start of the data"),
        ({"change": {("ANALOG", "RATE"): None}}, "8 values a frame in the parameters and 14"),
    ],
)
def test_a_contradiction_that_does_no_harm_is_an_oddity(
    write: Write, options: dict[str, Any], said: str
) -> None:
    _, params = read_parameters(write(build.c3d(**options)))
    assert any(said in oddity for oddity in params.oddities)


def test_bytes_behind_the_last_parameter_are_an_oddity(write: Write) -> None:
    content = bytearray(build.c3d())
    end = (int.from_bytes(content[16:18], "little") - 1) * 512
    content[end - 1] = 7
    _, params = read_parameters(write(bytes(content)))
    assert params.oddities == ("bytes after the last parameter belong to nothing",)


@pytest.mark.parametrize("processor", ["intel", "dec", "sgi"])
def test_random_damage_is_refused_or_read_but_never_an_accident(
    write: Write, processor: str
) -> None:
    rng = random.Random(4)  # noqa: S311
    whole = build.c3d(processor=processor)
    for _ in range(60):
        content = bytearray(whole)
        for _ in range(rng.randint(1, 8)):
            content[rng.randrange(1024)] = rng.randrange(256)
        path = write(bytes(content))
        try:
            header, params = read_parameters(path)
        except FileRefused:
            continue
        assert layout_of(header, params, path.stat().st_size).frame_bytes >= 0


def test_a_signalling_not_a_number_is_read_without_a_warning(write: Write) -> None:
    change = {("FORCE_PLATFORM", "ORIGIN"): (FLOAT, (1,), b"\x01\x00\x80\x7f")}
    _, params = read_parameters(write(build.c3d(change=change)))
    assert np.isnan(params.get("FORCE_PLATFORM", "ORIGIN")).all()

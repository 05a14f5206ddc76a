"""Names of persons: where they may stand, and where they never do."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
import zlib
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest

from gaitdyn.io.c3d.emit import texts as text_record
from gaitdyn.io.c3d.out import read_head, with_added_points
from gaitdyn.io.c3d.parameters import read_parameters
from gaitdyn.io.c3d.persons import with_aliases
from gaitdyn.io.c3d.subject import persons_of, software_of
from gaitdyn.io.names import name_masked, other_names_in, words_in
from gaitdyn.synthetic import Recording, Walker, write_session
from tests.read_back import rows_of
from tests.unit import c3d_bytes

PARQUET = ("parquet",) if find_spec("pyarrow") else ()
"""Only where the extra that writes it is installed."""

PERSON = ("Zebulonia", "Quuxberg")
"""What stands in SUBJECTS:NAMES, in the prefix of every label and in the events."""


def planted(folder: Path, trials: int = 1) -> Path:
    """Write a session whose files name a person in every way that a C3D file has."""
    brief = Recording(subject="Zebulonia Quuxberg", strides=2.0, analog_ratio=2)
    write_session(folder, Walker(), brief, trials=trials)
    for path in folder.glob("*.c3d"):
        prefixed(path, "Zebulonia")
    return folder


def prefixed(path: Path, prefix: str) -> None:
    """Put a prefix in front of every label of points, as Vicon does."""
    from gaitdyn.io.c3d.emit import stored_lines, texts

    head = read_head(path)
    record = head.params.record("POINT", "LABELS")
    assert record is not None
    lines = [f"{prefix}:".encode() + line.strip(b" \0") for line in stored_lines(record)]
    own = {**head.params.records["POINT"], "LABELS": texts(lines, record.processor)}
    params = replace(head.params, records={**head.params.records, "POINT": own})
    told = replace(head, params=params, replaced=(("POINT", "LABELS"),))
    path.write_bytes(with_added_points(told, [], "0"))


def texts_of(path: Path) -> list[bytes]:
    """Return the bytes of a file, and what is packed in it."""
    raw = path.read_bytes()
    found = [raw]
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as inside:
            found += [inside.read(name) for name in inside.namelist()]
    if raw[:4] == b"%PDF":
        for part in raw.split(b"stream\n")[1:]:
            try:
                found.append(zlib.decompressobj().decompress(part))
            except zlib.error:
                continue
        found.append(letters_of(found))
    if raw[:6] == b"MATLAB":
        from scipy.io import loadmat

        found.append(repr(loadmat(path, simplify_cells=True)).encode())
    if raw[:4] == b"PAR1":
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        found += [repr(table.schema.metadata).encode(), repr(table.to_pydict()).encode()]
    return found


def letters_of(streams: list[bytes]) -> bytes:
    """Return the text of a PDF, in which every letter stands as the number of its glyph."""
    pairs = [pair for part in streams for pair in re.findall(rb"<(\w{4})> <(\w{4})>", part)]
    letters = {glyph.lower(): bytes.fromhex(code.decode())[-1:] for glyph, code in pairs}
    texts = [text for part in streams for text in re.findall(rb"<((?:\w{4})+)>", part)]
    return b"\n".join(
        b"".join(letters.get(text[i : i + 4].lower(), b"?") for i in range(0, len(text), 4))
        for text in texts
    )


def named_in(folder: Path) -> list[str]:
    """Return the files of a folder, and their names, that hold a name."""
    found = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        texts = [str(path.relative_to(folder)).encode(), *texts_of(path)]
        spelled = [n.encode(code).lower() for n in PERSON for code in ("utf-8", "utf-16-le")]
        if any(name in text.lower() for text in texts for name in spelled):
            found.append(str(path.relative_to(folder)))
    return found


def ran(gaitdyn, *words: str | Path) -> str:
    done = gaitdyn(*words)
    assert done.returncode == 0, done.stderr
    assert not [n for n in PERSON if n.lower() in (done.stdout + done.stderr).lower()]
    return done.stdout


def test_the_files_name_the_person(tmp_path):
    path = planted(tmp_path / "S1") / "walk01.c3d"
    params = read_parameters(path)[1]
    assert persons_of(params) == ("Zebulonia Quuxberg",)
    assert other_names_in(params) == ("Zebulonia", "Zebulonia Quuxberg")
    assert named_in(path.parent)


@pytest.mark.slow
def test_names_from_inside_the_recordings_are_in_no_output(gaitdyn, tmp_path):
    source, out = planted(tmp_path / "in" / "S1"), tmp_path / "outputs"
    trial = source / "walk01.c3d"
    more = ("--report", "both", "--intermediate", "--terms", "--generalised", "--json")
    ran(gaitdyn, "process", trial, "-o", out / "process", *more)
    batch = out / "batch"
    ran(gaitdyn, "batch", source, "-o", batch, "--jobs", "1")
    words = (batch / "S1" / "walk01", out / "process" / "walk01", "--compare", "--pdf")
    ran(gaitdyn, "report", *words, "-o", out / "pages" / "two.html")
    for to in ("c3d", "trc-mot", "mat", *PARQUET):
        ran(gaitdyn, "export", batch / "S1" / "walk01", "--to", to, "-o", out / "exports")
    ran(gaitdyn, "archive", "add", out / "lab.gaitdyn", batch)
    ran(gaitdyn, "archive", "ls", out / "lab.gaitdyn", "--json")
    for kind in ("csv", *PARQUET):
        words = ("-o", out / f"tables-{kind}", "--format", kind)
        ran(gaitdyn, "archive", "export", out / "lab.gaitdyn", *words)
    words = ("query", out / "lab.gaitdyn", "knee_angle_flexion", "--csv", out / "knee.csv")
    ran(gaitdyn, "archive", *words)
    ran(gaitdyn, "explain", batch / "S1" / "walk01", "--frame", "140", "--segment", "left_shank")
    ran(gaitdyn, "reproduce", batch / "S1" / "walk01")
    assert len(list(out.rglob("*.pdf"))) == 4
    assert named_in(out) == []


def test_an_exported_c3d_keeps_its_samples_and_names_on_request(gaitdyn, tmp_path):
    source = planted(tmp_path / "in")
    ran(gaitdyn, "process", source / "walk01.c3d", "--no-figures", "-o", tmp_path / "out")
    folder = tmp_path / "out" / "walk01"
    assert "by pseudonyms" in gaitdyn("export", folder, "--to", "c3d", "-o", "a.c3d").stderr
    words = ("export", folder, "--to", "c3d", "-o", "b.c3d", "--with-names")
    assert gaitdyn(*words).returncode == 0
    told, plain = (read_head(tmp_path / name) for name in ("a.c3d", "b.c3d"))
    assert (told.frames() == plain.frames()).all()
    assert plain.params.strings("SUBJECTS", "NAMES") == ["Zebulonia Quuxberg"]
    assert told.params.strings("SUBJECTS", "NAMES") == ["subject"]
    assert set(told.params.strings("EVENT", "SUBJECTS")) == {"subject"}
    labels = told.params.strings("POINT", "LABELS")[:16]
    before = plain.params.strings("POINT", "LABELS")[:16]
    assert labels == [x.replace("Zebulonia:", "subject:") for x in before]


def test_names_are_found_wherever_makers_put_them(tmp_path):
    path = tmp_path / "walk01.c3d"
    write_session(tmp_path, Walker(), Recording(subject="P01"), trials=1)
    head = read_head(path)
    texts = {
        ("SUBJECT", "NAME"): "Zebulonia Quuxberg",
        ("SUBJECT", "DATE_OF_BIRTH"): "1 April 1970",
        ("ANALOG", "DESCRIPTIONS"): "channel of Quuxberg",
        ("MANUFACTURER", "SOFTWARE"): "Nexus 2.8 Quuxberg",
    }
    records = dict(head.params.records)
    for (group, name), text in texts.items():
        record = text_record([text.encode()], "intel")
        records[group] = {**records.get(group, {}), name: record}
    params = replace(head.params, records=records)
    assert software_of(params) == "Nexus 2.8 Q******g"
    told = with_aliases(replace(head, params=params), "P01").params
    assert [told.strings(*where) for where in texts] == [
        ["P01"], [""], ["channel of P01"], ["Nexus 2.8 P01"],
    ]  # fmt: skip


def test_a_file_without_names_loses_its_date_of_birth(tmp_path):
    (tmp_path / "born.c3d").write_bytes(
        c3d_bytes.c3d(change={("SUBJECT", "DATE_OF_BIRTH"): c3d_bytes.text("1 April")})
    )
    told = with_aliases(read_head(tmp_path / "born.c3d"), "P01")
    assert told.params.strings("SUBJECT", "DATE_OF_BIRTH") == [""]
    assert (told.replaced, told.names) == ((("SUBJECT", "DATE_OF_BIRTH"),), ())


@pytest.mark.parametrize("coding", ["utf-8", "latin-1"])
def test_names_in_descriptions_become_stars_whatever_their_length(coding, tmp_path):
    """A description of 65 bytes began with the letter A, as which its length was read."""
    for about in ("Zoë walked", "Zoë".ljust(64, ".") + "!", "of Zoë"):
        units = (c3d_bytes.TEXT, (2,), b"mm", about.encode(coding))
        change = {("SUBJECTS", "NAMES"): c3d_bytes.text("Zoë"), ("POINT", "UNITS"): units}
        (tmp_path / "told.c3d").write_bytes(c3d_bytes.c3d(change=change))
        head = with_aliases(read_head(tmp_path / "told.c3d"), "P01")
        content = with_added_points(head, [], "1.2.3")
        name = "Zoë".encode(coding)
        assert name not in content
        assert about.encode(coding).replace(name, b"*" * len(name)) in content


def test_a_name_with_accents_is_found_in_both_ways_of_writing_them():
    for form in ("NFC", "NFD"):
        text = normalize(form, "2024 Zoë_walk")
        assert name_masked(text, ["Zoë Quuxberg"], "P07") == "2024 P07_walk"
        assert words_in("Zora mit oe", [normalize(form, "Zoë")]) == ()


def test_a_pseudonym_stands_in_the_exported_c3d(tmp_path):
    path = planted(tmp_path / "in") / "walk01.c3d"
    head = with_aliases(read_head(path), "P-0815")
    assert head.params.strings("SUBJECTS", "NAMES") == ["P-0815"]
    assert head.params.strings("POINT", "LABELS")[0].startswith("P-0815:")


def test_a_name_before_each_label_without_a_colon_gives_way_in_the_exported_c3d(tmp_path):
    """``Zebulonia_LASI`` left the laboratory, as only prefixes were replaced."""
    labels = ["Zebulonia_LASI", "Zebulonia_RASI", "Zebulonia_Left Toe", "Zebulonia_C7", "Left Bar"]
    path = tmp_path / "walk.c3d"
    change = {
        ("SUBJECTS", "NAMES"): c3d_bytes.text("Zebulonia Left", width=16),
        ("POINT", "LABELS"): c3d_bytes.text(*labels, width=20),
    }
    path.write_bytes(c3d_bytes.c3d(np.ones((5, 5, 3)), change=change))
    told = with_aliases(read_head(path), "P01").params.strings("POINT", "LABELS")
    assert told == ["P01_LASI", "P01_RASI", "P01_Left Toe", "P01_C7", "Left Bar"]
    glued = [x.replace("_", "") for x in labels]
    change["POINT", "LABELS"] = c3d_bytes.text(*glued, width=20)
    path.write_bytes(c3d_bytes.c3d(np.ones((5, 5, 3)), change=change))
    told = with_aliases(read_head(path), "P01").params.strings("POINT", "LABELS")
    assert told == ["P01LASI", "P01RASI", "P01Left Toe", "P01C7", "Left Bar"]


@pytest.fixture(scope="module")
def of_a_person(tmp_path_factory):
    """A session whose folder and files are called as the person is."""
    folder = planted(tmp_path_factory.mktemp("in") / "Quuxberg before", 2)
    for path in folder.glob("walk*.c3d"):
        path.rename(path.with_name(f"Zebulonia_{path.name}"))
    (folder / "session.toml").write_text('[subject]\nid = "P07"\n', encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def done(of_a_person, gaitdyn_in, tmp_path_factory):
    """That session after a batch, as it is and with pseudonyms."""
    place = tmp_path_factory.mktemp("out")
    for out, words in (("plain", ()), ("masked", ("--pseudonyms",)), ("named", ("--with-names",))):
        ran = gaitdyn_in(place, "batch", of_a_person, *words, "-o", out, "--jobs", "1")
        assert ran.returncode == 0, ran.stderr
    return place


SESSION = "Quuxberg before"


def summary(out: Path) -> list[dict[str, str]]:
    return rows_of(out / SESSION / "summary.csv")


@pytest.mark.slow
def test_local_tables_and_the_index_mask_nothing_unless_told_to(done):
    plain, masked = done / "plain", done / "masked"
    assert [row["file"] for row in summary(plain)] == [
        "Zebulonia_walk01.c3d",
        "Zebulonia_walk02.c3d",
    ]
    assert {row["session"] for row in summary(plain)} == {SESSION}
    assert json.loads((plain / SESSION / "session.json").read_text())["session"] == SESSION
    assert f"<h2>{SESSION} (P07)</h2>" in (plain / "index.html").read_text()
    assert {row["session"] for row in summary(masked)} == {"Q******g before"}
    assert summary(masked)[0]["file"] == "Z*******a_walk01.c3d"
    told = json.loads((masked / SESSION / "session.json").read_text())
    assert (told["session"], told["trials"][0]["trial"]) == ("Q******g before", "Z*******a_walk01")
    index = (masked / "index.html").read_text()
    assert "<h2>Q******g before (P07)</h2>" in index
    assert f'href="{SESSION.replace(" ", "%20")}/report.html"' in index


@pytest.mark.slow
def test_pages_carry_the_pseudonym_unless_names_are_asked_for(done, gaitdyn, tmp_path):
    for out, name in (("plain", "P07_walk01"), ("masked", "P07_walk01"), ("named", "Zebulonia_")):
        for page in (done / out / SESSION).rglob("report.html"):
            text = page.read_text(encoding="utf-8")
            assert name.removesuffix("01") in text
            assert ("zebulonia" in text.lower() or "quuxberg" in text.lower()) == (out == "named")
    folder = done / "plain" / SESSION
    trials = [folder / "Zebulonia_walk01", folder / "Zebulonia_walk02"]
    ran(gaitdyn, "report", *trials, "--compare", "--pdf", "-o", "pages/two.html", "--quiet")
    assert named_in(tmp_path / "pages") == []
    gaitdyn("report", *trials, "--compare", "-o", "pages/named.html", "--pdf", "--with-names")
    assert named_in(tmp_path / "pages") == ["named-annex.pdf", "named.html", "named.pdf"]


@pytest.mark.slow
@pytest.mark.parametrize("to", ["c3d", "trc-mot", "mat", *PARQUET])
def test_exports_carry_the_pseudonym_in_their_names_too(done, gaitdyn, tmp_path, to):
    folder = done / "plain" / SESSION / "Zebulonia_walk01"
    assert gaitdyn("export", folder, "--to", to, "-o", "told").returncode == 0
    assert all(p.name.startswith("P07_walk01.gaitdyn") for p in (tmp_path / "told").iterdir())
    assert named_in(tmp_path / "told") == []
    assert gaitdyn("export", folder, "--to", to, "-o", "named", "--with-names").returncode == 0
    assert named_in(tmp_path / "named")


@pytest.mark.slow
def test_the_archive_keeps_names_and_its_exports_do_not(done, gaitdyn, tmp_path):
    folder = done / "plain"
    gaitdyn("archive", "add", "lab.gaitdyn", folder)
    assert SESSION in gaitdyn("archive", "ls", "lab.gaitdyn").stdout
    for kind in ("csv", *PARQUET):
        words = ("archive", "export", "lab.gaitdyn", "--format", kind)
        assert gaitdyn(*words, "-o", f"told-{kind}").returncode == 0
        assert named_in(tmp_path / f"told-{kind}") == []
        assert gaitdyn(*words, "-o", f"named-{kind}", "--with-names").returncode == 0
        assert named_in(tmp_path / f"named-{kind}")
    words = ("archive", "query", "lab.gaitdyn", "knee_angle_flexion", "--csv")
    (tmp_path / "csv").mkdir()
    assert gaitdyn(*words, "csv/knee.csv").returncode == 0
    assert named_in(tmp_path / "csv") == []
    (tmp_path / "masked").mkdir()
    gaitdyn("archive", "add", "masked/lab.gaitdyn", folder, "--pseudonyms")
    assert named_in(tmp_path / "masked") == []
    assert "P07 P07 before" in gaitdyn("archive", "ls", "masked/lab.gaitdyn").stdout


@pytest.mark.slow
def test_a_second_run_finds_the_session_with_and_without_pseudonyms(done, of_a_person, gaitdyn):
    shutil.copytree(done / "masked", Path(done) / "again")
    for words in (("--pseudonyms",), (), ("--pseudonyms",)):
        ran = gaitdyn("batch", of_a_person, "-o", done / "again", "--jobs", "1", *words)
        assert ran.returncode == 0, ran.stderr
        assert "2 already done" in ran.stdout
    assert [p.name for p in (done / "again").iterdir() if p.is_dir()] == [SESSION]

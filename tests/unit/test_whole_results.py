"""Results that are damaged, tampered with or of another version are refused in one line."""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.archive import add_results
from gaitdyn.batch.done_before import is_done, task_key
from gaitdyn.batch.settings import BatchSettings
from gaitdyn.batch.task import Task
from gaitdyn.errors import GaitdynError, ResultsRefused
from gaitdyn.report import make_report, read_groups
from gaitdyn.report.page.document import page_text
from gaitdyn.store import read_trial
from gaitdyn.store.binary import read_values, write_values
from gaitdyn.store.outline import OutlineReader, OutlineWriter
from gaitdyn.store.shape import check_document
from gaitdyn.store.stored import stored_values
from gaitdyn.store.whole import FILES, SEAL, damage, listed, read_sealed
from gaitdyn.types.options import Options
from tests.sealed import close_again

READ = ("result.json", "values.npz")
"""Files that are read, whose hashes are compared each time."""


@pytest.fixture(scope="module")
def task(synthetic: Path, tmp_path_factory: pytest.TempPathFactory) -> Task:
    """A trial that a batch has done, with its pages."""
    out = tmp_path_factory.mktemp("whole")
    options = Options(static=str(synthetic / "static.c3d"))
    settings = BatchSettings(out, reports=("report.html",))
    done = Task("S01", "walk01", str(synthetic / "walk01.c3d"), options, settings)
    assert done.run().state == "done"
    return done


def moved_to(folder: Path, task: Task, **settings: Any) -> Task:
    """Return the task as it is where its folder was copied to."""
    return replace(task, settings=replace(task.settings, out=folder.parents[1], **settings))


@pytest.fixture
def folder(task: Task, tmp_path: Path) -> Path:
    return Path(shutil.copytree(task.folder, tmp_path / "S01" / "walk01"))


def test_the_lists_name_every_file_with_its_size_and_hash(folder: Path):
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    for name, left_out in (
        ("result.json", {"result.json", "batch.json"}),
        ("batch.json", {"batch.json"}),
    ):
        document = read_sealed(folder / name)
        assert {entry["name"] for entry in document[FILES]} == there - left_out
        for entry in document[FILES]:
            raw = (folder / entry["name"]).read_bytes()
            assert entry["size"] == len(raw)
            assert entry["sha256"] == hashlib.sha256(raw).hexdigest()


@pytest.mark.parametrize(
    "place", ["gaitdyn.store.stored_document.read_sealed", "gaitdyn.archive.add.result_sha256"]
)
def test_what_the_system_says_is_told_in_words(folder: Path, tmp_path: Path, monkeypatch, place):
    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(place, refuse)
    (added,) = add_results(tmp_path / "a.db", folder)
    assert added.outcome == "refused"
    assert "permission denied" in added.message
    assert added.message.startswith(str(folder))
    assert "Errno" not in added.message


def test_the_seal_is_the_hash_of_the_text_with_zeros_in_its_place(folder: Path):
    text = (folder / "result.json").read_text(encoding="utf-8")
    seal = json.loads(text)[SEAL]
    assert hashlib.sha256(text.replace(seal, "0" * 64).encode()).hexdigest() == seal


# ---------------------------------------------------------------- tampering


def tamper(folder: Path, chance: random.Random) -> tuple[str, str]:
    """Do one thing to one file of a results folder; return its name and what was done."""
    names = [e["name"] for e in json.loads((folder / "result.json").read_bytes())[FILES]]
    names = [name for name in names if not name.startswith("report.")]
    path = folder / chance.choice([*names, *(READ * len(names))])
    raw = path.read_bytes()
    deeds = [truncated, emptied, flipped, doubled, gone, folder_instead]
    deeds += [edited, retyped, nested] if path.suffix == ".json" else [reheaded]
    deed = chance.choice(deeds)
    deed(path, raw, chance)
    same = path.is_file() and path.read_bytes() == raw
    return path.name, "" if same else deed.__name__


def truncated(path: Path, raw: bytes, chance: random.Random) -> None:
    path.write_bytes(raw[: chance.randrange(len(raw))])


def emptied(path: Path, _raw: bytes, _chance: random.Random) -> None:
    path.write_bytes(b"")


def flipped(path: Path, raw: bytes, chance: random.Random) -> None:
    at = chance.randrange(len(raw))
    path.write_bytes(raw[:at] + bytes([raw[at] ^ 1 << chance.randrange(8)]) + raw[at + 1 :])


def doubled(path: Path, raw: bytes, _chance: random.Random) -> None:
    path.write_bytes(raw + raw)


def gone(path: Path, _raw: bytes, _chance: random.Random) -> None:
    path.unlink()


def folder_instead(path: Path, _raw: bytes, _chance: random.Random) -> None:
    path.unlink()
    path.mkdir()


def reheaded(path: Path, raw: bytes, chance: random.Random) -> None:
    """Change some of the first bytes: what a file says about itself."""
    head = bytearray(raw[:200])
    for _ in range(8):
        head[chance.randrange(len(head))] = chance.randrange(256)
    path.write_bytes(bytes(head) + raw[200:])


def edited(path: Path, raw: bytes, chance: random.Random) -> None:
    """Take a key away."""
    document = json.loads(raw)
    place = somewhere(document, chance)
    place.pop(chance.choice(list(place)))
    path.write_text(json.dumps(document), encoding="utf-8")


def retyped(path: Path, raw: bytes, chance: random.Random) -> None:
    """Put something else in the place of a value."""
    document = json.loads(raw)
    place = somewhere(document, chance)
    others = [None, [], {}, "", "../../*", -1, 1e308, 10**30, True, [[]], {"a": 1}, "x" * 10**5]
    place[chance.choice(list(place))] = chance.choice(others)
    path.write_text(json.dumps(document), encoding="utf-8")


def nested(path: Path, _raw: bytes, _chance: random.Random) -> None:
    path.write_text("[" * 100_000 + "]" * 100_000, encoding="utf-8")


def somewhere(document: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return an object of a document that is not empty."""
    while True:
        inner: list[dict[str, Any]] = [
            v[0] if isinstance(v, list) else v
            for v in document.values()
            if (isinstance(v, dict) and v) or (isinstance(v, list) and v and isinstance(v[0], dict))
        ]
        if not inner or chance.random() < 0.5:
            return document
        document = chance.choice(inner)


def trusted(task: Task, folder: Path, name: str) -> str:
    """Return who trusts a folder one of whose files was tampered with; empty when nobody does."""
    for check in ("sizes", "hashes"):
        try:
            read_trial(folder, check)
        except ResultsRefused as error:
            if "\n" in str(error):
                return f"more than a line: {error}"
            continue
        if check == "hashes" or name in READ:
            return f"read_trial {check}"
    moved = moved_to(folder, task, verify=True)
    return "resume" if is_done(moved, task_key(moved)) else ""


def rounds(task: Task, place: Path, seeds: range) -> list[str]:
    """Return what went wrong in some rounds of tampering; errors that are not ours pass."""
    bad = []
    for seed in seeds:
        folder = Path(shutil.copytree(task.folder, place / str(seed) / "S01" / "walk01"))
        name, deed = tamper(folder, random.Random(seed))  # noqa: S311
        if deed and (who := trusted(task, folder, name)):
            bad.append(f"seed {seed}: {name} {deed}: {who}")
        shutil.rmtree(place / str(seed))
    return bad


def test_tampered_results_are_trusted_by_nobody(task: Task, tmp_path: Path):
    assert rounds(task, tmp_path, range(60)) == []


@pytest.mark.slow
def test_many_tampered_results_are_trusted_by_nobody(task: Task, tmp_path: Path):
    assert rounds(task, tmp_path, range(1000, 1080)) == []


@pytest.mark.parametrize("seed", range(24))
def test_tampered_and_sealed_again_is_refused_or_read_never_a_crash(folder: Path, seed: int):
    path = folder / "result.json"
    chance = random.Random(seed)  # noqa: S311
    (edited if seed % 2 else retyped)(path, path.read_bytes(), chance)
    close_again(folder)
    with suppress(GaitdynError):
        page_text(make_report(read_groups([folder])))


# ---------------------------------------------------------------- one by one


@pytest.mark.parametrize("name", ["cycles.csv", "timeseries.json", "values.npz", "result.json"])
def test_a_damaged_file_is_named_and_the_batch_does_it_again(task: Task, folder: Path, name: str):
    path = folder / name
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ResultsRefused, match=rf"{name}.*process the trial again"):
        read_trial(folder)
    moved = moved_to(folder, task)
    again = moved.run()
    assert (again.state, again.reason) == ("done", "")
    for path in task.folder.iterdir():
        assert (folder / path.name).read_bytes() == path.read_bytes()
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert moved.run().state == "skipped"


@pytest.mark.parametrize("left", [0, 9, 700])
def test_results_all_of_whose_documents_are_cut_off_are_done_again(
    task: Task, folder: Path, left: int
):
    for name in ("result.json", "batch.json"):
        (folder / name).write_bytes((folder / name).read_bytes()[:left])
    assert moved_to(folder, task).run().state == "done"
    read_trial(folder, "hashes")


def test_a_change_that_keeps_the_size_is_found_by_verify(task: Task, folder: Path):
    path = folder / "peaks.csv"
    path.write_bytes(path.read_bytes().replace(b"1", b"2", 1))
    moved = moved_to(folder, task)
    key = task_key(moved)
    assert is_done(moved, key)
    assert not is_done(moved_to(folder, task, verify=True), key)
    read_trial(folder)
    with pytest.raises(ResultsRefused, match=r"peaks\.csv was changed"):
        read_trial(folder, "hashes")


def test_a_page_made_anew_is_whole_and_one_cut_off_is_not(task: Task, folder: Path):
    page = folder / "report.html"
    text = page.read_text(encoding="utf-8")
    moved = moved_to(folder, task)
    key = task_key(moved)
    page.write_text(text.replace("<title>", "<title>Anew "), encoding="utf-8")
    assert is_done(moved, key)
    page.write_text(text[: len(text) // 2], encoding="utf-8")
    assert not is_done(moved, key)
    read_trial(folder)  # which needs no page


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
@pytest.mark.parametrize("name", ["result.json", "values.npz", "cycles.csv"])
def test_a_pipe_in_the_place_of_a_file_is_not_opened(task: Task, folder: Path, name: str):
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(ResultsRefused):
        read_trial(folder)
    assert not is_done(moved_to(folder, task), task_key(task))


def test_a_newer_version_is_refused_in_words(folder: Path):
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    close_again(folder, {**document, "schema": 2})
    with pytest.raises(ResultsRefused, match="a newer gaitdyn wrote it"):
        read_trial(folder)


def test_results_without_a_seal_are_refused_in_words(folder: Path):
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    del document[SEAL]
    (folder / "result.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ResultsRefused, match=r"has no seal.*process the trial again"):
        read_trial(folder)


@pytest.mark.parametrize("name", ["../../up.csv", "/etc/hosts", "a\\..\\b", "", ".", "C:x", 7])
def test_a_list_that_leads_out_of_its_folder_is_none(folder: Path, name: Any):
    entry = {"name": name, "size": 1, "sha256": "0" * 64}
    with pytest.raises(ValueError, match="list of files"):
        listed({FILES: [entry]})
    assert damage(folder, [{"name": "nowhere.csv", "size": 1, "sha256": ""}])


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("verdict", "wanted one of pass, check, fail"),
        ("verdicts.word", "wanted one of pass, check, fail"),
        ("status.status", "wanted one of ok, partial, skipped"),
        ("findings.level", "wanted one of info, warning, error"),
    ],
)
def test_a_word_that_is_none_of_its_words_is_refused(folder: Path, place: str, told: str):
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    table, _, key = place.partition(".")
    if key:
        document[table] = [{**(document[table] or [{}])[0], key: "good"}]
    else:
        document[table] = "good"
    close_again(folder, document)
    with pytest.raises(ResultsRefused, match=told):
        read_trial(folder)


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        ("audit.closure.right.shank", [1], "type list as audit.closure.right.shank"),
        ("audit.energy.left.foot.rms_w", {}, "type dict as audit.energy.left.foot.rms_w"),
        ("audit.second_opinion", 10**400, "unknown or too large as audit.second_opinion"),
        ("options.assign", [1], r"type int as options.assign\[0\]"),
        ("options.assign", [{"plate": 1, "side": "left", "frames": [5]}], "1 values as .*frames"),
        ("options.events", ["x"], r"type str as options.events\[0\]"),
        ("options.emg_band_hz", 20.0, "type float as options.emg_band_hz"),
        ("subject.right.leg_length_m", -1, "-1 as subject.right.leg_length_m"),
        ("subject.right.leg_length_m", "0.9", "type str as subject.right.leg_length_m"),
        ("options.mass_kg", "70", "type str as options.mass_kg"),
        ("subject.arms", {"left": 1}, "type int as subject.arms.left"),
        ("belts", [{"steady": True}], r"lacks belts\[0\].plate"),
        ("trends", [1], r"type int as trends\[0\]"),
        ("file.rate_hz", float("nan"), "too large as file.rate_hz"),
    ],
)
def test_a_value_of_another_type_is_refused(folder: Path, place: str, value: Any, told: str):
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    *parents, last = place.split(".")
    inner = document
    for key in parents:
        inner = inner[key]
    inner[last] = value
    with pytest.raises(ValueError, match=told):
        check_document(document)


@pytest.mark.parametrize("name", ["upper", "events", "sides", "contacts", "trial"])
def test_values_of_another_kind_are_refused_in_one_line(folder: Path, name: str):
    path = folder / "values.npz"
    with np.load(path) as file:
        numbers, outline = file["numbers"], json.loads(file["outline"].tobytes())
    values = dict(outline["values 1"]["dict"])
    assert name in values
    outline["values 1"]["dict"] = [[key, x] for key, x in (values | {name: 7}).items()]
    text = json.dumps(outline).encode()
    np.savez(path, numbers=numbers, outline=np.frombuffer(text, np.uint8))
    close_again(folder)
    with pytest.raises(ResultsRefused, match=r"cannot be read \(.*process the trial again") as told:
        assert read_trial(folder).view
    assert "\n" not in str(told.value)


def _with_events(result: Any, *times: float) -> Any:
    events = tuple(replace(result.events[0], time_s=time) for time in times)
    return replace(result, events=events)


def _with_contact(result: Any, **fields: Any) -> Any:
    return replace(result, contacts=(replace(result.contacts[0], **fields),))


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda r: _with_events(r, 0.5, math.nan), "an event at nan s, wanted a time"),
        (lambda r: _with_events(r, math.inf), "an event at inf s, wanted a time"),
        (lambda r: _with_events(r, 0.6, 0.5), "events that are not in the order of time"),
        (lambda r: _with_contact(r, start=-1), "a contact in the rows -1 to"),
        (lambda r: _with_contact(r, stop=10**6), r"a contact in the rows \d+ to 1000000"),
        (lambda r: _with_contact(r, start=20, stop=20), "a contact in the rows 20 to 20"),
        (lambda r: _with_contact(r, peak_N=math.nan), "a contact with a peak of nan N"),
    ],
)
def test_impossible_times_and_rows_are_refused_in_one_line(
    folder: Path, change: Callable[[Any], Any], found: str
):
    write_values(folder / "values.npz", change(stored_values(folder)))
    close_again(folder)
    with pytest.raises(ResultsRefused, match=rf"cannot be read \({found}.*again with") as told:
        read_trial(folder)
    assert "\n" not in str(told.value)


def test_a_field_that_only_an_older_version_had_is_left_out(folder: Path):
    path = folder / "values.npz"
    with np.load(path) as file:
        numbers, outline = file["numbers"], file["outline"].tobytes()
    older = outline.replace(b'"fields":{', b'"fields":{"partner":null,')
    assert older != outline
    np.savez(path, numbers=numbers, outline=np.frombuffer(older, np.uint8))
    close_again(folder)
    assert read_trial(folder).view


@pytest.mark.parametrize("name", ["../a.c3d", "**", "a/b.c3d", "", "..", "a\0b.c3d"])
def test_an_input_that_is_no_plain_name_is_refused(folder: Path, name: str):
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    document["inputs"][0]["name"] = name
    close_again(folder, document)
    with pytest.raises(ResultsRefused, match="not a plain file name"):
        read_trial(folder)


@pytest.mark.skipif(os.sep != "/", reason="a backslash separates folders")
def test_a_recording_with_a_backslash_in_its_name_is_read_again(folder: Path):
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    document["inputs"][0]["name"] = "left\\right.c3d"
    close_again(folder, document)
    assert read_trial(folder).name == "left\\right"


@pytest.mark.parametrize(
    ("shape", "kind"), [([10**12], "<f8"), ([-1], "<f8"), ([1], "V999999999"), ([2], "O")]
)
def test_an_array_that_is_not_there_is_not_made(tmp_path: Path, shape: list[int], kind: str):
    array = {"array": 0, "shape": shape, "kind": kind}
    outline = json.dumps({"values 1": array, "kept": {"dict": []}}).encode()
    path = tmp_path / "values.npz"
    np.savez(path, numbers=np.zeros(1), outline=np.frombuffer(outline, np.uint8))
    with pytest.raises((ValueError, TypeError)):
        read_values(path.read_bytes())


def test_a_file_that_unpacks_to_more_than_itself_is_refused(tmp_path: Path):
    path = tmp_path / "values.npz"
    np.savez_compressed(path, numbers=np.zeros(10**6), outline=np.zeros(10, np.uint8))
    with pytest.raises(ValueError, match="packed"):
        read_values(path.read_bytes())


def test_views_of_the_same_numbers_are_written_once() -> None:
    writer, values = OutlineWriter(), np.arange(10_000.0)
    views = [values, values.view(), values[:5_000], values[::-1]]
    encoded, numbers = writer.encoded(views), writer.numbers()
    assert sum(part.size for part in numbers) == 25_000
    read = OutlineReader(np.concatenate(numbers)).value(encoded)
    for found, wanted in zip(read, views, strict=True):
        np.testing.assert_array_equal(found, wanted)

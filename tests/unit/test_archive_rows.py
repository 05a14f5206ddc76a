"""What goes into an archive comes out of it, once."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.archive import (
    add_results,
    curve_frame,
    in_memory,
    mean_and_sd,
    parse_where,
    read_curves,
    reading,
    writing,
)
from gaitdyn.archive.add import add_record
from gaitdyn.archive.curves import known_counts, sd_of_people
from gaitdyn.archive.query import check_known, count_rows, people_of_recordings, read_sessions
from gaitdyn.archive.where import KEYS, Condition, where_sql
from gaitdyn.errors import ResultsRefused, UsageError
from gaitdyn.store import read_trial
from gaitdyn.store.private import without_private
from gaitdyn.tables.answers import COUNTING
from tests.unit import archive_records as records

HOSTILE = [
    "'; DROP TABLE trial; --",
    'shoes, "old"',
    "50 % = a|b",
    "Gehen\nüber\tStock ☃",
    "",
    "*",
    "\x00null",
]


@pytest.fixture
def archive():
    with in_memory() as connection:
        yield connection


def test_the_sex_that_was_given_first_stays(archive):
    for name, sex in (("one", None), ("two", "f"), ("three", "m"), ("four", None)):
        add_record(archive, replace(records.trial(name), sex=sex))
    assert archive.execute("SELECT DISTINCT sex FROM subject").fetchall() == [("f",)]


def dump(connection) -> list[str]:
    return list(connection.iterdump())


def test_curves_come_back_as_they_were_to_the_last_bit_of_float32(archive):
    values = records.samples(7)
    values[0, 40:50] = np.nan
    values[1, :3] = (np.float32(1e-42), -0.0, np.finfo(np.float32).max)
    add_record(archive, records.trial(cycles=(records.cycle("left", 1, values),)))
    for row, (name, unit) in enumerate(records.CURVES):
        found = read_curves(archive, name)
        assert found.unit == unit
        assert np.array_equal(found.values[0].astype("<f4"), values[row], equal_nan=True)
        assert not found.values.flags.writeable


def test_a_curve_that_is_nowhere_known_has_no_row(archive):
    values = records.samples(7)
    values[1] = np.nan
    add_record(archive, records.trial(cycles=(records.cycle("left", 1, values),)))
    assert count_rows(archive)["curve"] == 1


def test_the_same_result_twice_changes_nothing(archive):
    add_record(archive, records.trial(recording="one"))
    before = dump(archive)
    assert add_record(archive, records.trial(recording="one")) == "known"
    elsewhere = records.trial(recording="one", session="another name", subject="S09")
    assert add_record(archive, elsewhere, replace=True) == "known"
    assert dump(archive) == before


def test_another_result_of_a_recording_takes_the_place_of_the_older_one_in_queries(archive):
    add_record(archive, records.trial(result="first", verdict="check"))
    assert add_record(archive, records.trial(result="second")) == "further"
    assert [row.verdict for row in read_curves(archive, "knee_angle_flexion").rows] == ["pass"] * 2
    every, newest = ["check"] * 2 + ["pass"] * 2, ["pass"] * 2
    for where, wanted in (
        ("results=all", every), ("results!=newest", every), ("results=newest", newest),
        ("results!=all", newest),
    ):  # fmt: skip
        found = read_curves(archive, "knee_angle_flexion", parse_where(where))
        assert [row.verdict for row in found.rows] == wanted
    assert add_record(archive, records.trial(result="third"), replace=True) == "replaced"
    found = count_rows(archive)
    assert (found["trial"], found["cycle"], found["curve"], found["provenance"]) == (1, 2, 4, 1)


def test_two_people_in_one_recording_do_not_replace_each_other(archive):
    add_record(archive, records.trial(recording="both", subject="S01", result="S01"))
    other = records.trial(recording="both", subject="S02", result="S02")
    assert add_record(archive, other, replace=True) == "added"
    assert len(read_curves(archive, "knee_angle_flexion").rows) == 4


def test_a_recording_of_two_people_is_told_from_one_under_two_pseudonyms(archive):
    def of(subject, prefix):
        record = records.trial(recording="both", subject=subject, result=subject)
        return replace(record, document=json.dumps({"options": {"subject_prefix": prefix}}))

    for subject, prefix in (("S01", "Ann"), ("S02", "Bea")):
        add_record(archive, of(subject, prefix))
    assert people_of_recordings(archive, "1", ()) == []
    add_record(archive, of("S03", "Ann"))
    assert people_of_recordings(archive, "1", ()) == [("walk01", ["S01", "S03"])]
    assert people_of_recordings(archive, "pseudonym != ?", ("S03",)) == []


def test_all_conditions_are_checked_in_one_query(archive):
    add_record(archive, records.trial())
    queries = []
    archive.set_trace_callback(queries.append)
    check_known(archive, parse_where("subject=S01,condition=barefoot,age>3,mass<99,model!=x"))
    assert len(queries) == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_any_condition_is_kept_and_found(archive, text):
    add_record(archive, records.trial("one", condition=text))
    add_record(archive, records.trial("two", condition="plain"))
    quoted = '"' + text.replace('"', '""') + '"'
    (where,) = parse_where(f"condition={quoted}")
    assert where == Condition("condition", "=", text)
    rows = read_curves(archive, "knee_angle_flexion", [where]).rows
    assert {row.condition for row in rows} == {text}
    assert count_rows(archive)["trial"] == 2


@pytest.mark.parametrize(
    ("where", "trials"),
    [
        ("condition=barefoot", {"young", "odd"}),
        ("condition!=barefoot", {"shod"}),
        ("age<18", {"young"}),
        ("age>=9,age<=60", {"young", "shod"}),
        ("age!=9", {"shod", "odd"}),
        ("sex=f,subject=S02", {"shod"}),
        ("session=first", {"young", "shod", "odd"}),
        ("model=cgm2", {"odd"}),
        ("verdict=check", {"shod"}),
        ("moments_in=jcs", {"odd"}),
        ("trial=odd", {"odd"}),
        ("speed>=1.3", {"shod"}),
        ("speed_nondimensional<0.41", {"young"}),
        ("kinetics=ok", {"young", "shod"}),
        ("side=right", set()),
        ("", {"young", "shod", "odd"}),
    ],
)
def test_conditions_choose_the_cycles(archive, where, trials):
    def cycle(**words):
        return (records.cycle("left", 1, records.samples(3), **words),)

    add_record(archive, records.trial("young", age_years=9.0, cycles=cycle()))
    shod = {"condition": "shoes", "verdict": "check", "subject": "S02"}
    add_record(archive, records.trial("shod", **shod, cycles=cycle(speed=1.5)))
    odd = {"age_years": None, "model": "cgm2", "moments_in": "jcs"}
    lame = cycle(speed=None, kinetics="partial")
    add_record(archive, records.trial("odd", **odd, cycles=lame))
    rows = read_curves(archive, "knee_angle_flexion", parse_where(where)).rows
    assert {row.trial for row in rows} == trials


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("name=Smith", "'name' is not known; wanted one of subject, sex"),
        ("speed", "cannot be read; wanted KEY=VALUE"),
        ("side=left,", "cannot be read"),
        ("side=left,,age<3", "cannot be read"),
        ("age=old", "'old' is not a number"),
        ("age<nan", "is not a number"),
        ("side=up", "wanted left or right"),
        ("condition>a", "condition is a word"),
        ('condition="open', "cannot be read"),
        ("side=left;age<3 OR 1=1", "wanted left or right"),
    ],
)
def test_a_condition_that_cannot_be_meant_says_what_can(text, wanted):
    with pytest.raises(UsageError, match=wanted.replace("|", r"\|")):
        parse_where(text)


def test_every_key_is_a_column_and_an_operator_is_one_of_six(archive):
    add_record(archive, records.trial())
    for key in KEYS:
        read_curves(archive, "knee_angle_flexion", [Condition(key, "!=", "1")])
    assert count_rows(archive)["trial"] == 1
    with pytest.raises(UsageError, match="not known"):
        where_sql([Condition("age", "; --", 1)])


@pytest.mark.parametrize(
    ("where", "known"),
    [
        ("subject=S10", "S02, S01"),
        ("condition=barfoot", "barefoot, shoes"),
        ("session=First", "first"),
        ("model=cgm", "plug-in-gait"),
    ],
)
def test_a_word_that_the_archive_has_not_is_refused_with_those_it_has(archive, where, known):
    add_record(archive, records.trial())
    add_record(archive, records.trial("walk02", subject="S02", condition="shoes"))
    for ask in (
        lambda: read_curves(archive, "knee_angle_flexion", parse_where(where)),
        lambda: read_sessions(archive, parse_where(where)),
    ):
        with pytest.raises(UsageError, match=f"has none; it has .*{known}"):
            ask()


def test_of_many_words_that_an_archive_has_the_nearest_are_listed(archive):
    for i in range(14):
        add_record(archive, records.trial(session=f"visit {chr(ord('a') + i)}"))
    with pytest.raises(UsageError, match=r"it has visit a, .*visit l and 2 more$"):
        read_sessions(archive, parse_where("session=zz"))
    with pytest.raises(UsageError, match=r"it has visit n, .* and 2 more$"):
        read_sessions(archive, parse_where("session=vist n"))


def test_a_word_that_the_archive_has_not_may_be_left_out(archive):
    add_record(archive, records.trial())
    found = read_curves(archive, "knee_angle_flexion", parse_where("subject!=S10,side=left"))
    assert len(found.rows) == 1


def test_an_unknown_curve_is_named_with_those_that_are_near(archive):
    add_record(archive, records.trial())
    with pytest.raises(UsageError, match="such as knee_angle_flexion"):
        read_curves(archive, "knee_flexion_angle")
    assert read_curves(archive, "knee_angle_flexion", parse_where("age>99")).rows == ()


def test_mean_and_sd_leave_out_what_is_not_known(archive):
    values = np.ones((2, 101), dtype=np.float32)
    values[0, 5:7] = np.nan
    one, other = (np.full((2, 101), level, dtype=np.float32) for level in (3.0, 8.0))
    one[0, 6] = np.nan
    cycles = (
        records.cycle("left", 1, values),
        records.cycle("right", 1, one),
        records.cycle("left", 2, other),
    )
    add_record(archive, records.trial(cycles=cycles))
    mean, sd = mean_and_sd(read_curves(archive, "knee_angle_flexion"))
    assert (mean[0], sd[0]) == (4.0, pytest.approx(np.sqrt((9 + 1 + 16) / 2)))
    assert (mean[5], sd[5]) == (5.5, pytest.approx(np.sqrt(12.5)))
    assert (mean[6], sd[6]) == (8.0, None)


def test_cycles_and_people_are_counted_where_a_curve_is_known(archive):
    part = np.ones((2, 101), dtype=np.float32)
    part[:, 5:9] = np.nan
    whole = np.ones((2, 101), dtype=np.float32)
    first = (records.cycle("left", 1, whole), records.cycle("right", 1, part))
    add_record(archive, records.trial(cycles=first))
    add_record(archive, records.trial(subject="S02", cycles=(records.cycle("left", 1, part),)))
    cycles, people = known_counts(read_curves(archive, "knee_angle_flexion"))
    assert (cycles, people) == ([3] * 5 + [1] * 4 + [3] * 92, [2] * 5 + [1] * 4 + [2] * 92)
    nobody = read_curves(archive, "knee_angle_flexion", parse_where("age>99"))
    assert known_counts(nobody) == ([0] * 101, [0] * 101)


def test_the_sd_between_people_is_of_their_means(archive):
    def person(name, levels):
        cycles = tuple(
            records.cycle(side, i, level * np.ones((2, 101), dtype=np.float32))
            for i, (side, level) in enumerate(levels, 1)
        )
        return records.trial(subject=name, cycles=cycles)

    first = person("S01", [("left", 1.0), ("left", 3.0), ("right", 4.0)])  # 2 and 4: 3
    add_record(archive, first)
    assert sd_of_people(read_curves(archive, "knee_angle_flexion")) == [None] * 101
    part = np.full((2, 101), 7.0, dtype=np.float32)
    part[:, 5] = np.nan
    second = records.trial(subject="S02", cycles=(records.cycle("right", 1, part),))
    add_record(archive, second)
    found = sd_of_people(read_curves(archive, "knee_angle_flexion"))
    assert found.pop(5) is None
    assert found == [pytest.approx(np.std([3.0, 7.0], ddof=1))] * 100


def test_a_curve_set_is_a_table_of_pandas(archive):
    add_record(archive, records.trial())
    frame = curve_frame(archive, "knee_angle_flexion", parse_where("side=right"))
    head = frame[["subject", "side", "cycle"]].to_numpy().tolist()
    assert head == [["S01", "right", 1]]
    assert np.array_equal(frame[list(range(101))].to_numpy()[0], records.samples(2)[0])


def test_sessions_are_listed_with_their_newest_results(archive):
    add_record(archive, records.trial(result="first"))
    add_record(archive, records.trial(result="second"))
    add_record(archive, records.trial("walk02", condition="shoes"))
    assert [tuple(row) for row in read_sessions(archive)] == [
        ("S01", "first", 2, 4, "barefoot,shoes")
    ]


@pytest.fixture(scope="module")
def results(synthetic, tmp_path_factory):
    """A session of two results folders."""
    from gaitdyn.pipeline import process_trial
    from gaitdyn.store import ResultsFolder, write_results
    from gaitdyn.types.options import Options

    out = tmp_path_factory.mktemp("session") / "visit1"
    result = process_trial(synthetic / "walk01.c3d", Options(condition="barefoot"))
    for name in ("walk01", "again"):
        write_results(ResultsFolder(out / name), result)
    return out


def test_a_results_folder_is_read_whole(results, tmp_path):
    path = tmp_path / "lab.gaitdyn"
    (found,) = add_results(path, [results / "walk01"])
    assert (found.outcome, found.at, found.of) == ("added", 1, 1)
    lines = (results / "walk01" / "cycles.csv").read_text().splitlines()
    names = lines[0].split(",")[: -len(COUNTING)]
    table = np.array([[float(x or "nan") for x in line.split(",")[2:]] for line in lines[1:]])
    with reading(path) as connection:
        for column, name in enumerate(names[2:]):
            if name == "percent":
                continue
            own = table[:, column].reshape(-1, 101).astype("<f4")
            own = own[np.isfinite(own).any(axis=1)]
            assert np.allclose(read_curves(connection, name).values, own, 1e-6, equal_nan=True)
        row = read_curves(connection, "knee_angle_flexion").rows[0]
        document = connection.execute("SELECT document FROM provenance").fetchone()[0]
    assert (row.session, row.trial, row.condition, row.cycle) == ("visit1", "walk01", "barefoot", 1)
    assert row.speed == pytest.approx(1.25, abs=0.01)
    told = json.loads((results / "walk01" / "result.json").read_text())
    assert json.loads(document) == without_private(told) | {"private": told["private"]}


def test_a_session_twice_leaves_the_file_as_it_was(results, tmp_path):
    path = tmp_path / "lab.gaitdyn"
    first = [added.outcome for added in add_results(path, [results])]
    assert first == ["added", "known"]  # both folders hold the same result
    before = path.read_bytes()
    assert {added.outcome for added in add_results(path, [results])} == {"known"}
    assert path.read_bytes() == before


def test_a_result_that_counts_no_longer_is_told_and_counts_again_if_asked(
    results, walked, tmp_path
):
    path, other = tmp_path / "lab.gaitdyn", walked(hip_centre="bell")
    list(add_results(path, [results / "walk01", other]))

    def counting() -> list[tuple[str, str]]:
        with reading(path) as connection:
            rows = read_sessions(connection, ())
            return [(row.session, row.conditions) for row in rows]

    assert counting() == [(other.parent.name, "")]
    (known,) = add_results(path, [results / "walk01"])
    assert known.outcome == "known"
    assert "another result of this recording was added later and counts" in known.message
    assert counting() == [(other.parent.name, "")]
    (again,) = add_results(path, [results / "walk01"], replace=True)
    assert again.outcome == "replaced"
    assert counting() == [("visit1", "barefoot")]
    with reading(path) as connection:
        assert count_rows(connection)["trial"] == 1


def with_peaks_twice(folder):
    """Read a trial; that of folder b has two peaks of one name in one cycle."""
    trial = read_trial(folder)
    if folder.name == "b":
        trial.tables["peaks"].append(trial.tables["peaks"][0])
    return trial


def test_a_bad_folder_is_told_and_the_others_are_added(results, tmp_path, monkeypatch):
    import shutil

    session = tmp_path / "visit2"
    shutil.copytree(results / "walk01", session / "c")
    for name in ("a", "b"):
        shutil.copytree(results / "walk01", session / name)
    (session / "a" / "values.npz").write_bytes(b"no values")
    monkeypatch.setattr("gaitdyn.archive.record.read_trial", with_peaks_twice)
    found = list(add_results(tmp_path / "lab.gaitdyn", [session]))
    assert [added.outcome for added in found] == ["refused", "refused", "added"]
    assert "process the trial again" in found[0].message
    assert "contradict themselves" in found[1].message
    with reading(tmp_path / "lab.gaitdyn") as connection:
        assert count_rows(connection)["trial"] == 1
    (tmp_path / "empty").mkdir()
    with pytest.raises(ResultsRefused, match="no results in it"):
        list(add_results(tmp_path / "none.gaitdyn", [session, tmp_path / "empty"]))
    assert not (tmp_path / "none.gaitdyn").exists()


def test_a_subject_without_a_pseudonym_is_told_from_others_by_the_static(results, tmp_path):
    path = tmp_path / "lab.gaitdyn"
    list(add_results(path, [results / "walk01"]))
    (again,) = add_results(path, [results / "again"], subject="C07", session="visit 7")
    assert again.message.startswith("again: stays with subject unnamed-")
    assert again.message.endswith(f" and in session {results.name}")
    with writing(path) as connection:
        names = connection.execute("SELECT pseudonym FROM subject").fetchall()
    assert len(names) == 1  # the same result stays as it was added first
    assert names[0][0].startswith("unnamed-")
    other = tmp_path / "other.gaitdyn"
    list(add_results(other, [results / "walk01"], subject="C07", session="visit 7"))
    with reading(other) as connection:
        assert [row[:2] for row in read_sessions(connection)] == [("C07", "visit 7")]


@pytest.mark.parametrize(("forces", "words"), [(None, {"ok", "partial"}), ("none", {"skipped"})])
def test_the_kinetics_of_a_stride_are_ok_partial_or_skipped(synthetic, tmp_path, forces, words):
    from gaitdyn.pipeline import process_trial
    from gaitdyn.store import ResultsFolder, write_results
    from gaitdyn.types.options import Options

    result = process_trial(synthetic / "walk01.c3d", Options(forces=forces))
    write_results(ResultsFolder(tmp_path / "walk01"), result)
    (_,) = add_results(tmp_path / "lab.gaitdyn", [tmp_path / "walk01"])
    with reading(tmp_path / "lab.gaitdyn") as connection:
        found = {row.kinetics for row in read_curves(connection, "knee_angle_flexion").rows}
    assert found == words

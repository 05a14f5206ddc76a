"""Tables of verdicts from the command line."""

from __future__ import annotations

import html
import json
import shutil

import pytest

from gaitdyn.version import __version__
from tests.sealed import close_again


@pytest.fixture(scope="module")
def norm_file(tmp_path_factory):
    lines = ["# source: a test", "group,speed,count,curve,percent,mean,sd,unit"]
    lines += [f"free,0.4,25,knee_angle_flexion,{p},20,1,deg" for p in range(0, 101, 10)]
    path = tmp_path_factory.mktemp("norm") / "n.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def session(results, tmp_path):
    def made(name):
        shutil.copytree(results, tmp_path / name / results.name)
        return tmp_path / name

    return made


def test_a_report_with_a_norm_has_a_table_of_what_is_abnormal(gaitdyn, session, norm_file):
    folder = next(session("a").iterdir())
    done = gaitdyn("report", folder, "--norm", norm_file)
    assert "abnormal.csv" in done.stdout
    rows = (folder / "abnormal.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("side,curve,phase,start,end,peak_at,difference,unit,sd,p,p_holm")
    assert any(row.startswith("left,knee_angle_flexion,") for row in rows)
    assert json.loads((folder / "statistics.json").read_text(encoding="utf-8"))["alpha"] == 0.05


def test_another_norm_leaves_the_results_whole(gaitdyn, synthetic, norm_file, tmp_path):
    recording = synthetic / "walk01.c3d"
    done = gaitdyn(
        "process", recording, "-o", tmp_path, "--report", "html", "--norm", norm_file,
        "--no-figures",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    folder = tmp_path / recording.stem
    before = (folder / "abnormal.csv").read_bytes()
    for norm in ("schwartz2008", norm_file, "schwartz2008"):
        done = gaitdyn("report", folder, "--norm", norm, "--verify")
        assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "abnormal.csv").read_bytes() != before
    (folder / "peaks.csv").write_text("side", encoding="utf-8")
    assert "peaks.csv has 4 bytes" in gaitdyn("report", folder).stderr


def test_the_results_of_both_sessions_are_verified(gaitdyn, session):
    first, second = session("a"), session("b")
    words = ("compare", first, second, "--verify")
    assert gaitdyn(*words).returncode == 0
    table = second / "walk01" / "peaks.csv"
    raw = table.read_bytes()
    table.write_bytes(raw[:-2] + bytes([raw[-2] ^ 1]) + raw[-1:])
    assert "peaks.csv was changed: another SHA-256" in gaitdyn(*words).stderr


def test_two_sessions_are_compared_with_the_error_of_a_session(gaitdyn, session, tmp_path):
    first, second = session("a"), session("b")
    done = gaitdyn("compare", first, second, "-o", tmp_path / "out")
    assert done.returncode == 0
    assert "nothing could be judged" in done.stdout  # one trial of two strides twice
    assert (tmp_path / "out" / "change.csv").is_file()
    assert "-o FOLDER" not in done.stderr
    assert "-o FOLDER writes change.csv" in gaitdyn("compare", first, second).stderr
    told = json.loads(gaitdyn("compare", first, second, "--json").stdout)
    assert told["markers_on"]
    assert all(one["sentence"] for one in told["findings"])
    header = (tmp_path / "out" / "change.csv").read_text(encoding="utf-8").splitlines()[0]
    assert [*told["findings"][0]] == [*header.split(","), "sentence"]
    assert told["findings"][0]["p"] is None
    wrong = gaitdyn("compare", first, second, "--planned", "left knee")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)


def test_two_people_are_told_in_one_line_and_no_change(gaitdyn, session, synthetic, tmp_path):
    first, second = session("a"), tmp_path / "b"
    person = tmp_path / "subject.toml"
    person.write_text("[subject]\nmass_kg = 40\nheight_m = 1.45\n", encoding="utf-8")
    words = ("--subject", person, "--no-figures", "-o", second)
    assert gaitdyn("process", synthetic / "walk01.c3d", *words).returncode == 0
    done = gaitdyn("compare", first, second)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "These sessions are of two people (70 kg and 40 kg, 1.75 m and 1.45 m): no change is"
        " judged; if it is one person, give both the same id (subject.toml)\n"
    )
    told = json.loads(gaitdyn("compare", first, second, "--json").stdout)
    assert told["whose"].startswith("These sessions are of two people")
    assert {one["word"] for one in told["findings"]} == {"not judged"}


@pytest.mark.parametrize("command", [("compare",), ("report", "-o", "c.html")])
def test_a_session_is_not_held_against_a_part_of_itself(gaitdyn, session, command):
    whole = session("a")
    part = next(whole.iterdir())
    done = gaitdyn(command[0], whole, part, *command[1:])
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "found walk01 in both sessions; wanted two that share no trial" in done.stderr


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (
            "left knee_moment_extension_mx",
            "near 'knee_moment_extension_mx': knee_",
        ),
        ("left knee_moment_extension_max", "found planned changes and one session; wanted two"),
        ("left knee_angel_flexion swing", "cannot be read; wanted SIDE CURVE [PHASE]"),
        ("left knee_angle_flexion swing", "found planned changes and one session; wanted two"),
    ],
)
def test_what_was_planned_wants_two_sessions(gaitdyn, session, plan, said):
    done = gaitdyn("report", session("a"), "--planned", plan, "-o", "a.html")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


def test_repeats_want_ten_pairs(gaitdyn, session, tmp_path):
    folders = [session(str(i)) for i in range(2)]
    done = gaitdyn("repeats", "build", *folders, "-o", tmp_path / "r.csv")
    assert done.returncode == 1
    assert "found 1 pair of sessions; wanted 10 or more" in done.stderr
    assert gaitdyn("repeats", "build", folders[0], "-o", tmp_path / "r.csv").returncode == 2
    none = gaitdyn("repeats", "build", *folders, "-o", tmp_path / "r.csv", "--norm", "none.csv")
    assert (none.returncode, none.stderr.count("\n")) == (1, 1)
    assert "none.csv" in none.stderr
    (tmp_path / "r-scores.csv").write_text("mine", encoding="utf-8")  # not replaced unasked
    mine = gaitdyn("repeats", "build", *folders, "-o", tmp_path / "r.csv")
    assert (mine.returncode, "r-scores.csv" in mine.stderr) == (1, True)


def test_results_of_another_version_are_named_wherever_they_are_used(gaitdyn, session, tmp_path):
    old = session("a") / "walk01"
    document = json.loads((old / "result.json").read_text(encoding="utf-8"))
    close_again(old, document | {"gaitdyn": "0.0.1"})
    words = (
        "walk01 (gaitdyn 0.0.1): numbers and verdicts follow the rules of their version, not of"
        f" {__version__}; to renew them, run gaitdyn process or batch again"
    )
    other = session("b")
    assert f"{words}\n" in gaitdyn("archive", "add", "lab.gaitdyn", tmp_path / "a").stderr
    assert gaitdyn("archive", "add", "lab.gaitdyn", other).stderr == (
        "archive 1/1 b/walk01: added alongside older results of the same recording\n"
    )
    gaitdyn("report", old)
    page = (old / "report.html").read_text(encoding="utf-8")
    assert "! Results of another version" in page
    assert words in html.unescape(page)
    assert words in gaitdyn("compare", tmp_path / "a", other).stderr


def test_groups_are_of_five_people_or_more(gaitdyn, session):
    done = gaitdyn("compare-groups", session("a"), session("b"))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "found 1 and 1 people; wanted 5 or more in each group" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ((), 1, "found 1 and 1 people"),
        (("",), 1, "found 1 and 1 people"),
        (("shod",), 2, "--condition shod: a has no such trial, only none"),
        (("", "shod"), 2, "--condition shod: a has no such trial, only none"),
        (("a", "b", "c"), 2, "found 3 conditions; wanted one for both groups, or one each"),
    ],
)
def test_groups_may_be_conditions_of_one_folder(gaitdyn, session, words, code, told):
    folder = session("a")
    options = [part for word in words for part in ("--condition", word)]
    done = gaitdyn("compare-groups", folder, folder, "--paired", *options)
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr


def test_sessions_of_several_conditions_are_for_the_report(gaitdyn, session, synthetic):
    folder = session("a")
    walk = synthetic / "walk01.c3d"
    shod = ("--condition", "shod", "--cutoff", "6", "--no-figures", "-o", folder / "shod")
    assert gaitdyn("process", walk, *shod).returncode == 0
    done = gaitdyn("compare", folder, session("b"))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "a: found the conditions none, shod; wanted one; put the results" in done.stderr
    assert done.stderr.endswith("; gaitdyn report compares sessions of several\n")


def test_markers_placed_virtually_make_an_error_of_a_session(gaitdyn, results, synthetic, tmp_path):
    words = ("--near", synthetic, "--draws", "10", "-o", tmp_path / "place.csv")
    done = gaitdyn("place", results, *words)
    assert "knee_angle_flexion: " in done.stdout
    text = (tmp_path / "place.csv").read_text(encoding="utf-8")
    assert text.startswith("curve,pairs,level_sd,")
    assert "10 virtual placings of 5 mm and 1 deg from day to day" in text
    again = gaitdyn("place", results, *words)
    assert (again.returncode, again.stderr.count("\n")) == (1, 1)
    assert "no moments" not in done.stderr


def test_tables_of_older_repeats_do_not_stay_beside_a_new_file(
    gaitdyn, results, synthetic, tmp_path
):
    numbers = tmp_path / "place-numbers.csv"
    numbers.write_text("quantity,unit,pairs,session_sd\n", encoding="utf-8")
    words = ("--near", synthetic, "--draws", "10", "--quiet", "-o", tmp_path / "place.csv")
    done = gaitdyn("place", results, *words)
    assert "place-numbers.csv already exists" in done.stderr
    assert not (tmp_path / "place.csv").exists()
    assert gaitdyn("place", results, *words, "--force").returncode == 0
    assert (tmp_path / "place.csv").exists()
    assert not numbers.exists()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"forces": "none"}, "no gait cycle has one per body mass from its start to its end"),
        ({"moments_in": "lab"}, "those in the axes of the laboratory are not judged"),
    ],
)
def test_an_error_of_angles_alone_says_why_it_has_no_moments(
    gaitdyn, walked, synthetic, tmp_path, options, why
):
    out = tmp_path / "place.csv"
    words = ("--near", synthetic, "--draws", "10", "--quiet", "-o", out)
    done = gaitdyn("place", walked(**options), *words)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"no moments in it: {why}\n"
    assert "moment" not in out.read_text(encoding="utf-8")

"""``gaitdyn norms``."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def norm_file(tmp_path):
    lines = ["# source: a test", "group,speed,count,curve,percent,mean,sd,unit"]
    lines += [
        f"{group},{speed},25,hip_angle_flexion,{p},{p},5,deg"
        for group, speed in (("slow", 0.3), ("free", 0.5))
        for p in range(0, 101, 10)
    ]
    path = tmp_path / "sets" / "own.csv"
    path.parent.mkdir()
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_list_tells_the_published_values_and_the_sets_that_ship(gaitdyn):
    said = gaitdyn("norms", "list").stdout
    assert "  schwartz2008: very_slow, slow, free, fast, very_fast\n    Schwartz MH" in said
    assert "ankle_moment_plantarflexion_max: 1.22 ± 0.23 N m/kg" in said
    facts = json.loads(gaitdyn("norms", "list", "--json").stdout)["facts"]
    assert all(fact["source"] for fact in facts)


def test_list_of_a_folder_names_the_sets_and_what_is_not_one(gaitdyn, norm_file):
    (norm_file.parent / "other.csv").write_text("a,b\n", encoding="utf-8")
    said = gaitdyn("norms", "list", norm_file.parent).stdout
    assert "own.csv: slow, free" in said
    assert "other tables, not reference sets: other.csv" in said
    assert gaitdyn("norms", "list", norm_file.parent / "none").returncode == 1


def test_show_tells_groups_speeds_and_what_lacks(gaitdyn, norm_file):
    said = gaitdyn("norms", "show", norm_file).stdout
    assert "group slow: n 25, v/sqrt(gL) 0.300, 1 curve\n" in said
    assert "curves: hip_angle_flexion\n" in said
    assert "lacks: pelvis_angle_tilt, " in said
    assert "matched" not in said


def test_show_tells_the_number_of_people_as_build_does(gaitdyn, norm_file):
    """It told the smallest number alone."""
    rows = norm_file.read_text(encoding="utf-8")
    more = [row for row in rows.splitlines() if row.startswith("slow,")]
    more = [row.replace("hip_angle_flexion", "knee_angle_flexion") for row in more]
    changed = "\n".join(row.replace(",25,", ",30,") for row in more)
    norm_file.write_text(f"{rows.rstrip()}\n{changed}\n", encoding="utf-8")
    said = gaitdyn("norms", "show", norm_file).stdout
    assert "group slow: n 25 to 30, v/sqrt(gL) 0.300, 2 curves\n" in said


def test_show_tells_who_the_people_are(gaitdyn, norm_file):
    assert "people: ages not stated; moments in distal axes\n" in gaitdyn(
        "norms", "show", norm_file
    ).stdout  # fmt: skip
    comments = ("ages: 30 years", "condition: barefoot", "model: cgm2", "moments in: jcs axes",
                "shank: knee")  # fmt: skip
    text = "\n".join((*(f"# {comment}" for comment in comments), norm_file.read_text()))
    norm_file.write_text(text, encoding="utf-8")
    said = gaitdyn("norms", "show", norm_file).stdout
    assert (
        "people: 30 years; condition barefoot; model cgm2; moments in jcs axes; shanks aligned with"
        in said
    )
    found = json.loads(gaitdyn("norms", "show", norm_file, "--json").stdout)
    assert (found["ages"], found["moments_in"]) == ([30.0, 30.0], "jcs")


def test_show_matches_to_a_speed(gaitdyn, norm_file):
    found = json.loads(gaitdyn("norms", "show", norm_file, "--speed", "0.4", "--json").stdout)
    assert [group["name"] for group in found["groups"]] == ["slow", "free"]
    assert found["matched"]["note"].startswith("speed 0.400 sqrt(gL): mean and SD interpolated")
    assert found["matched"]["curves"] == ["hip_angle_flexion"]
    assert gaitdyn("norms", "show", norm_file, "--speed", "-1").returncode == 2


def test_a_set_that_is_not_there_is_told_with_those_that_ship(gaitdyn):
    done = gaitdyn("norms", "show", "schwartz")
    assert done.returncode == 1
    assert "or one that ships: pinzone2014, schwartz2008" in done.stderr


def test_a_file_that_is_no_reference_set_is_refused_in_one_line(gaitdyn, synthetic):
    done = gaitdyn("norms", "show", synthetic / "walk01.c3d")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "found a binary file; wanted text" in done.stderr


@pytest.mark.parametrize("words", [("--groups", "foo"), ()])
def test_a_set_that_cannot_be_written_is_refused_before_results_are_read(
    gaitdyn, results, norm_file, words
):
    done = gaitdyn("norms", "build", results, "-o", norm_file, *words)
    assert done.returncode == (2 if words else 1)
    assert done.stderr.startswith("gaitdyn: --groups 'foo'" if words else f"gaitdyn: {norm_file}")
    assert done.stderr.count("\n") == 1


def test_a_command_that_is_not_said_is_wrong_usage(gaitdyn):
    done = gaitdyn("norms")
    assert done.returncode == 2
    assert done.stderr.startswith("gaitdyn: `gaitdyn norms")
    assert done.stderr.count("\n") == 1

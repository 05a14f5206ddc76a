"""``gaitdyn process`` as its users see it: files, columns, exit codes, one line for bad input."""

from __future__ import annotations

import json
import os
import shutil

import numpy as np
import pytest

import gaitdyn as library
from tests.read_back import one_line, rows_of

CONTRACT_FILES = {
    "result.json",
    "timeseries.csv",
    "timeseries.json",
    "cycles.csv",
    "cycles.json",
    "stances.csv",
    "peaks.csv",
    "gait_parameters.csv",
    "events.csv",
    "contacts.csv",
    "quality.csv",
}
ANGLES = {
    "pelvis": ("tilt", "obliquity", "rotation"),
    "hip": ("flexion", "adduction", "internal_rotation"),
    "knee": ("flexion", "adduction", "internal_rotation"),
    "ankle": ("dorsiflexion", "inversion", "internal_rotation"),
    "foot": ("progression",),
}
MOMENTS = {
    "ankle": ("plantarflexion", "eversion", "external_rotation"),
    "knee": ("extension", "abduction", "external_rotation"),
    "hip": ("extension", "abduction", "external_rotation"),
}
QUICK = ("--no-figures", "-o", "out")


def columns_of_the_contract() -> set[str]:
    names = {"frame", "time_s"}
    for side in ("left", "right"):
        names |= {f"{side}_{s}_angle_{w}" for s, words in ANGLES.items() for w in words}
        names |= {f"{side}_{j}_moment_{w}" for j, words in MOMENTS.items() for w in words}
        for joint in MOMENTS:
            names |= {f"{side}_{joint}_{q}_{a}" for q in ("force", "center") for a in "xyz"}
            names |= {f"{side}_{joint}_power"}
            names |= {
                f"{side}_{joint}_power_{plane}" for plane in ("sagittal", "frontal", "transverse")
            }
        names |= {f"{side}_{q}_{a}" for q in ("grf", "cop") for a in "xyz"}
        names |= {f"{side}_free_moment"}
    return names


@pytest.fixture(scope="module")
def processed(synthetic, gaitdyn_in, tmp_path_factory):
    """The results of the synthetic walk with motion.npz, and what the command printed."""
    out = tmp_path_factory.mktemp("processed")
    words = ("process", synthetic / "walk01.c3d", "--no-figures", "--intermediate", "-o", out)
    done = gaitdyn_in(out, *words)
    assert done.returncode == 0, done.stderr
    return out / "walk01", done


def test_the_files_of_the_contract_are_written(processed):
    assert {p.name for p in processed[0].iterdir()} == CONTRACT_FILES | {"motion.npz", "values.npz"}


def test_the_summary_tells_settings_steps_cycles_and_verdict(processed):
    said = processed[1].stdout
    assert "markers 10 Hz, forces 10 Hz" in said
    assert "plate 1 left (valid), plate 2 right (valid), plate 3 left (valid)" in said
    assert "left: 2 gait cycles, 2 with kinetics from 0 to 100 %" in said
    assert "verdict: pass" in said
    assert said.strip().splitlines()[-1].startswith("results: ")


def test_every_column_of_the_contract_is_there_and_in_the_dictionary(processed):
    with (processed[0] / "timeseries.csv").open(encoding="utf-8") as file:
        names = set(file.readline().strip().split(","))
    assert names == columns_of_the_contract()
    dictionary = json.loads((processed[0] / "timeseries.json").read_text(encoding="utf-8"))
    assert set(dictionary) == names
    for name in names - {"frame", "time_s"}:
        assert dictionary[name]["unit"]
        assert dictionary[name]["positive"]
        assert dictionary[name]["how"]


def test_frames_carry_the_files_own_numbers_and_clock(synthetic, processed, gaitdyn):
    rows = rows_of(processed[0] / "timeseries.csv")
    info = json.loads(gaitdyn("info", synthetic / "walk01.c3d", "--json").stdout)["file"]
    first = info["first_frame"]
    assert float(rows[0]["frame"]) == first
    assert float(rows[0]["time_s"]) == pytest.approx((first - 1) / info["rate_hz"])
    assert len(rows) == info["frames"]


def test_result_json_has_the_keys_of_the_contract(processed):
    document = json.loads((processed[0] / "result.json").read_text(encoding="utf-8"))
    wanted = [
        "schema",
        "gaitdyn",
        "inputs",
        "options",
        "subject",
        "model",
        "file",
        "verdict",
        "status",
    ]
    assert set(wanted) <= set(document)
    assert document["verdict"] in {"pass", "check", "fail"}
    assert {entry["role"] for entry in document["inputs"]} == {"trial", "static"}
    assert all(len(entry["sha256"]) == 64 for entry in document["inputs"])
    assert document["options"]["force_cutoff_hz"] == 10.0
    assert {s["status"] for s in document["status"]} <= {"ok", "partial", "skipped"}


def test_the_motion_file_solves_to_the_moments_of_the_time_series(processed):
    rows = rows_of(processed[0] / "timeseries.csv")
    motion = np.load(processed[0] / "motion.npz")
    for side, sg in (("left", 1.0), ("right", -1.0)):
        arguments = {
            name.removeprefix(f"{side}_"): motion[name]
            for name in motion.files
            if name.startswith(f"{side}_")
        }
        for method in ("substitution", "stacked"):
            moment = library.inverse_dynamics(**arguments, method=method).moment_S  # type: ignore[arg-type]
            for i, (joint, sagittal) in enumerate((("ankle", -1), ("knee", 1), ("hip", -1))):
                words = MOMENTS[joint]
                ours = moment[:, i][:, [2, 0, 1]] * (sagittal, sg, sg)
                for k, word in enumerate(words):
                    text = [row[f"{side}_{joint}_moment_{word}"] for row in rows]
                    known = np.array([bool(t) for t in text])
                    written = np.array([float(t) for t in text if t])
                    assert known.any()
                    assert np.abs(ours[known, k] - written).max() <= 1e-12 * max(
                        1.0, np.abs(written).max()
                    )


def test_cycles_have_101_rows_and_loads_per_kilogram(processed):
    rows = rows_of(processed[0] / "cycles.csv")
    keys = {(row["side"], row["cycle"]) for row in rows}
    assert len(rows) == 101 * len(keys)
    peak = max(float(r["grf_y"]) for r in rows if r["grf_y"])
    assert 9.0 < peak < 13.0  # N/kg, about 1.1 times gravity


def test_a_dictionary_tells_every_column_of_cycles_and_stances_in_their_units(processed):
    words = json.loads((processed[0] / "cycles.json").read_text(encoding="utf-8"))
    columns = {
        c for name in ("cycles", "stances") for c in rows_of(processed[0] / f"{name}.csv")[0]
    }
    assert set(words) == columns
    assert all(entry["how"] for entry in words.values())
    moment = words["knee_moment_extension"]
    assert (moment["unit"], moment["positive"]) == ("N m/kg", "extension")
    assert moment["frame"].startswith("shank axes")
    assert {words[column]["unit"] for column in ("grf_y", "knee_force_x")} == {"N/kg"}


def test_cycles_that_count_are_marked_in_the_last_columns(processed):
    marks = ("kinematics", "kinetics", "turning", "representative")
    rows = rows_of(processed[0] / "cycles.csv")
    assert tuple(rows[0])[-4:] == marks
    of = {(row["side"], row["cycle"]): [row[mark] for mark in marks] for row in rows}
    assert of.pop(("right", "1")) == ["1", "0", "0", "0"]  # half of it stands beside the plates
    # of two strides, neither is nearer to their median
    assert set(map(tuple, of.values())) == {("1", "1", "0", "0")}
    for row in rows_of(processed[0] / "gait_parameters.csv"):
        assert row["turning"] == "0"


def test_peaks_have_a_row_a_side_cycle_and_quantity_in_the_order_of_their_definitions(processed):
    from gaitdyn.metrics.peak_definitions import DEFINITIONS

    text = (processed[0] / "peaks.csv").read_text(encoding="utf-8")
    flags = "kinematics,kinetics,turning,representative"
    assert text.startswith(f"side,cycle,quantity,value,unit,percent,{flags}\n")
    rows = rows_of(processed[0] / "peaks.csv")
    cycles = dict.fromkeys((row["side"], row["cycle"]) for row in rows)
    assert [(r["side"], r["cycle"], r["quantity"]) for r in rows] == [
        (*cycle, definition.name) for cycle in cycles for definition in DEFINITIONS
    ]
    empty = {(r["side"], r["cycle"]) for r in rows if not r["value"]}
    assert empty == {("right", "1")}  # half of it stands beside the plates
    assert all(not r["percent"] for r in rows if not r["value"])


def test_contacts_name_plate_foot_and_frames(processed):
    rows = rows_of(processed[0] / "contacts.csv")
    assert [(r["plate"], r["side"], r["verdict"]) for r in rows] == [
        ("1", "left", "valid"),
        ("2", "right", "valid"),
        ("3", "left", "valid"),
    ]


def test_no_value_is_written_as_nan_or_infinity(processed):
    for name in ("timeseries.csv", "cycles.csv", "peaks.csv", "quality.csv"):
        text = (processed[0] / name).read_text(encoding="utf-8").lower()
        assert "nan" not in text.replace("unanalysed", "")
        assert ",inf" not in text


def test_nothing_is_written_beside_the_input(synthetic, processed):
    assert {p.suffix for p in synthetic.iterdir()} == {".c3d", ".csv", ".json"}
    assert not (synthetic / "walk01").exists()


def test_json_makes_stdout_one_document(synthetic, gaitdyn):
    done = gaitdyn("process", synthetic / "walk01.c3d", *QUICK, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["schema"] == 1


def test_external_moments_keep_their_numbers_under_the_opposite_word(
    synthetic, gaitdyn, processed, tmp_path
):
    done = gaitdyn("process", synthetic / "walk01.c3d", *QUICK, "--convention", "external")
    assert done.returncode == 0, done.stderr
    external = rows_of(tmp_path / "out" / "walk01" / "timeseries.csv")
    internal = rows_of(processed[0] / "timeseries.csv")
    for inside, outside in (
        ("left_knee_moment_extension", "left_knee_moment_flexion"),
        ("right_ankle_moment_plantarflexion", "right_ankle_moment_dorsiflexion"),
        ("left_hip_moment_abduction", "left_hip_moment_adduction"),
        ("right_ankle_moment_eversion", "right_ankle_moment_inversion"),
        ("right_hip_moment_external_rotation", "right_hip_moment_internal_rotation"),
    ):
        assert [row[inside] for row in internal] == [row[outside] for row in external]
        assert inside not in external[0]


def test_vendor_names_give_vendor_columns(synthetic, gaitdyn, tmp_path):
    done = gaitdyn("process", synthetic / "walk01.c3d", *QUICK, "--names", "pig")
    assert done.returncode == 0, done.stderr
    with (tmp_path / "out/walk01/timeseries.csv").open(encoding="utf-8") as file:
        names = file.readline().strip().split(",")
    for wanted in ("LHipAngles_1", "RKneeMoment_3", "LAnklePower_3", "RHJC_2", "LKneeForce_1"):
        assert wanted in names


def test_results_of_the_same_trial_are_replaced_and_others_are_not(synthetic, gaitdyn, tmp_path):
    trial = synthetic / "walk01.c3d"
    assert gaitdyn("process", trial, *QUICK).returncode == 0
    assert gaitdyn("process", trial, *QUICK).returncode == 0
    stranger = tmp_path / "out" / "walk01" / "result.json"
    stranger.write_text("{}", encoding="utf-8")
    refused = gaitdyn("process", trial, *QUICK)
    assert refused.returncode == 1
    assert "--force" in refused.stderr
    assert stranger.read_text(encoding="utf-8") == "{}"
    assert gaitdyn("process", trial, *QUICK, "--force").returncode == 0
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["walk01"]


def test_bad_input_ends_in_one_line_and_code_one(synthetic, gaitdyn, tmp_path):
    empty, text = tmp_path / "empty.c3d", tmp_path / "text.c3d"
    empty.write_bytes(b"")
    text.write_text("no C3D " * 300, encoding="utf-8")
    cut = tmp_path / "cut.c3d"
    cut.write_bytes((synthetic / "walk01.c3d").read_bytes()[:150_000])
    whole = (synthetic / "walk01.c3d").read_bytes()
    unlike, vendor = tmp_path / "unlike.c3d", ("--profile", "plug-in-gait")
    unlike.write_bytes(whole.replace(b"LTHI", b"QQQQ"))
    cases = [
        (unlike, *vendor),
        (synthetic / "walk01.c3d", "--filter", "butterworth", "--cutoff", "60"),
        (tmp_path / "missing.c3d",),
        (empty,),
        (text,),
        (cut,),
        (tmp_path,),
        (synthetic / "static.c3d",),
        (synthetic / "walk01.c3d", "--static", synthetic / "walk01.c3d"),
        (synthetic / "walk01.c3d", "--static", tmp_path / "missing.c3d"),
    ]
    for case in cases:
        done = gaitdyn("process", *case, *QUICK)
        one_line(done, 1)
        assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_wrong_usage_ends_in_code_two(synthetic, gaitdyn):
    trial = synthetic / "walk01.c3d"
    for words in (
        ("process",),
        ("process", trial, "--assign", "1=up"),
        ("process", trial, "--assign", "9=left"),
        ("process", trial, "--assign", "1=left:1-2"),
        ("process", trial, "--cutoff", "fast"),
        ("process", trial, "--mass", "-3"),
        ("process", trial, "--profile", "mine"),
        ("process", trial, "--moments-in", "floor"),
        ("process", trial, "--report", "word"),
        ("process", trial, "--format", "xml"),
        ("process", trial, "--anthropometry", "none"),
        ("process", trial, "--nonsense"),
        ("unheard-of",),
    ):
        done = gaitdyn(*words)
        assert done.returncode == 2, (words, done.stderr)
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr


@pytest.mark.parametrize(("option", "words"), [("--cutoff", "none"), ("--force-cutoff", "same or")])
def test_a_cut_off_with_a_comma_is_answered_with_an_example(gaitdyn, option, words):
    done = gaitdyn("process", "walk.c3d", option, "6,5")
    assert f"{option} is '6,5', wanted a frequency in Hz, such as 6.5, or {words}" in done.stderr


def test_a_page_that_goes_with_the_results_before_is_told(synthetic, gaitdyn, tmp_path):
    page = tmp_path / "out" / "walk01" / "report.html"
    walk = synthetic / "walk01.c3d"
    assert "run before" not in gaitdyn("process", walk, *QUICK, "--report", "html").stderr
    assert page.is_file()
    again = gaitdyn("process", walk, *QUICK)
    assert not page.exists()
    assert "removed report.html of the earlier run, which this one does not write" in again.stderr


def test_an_assignment_by_frames_of_the_file_wins(synthetic, gaitdyn, tmp_path):
    info = json.loads(gaitdyn("info", synthetic / "walk01.c3d", "--json").stdout)
    first, last = info["plates"][1]["loaded_frames"][0]
    given = f"1=none,2=right:{first}-{last}"
    done = gaitdyn("process", synthetic / "walk01.c3d", *QUICK, "--assign", given)
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "out" / "walk01" / "contacts.csv")
    assert [(r["plate"], r["side"]) for r in rows] == [("1", "none"), ("2", "right"), ("3", "left")]
    assert (rows[1]["first_frame"], rows[1]["last_frame"]) == (str(first), str(last))
    assert rows[1]["reason"] == "given by hand"


def test_a_trial_without_plates_gives_kinematics_and_says_so_once(gaitdyn, tmp_path):
    from dataclasses import replace

    from gaitdyn.synthetic import Recording, Walker, stand, walk, write_trial

    folder = tmp_path / "session"
    folder.mkdir()
    trial = walk(Walker(), Recording())
    write_trial(folder / "static.c3d", stand(Walker(), Recording()))
    write_trial(folder / "walk.c3d", replace(trial, plates=(), channels=trial.channels[:, :0]))
    done = gaitdyn("process", folder / "walk.c3d", *QUICK)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("kinematics only") == 1
    with (tmp_path / "out/walk/timeseries.csv").open(encoding="utf-8") as file:
        names = file.readline()
    assert "left_knee_angle_flexion" in names
    assert "moment" not in names


def test_a_subject_file_wins_over_the_static(synthetic, gaitdyn, tmp_path):
    subject = tmp_path / "subject.toml"
    subject.write_text('[subject]\nid = "S01"\nmass_kg = 80\n', encoding="utf-8")
    done = gaitdyn("process", synthetic / "walk01.c3d", *QUICK, "--subject", subject)
    assert done.returncode == 0, done.stderr
    document = json.loads((tmp_path / "out/walk01/result.json").read_text(encoding="utf-8"))
    assert document["subject"]["mass_kg"] == 80
    assert document["subject"]["id"] == "S01"
    assert document["subject"]["sources"]["mass_kg"] == "subject file"
    codes = [r["code"] for r in rows_of(tmp_path / "out/walk01/quality.csv")]
    assert "subject-differs" in codes


@pytest.mark.skipif(os.name == "nt", reason="the locale of a POSIX console is set")
def test_a_unicode_name_works_on_a_console_without_utf8(synthetic, gaitdyn, tmp_path):
    trial = tmp_path / "шаг 步态 ñ.c3d"
    shutil.copy(synthetic / "walk01.c3d", trial)
    shutil.copy(synthetic / "static.c3d", tmp_path / "стоя.c3d")
    plain = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    plain["PYTHONCOERCECLOCALE"] = "0"
    done = gaitdyn("process", trial.name, *QUICK, env=plain)
    assert done.returncode == 0, done.stderr
    (document,) = (tmp_path / "out").glob("*/result.json")
    inputs = json.loads(document.read_text(encoding="utf-8"))["inputs"]
    assert [entry["name"] for entry in inputs] == ["шаг 步态 ñ.c3d", "стоя.c3d"]


def test_the_second_reader_gives_the_same_tables(gaitdyn, synthetic, tmp_path):
    pytest.importorskip("ezc3d")
    for reader in ("gaitdyn", "ezc3d"):
        words = ("--reader", reader, "--no-figures", "-o", tmp_path / reader)
        assert gaitdyn("process", synthetic / "walk01.c3d", *words).returncode == 0
    own, other = (tmp_path / reader / "walk01" / "cycles.csv" for reader in ("gaitdyn", "ezc3d"))
    assert own.read_bytes() == other.read_bytes()


def test_the_public_door_shows_what_it_says():
    assert set(library.__all__) == set(dir(library))
    for name in library.__all__:
        assert getattr(library, name) is not None


@pytest.mark.slow
def test_bands_cut_offs_and_sweeps_are_written_on_demand_only(
    synthetic, processed, gaitdyn_here, tmp_path, monkeypatch
):
    monkeypatch.setattr("gaitdyn.uncertainty.cutoffs.CUTOFFS_HZ", (6.0, 12.0))
    demanded = {"uncertainty.csv", "uncertainty.json", "sensitivity.csv", "sweep.csv"}
    assert not demanded & {path.name for path in processed[0].iterdir()}
    (tmp_path / "errors.toml").write_text("draws = 20\n", encoding="utf-8")
    words = ["process", synthetic / "walk01.c3d", "-o", tmp_path / "out", "--quiet"]
    words += ["--uncertainty", tmp_path / "errors.toml", "--sensitivity"]
    words += ["--sweep", "cutoff=6", "--sweep", "filter=butterworth"]
    done = gaitdyn_here(*words)
    assert done.returncode == 0, done.stderr
    place = tmp_path / "out" / "walk01"
    assert demanded <= {path.name for path in place.iterdir()}
    pictures = {path.name for path in (place / "figures").iterdir()}
    assert {"uncertainty.png", "sensitivity.png", "sweep.png"} <= pictures
    options = json.loads((place / "result.json").read_text(encoding="utf-8"))["options"]
    assert options["uncertainty"] == "errors.toml"


@pytest.mark.slow
def test_a_session_file_is_obeyed_and_info_process_and_batch_say_the_same(
    synthetic, gaitdyn, tmp_path
):
    visit = tmp_path / "visit"
    for folder, name in (("dynamic", "walk01.c3d"), ("cal", "static.c3d")):
        (visit / folder).mkdir(parents=True)
        shutil.copy(synthetic / name, visit / folder / name)
    trial = visit / "dynamic" / "walk01.c3d"
    toml = '[subject]\nid = "P1"\nmass_kg = 66\n[options]\ncutoff = 6\n'
    (visit / "session.toml").write_text(toml, encoding="utf-8")
    why = "the only one that fits; same person, all model markers, in cal/"
    assert f"static.c3d: {why}" in gaitdyn("info", trial).stdout
    planned = gaitdyn("info", trial.parent).stdout
    assert f"static: {why}" in planned
    assert "session.toml of the folder above is read" in planned
    done = gaitdyn("process", trial, "--cutoff", "8", *QUICK)
    assert done.returncode == 0, done.stderr
    assert f"static by the session: {why}" in done.stderr
    assert "static: static.c3d\n" in done.stderr, "nobody gave it"
    one = json.loads((tmp_path / "out" / "walk01" / "result.json").read_text("utf-8"))
    assert (one["options"]["cutoff_hz"], one["options"]["static"]) == (8.0, "static.c3d")
    assert (one["subject"]["id"], one["subject"]["mass_kg"]) == ("P1", 66)
    words = ["batch", trial.parent, "--jobs", "1", "--report", "none", "--cutoff", "8", "-o", "all"]
    assert gaitdyn(*words).returncode == 0
    two = json.loads((tmp_path / "all" / "dynamic" / "walk01" / "result.json").read_text("utf-8"))
    assert {**two["options"]} == {**one["options"]}
    assert gaitdyn(*words).stdout.startswith("nothing to do: 1 already done\n")
    (visit / "session.toml").write_text('static = "cal/static.c3d:120-160"\n', encoding="utf-8")
    assert gaitdyn(*words).returncode == 0
    two = json.loads((tmp_path / "all" / "dynamic" / "walk01" / "result.json").read_text("utf-8"))
    assert two["options"]["static_frames"] == [120, 160]


def test_axes_frames_and_labels_of_the_command_line_are_recorded_and_reproduced(
    synthetic, gaitdyn, tmp_path
):
    words = ["--up", "+Z", "--forward", "+x", "--static", f"{synthetic / 'static.c3d'}:110-150"]
    words += ["--rename", "T10=C7", "--other-person"]
    done = gaitdyn("process", synthetic / "walk01.c3d", *words, *QUICK)
    assert done.returncode == 0, done.stderr
    assert "static: frames 110-150 (given)" in done.stderr
    folder = tmp_path / "out" / "walk01"
    told = json.loads((folder / "result.json").read_text(encoding="utf-8"))["options"]
    wanted = {
        "up": "+Z",
        "forward": "+X",
        "static_frames": [110, 150],
        "rename": [["T10", "C7"]],
        "other_person": True,
    }
    assert {name: told[name] for name in wanted} == wanted
    again = gaitdyn("reproduce", folder, "--near", synthetic)
    assert again.returncode == 0, again.stdout + again.stderr
    assert again.stdout.strip().endswith("the same")
    wrong = gaitdyn("process", synthetic / "walk01.c3d", "--up", "north", *QUICK)
    assert wrong.returncode == 2
    assert "--up is 'north', wanted an axis such as +Z or -Y" in wrong.stderr


def test_the_home_folder_is_meant_by_its_sign_wherever_a_path_is(gaitdyn, synthetic, tmp_path):
    home = tmp_path / "home"
    shutil.copytree(synthetic, home / "session")
    env = {**os.environ, "HOME": str(home), "USERPROFILE": str(home)}
    words = ["~/session/walk01.c3d", "--static=~/session/static.c3d", "--out=~/out"]
    done = gaitdyn("process", *words, "--no-figures", env=env)
    assert done.returncode == 0, done.stderr
    assert (home / "out/walk01/result.json").is_file()
    assert not (tmp_path / "~").exists()

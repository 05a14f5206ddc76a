"""``gaitdyn info`` and files of several subjects."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.subject import person_names
from gaitdyn.io.labels import NO_SUCH_PREFIX, mask, one_subject, subject_note, the_body
from gaitdyn.synthetic import Recording, write_trial
from gaitdyn_cli.info import emg_section, first_and_last, landmark_lines, wrapped
from tests.unit.trc_texts import LABELS, body, trc_text
from tests.walks import stand, walk


def test_info_names_the_model_the_static_and_the_steps(synthetic, gaitdyn):
    said = gaitdyn("info", synthetic / "walk01.c3d").stdout
    assert "plug-in-gait (left, right)" in said
    assert "static.c3d: the only one that fits; same person" in said
    assert "plate 2 (type 2): loaded in frames" in said


def test_info_takes_the_measures_that_process_takes(synthetic, gaitdyn, tmp_path):
    """A mass weighed on the static's plates, or a diameter found, was "not given" here alone."""
    said = gaitdyn("info", synthetic / "walk01.c3d").stdout
    (taken,) = (line for line in said.splitlines() if "process takes" in line)
    done = gaitdyn("process", synthetic / "walk01.c3d", "-o", tmp_path).stdout
    assert f"subject: {taken.partition('process takes ')[2]}" in done.splitlines()


def test_info_weighs_the_static_as_process_does(tmp_path, gaitdyn):
    bare = Recording(parameters=False)
    write_trial(tmp_path / "static.c3d", stand(recording=replace(bare, events=False)))
    write_trial(tmp_path / "walk.c3d", walk(recording=bare))
    said = gaitdyn("info", tmp_path / "walk.c3d").stdout
    assert "mass not given" in said
    assert "process takes 70 kg (static force), markers of 14 mm (default)" in said


def test_info_says_what_kinetics_lack(tmp_path, gaitdyn):
    """Only the list of a session did: for one file "mass not given" was all."""
    bare = Recording(parameters=False, static_plates=False)
    write_trial(tmp_path / "static.c3d", stand(recording=replace(bare, events=False)))
    write_trial(tmp_path / "walk.c3d", walk(recording=bare))
    why = (
        "the body mass is not known: kinematics only; give it with --mass KG, or as mass_kg in"
        " session.toml, for kinetics"
    )
    said = gaitdyn("info", tmp_path / "walk.c3d").stdout
    assert f"Missing {why}" in " ".join(said.split())
    assert why in gaitdyn("process", tmp_path / "walk.c3d", "--no-figures").stderr
    no_plates = gaitdyn("info", tmp_path / "walk.c3d", "--forces", "none").stdout
    assert "Missing\n  no forces, as requested with --forces none: kinematics only" in no_plates
    assert "Missing" not in gaitdyn("info", tmp_path / "static.c3d").stdout


def test_info_finds_nothing_missing_in_a_whole_trial(synthetic, gaitdyn):
    said = gaitdyn("info", synthetic / "walk01.c3d", "--json").stdout
    assert json.loads(said)["missing"] == ""


def test_info_of_what_is_refused_takes_no_measures(synthetic, gaitdyn):
    said = gaitdyn("info", synthetic / "walk01.c3d", "--static", synthetic / "walk02.c3d")
    assert "process takes" not in said.stdout


def test_the_ladder_may_be_asked_for_where_a_model_fits(synthetic, gaitdyn):
    done = gaitdyn("info", synthetic / "walk01.c3d", "--model", "ladder")
    assert "ladder (left, right)" in done.stdout, done.stderr


def test_info_compares_hip_centres_side_by_side(synthetic, gaitdyn):
    said = gaitdyn("info", synthetic / "walk01.c3d", "--joint-centres").stdout
    for rule in ("davis", "harrington", "harrington-full", "harrington-width", "hara", "bell"):
        assert f"left  {rule}" in said
        assert f"right {rule}" in said


def test_info_compares_knee_and_ankle_centres_too(synthetic, gaitdyn):
    said = gaitdyn("info", synthetic / "static.c3d", "--joint-centres").stdout
    for joint in ("Knee", "Ankle"):
        assert f"{joint} centres (mm; forward, up, right along the leg" in said
    assert said.count("left  width and wand") == 2
    found = json.loads(gaitdyn("info", synthetic / "static.c3d", "--json").stdout)
    assert [row["rule"] for row in found["knee_centres"]["right"]] == ["width and wand"]
    assert found["ankle_centres"]["left"][0]["z"] == pytest.approx(43.0, abs=0.5)


def test_channels_whose_names_are_no_muscle_are_told():
    assert emg_section({"emg": [], "channels_without_muscle": []}) == []
    ((title, lines),) = emg_section({"emg": [], "channels_without_muscle": ["ME", "MA"]})
    assert title == "EMG"
    assert lines[0].startswith("no muscle in these names: ME MA (if they are electromyography")


def test_names_of_persons_are_told_only_to_those_who_ask(synthetic, gaitdyn):
    plain = gaitdyn("info", synthetic / "walk01.c3d", "--json").stdout
    assert "SYN01" not in plain
    asked = json.loads(gaitdyn("info", synthetic / "walk01.c3d", "--json", "--show-names").stdout)
    assert asked["names"] == ["SYN01"]


def test_the_prefixes_of_a_file_of_two_subjects_are_told_to_those_who_ask(tmp_path, gaitdyn):
    """The refusal had them masked, so nobody could name one."""
    both = np.concatenate((body(), body() + np.array([0.0, 0.0, 3.0])), axis=1)
    labels = [f"{name}:{label}" for name in ("Ann", "Bob") for label in LABELS]
    (tmp_path / "walk.trc").write_text(trc_text(both, labels), encoding="utf-8")
    plain = gaitdyn("info", tmp_path / "walk.trc")
    assert (plain.returncode, plain.stdout) == (1, "")
    assert "Ann" not in plain.stderr
    assert "--subject-prefix (gaitdyn info --show-names prints them)" in plain.stderr
    asked = gaitdyn("info", tmp_path / "walk.trc", "--show-names")
    assert (asked.returncode, asked.stdout) == (1, "Names\n  Ann\n  Bob\n")
    assert asked.stderr == plain.stderr


def test_the_prefixes_of_a_file_are_told_beside_the_name_of_the_subject(synthetic, tmp_path):
    """With a name in SUBJECTS:NAMES they were not."""
    raw = (synthetic / "walk01.c3d").read_bytes()
    (tmp_path / "walk.c3d").write_bytes(raw.replace(b"LASI", b"A:SI", 1))
    assert person_names(tmp_path / "walk.c3d") == ["SYN01", "A"]


def test_a_prefix_is_not_told_beside_the_name_that_it_ends(synthetic, tmp_path):
    raw = (synthetic / "walk01.c3d").read_bytes().replace(b"SYN01", b"A    ")
    (tmp_path / "walk.c3d").write_bytes(raw.replace(b"LASI", b"A_:I", 1))
    assert person_names(tmp_path / "walk.c3d") == ["A"]


def test_info_tells_label_landmark_how_sure_and_why(synthetic, gaitdyn):
    said = gaitdyn("info", synthetic / "walk01.c3d").stdout
    line = next(row for row in said.splitlines() if row.strip().startswith("LKNE  "))
    assert line.split()[:5] == ["LKNE", "KLE", "left", "LKNE", "sure"]
    assert line.endswith("KNE is a known spelling; its position agrees")
    assert "KLE knee outside, ANL ankle outside" in said
    found = json.loads(gaitdyn("info", synthetic / "walk01.c3d", "--json").stdout)["labels"]
    knee = next(row for row in found["landmarks"] if row["label"] == "LKNE")
    assert (knee["landmark"], knee["side"], knee["role"], knee["sure"]) == (
        "KLE", "left", "LKNE", "sure",
    )  # fmt: skip
    assert found["findings"] == []


def test_computed_points_are_not_markers(results, synthetic, gaitdyn, tmp_path):
    words = ("--to", "trc-mot", "--trial", synthetic / "walk01.c3d", "--quiet")
    assert gaitdyn("export", results, *words).returncode == 0
    text = (tmp_path / "walk01.gaitdyn.trc").read_text().replace("LAJC", "CentreOfMass")
    (tmp_path / "walk.trc").write_text(text)
    assert "16 markers (not counting 6 model outputs)" in gaitdyn("info", "walk.trc").stdout
    foreign = text.replace("; its last 6 of 22 points are added", "")
    (tmp_path / "walk.trc").write_text(foreign)
    said = gaitdyn("info", "walk.trc").stdout
    assert "21 markers (not counting 1 model output)" in said
    assert "not landmarks: CentreOfMass (a computed point or model output)" in said


def test_codes_of_trunk_and_arms_are_explained_as_those_of_the_legs():
    rows = [
        {"label": x, "landmark": x, "side": None, "role": "", "sure": "likely", "why": "its place"}
        for x in ("WRU", "KLE", "C7")
    ]
    lines = landmark_lines({"landmarks": rows, "static_only": [], "unresolved": [], "findings": []})
    assert lines[-1] == "KLE knee outside, WRU ulnar side of the wrist"
    nothing = {"landmarks": [], "static_only": [], "unresolved": [], "findings": []}
    assert landmark_lines(nothing) == ["none of the labels is a landmark that we know"]


def test_names_with_hyphens_are_not_broken():
    assert wrapped(f"{'x' * 90} two-malleoli") == ["x" * 90, "two-malleoli"]


def test_info_keeps_a_figure_of_others_and_wants_one_for_its_folder(synthetic, gaitdyn, tmp_path):
    (tmp_path / "walk01-landmarks.png").write_bytes(b"precious")
    done = gaitdyn("info", synthetic / "walk01.c3d", "--figure")
    assert (done.returncode, (tmp_path / "walk01-landmarks.png").read_bytes()) == (1, b"precious")
    assert done.stderr.endswith("move it away, or name another folder with -o\n")
    done = gaitdyn("info", synthetic / "walk01.c3d", "-o", "here")
    assert (done.returncode, done.stderr) == (
        2, "gaitdyn: -o is the folder of the figure; add --figure\n"
    )  # fmt: skip


def test_info_draws_the_person_beside_nothing_of_the_input(synthetic, gaitdyn, tmp_path):
    done = gaitdyn("info", synthetic / "walk01.c3d", "--figure", "-o", tmp_path / "here")
    assert done.returncode == 0, done.stderr
    picture = tmp_path / "here" / "walk01-landmarks.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert str(picture) in done.stdout
    assert not list(synthetic.glob("*.png"))
    folder = gaitdyn("info", synthetic, "--figure")
    assert folder.returncode != 0
    assert "--figure works on one file" in folder.stderr


def test_info_of_unknown_markers_says_what_process_says(gaitdyn, tmp_path):
    from gaitdyn.synthetic import Recording, Walker, walk, write_trial

    trial = walk(Walker(), Recording())
    labels = tuple(f"M{i}" for i in range(len(trial.labels)))
    write_trial(tmp_path / "strange.c3d", replace(trial, labels=labels))
    done = gaitdyn("info", tmp_path / "strange.c3d")
    assert done.returncode == 0, done.stderr
    refused = gaitdyn("process", tmp_path / "strange.c3d", "-o", tmp_path / "out")
    assert refused.returncode == 1
    said = " ".join(done.stdout.split())
    assert "none fits" in said
    assert " ".join(refused.stderr.split()).removeprefix("gaitdyn: ")[:200] in said


TWO = ["Ann:LASI", "Ann:RASI", "Bob-2:LASI", "Bob-2:RASI", "Bob-2:C7"]


def test_two_subjects_are_refused_with_their_names_masked():
    with pytest.raises(FileRefused) as error:
        one_subject(TWO, set(), None, "walk.c3d")
    assert "A*n, B***2" in str(error.value)
    assert "Ann" not in str(error.value)
    assert "--subject-prefix" in str(error.value)


PERSON = [f"Ann:{side}{name}" for side in "LR" for name in ("ASI", "KNE", "ANK", "HEE", "TOE")]


def test_of_a_person_and_a_bar_the_one_whose_markers_make_a_body_is_taken_and_said():
    both = [*PERSON, "Bar:LASI", "Bar:1", "Bar:2"]
    found = one_subject(both, set(), None, "walk.c3d")
    assert found == [*(x.split(":")[1] for x in PERSON), "*10", "*11", "*12"]
    (note,) = subject_note(both, set(), None)
    assert note == "markers of A*n make a body and are taken; those of B*r are not"
    assert subject_note(both, set(), "Ann") == ()
    assert subject_note(PERSON, set(), "ann") == ()
    assert subject_note(PERSON, set(), "Eve") == (NO_SUCH_PREFIX,)
    (alike,) = subject_note([*PERSON, "Arn:LASI"], set(), None)
    assert alike == "markers of A*n make a body and are taken; those of A*n are not"
    words = ["P:Left Knee", "P:Right Knee", "P:asis gauche", "P:asis droite"]
    words += [f"P:{x}{s}" for x in ("KNE", "ANK") for s in "lr"]
    assert the_body([*words, "B:KNEl"], ["P", "B"]) == ["P"]


def test_two_persons_are_asked_for():
    with pytest.raises(FileRefused, match="--subject-prefix"):
        one_subject([*PERSON, *(x.replace("Ann", "Eve") for x in PERSON)], set(), None, "w.c3d")


def test_the_prefix_asked_for_is_matched_whatever_its_signs_and_letters():
    assert one_subject(TWO, set(), "bob_2", "walk.c3d") == ["*0", "*1", "LASI", "RASI", "C7"]
    with pytest.raises(FileRefused, match="not the one requested"):
        one_subject(TWO, set(), "Eve", "walk.c3d")


def test_one_subjects_prefix_is_taken_away_and_so_are_those_of_objects():
    assert one_subject(["S1:LASI", "S1:RASI"], set(), None, "x") == ["LASI", "RASI"]
    assert one_subject(["S1:LASI", "Stick:TIP"], set(), None, "x") == ["LASI", "TIP"]


def test_labels_without_a_prefix_are_a_subject_beside_another_with_the_same_markers():
    """`LASI` beside `Ann:LASI`: two people were mixed, with a note on copies of labels alone."""
    plain = [x.split(":")[1] for x in PERSON]
    both = [*plain, *PERSON, "bar"]
    with pytest.raises(FileRefused) as error:
        one_subject(both, set(), None, "walk.c3d")
    assert "2 subjects (A*n, one without prefix) and none was requested" in str(error.value)
    assert "--subject-prefix (none for the one without; gaitdyn info" in str(error.value)
    stars = [f"*{i}" for i in range(len(both))]
    assert one_subject(both, set(), "Ann", "x") == [*stars[:10], *plain, stars[-1]]
    assert one_subject(both, set(), "none", "x") == [*plain, *stars[10:20], "bar"]
    assert subject_note(both, set(), "none") == subject_note(plain, set(), "none") == ()
    assert subject_note([*plain, "Bar:1"], set(), "none") == ()
    # a static of Ann alone beside their walk: it was taken without a word
    assert subject_note([*PERSON, "*11", "bar"], set(), "none") == (NO_SUCH_PREFIX,)
    # one marker, or outputs of a model, make no second person
    assert one_subject([*plain, "Ann:LASI"], set(), None, "x") == [*plain, "LASI"]
    assert one_subject([*plain, *PERSON], {*plain}, None, "x") == [*plain, *plain]


def test_a_masked_name_shows_its_ends_alone():
    assert [mask(name) for name in ("Daphnee", "Al", "B")] == ["D*****e", "A*", "B*"]


def test_a_label_that_breaks_lines_is_told_in_one_line(tmp_path, gaitdyn):
    from gaitdyn.synthetic import Recording, Walker, walk, write_trial

    trial = walk(Walker(), Recording())
    labels = ("L\nSIS", "R\x1bSIS", *trial.labels[2:])
    write_trial(tmp_path / "broken.c3d", replace(trial, labels=labels))
    done = gaitdyn("process", tmp_path / "broken.c3d", "--no-figures")
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    assert "\x1b" not in done.stderr


def test_labels_are_told_whole_as_options_take_them():
    """Those of more than 16 letters were cut: two of one beginning looked alike."""
    row = {"landmark": "FTX", "side": "left", "role": "LFT1", "sure": "sure", "why": "read"}
    rows = [{**row, "label": label} for label in ("L_Midfoot_Lateral", "LTOE")]
    labels = {"landmarks": rows[:1], "static_only": rows[1:], "unresolved": [], "findings": []}
    head, first, _, second, _ = landmark_lines(labels)
    assert first.startswith("L_Midfoot_Lateral FTX left")
    assert [line.index(word) for line, word in ((head, "landmark"), (second, "FTX"))] == [18, 18]


def test_of_a_long_list_the_two_ends_are_told() -> None:
    times = [f"{i}.5" for i in range(40)]
    assert first_and_last(times[:12]).endswith("10.5, 11.5")
    assert first_and_last(times) == "0.5, 1.5, 2.5 and 37 more until 39.5"

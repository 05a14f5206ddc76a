"""Labels mended by hand, and marker models written and read again."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from gaitdyn.calibrate.models.files import load_model, parse_model
from gaitdyn.errors import ModelNotFound, UsageError
from gaitdyn.pipeline import process_trial
from gaitdyn.stages.model_file import new_model
from gaitdyn.store.document import resolved_options
from gaitdyn.synthetic import Recording, Walker, write_trial
from gaitdyn.types.options import Options
from gaitdyn.types.words import parse_rename
from tests.walks import processed, stand, walk

if TYPE_CHECKING:
    from pathlib import Path

ODD = {"LKNE": "L knie", "RTOE": "R.zeh"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Path:
    """walk.c3d and static.c3d with two labels that no model knows."""
    folder = tmp_path_factory.mktemp("lab")
    for name, trial in (("walk", walk(Walker(), Recording())), ("static", standing())):
        labels = tuple(ODD.get(label, label) for label in trial.labels)
        write_trial(folder / f"{name}.c3d", replace(trial, labels=labels))
    return folder


def standing() -> Any:
    return stand(Walker(), Recording())


RENAME = tuple((odd, known) for known, odd in ODD.items())


def test_labels_are_mended_before_anything_else_reads_them(lab, synthetic):
    found = process_trial(lab / "walk.c3d", Options(rename=RENAME))
    assert found.static is not None
    assert "renamed: L knie = LKNE, R.zeh = RTOE" in found.log
    wanted = processed(synthetic / "walk01.c3d")
    pd.testing.assert_frame_equal(found.to_frame(), wanted.to_frame())
    assert resolved_options(found)["rename"] == RENAME


def test_a_new_name_may_be_one_of_ours_in_a_model_that_knows_other_labels(lab, tmp_path):
    """In a file of ISB labels the knee is L_FLE; --rename may say LKNE as well."""
    text, _ = new_model(lab / "walk.c3d", Options(rename=RENAME), "lab")
    spelt = text.replace('"LANK" = ["LANK"]', '"LANK" = ["L_FAL"]')
    assert spelt != text
    (tmp_path / "isb.toml").write_text(spelt, encoding="utf-8")
    model = str(tmp_path / "isb.toml")
    legs = {
        new: set(
            process_trial(lab / "walk.c3d", Options(model=model, rename=(("LANK", new),))).sides
        )
        for new in ("other", "LANK", "L_FAL")
    }
    assert legs == {"other": {"right"}, "LANK": {"left", "right"}, "L_FAL": {"left", "right"}}


def test_a_label_that_is_not_there_is_said_with_those_near_it(synthetic):
    found = process_trial(synthetic / "walk01.c3d", Options(rename=(("LKNEE", "LKNE"),)))
    (finding,) = [f for f in found.findings if f.code == "rename-unknown"]
    assert finding.message.startswith("rename LKNEE=LKNE: no marker is called 'LKNEE'; similar")
    assert "LKNE" in finding.message
    assert f"--{finding.message}" in found.log


def test_one_new_label_for_two_markers_of_a_file_is_told_with_both(synthetic):
    found = process_trial(
        synthetic / "walk01.c3d", Options(rename=(("LKNE", "X"), ("LTHI", "X"), ("LANK", "LANK")))
    )
    (finding,) = [f for f in found.findings if f.code == "rename-twice"]
    assert finding.level == "warning"
    assert finding.message == (
        "rename gives LKNE and LTHI of walk01.c3d one label, X; rename only one of them"
    )


def test_two_labels_of_two_files_may_become_one(lab, tmp_path):
    """The knee has one label in the walk and another in the static."""
    for name, trial, knee in (
        ("walk", walk(Walker(), Recording()), "knie"),
        ("static", standing(), "K"),
    ):
        labels = tuple(knee if label == "LKNE" else label for label in trial.labels)
        write_trial(tmp_path / f"{name}.c3d", replace(trial, labels=labels))
    found = process_trial(tmp_path / "walk.c3d", Options(rename=(("knie", "LKNE"), ("K", "LKNE"))))
    assert found.static is not None
    assert not [f for f in found.findings if f.code.startswith("rename-")]


@pytest.mark.parametrize("shift_m", [0.0, 0.1])
def test_a_second_point_of_one_label_that_is_not_used_is_noted_once(tmp_path, shift_m):
    """A copy of the knee, and a point above it: neither is used."""
    for name, trial in (("walk", walk(Walker(), Recording())), ("static", standing())):
        knee = trial.markers_G[:, [trial.labels.index("LKNE")]] + [0.0, shift_m, 0.0]
        markers = np.concatenate([trial.markers_G, knee], axis=1)
        more = replace(trial, labels=(*trial.labels, "LKNE"), markers_G=markers)
        write_trial(tmp_path / f"{name}.c3d", more)
    for model in ("auto", "ladder"):
        found = process_trial(tmp_path / "walk.c3d", Options(model=model))
        (note,) = [f for f in found.findings if f.code == "landmark-copies"]
        assert (note.level, note.value) == ("info", 1.0)
        assert note.message.startswith("1 point with the label of another (LKNE)")
        assert "LKNE" in found.recording.labels


def test_a_marker_that_had_the_new_label_is_set_aside(synthetic):
    """Left and right knee exchanged by hand give what exchanged files give."""
    swap = (("LKNE", "RKNE"), ("RKNE", "LKNE"))
    found = process_trial(synthetic / "walk01.c3d", Options(rename=swap, other_person=True))
    left = found.recording.marker("LKNE")
    plain = processed(synthetic / "walk01.c3d").recording.marker("RKNE")
    np.testing.assert_array_equal(left, plain)


@pytest.mark.parametrize("text", ["LKNE", "=LKNE", "x=", "a=b, c"])
def test_words_that_are_no_renaming_are_wrong_usage(text):
    if text == "a=b, c":
        with pytest.raises(UsageError, match="twice"):
            parse_rename(["a=b", "a=c"])
        return
    with pytest.raises(UsageError, match="wanted OLD=NEW"):
        parse_rename([text])


@pytest.mark.parametrize("form", [[("LASI", "X"), ("LASI", "Y")], ["LASI=X", "LASI=Y"]])
def test_one_label_with_two_new_names_is_refused_in_every_form(form):
    """Of pairs in Python the last one was taken without a word."""
    with pytest.raises(UsageError) as told:
        Options(rename=form)
    assert str(told.value) == "rename names 'LASI' twice, 'X' and 'Y'; wanted each label once"


def test_a_session_file_and_the_command_line_mend_labels_together(lab, tmp_path):
    from gaitdyn.session import plan_session, plan_trial

    for path in lab.glob("*.c3d"):
        shutil.copy(path, tmp_path)
    toml = '[rename]\n"L knie" = "LKNE"\n"R.zeh" = "LTOE"\n'
    (tmp_path / "session.toml").write_text(toml, encoding="utf-8")
    options = plan_trial(tmp_path / "walk.c3d", {"rename": (("R.zeh", "RTOE"),)}).options
    assert dict(options.rename) == dict(RENAME)
    (trial,) = [t for t in plan_session(tmp_path, {"rename": RENAME}).trials if t.role == "dynamic"]
    assert (trial.problem, trial.options.static) == ("", str(tmp_path / "static.c3d"))
    (tmp_path / "session.toml").write_text("[rename]\nx = 1\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"session.toml, line 2: rename.x is 1, wanted a text"):
        plan_session(tmp_path)


@pytest.mark.parametrize("pattern", ["{}", "*{}", "M{:03d}", "Marker_{:02d}", "Anna:{}"])
def test_labels_that_are_numbers_are_refused_with_what_to_do_and_that_works(
    synthetic, tmp_path, pattern
):
    from gaitdyn.session import plan_trial

    names = {}
    for name, trial in (("walk", walk(Walker(), Recording())), ("static", standing())):
        names = {pattern.format(i): label for i, label in enumerate(trial.labels, start=1)}
        write_trial(tmp_path / f"{name}.c3d", replace(trial, labels=tuple(names)))
    bare = {label.rsplit(":", 1)[-1]: known for label, known in names.items()}
    first, *_ = sorted(bare)
    with pytest.raises(ModelNotFound) as caught:
        process_trial(tmp_path / "walk.c3d", Options())
    advice = f'name each marker: --rename {first}=LASI, or "{first}" = "LASI" in [rename] of'
    assert f"whose labels are numbers; export the trial with names, or {advice}" in str(
        caught.value
    )
    lines = [f'"{number}" = "{known}"' for number, known in bare.items()]
    (tmp_path / "session.toml").write_text("\n".join(["[rename]", *lines]), encoding="utf-8")
    found = process_trial(tmp_path / "walk.c3d", plan_trial(tmp_path / "walk.c3d", {}).options)
    wanted = processed(synthetic / "walk01.c3d")
    pd.testing.assert_frame_equal(found.to_frame(), wanted.to_frame())


def test_labels_cut_to_the_side_are_refused_with_what_to_do(tmp_path):
    one = walk(Walker(), Recording())
    labels = tuple({"L": "Left", "R": "Righ"}.get(label[0], label) for label in one.labels)
    write_trial(tmp_path / "walk.c3d", replace(one, labels=labels))
    with pytest.raises(ModelNotFound, match=r"which have 2 different labels; export .* whole"):
        process_trial(tmp_path / "walk.c3d", Options())


@pytest.mark.parametrize("model", ["auto", "landmarks"])
def test_a_new_model_gives_the_same_result(lab, tmp_path, model):
    words: dict[str, Any] = {"rename": RENAME}
    if model == "landmarks":
        (tmp_path / "six.toml").write_text(LANDMARKS, encoding="utf-8")
        words = {"model": str(tmp_path / "six.toml")}
    text, log = new_model(lab / "walk.c3d", Options(**words), "lab")
    (tmp_path / "lab.toml").write_text(text, encoding="utf-8")
    assert '"LKNE" = ["L knie"]' in text
    assert any(line.startswith("static: static.c3d") for line in log)
    assert load_model(str(tmp_path / "lab.toml")).name == "lab"
    before = process_trial(lab / "walk.c3d", Options(**words)).to_frame()
    after = process_trial(lab / "walk.c3d", Options(model=str(tmp_path / "lab.toml"))).to_frame()
    pd.testing.assert_frame_equal(after, before)


LANDMARKS = """
name = "six"
engine = "landmarks"
optional = ["ANK"]
[labels]
"{s}ASI" = ["{s}ASI"]
"{s}PSI" = ["{s}PSI"]
"LKNE" = ["L knie"]
"RKNE" = ["RKNE"]
"{s}ANK" = ["{s}ANK"]
"{s}HEE" = ["{s}HEE"]
"LTOE" = ["LTOE"]
"RTOE" = ["R.zeh"]
"{s}WTH" = ["{s}THI"]
"{s}WTI" = ["{s}TIB"]
[tracking]
pelvis = ["LASI", "RASI", "LPSI", "RPSI"]
thigh = ["@hip", "{s}WTH", "{s}KNE"]
shank = ["@knee", "{s}WTI", "{s}ANK"]
foot = ["@ankle", "{s}HEE", "{s}TOE"]
"""


def test_an_optional_marker_may_lack_and_what_needs_it_stays_empty(tmp_path):
    """Without the malleolus: hip angles and forces, no shank, no foot (docs/marker-models.md)."""
    (tmp_path / "six.toml").write_text(LANDMARKS, encoding="utf-8")
    for name in ("walk", "static"):
        source = walk(Walker(), Recording()) if name == "walk" else standing()
        labels = tuple(ODD.get(label, label) for label in source.labels)
        labels = tuple("gone" if label == "LANK" else label for label in labels)
        write_trial(tmp_path / f"{name}.c3d", replace(source, labels=labels))
    options = Options(model=str(tmp_path / "six.toml"))
    found = process_trial(tmp_path / "walk.c3d", options)
    table = found.to_frame()
    assert "centre-unknown" in {f.code for f in found.findings}
    assert table["left_hip_angle_flexion"].notna().mean() > 0.9
    assert table["right_ankle_angle_dorsiflexion"].notna().mean() > 0.9
    for column in ("left_knee_angle_flexion", "left_ankle_angle_dorsiflexion"):
        assert table[column].isna().all()
    needed = LANDMARKS.replace('optional = ["ANK"]', "optional = []")
    (tmp_path / "six.toml").write_text(needed, encoding="utf-8")
    assert process_trial(tmp_path / "walk.c3d", options).sides.keys() == {"right"}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"{s}ANK" =', '"{s}ANX" =', "line 10: found '{s}ANX', wanted a marker with a meaning"),
        ("optional = ", "optionals = ", "line 4: found 'optionals', wanted one of"),
        ('["ANK"]', '["ANX"]', "line 4: found optional = ['ANX'], wanted markers with a meaning"),
        ("foot = ", "toes = ", "line 20: found 'toes', wanted one of pelvis, thigh, shank, foot"),
        ('"landmarks"', '"land"', "line 3: found engine = 'land', wanted chord, "),
        ('["@hip",', '["@hips",', "line 18: found thigh = ['@hips', "),
        ('["{s}HEE"]', '"{s}HEE"', "line 11: found {s}HEE = '{s}HEE', wanted a list of labels"),
    ],
)
def test_a_mistake_in_a_model_names_line_key_and_what_is_allowed(old, new, told):
    with pytest.raises(UsageError) as error:
        parse_model(LANDMARKS.replace(old, new, 1), "lab.toml")
    assert f"marker model lab.toml, {told}" in str(error.value)


def test_model_new_never_replaces_a_file_unless_told(lab, gaitdyn, tmp_path):
    words = ["model", "new", lab / "walk.c3d", "-o", "lab.toml"]
    words += [word for pair in RENAME for word in ("--rename", "=".join(pair))]
    done = gaitdyn(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "marker model: lab.toml\n"
    text = (tmp_path / "lab.toml").read_text(encoding="utf-8")
    again = gaitdyn(*words)
    assert again.returncode == 1
    assert again.stderr.strip() == (
        "gaitdyn: lab.toml already exists; choose another, or replace it with --force"
    )
    (tmp_path / "lab.toml").write_text("mine", encoding="utf-8")
    assert gaitdyn(*words, "--force").returncode == 0
    assert (tmp_path / "lab.toml").read_text(encoding="utf-8") == text
    assert gaitdyn(*words[:-6], "-o", "lab.csv").returncode == 2
    used = gaitdyn("process", lab / "walk.c3d", "--model", "lab.toml", "--no-figures", "-o", "out")
    assert used.returncode == 0, used.stderr

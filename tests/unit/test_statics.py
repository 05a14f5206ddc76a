"""Statics as laboratories make them: walking in them, folders beside, other persons, frames."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.calibrate.models.choice import choose_model
from gaitdyn.calibrate.statics.doubts import UNSAID, Candidate
from gaitdyn.calibrate.statics.files import (
    called_static,
    holds_statics,
    natural_order,
    searched_folders,
)
from gaitdyn.calibrate.statics.find import StaticChoice, choose, find_static
from gaitdyn.calibrate.statics.quiet import quiet_part
from gaitdyn.errors import NobodyWalks, StaticRefused, UsageError
from gaitdyn.io.recording import read_recording
from gaitdyn.pipeline import process_trial
from gaitdyn.session import plan_lines, plan_session, plan_trial
from gaitdyn.stages.labels import model_of
from gaitdyn.store.document import resolved_options
from gaitdyn.synthetic import Recording, Walk, Walker, WalkerBody, write_trial
from gaitdyn.trial import Result
from gaitdyn.types.options import Options, split_frames
from tests.walks import stand, walk

UNNAMED = Recording(subject="", parameters=False)


def with_walking(recording: Recording | None = None) -> Walk:
    """A calibration: one step aside, 1 s of standing, then the person walks away."""
    recording = recording or Recording()
    still = stand(Walker(), recording)
    gone = walk(Walker(), recording)
    hips = [gone.labels.index(x) for x in ("LASI", "RASI")]
    offset = still.markers_G[-1, hips].mean(axis=0) - gone.markers_G[0, hips].mean(axis=0)
    parts = (gone.markers_G[:60] + (offset - [2.0, 0.0, 0.0]), still.markers_G, gone.markers_G)
    markers = np.concatenate((*parts[:2], parts[2] + offset * (1.0, 0.0, 1.0)))
    n = len(markers)
    frame = recording.first_frame + np.arange(n)
    bare = np.zeros((n * recording.analog_ratio, 0))
    return replace(still, markers_G=markers, frame=frame, plates=(), channels=bare)


@pytest.fixture
def session(tmp_path) -> Path:
    """A folder with walk01.c3d and static.c3d."""
    return put(tmp_path / "visit")


def put(folder: Path, static: str = "static.c3d", trial: str = "walk01.c3d", **words: Any) -> Path:
    """Write a walk and its static."""
    recording = words.pop("recording", Recording())
    for name in (static, trial):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    write_trial(folder / trial, walk(Walker(), recording))
    write_trial(folder / static, stand(words.pop("stander", Walker()), recording))
    return folder


def run(path: Path, **words: Any) -> Result:
    return process_trial(path, Options(**words))


def test_a_static_with_walking_in_it_is_used_by_its_quiet_part(session):
    whole = run(session / "walk01.c3d")
    write_trial(session / "static.c3d", with_walking())
    found = run(session / "walk01.c3d")
    assert found.static is not None
    first, n = found.static.first_frame, found.static.n_frames
    assert abs(first - 161) < 12
    assert 75 <= n <= 101  # half a window is left at both ends
    assert any(f"static: frames {first}-{first + n - 1}, the longest part" in x for x in found.log)
    assert resolved_options(found)["static_frames"] == (first, first + n - 1)
    same(found, whole, 0.05)
    again = run(session / "walk01.c3d", static_frames=(first, first + n - 1))
    same(again, found, 0.0)


def same(one: Result, two: Result, limit: float) -> None:
    """Hold offsets and lengths of two calibrations together, deg and mm."""
    for side in ("left", "right"):
        a, b = one.calibration, two.calibration
        off = abs(a.offsets[side].static_plantar_flexion - b.offsets[side].static_plantar_flexion)
        assert np.degrees(off) <= limit
        assert np.abs(np.subtract(a.lengths_m[side], b.lengths_m[side])).max() <= 1e-3 * limit


def test_frames_of_the_static_can_be_chosen(session):
    write_trial(session / "static.c3d", with_walking())
    given = run(session / "walk01.c3d", static=f"{session / 'static.c3d'}:180-220")
    assert given.static is not None
    assert (given.static.first_frame, given.static.n_frames) == (180, 41)
    assert "static: frames 180-220 (given)" in given.log
    with pytest.raises(UsageError, match="the file has frames 101-"):
        run(session / "walk01.c3d", static=f"{session / 'static.c3d'}:5-220")


GERMAN = {
    "ASI": "SIAS", "PSI": "SIPS", "THI": "Oberschenkel", "KNE": "Knie", "TIB": "Unterschenkel",
    "ANK": "Knoechel", "HEE": "Ferse", "TOE": "Zehe",
}  # fmt: skip


def german(trial: Walk) -> Walk:
    sides = {"L": "li", "R": "re"}
    labels = (f"{GERMAN[x[1:]]} {sides[x[0]]}" if x[1:] in GERMAN else x for x in trial.labels)
    return replace(trial, labels=tuple(labels))


@pytest.mark.parametrize("static", ["static.c3d", "statics/static.c3d"])
def test_a_static_is_found_when_both_files_write_the_vendors_markers_in_other_words(
    tmp_path, static
):
    plain = run(put(tmp_path / "plain") / "walk01.c3d")
    folder = put(tmp_path / "german", static)
    write_trial(folder / "walk01.c3d", german(walk(Walker(), Recording())))
    write_trial(folder / static, german(stand(Walker(), Recording())))
    found = run(folder / "walk01.c3d")
    assert found.model == plain.model == "plug-in-gait"
    assert any(line.startswith("static: static.c3d") for line in found.log)
    same(found, plain, 0.0)
    write_trial(folder / static, german(with_walking()))
    same(run(folder / "walk01.c3d"), plain, 0.05)


@pytest.mark.parametrize(
    ("text", "file", "frames"),
    [
        ("cal.c3d", "cal.c3d", None),
        ("cal.c3d:200-300", "cal.c3d", (200, 300)),
        (r"C:\lab\cal.c3d", r"C:\lab\cal.c3d", None),
        (r"C:\lab\cal.c3d:200-300", r"C:\lab\cal.c3d", (200, 300)),
        ("D:cal.c3d:1-2", "D:cal.c3d", (1, 2)),
        ("cal.c3d:20", "cal.c3d:20", None),
    ],
)
def test_a_path_with_a_drive_keeps_its_colon(text, file, frames):
    assert split_frames(text) == (file, frames)
    options = Options(static=text)
    assert (options.static, options.static_frames) == (file, frames)


@pytest.mark.parametrize("text", ["x.c3d:300-200", "x.c3d:0-5"])
def test_frames_that_cannot_be_are_wrong_usage(text):
    with pytest.raises(UsageError, match="wanted the first and last"):
        Options(static=text)


def test_a_crouching_person_stands_still_too():
    """Knees are held against the straightest quiet posture, not against straight legs."""
    still = stand(Walker(), Recording())
    sample = as_read(still.markers_G, still)
    part = quiet_part(sample)
    assert part is not None
    assert part.whole
    assert quiet_part(as_read(walk(Walker(), Recording()).markers_G, still)) is None


def as_read(markers: np.ndarray, of: Walk) -> Any:
    from gaitdyn.types.recording import Recording as Read
    from gaitdyn.types.subject import Subject

    return Read("x", "", 100.0, 1, 1, of.labels, markers, {}, (), (), Subject())


def test_squats_are_cut_to_the_standing_before_them():
    still = stand(Walker(), Recording(static_s=3.0)).markers_G
    time = np.linspace(0.0, 4 * np.pi, 300)
    down = np.array([0.0, -0.15, 0.0]) * (1 - np.cos(time))[:, None, None]
    upper = [i for i, x in enumerate(stand(Walker(), Recording()).labels) if x[1:] in PELVIS]
    squat = still[:300].copy()
    squat[:, upper] += down
    part = quiet_part(as_read(np.concatenate((still, squat)), stand(Walker(), Recording())))
    assert part is not None
    assert part.start == 0
    assert 295 <= part.stop <= 330


PELVIS = ("ASI", "PSI")


@pytest.mark.parametrize(("degrees", "stands"), [(9.0, False), (12.0, True), (40.0, True)])
def test_a_longer_quiet_squat_is_no_standing(degrees: float, stands: bool) -> None:
    """1 s upright, then 2 s with the knees bent, 4 m from the origin; up to 10 degrees are none."""
    bend = np.radians(degrees) * np.clip((np.arange(320) - 100) / 20, 0.0, 1.0)
    legs = {"ANK": np.zeros((320, 3)), "KNE": np.stack((0 * bend, 0 * bend + 0.4, 0 * bend), 1)}
    legs["ASI"] = legs["KNE"] + 0.5 * np.stack((-np.sin(bend), np.cos(bend), 0 * bend), axis=1)
    step = 0.07 * (np.arange(320) >= 110)[:, None] * [1.0, 0.0, 0.0]  # or all of it were quiet
    labels = [f"{side}{name}" for side in "LR" for name in legs]
    points = [p + step + (4.0, 0.0, 0.1 if x == "R" else -0.1) for x in "LR" for p in legs.values()]
    made = replace(stand(Walker(), Recording()), labels=tuple(labels))
    part = quiet_part(as_read(np.stack(points, axis=1), made))
    assert part is not None
    assert part.stop - part.start == pytest.approx(100 if stands else 200, abs=12)
    assert (part.start == 0) == stands


def test_a_static_in_which_nobody_stands_is_used_and_said(session):
    write_trial(session / "other.c3d", walk(Walker(), Recording(strides=2.0)))
    found = run(session / "walk01.c3d", static=str(session / "other.c3d"))
    assert "static-moves" in {f.code for f in found.findings}
    assert found.to_frame()["left_knee_angle_flexion"].notna().mean() > 0.9


def standing_before(trial: Walk, n: int = 100) -> Walk:
    """The trial after n frames in which the person stands, then moves into its first frame."""
    still = stand(Walker(), trial.recording)
    hips = [trial.labels.index(x) for x in ("LASI", "RASI")]
    offset = trial.markers_G[0, hips].mean(axis=0) - still.markers_G[-1, hips].mean(axis=0)
    stood = still.markers_G[-1:] + offset * (1.0, 0.0, 1.0)
    share = np.linspace(0.0, 1.0, 60)[:, None, None]
    share = share**2 * (3.0 - 2.0 * share)
    between = (1.0 - share) * stood + share * trial.markers_G[:60]
    markers = np.concatenate((np.repeat(stood, n, axis=0), between, trial.markers_G[60:]))
    frame = trial.recording.first_frame + np.arange(len(markers))
    bare = np.zeros((len(markers) * trial.recording.analog_ratio, 0))
    return replace(trial, markers_G=markers, frame=frame, plates=(), channels=bare)


def test_frames_of_the_trial_itself_can_be_its_static(tmp_path):
    trial = standing_before(walk(Walker(), Recording(events=False)))
    path = tmp_path / "walk01.c3d"
    write_trial(path, trial)
    found = find_static(path, read_recording(path), Options())
    assert found.path is None
    advice = "or use the frames in which the person stands: --static walk01.c3d:101-"
    assert advice in found.reason
    last = int(found.reason.partition(advice)[2])
    assert 190 <= last <= 220
    result = process_trial(path, Options(static=str(path), static_frames=(101, last)))
    assert result.static is not None
    assert result.static.n_frames == last - 100
    text = 'static = "walk01.c3d:101-190"\n[trials."walk01.c3d"]\nuse = true\n'
    (tmp_path / "session.toml").write_text(text)
    (planned,) = plan_session(tmp_path).trials
    assert (planned.role, planned.options.static_frames) == ("dynamic", (101, 190))


def test_the_trial_itself_is_no_static(session):
    with pytest.raises(StaticRefused, match="is the trial itself"):
        run(session / "walk01.c3d", static=str(session / "walk01.c3d"))


@pytest.mark.parametrize(
    "static",
    [
        "static/cal01.c3d",
        "Statics/a.c3d",
        "calibration/a.c3d",
        "cal/standing.c3d",
        "Static Trials/a.c3d",
        "Kalibrierung/a.c3d",
        "dynamic/static/a.c3d",
        "static01.c3d",
    ],
)
def test_folders_beside_and_above_are_looked_into(tmp_path, static):
    put(tmp_path, static, "dynamic/walk01.c3d")
    path = tmp_path / "dynamic" / "walk01.c3d"
    found = find_static(path, read_recording(path), Options())
    assert found.path == tmp_path / static
    assert "same person, all model markers, in " in found.reason
    (planned,) = [t for t in plan_session(path.parent).trials if t.path.name == "walk01.c3d"]
    assert planned.options.static == str(tmp_path / static)
    assert planned.static_reason == found.reason
    assert run(path).static is not None


def test_of_too_many_recordings_statics_are_looked_at_first_and_the_others_told(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (session / "static.c3d").rename(session / "zz static.c3d")
    for name in ("a.c3d", "b.c3d", "c.c3d"):
        shutil.copyfile(session / "walk01.c3d", session / name)
    path = session / "walk01.c3d"
    assert "looked at" not in find_static(path, read_recording(path), Options()).reason
    monkeypatch.setattr("gaitdyn.calibrate.statics.files._MOST_FILES", 2)
    found = find_static(path, read_recording(path), Options())
    assert found.path == session / "zz static.c3d"
    assert found.reason.endswith("; of 4 recordings in visit/ 2 were looked at")


def test_an_export_above_the_folder_is_no_static(tmp_path):
    put(tmp_path, "walk01.gaitdyn.static.c3d", "dynamic/walk01.c3d")
    path = tmp_path / "dynamic" / "walk01.c3d"
    found = find_static(path, read_recording(path), Options())
    assert found.path is None
    assert "gaitdyn.static" not in found.reason


def test_a_file_of_another_folder_is_not_searched(tmp_path):
    put(tmp_path, "elsewhere/static.c3d", "dynamic/walk01.c3d")
    path = tmp_path / "dynamic" / "walk01.c3d"
    assert find_static(path, read_recording(path), Options()).path is None


def test_without_names_of_persons_the_only_file_in_which_somebody_stands_is_the_static(tmp_path):
    put(tmp_path, "Trial 1.c3d", "walk01.c3d", recording=UNNAMED)
    shutil.copy(tmp_path / "walk01.c3d", tmp_path / "walk02.c3d")
    path = tmp_path / "walk01.c3d"
    found = find_static(path, read_recording(path), Options())
    assert found.path == tmp_path / "Trial 1.c3d"
    assert "the only one in which somebody stands" in found.reason
    (planned,) = [t for t in plan_session(tmp_path).trials if t.path.name == "walk01.c3d"]
    assert (planned.options.static, planned.static_reason) == (str(found.path), found.reason)
    shutil.copy(tmp_path / "Trial 1.c3d", tmp_path / "Ruhe.c3d")
    found = find_static(path, read_recording(path), Options())
    assert (found.path, found.reason.count(UNSAID)) == (None, 2)
    shutil.copy(tmp_path / "Trial 1.c3d", tmp_path / "Kalibrierung.c3d")
    assert find_static(path, read_recording(path), Options()).path == tmp_path / "Kalibrierung.c3d"


def test_a_file_in_which_somebody_sits_still_is_no_static_unless_it_is_called_one(tmp_path):
    put(tmp_path, "a.c3d", "walk01.c3d", recording=UNNAMED)
    path = tmp_path / "walk01.c3d"
    trial, sitting = read_recording(path), read_recording(tmp_path / "a.c3d")
    above = [i for i, label in enumerate(sitting.labels) if label in ("LASI", "RASI")]
    seated = sitting.markers_L.copy()
    seated[:, above, 2] -= 0.4
    seated[:, above, 0] -= 0.4
    match = choose_model(trial)
    walk = Candidate(path, frozenset(), trial)
    for called in (False, True):
        other = Candidate(
            tmp_path / "a.c3d", frozenset(), replace(sitting, markers_L=seated), called
        )
        found = choose(walk, match, [other], Options())
        assert (found.path is not None) == called
    assert (
        "nobody stands upright"
        in choose(walk, match, [replace(other, called=False)], Options()).reason
    )


def test_of_several_statics_the_one_whose_name_agrees_with_the_trial_is_taken(tmp_path):
    put(tmp_path, "static_S01.c3d", "walk_S01.c3d", recording=UNNAMED)
    for name in ("static_S02", "static barefoot", "static AFO"):
        shutil.copy(tmp_path / "static_S01.c3d", tmp_path / f"{name}.c3d")
    for name in ("walk_S02", "AFO 1", "barefoot 2", "zz"):
        shutil.copy(tmp_path / "walk_S01.c3d", tmp_path / f"{name}.c3d")
    for walked, stood in (
        ("walk_S01", "static_S01"), ("walk_S02", "static_S02"), ("AFO 1", "static AFO"),
        ("barefoot 2", "static barefoot"), ("zz", "static_S02"),
    ):  # fmt: skip
        path = tmp_path / f"{walked}.c3d"
        found = find_static(path, read_recording(path), Options())
        assert (walked, found.path) == (walked, tmp_path / f"{stood}.c3d")


@pytest.mark.parametrize(("moved", "taken"), [("THI TIB HEE TOE ASI", False), ("ASI", True)])
def test_a_static_that_names_nobody_has_its_markers_where_the_trial_has_them(
    tmp_path, moved, taken
):
    """Markers 60 mm lower on the body, but not on knees and ankles: the shanks are as long."""
    put(tmp_path, recording=UNNAMED)
    still = stand(Walker(), UNNAMED)
    markers = still.markers_G.copy()
    sides = "LR" if not taken else "L"
    markers[:, [still.labels.index(s + x) for s in sides for x in moved.split()], 1] -= 0.06
    write_trial(tmp_path / "static.c3d", replace(still, markers_G=markers))
    trial = read_recording(tmp_path / "walk01.c3d")
    choice = find_static(tmp_path / "walk01.c3d", trial, Options(), choose_model(trial))
    assert (choice.path is not None) == taken
    if not taken:
        told = (
            r"no static fits \(static.c3d: another person or marker set: distances within segments "
        )
        assert re.match(told + r"differ by \d\d mm on average, limit 14\); name one", choice.reason)


def test_files_without_names_in_a_folder_of_statics_need_the_same_shanks(tmp_path):
    put(tmp_path / "a", "static/x.c3d", "walk01.c3d", recording=UNNAMED)
    path = tmp_path / "a" / "walk01.c3d"
    found = find_static(path, read_recording(path), Options())
    assert found.path == tmp_path / "a" / "static" / "x.c3d"
    assert "the files name no subject" in found.reason
    put(tmp_path / "c", "static.c3d", "walk01.c3d", recording=UNNAMED, stander=shorter(0.95))
    path = tmp_path / "c" / "walk01.c3d"
    assert (
        "another person: knee to ankle" in find_static(path, read_recording(path), Options()).reason
    )


def shorter(by: float) -> Walker:
    body = WalkerBody()
    legs = {
        side: replace(getattr(body, side), shank_m=by * getattr(body, side).shank_m)
        for side in ("left", "right")
    }
    return Walker(body=replace(body, **legs))


@pytest.mark.parametrize("by", [0.96, 1.04])
def test_a_static_of_another_person_is_refused_unless_said(session, by):
    write_trial(session / "static.c3d", stand(shorter(by), Recording()))
    path, static = session / "walk01.c3d", str(session / "static.c3d")
    with pytest.raises(StaticRefused, match="give --other-person") as error:
        run(path, static=static)
    assert "knee to ankle differs on both legs" in str(error.value)
    taken = run(path, static=static, other_person=True)
    assert "other-person" in {f.code for f in taken.findings}
    assert resolved_options(taken)["other_person"] is True


def test_a_standing_trial_is_told_before_the_static_of_somebody_else_beside_it(session):
    write_trial(session / "other.c3d", stand(shorter(0.9), Recording()))
    with pytest.raises(NobodyWalks, match="nobody walks in it"):
        run(session / "static.c3d", static=str(session / "other.c3d"))


def test_two_per_cent_or_one_leg_are_the_same_person(session):
    for walker in (shorter(0.98), one_leg()):
        write_trial(session / "static.c3d", stand(walker, Recording()))
        run(session / "walk01.c3d", static=str(session / "static.c3d"))


def one_leg() -> Walker:
    body = shorter(0.95).body
    return Walker(body=replace(body, right=WalkerBody().right))


def test_another_name_is_another_person_and_no_name_is_told(session):
    write_trial(session / "static.c3d", stand(Walker(), Recording(subject="Berta Example")))
    with pytest.raises(StaticRefused) as error:
        run(session / "walk01.c3d", static=str(session / "static.c3d"))
    assert "another person's" in str(error.value)
    assert "Berta" not in str(error.value)
    write_trial(session / "static.c3d", stand(Walker(), Recording(subject="syn-01")))
    run(session / "walk01.c3d", static=str(session / "static.c3d"))


def test_a_mass_that_is_far_off_is_a_warning(session):
    heavy = Walker(body=replace(WalkerBody(), mass_kg=82.0))
    write_trial(session / "static.c3d", stand(heavy, Recording()))
    found = run(session / "walk01.c3d", static=str(session / "static.c3d"))
    assert "static-mass" in {f.code for f in found.findings}


def test_a_marker_seen_in_less_than_a_tenth_of_the_static_does_not_count(session):
    still = stand(Walker(), Recording(gaps=()))
    ghost = replace(
        still,
        labels=(*still.labels, "LMED"),
        markers_G=np.concatenate((still.markers_G, still.markers_G[:, 4:5]), axis=1),
        recording=Recording(gaps=(("LMED", 106, 300),)),
    )
    write_trial(session / "static.c3d", ghost)
    found = run(session / "walk01.c3d")
    assert "static-ghost" in {f.code for f in found.findings}
    told = " frames: LMED (5); not used, as a landmark counts if it is visible in a tenth of"
    assert any(told in line for line in found.log)
    write_trial(session / "static.c3d", still)
    same(found, run(session / "walk01.c3d"), 0.0)


def test_a_point_that_nobody_named_is_no_ghost_to_speak_of(session):
    still = stand(Walker(), Recording(gaps=()))
    ghost = replace(
        still,
        labels=(*still.labels, "*7"),
        markers_G=np.concatenate((still.markers_G, still.markers_G[:, 4:5]), axis=1),
        recording=Recording(gaps=(("*7", 106, 300),)),
    )
    write_trial(session / "static.c3d", ghost)
    assert "static-ghost" not in {f.code for f in run(session / "walk01.c3d").findings}


def test_process_obeys_a_session_file_of_the_folder_or_the_one_above(tmp_path):
    put(tmp_path, "dynamic/standing pose.c3d", "dynamic/walk01.c3d")
    shutil.copy(tmp_path / "dynamic" / "standing pose.c3d", tmp_path / "cal.c3d")
    path = tmp_path / "dynamic" / "walk01.c3d"
    text = (
        'static = "cal.c3d:110-150"\n[subject]\nmass_kg = 66\n[options]\ncutoff = 6\n'
        '[rename]\n"old knee" = "LKNE"\n[trials."dynamic/walk01.c3d"]\nassign = "1=left"\n'
    )
    (tmp_path / "session.toml").write_text(text, encoding="utf-8")
    plan = plan_trial(path, {"mass_kg": 70.0})
    found = plan.options
    told, static = plan_lines(plan)
    assert static == "static by the session: session.toml"
    assert "rename (session.toml [rename])" in told
    assert "cutoff (session.toml [options])" in told
    assert "assign (session.toml)" in told
    assert found.static == str(tmp_path / "cal.c3d")
    assert found.static_frames == (110, 150)
    assert (found.cutoff_hz, found.mass_kg) == (6.0, 70.0)
    assert found.subject == str(tmp_path / "session.toml")
    assert found.rename == (("old knee", "LKNE"),)
    assert found.assign[0].side == "left"
    (batch,) = [t for t in plan_session(path.parent).trials if t.path.name == "walk01.c3d"]
    assert replace(batch.options, mass_kg=70.0) == found
    own = path.parent / "session.toml"
    own.write_text("[options]\ncutoff = 8\n", encoding="utf-8")
    assert plan_trial(path).options.cutoff_hz == 8.0
    assert plan_trial(path).options.static == str(path.parent / "standing pose.c3d")
    own.write_text('[trials."walk01.c3d"]\nuse = false\n', encoding="utf-8")
    (left_out,) = (line for line in plan_lines(plan_trial(path)) if line.startswith("left out"))
    assert left_out == (
        "left out of the session (session.toml: use = false), processed because it was named"
    )


def test_without_a_session_file_the_words_of_the_command_stay_as_they_are(session):
    plan = plan_trial(session / "walk01.c3d", {"cutoff_hz": 7.0})
    assert plan.options == Options(cutoff_hz=7.0)
    assert plan_lines(plan) == []


def test_the_static_of_a_session_is_read_once_for_its_trials_and_again_when_it_changed(
    session, monkeypatch
):
    static = session / "static.c3d"
    trials = [session / "walk01.c3d", session / "again.c3d"]
    shutil.copy(*trials)
    read: list[str] = []

    def counted(path: str, *args: Any, **more: Any) -> Any:
        read.append(Path(path).name)
        return read_recording(path, *args, **more)

    monkeypatch.setattr("gaitdyn.stages.standing.read_recording", counted)
    first, second = (process_trial(trial, Options(static=str(static))) for trial in trials)
    assert read == ["static.c3d"]
    assert first.static is not None
    assert second.static is not None
    assert first.static.sha256 == second.static.sha256
    static.write_bytes(static.read_bytes() + bytes(512))
    third = process_trial(trials[0], Options(static=str(static)))
    assert read == ["static.c3d"] * 2
    assert third.static is not None
    assert third.static.sha256 != first.static.sha256


def test_a_file_of_another_marker_set_is_no_static_unless_it_is_called_one(tmp_path):
    put(tmp_path, "a.c3d", "walk01.c3d", recording=UNNAMED)
    path, still = tmp_path / "walk01.c3d", stand(Walker(), UNNAMED)
    odd = ("LASI", "RASI", "LTOE", "RTOE", "LHEE", "RHEE")
    labels = tuple(x if x in odd else f"Q{i}x" for i, x in enumerate(still.labels))
    write_trial(tmp_path / "a.c3d", replace(still, labels=labels))
    ladder = Options(model="ladder")
    trial = read_recording(path)
    match = choose_model(trial, "ladder")
    found = find_static(path, trial, ladder, match)
    assert (found.path, "markers of the trial" in found.reason) == (None, True)
    shutil.move(tmp_path / "a.c3d", tmp_path / "static.c3d")
    assert find_static(path, trial, ladder, match).path == tmp_path / "static.c3d"
    labels = tuple(f"Q{i}x" for i in range(len(still.labels)))
    write_trial(tmp_path / "static.c3d", replace(still, labels=labels))
    found = find_static(path, trial, ladder, match)
    assert (found.path, "markers of the trial" in found.reason) == (None, True)


@pytest.mark.parametrize("model", ["auto", "ladder"])
def test_a_static_of_another_marker_set_of_the_person_gives_way_to_that_of_the_trial(
    tmp_path: Path, model: str
) -> None:
    """The last one before the walk was taken: both show the same person who stands."""
    still, path = stand(Walker(), Recording()), tmp_path / "walk3.c3d"
    write_trial(path, german(walk(Walker(), Recording())))
    write_trial(tmp_path / "static1.c3d", german(still))
    write_trial(tmp_path / "static2.c3d", still)
    trial, options = read_recording(path), Options(model=model)

    def found() -> StaticChoice:
        return find_static(path, trial, options, model_of(trial, options))

    assert found().path == tmp_path / "static1.c3d"
    (tmp_path / "static1.c3d").unlink()
    if model == "auto":  # the vendor's markers, in other words
        assert found().path == tmp_path / "static2.c3d"
    else:
        told = "no static fits (static2.c3d: lacks 16 of 16 markers of the trial); name one with"
        assert (found().path, found().reason[: len(told)]) == (None, told)


def test_of_several_statics_the_one_with_the_markers_of_the_trial_is_taken(tmp_path):
    """A knee marker was placed 20 mm lower after the first walk."""
    put(tmp_path, "static1.c3d", "walk1.c3d")
    still, moved = stand(Walker(), Recording()), walk(Walker(), Recording())
    for name, one in (("static2.c3d", still), ("walk3.c3d", moved), ("a walk.c3d", moved)):
        markers = one.markers_G.copy()
        for knee, ankle in (("LKNE", "LANK"), ("RKNE", "RANK")):
            down = markers[:, one.labels.index(ankle)] - markers[:, one.labels.index(knee)]
            down /= np.linalg.norm(down, axis=1)[:, None]
            markers[:, one.labels.index(knee)] += 0.012 * down
        write_trial(tmp_path / name, replace(one, markers_G=markers))
    shutil.copy(tmp_path / "walk1.c3d", tmp_path / "walk9.c3d")  # sorts after both statics
    for walked, stood in (("walk1", 1), ("walk3", 2), ("walk9", 1), ("a walk", 2)):
        path = tmp_path / f"{walked}.c3d"
        found = find_static(path, read_recording(path), Options())
        assert (walked, found.path) == (walked, tmp_path / f"static{stood}.c3d")
        (planned,) = [t for t in plan_session(tmp_path).trials if t.path == path]
        assert planned.options.static == str(found.path)
        assert "the one of 2 that agrees best in markers and name" in found.reason
    (tmp_path / "static2.c3d").write_bytes((tmp_path / "static1.c3d").read_bytes())
    path = tmp_path / "a walk.c3d"
    assert (
        "the first one after the trial" in find_static(path, read_recording(path), Options()).reason
    )


def test_a_static_of_nobody_gives_way_to_a_file_in_which_the_markers_lie_much_nearer(
    tmp_path: Path,
) -> None:
    """One that was called a static, of another person of nearly the same size, was taken."""
    put(tmp_path, "Ruhe.c3d", "walk01.c3d", recording=UNNAMED)
    still, path = stand(Walker(), UNNAMED), tmp_path / "walk01.c3d"
    own, other = still.markers_G, still.markers_G.copy()
    wide = [i for i, label in enumerate(still.labels) if label[1:] in {"ASI", "PSI", "THI", "TOE"}]
    for away_m, taken in ((0.008, "Ruhe.c3d"), (0.0, "static.c3d")):
        other[:, wide] = own[:, wide] + away_m * np.sign(own[:, wide] - own.mean(axis=1)[:, None])
        write_trial(tmp_path / "static.c3d", replace(still, markers_G=other))
        found = find_static(path, read_recording(path), Options())
        assert found.path == tmp_path / taken
        (planned,) = [t for t in plan_session(tmp_path).trials if t.path == path]
        assert planned.options.static == str(found.path)
        told = "its markers lie nearer to the trial's than those of static.c3d (0 against"
        assert found.reason.startswith(told) == bool(away_m)


@pytest.mark.parametrize("name", ["*{}", "C_{}", "Unlabeled {}"])
@pytest.mark.parametrize("files", ["walk01.c3d", "walk01.c3d static.c3d"])
def test_points_that_nobody_named_do_not_tell_a_static_from_its_walk(
    tmp_path: Path, files: str, name: str
) -> None:
    """With more of them than markers a walk was refused its own static: too few markers shared, or
    distances that differ, as one name is another point in each file.
    """
    put(tmp_path, recording=UNNAMED)
    places = np.random.default_rng(1).uniform(0.0, 0.5, (2, 20, 3))
    parts = {"walk01.c3d": walk(Walker(), UNNAMED), "static.c3d": stand(Walker(), UNNAMED)}
    for at, file in zip(places, files.split(), strict=False):
        points = np.broadcast_to(at, (len(parts[file].markers_G), *at.shape))
        labels = (*parts[file].labels, *(name.format(i) for i in range(101, 121)))
        markers = np.concatenate([parts[file].markers_G, points], axis=1)
        write_trial(tmp_path / file, replace(parts[file], labels=labels, markers_G=markers))
    path = tmp_path / "walk01.c3d"
    for model in ("auto", "ladder"):
        found = find_static(path, read_recording(path), Options(model=model))
        assert found.path == tmp_path / "static.c3d", found.reason


@pytest.mark.parametrize("names", ["FP{}_{}", "Walker{}{}", "Stick{}{}"])
@pytest.mark.parametrize("files", ["walk01.c3d", "walk01.c3d static.c3d"])
def test_named_objects_that_lie_elsewhere_do_not_tell_a_static_from_its_walk(
    tmp_path: Path, files: str, names: str
) -> None:
    """Corners of plates and sticks that lay still in the walk made it refuse its own static."""
    put(tmp_path, recording=UNNAMED)
    labels = [names.format(a, b) for a in range(1, 6) for b in range(1, 5)]
    places = np.random.default_rng(1).uniform(0.0, 0.5, (2, len(labels), 3))
    parts = {"walk01.c3d": walk(Walker(), UNNAMED), "static.c3d": stand(Walker(), UNNAMED)}
    for at, file in zip(places, files.split(), strict=False):
        points = np.broadcast_to(at, (len(parts[file].markers_G), *at.shape))
        markers = np.concatenate([parts[file].markers_G, points], axis=1)
        own = (*parts[file].labels, *labels)
        write_trial(tmp_path / file, replace(parts[file], labels=own, markers_G=markers))
    path = tmp_path / "walk01.c3d"
    for model in ("auto", "ladder"):
        found = find_static(path, read_recording(path), Options(model=model))
        assert found.path == tmp_path / "static.c3d", found.reason


def test_a_raised_number_in_a_file_name_is_sorted_as_a_letter() -> None:
    """``int`` reads no raised number, though it counts as a digit."""
    names = ["walk10.c3d", "walk1²3.c3d", "walk1²10.c3d", "walk2.c3d"]
    found = sorted(names, key=natural_order)
    assert found == ["walk1²3.c3d", "walk1²10.c3d", "walk2.c3d", "walk10.c3d"]


def test_in_the_folder_above_only_what_is_called_a_static_is_looked_at(tmp_path: Path) -> None:
    folders = {
        "day": ("first walk.c3d", "estática 1.c3d", "note.txt"),
        "day/walks": ("walk 1.c3d", "walk 2.c3d"),
        "day/Calib": ("anything.c3d",),
        "day/walks/statics": ("standing.c3d",),
        "day/left out": ("static.c3d",),
    }
    for folder, files in folders.items():
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        for name in files:
            (tmp_path / folder / name).touch()
    found = [
        (folder.name, [file.name for file in files], rest)
        for folder, files, rest in searched_folders(tmp_path / "day" / "walks" / "walk 2.c3d")
    ]
    assert found == [
        ("walks", ["walk 1.c3d"], ""),
        ("statics", ["standing.c3d"], ""),
        ("Calib", ["anything.c3d"], ""),
        ("day", ["estática 1.c3d"], ""),
    ]
    decomposed = "esta\u0301tica"  # as macOS stores the name
    assert called_static(decomposed)
    assert holds_statics(decomposed)


@pytest.mark.parametrize("lacking", ["TOE HEE ANK", "ASI PSI"])
def test_without_feet_or_pelvis_nobody_is_known_to_stand(lacking: str) -> None:
    still = stand(Walker(), Recording())
    kept = [i for i, label in enumerate(still.labels) if label[1:] not in lacking.split()]
    some = replace(still, labels=tuple(still.labels[i] for i in kept))
    assert quiet_part(as_read(still.markers_G, still)) is not None
    assert quiet_part(as_read(still.markers_G[:, kept], some)) is None


def test_a_file_beside_the_trial_that_cannot_be_read_is_named(session, tmp_path: Path) -> None:
    path = tmp_path / "alone" / "walk01.c3d"
    path.parent.mkdir()
    shutil.copy(session / "walk01.c3d", path)
    trial = read_recording(path)
    nothing = find_static(path, trial, Options()).reason
    assert "no other recording is near the trial; name one with --static" in nothing
    (path.parent / "static.c3d").write_bytes(b"x" * 2000)
    choice = find_static(path, trial, Options())
    assert choice.path is None
    assert "no static found: static.c3d cannot be read; name one with --static" in choice.reason

"""Plug-in Gait as laboratories send it: no heels in the walk, no widths, no leg lengths."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.pipeline import process_trial
from gaitdyn.provenance.rerun import recorded_run
from gaitdyn.stages.no_static import _no_static
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.synthetic import Recording, Walk, write_trial
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.options import Options
from tests.unit.walker_roles import WALKER
from tests.walks import curve_values, stand, walk, without

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.trial import Result

FAST = Recording(rate_hz=200.0, analog_ratio=5, marker_diameter=True)
HEELS = ("LHEE", "RHEE")
SIDES = ("left", "right")


def emptied(trial: Walk, *labels: str) -> Walk:
    markers = trial.markers_G.copy()
    markers[:, [trial.labels.index(label) for label in labels]] = np.nan
    return replace(trial, markers_G=markers)


def still(recording: Recording = FAST) -> Walk:
    return stand(WALKER, replace(recording, gaps=(), events=False))


def run(folder: Path, trial: Walk, static: Walk | None, **more: Any) -> Result:
    write_trial(folder / "walk.c3d", trial, stream=1)
    options: dict[str, Any] = {"cutoff_hz": None, "force_cutoff_hz": None, "static": "none"}
    if static is not None:
        write_trial(folder / "static.c3d", static)
        options["static"] = str(folder / "static.c3d")
    return process_trial(folder / "walk.c3d", Options(**options | more))


def apart(first: Result, second: Result, *words: str) -> float:
    ours, theirs = curve_values(first), curve_values(second)
    names = [n for n in ours if all(word in n for word in words)]
    assert names
    return max(float(np.nanmax(np.abs(ours[n] - theirs[n]))) for n in names)


@pytest.fixture(scope="module")
def trial() -> Walk:
    return walk(WALKER, FAST)


@pytest.fixture(scope="module")
def whole(trial: Walk, tmp_path_factory: pytest.TempPathFactory) -> Result:
    return run(tmp_path_factory.mktemp("whole"), trial, still())


@pytest.mark.parametrize("how", [without, emptied])
def test_a_walk_without_heels_has_the_numbers_of_one_with_them(
    how: Any, trial: Walk, whole: Result, tmp_path: Path
) -> None:
    """The dynamic foot of Plug-in Gait never uses the heel; the static's offsets turn it."""
    found = run(tmp_path, how(trial, *HEELS), still())
    assert found.model == "plug-in-gait"
    for words in (("angle",), ("center",), ("moment",), ("power",)):
        assert apart(found, whole, *words) < 1e-9
    step = found.rung("left", "foot")
    assert step is not None
    assert (step.rung, step.seen_in) == ("toe-static-offsets", "static")


def test_contacts_and_events_do_not_need_the_heel(
    trial: Walk, whole: Result, tmp_path: Path
) -> None:
    bare = replace(without(trial, *HEELS), recording=replace(trial.recording, events=False))
    for static in (still(), without(still(), *HEELS)):
        found = run(tmp_path, bare, static)
        assert [(c.plate, c.side, c.verdict) for c in found.contacts] == [
            (c.plate, c.side, c.verdict) for c in whole.contacts
        ]
        strikes = {s: [e.time_s for e in found.events if (e.side, e.kind) == (s, "foot_strike")]
                   for s in SIDES}  # fmt: skip
        true = {s: [e.time_s for e in whole.events if (e.side, e.kind) == (s, "foot_strike")]
                for s in SIDES}  # fmt: skip
        for side in SIDES:
            for time in strikes[side]:
                assert min(abs(time - other) for other in true[side]) < 0.05


def test_the_vendors_profile_takes_the_foot_length_of_the_static(
    trial: Walk, tmp_path: Path
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    profile = {"profile": "plug-in-gait"}
    full = run(tmp_path / "a", trial, still(), **profile)
    bare = run(tmp_path / "b", without(trial, *HEELS), still(), **profile)
    assert apart(full, bare, "moment") < 1e-4  # N m; single precision of the heel


def test_offsets_stored_in_the_trial_turn_the_foot_where_no_static_shows_a_heel(
    whole: Result, tmp_path: Path
) -> None:
    storing = replace(FAST, offsets=True)
    found = run(tmp_path, without(walk(WALKER, storing), *HEELS), None)
    assert apart(found, whole, "ankle_angle") < 0.01
    step = found.rung("right", "foot")
    assert step is not None
    assert (step.rung, step.seen_in) == ("toe-stored-offsets", "parameters")


def test_without_heel_and_offsets_the_ankle_has_no_true_zero_and_it_is_said(
    trial: Walk, whole: Result, tmp_path: Path
) -> None:
    found = run(tmp_path, without(trial, *HEELS), without(still(), *HEELS))
    assert apart(found, whole, "knee_angle") < 1e-9
    assert apart(found, whole, "ankle_angle_dorsiflexion") > 1.0
    assert "foot-without-heel" in {f.code for f in found.findings if f.level == "warning"}


def test_without_a_static_the_feet_are_the_lines_from_heel_to_toe(
    trial: Walk, whole: Result, tmp_path: Path
) -> None:
    """The offsets are means over stance: 0.3 degrees of the static's were reached."""
    bare = replace(trial, recording=replace(trial.recording, offsets=False))
    found = run(tmp_path, bare, None)
    assert apart(found, whole, "ankle_angle_dorsiflexion") < 0.5
    message = next(f.message for f in found.findings if f.code == "no-static")
    assert "means over stance" in message


# ---------------------------------------------------------------- corrections of the vendor model


def with_sacrum(trial: Walk, seen: float = 1.0) -> Walk:
    """Return the trial with a sacrum marker 30 mm above the middle of the PSIS."""
    at = [trial.labels.index(label) for label in ("LPSI", "RPSI")]
    place = trial.markers_G[:, at].mean(axis=1) + np.array([0.0, 0.03, 0.0])
    place[int(seen * len(place)) :] = np.nan
    markers = np.concatenate([trial.markers_G, place[:, None]], axis=1)
    return replace(trial, labels=(*trial.labels, "SACR"), markers_G=markers)


def test_a_real_sacrum_marker_goes_before_the_psis(
    trial: Walk, whole: Result, tmp_path: Path
) -> None:
    both = with_sacrum(trial)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    found = run(tmp_path / "a", both, with_sacrum(still()))
    alone = run(
        tmp_path / "b", without(both, "LPSI", "RPSI"), without(with_sacrum(still()), "LPSI", "RPSI")
    )
    assert apart(found, alone, "angle") < 1e-9
    assert apart(found, whole, "pelvis_angle_tilt") > 5.0
    step = found.rung("left", "pelvis")
    assert step is not None
    assert step.rung == "asis-sacrum"


def test_a_sacrum_marker_that_is_hardly_ever_seen_is_none(
    trial: Walk, whole: Result, tmp_path: Path
) -> None:
    found = run(tmp_path, with_sacrum(trial, 0.1), still())
    assert apart(found, whole, "pelvis_angle") < 1e-9
    step = found.rung("left", "pelvis")
    assert step is not None
    assert step.rung == "asis-psis"


@pytest.mark.parametrize(
    ("typed_mm", "level"), [(10, "info"), (40, "warning"), (-40, "info"), (-90, "warning")]
)
def test_a_stated_distance_of_the_asis_is_held_to_the_markers(
    typed_mm: int, level: str, tmp_path: Path
) -> None:
    """Markers may lie further apart than the bones on a large belly, hardly closer together."""
    body = replace(WALKER.body, inter_asis_m=WALKER.body.inter_asis_m + typed_mm / 1000)
    static = replace(still(replace(FAST, inter_asis=True)), walker=replace(WALKER, body=body))
    found = run(tmp_path, walk(WALKER, FAST), static)
    (told,) = (f for f in found.findings if f.code == "inter-asis-unlike")
    assert (told.level, told.value) == (level, pytest.approx(typed_mm, abs=0.5))


def test_the_distance_of_the_asis_is_the_statics(tmp_path: Path) -> None:
    """A number of an earlier session in the trial does not count beside a static."""
    body = replace(WALKER.body, inter_asis_m=WALKER.body.inter_asis_m + 0.03)
    stale = replace(walk(WALKER, replace(FAST, inter_asis=True)), walker=replace(WALKER, body=body))
    true = 1000 * WALKER.body.inter_asis_m
    found = run(tmp_path, stale, still(replace(FAST, inter_asis=False)))
    assert 1000 * found.calibration.inter_asis_m == pytest.approx(true, abs=0.01)
    assert "inter-asis-differs" in {f.code for f in found.findings}
    alone = run(tmp_path, stale, None)
    assert 1000 * alone.calibration.inter_asis_m == pytest.approx(true + 30, abs=0.01)
    typed = run(
        tmp_path, stale, replace(still(replace(FAST, inter_asis=True)), walker=stale.walker)
    )
    assert 1000 * typed.calibration.inter_asis_m == pytest.approx(true + 30, abs=0.01)


# ---------------------------------------------------------------- measurements

NOTHING = replace(FAST, parameters=False)


def drawn(trial: Walk) -> Walk:
    """Return the trial with the knee and ankle centres that the vendor draws."""
    labels, places = [*trial.labels], [trial.markers_G]
    for side in SIDES:
        motion = trial.leg(side).motion  # type: ignore[arg-type]
        for name, i in (("FEO", 1), ("TIO", 0)):
            labels.append(side[0].upper() + name)
            places.append(motion.r_prox_G[:, i][:, None])
    return replace(trial, labels=tuple(labels), markers_G=np.concatenate(places, axis=1))


def test_missing_widths_come_from_the_drawn_joint_centres(tmp_path: Path) -> None:
    found = run(tmp_path, drawn(walk(WALKER, NOTHING)), still(NOTHING), mass_kg=70.0)
    assert found.model == "plug-in-gait"
    for side in SIDES:
        leg, true = found.subject.leg(side), WALKER.body.side(side)  # type: ignore[arg-type]
        assert leg.knee_width_m == pytest.approx(true.knee_width_mm / 1000, abs=1e-5)
        assert leg.ankle_width_m == pytest.approx(true.ankle_width_mm / 1000, abs=1e-5)
    codes = {f.code for f in found.findings}
    assert {"width-from-drawn", "leg-length-unknown"} <= codes
    told = found.rungs["left_hip"]  # Davis was told, who needs the leg lengths
    assert told == "regression of Harrington et al. 2007 from width and depth of the pelvis"
    assert found.subject.sources["left.knee_width_m"] == "walk.c3d"


def test_without_any_measurement_the_trial_is_done_on_the_coarse_rung(tmp_path: Path) -> None:
    found = run(tmp_path, walk(WALKER, NOTHING), still(NOTHING), mass_kg=70.0)
    assert found.model == "ladder"
    codes = {f.code for f in found.findings}
    assert {"widths-unknown", "centre-usual"} <= codes
    assert np.isfinite(curve_values(found)["left_knee_angle_flexion"]).any()


def test_such_a_trial_is_run_again_with_the_model_that_was_requested(tmp_path: Path) -> None:
    found = run(tmp_path, walk(WALKER, NOTHING), still(NOTHING), mass_kg=70.0)
    folder = tmp_path / "results" / "walk"
    write_results(ResultsFolder(folder), found)
    again = recorded_run(folder, near=[tmp_path])
    assert again.options.model == "auto"
    repeated: Any = again.result()
    assert {f.code for f in repeated.findings} == {f.code for f in found.findings}


def test_the_vendors_profile_still_asks_for_the_widths(tmp_path: Path) -> None:
    from gaitdyn.errors import SubjectDataMissing

    with pytest.raises(SubjectDataMissing, match="knee_width_mm"):
        run(tmp_path, walk(WALKER, NOTHING), still(NOTHING), profile="plug-in-gait", mass_kg=70.0)


NO_STATIC, LINE = "no static and no stored ", "the line from heel to toe"
NO_ZERO = "the ankle angles have no true zero"


@pytest.mark.parametrize(
    ("stored", "spread", "side", "told"),
    [
        (("left", "right"), {}, None, "no static: the foot offsets stored in the trial are used"),
        (
            ("left",), {"right": 1.25}, "right",
            (f"{NO_STATIC}offsets of the right foot: it is {LINE}, the mean over stance (known to"
            " 1.2 degrees), so its ankle angle has no true zero"),
        ),
        (
            ("right",), {}, "left",
            f"{NO_STATIC}offsets of the left foot: its ankle angle has no true zero",
        ),
        (
            (), {"left": 0.5, "right": 1.0}, None,
            (f"{NO_STATIC}foot offsets: the feet are the lines from heel to toe, means over stance"
            f" (known to 1.0 degrees), so {NO_ZERO}"),
        ),
        ((), {"left": 0.5}, None, f"{NO_STATIC}foot offsets: {NO_ZERO}"),
    ],
)  # fmt: skip
def test_a_foot_whose_offsets_are_stored_is_not_doubted_with_the_other(
    stored: tuple[str, ...], spread: dict[str, float], side: str | None, told: str
) -> None:
    trial: Any = SimpleNamespace(
        recording=SimpleNamespace(name="walk.c3d", vendor=dict.fromkeys(stored, LegOffsets()))
    )
    found = _no_static(trial, ["left", "right"], spread)
    assert (found.level, found.side) == ("info" if len(stored) == 2 else "warning", side)
    assert found.message.partition(";")[0] == told

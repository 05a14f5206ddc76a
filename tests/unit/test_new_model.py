"""Marker models written from what was resolved, and trials whose labels no model knows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from gaitdyn.calibrate.models.files import load_model, parse_model
from gaitdyn.errors import UsageError
from gaitdyn.pipeline import process_trial
from gaitdyn.session import plan_session
from gaitdyn.stages.model_file import new_model
from gaitdyn.synthetic import Recording, Walk, Walker, write_trial
from gaitdyn.types.options import Options
from tests.unit.walker_roles import in_roles, leg_points, stood, walked
from tests.walks import stand, walk

if TYPE_CHECKING:
    from pathlib import Path

SPELT = {"ASI": "_ASIS", "PSI": "_PSIS", "KNE": "_KNEE_LAT", "KNM": "_KNEE_MED",
         "ANK": "_ANKLE_LAT", "MED": "_ANKLE_MED", "HEE": "_HEEL", "TOE": "_MT_2"}  # fmt: skip
WALKS = ("ASI", "PSI", "KNE", "ANK", "HEE", "TOE", *(f"TH{i}" for i in range(1, 5)))
STANDS = (*WALKS, "KNM", "MED")


def spelt(trial: Walk, roles: tuple[str, ...], extra: int = 0) -> Walk:
    """Return a trial in the labels of a laboratory, with more markers that mean nothing."""
    found = in_roles(trial, lambda role: role[1:] in roles)
    labels = tuple(x[0] + SPELT.get(x[1:], f"_THIGH_{x[-1]}") for x in found.labels)
    above = found.markers_G[:, :1] + np.array([0.0, 0.3, 0.0])
    more = [above + 0.01 * np.array([i, i % 3, i % 5]) for i in range(extra)]
    labels += tuple(f"Q{i}X" for i in range(extra))
    return replace(found, labels=labels, markers_G=np.concatenate([found.markers_G, *more], axis=1))


def written(folder: Path, moving: Walk, still: Walk) -> Path:
    write_trial(folder / "walk.c3d", moving)
    write_trial(folder / "static.c3d", still)
    return folder / "walk.c3d"


def same(path: Path, folder: Path, **words: Any) -> str:
    """Hold a trial against itself by the model that is written of it; return the model's text."""
    text, _ = new_model(path, Options(**words), "lab")
    (folder / "lab.toml").write_text(text, encoding="utf-8")
    mine = Options(model=str(folder / "lab.toml"), mass_kg=70.0)
    before = process_trial(path, Options(mass_kg=70.0, **words))
    after = process_trial(path, mine)
    assert (after.model, after.sides.keys()) == ("lab", before.sides.keys())
    pd.testing.assert_frame_equal(after.to_frame(), before.to_frame())
    return text


def test_a_model_of_labels_that_no_model_knows_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path, spelt(walked(), WALKS), spelt(stood(), STANDS))
    text = same(path, tmp_path)
    assert "climbs = true" in text
    assert '"left thigh" = ["LTH1", "LTH2", "LTH3", "LTH4"]' in text
    assert '"LKNM" = ["L_KNEE_MED"]  # in the static only' in text
    assert load_model(str(tmp_path / "lab.toml")).climbs


def test_medial_markers_of_the_static_stand_in_the_model_by_their_own_labels(
    tmp_path: Path,
) -> None:
    still = stand(Walker(), Recording())
    medial = {
        f"{side[0].upper()}M{ours}": leg_points(still, side)[side[0].upper() + role]
        for side in ("left", "right")
        for role, ours in (("KNM", "KNE"), ("MED", "MA"))
    }
    places = np.concatenate([still.markers_G, np.stack(list(medial.values()), axis=1)], axis=1)
    more = replace(still, labels=(*still.labels, *medial), markers_G=places)
    text = same(written(tmp_path, walk(Walker(), Recording()), more), tmp_path)
    assert '"LMED" = ["LMMA"]  # in the static only' in text


def test_what_is_wrong_in_a_climbing_model_is_told_with_its_line() -> None:
    text = (
        'name = "a"\nengine = "landmarks"\nclimbs = true\n[labels]\n"LKNEE" = ["x"]\n[tracking]\n'
    )
    text += "\n".join(f"{x} = []" for x in ("pelvis", "thigh", "shank", "foot"))
    with pytest.raises(UsageError, match="line 5: found 'LKNEE', wanted a marker with a meaning"):
        parse_model(text, "a.toml")
    assert parse_model(text.replace("LKNEE", "LFHD"), "a.toml").labels == {"LFHD": ("x",)}
    with pytest.raises(UsageError, match="line 3: found climbs = 1, wanted true or false"):
        parse_model(text.replace("climbs = true", "climbs = 1"), "a.toml")
    other = text.replace("LKNEE", "LFHD").replace("foot = []", '"left foot" = []')
    with pytest.raises(UsageError, match="markers that track the foot"):
        parse_model(other, "a.toml")


def test_process_and_the_session_find_the_same_static_of_labels_that_no_model_knows(
    tmp_path: Path,
) -> None:
    """More than half of the trial's markers mean nothing and are not in the static."""
    path = written(tmp_path, spelt(walked(), WALKS, extra=40), spelt(stood(), STANDS))
    (planned,) = [t for t in plan_session(tmp_path).trials if t.role == "dynamic"]
    assert planned.options.static == str(tmp_path / "static.c3d")
    found = process_trial(path, Options(mass_kg=70.0))
    assert f"static: static.c3d ({planned.static_reason})" in found.log

"""The gait parameters and peaks of a set, once more from the tables of the results folders."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from gaitdyn.archive import add_folders, build_norm, in_memory
from gaitdyn.synthetic import Gait, Recording, Walker, write_trial
from gaitdyn.types.options import Options
from tests.unit import report_cases as cases
from tests.walks import walk

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = {"A": (1.05, 0.00), "B": (1.10, 0.03), "C": (1.20, -0.04)}
"""Pseudonym -> time of a stride, s, and more knee flexion of the following leg, rad."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three people, two visits of the first, none of the plates for the last."""
    home, made = tmp_path_factory.mktemp("people"), []
    for visit, name in (("one", "A"), ("two", "A"), ("one", "B"), ("one", "C")):
        stride_s, more = PEOPLE[name]
        legs = Gait().leg_angles.copy()
        legs[3, 0] += more
        walker = Walker(gait=replace(Gait(), stride_s=stride_s, follow_angles=legs))
        plates = 0 if name == "C" else 3
        recording = Recording(strides=4.0, plates=plates, seed=len(made), marker_noise_mm=0.2)
        path = home / name / visit / "walk.c3d"
        path.parent.mkdir(parents=True)
        write_trial(path, walk(walker, recording))
        subject = path.with_name("subject.toml")
        subject.write_text(f'[subject]\nid = "{name}"\nage_years = 30\n', encoding="utf-8")
        options = Options(static="none", subject=str(subject))
        made.append(cases.results_of(path, home / "out" / name / visit, options))
    return made


def tables(folders: list[Path]) -> pd.DataFrame:
    """Return person, side, quantity and value of every straight stride that counts."""
    parts = []
    for folder in folders:
        person = folder.parts[-3]
        for name in ("gait_parameters", "peaks"):
            rows = pd.read_csv(folder / f"{name}.csv").dropna(subset=["cycle", "value"])
            loads = (rows["unit"] != "deg") & (name == "peaks")
            whole = rows["kinetics"] == 1 if name == "peaks" else True
            rows = rows[(rows["turning"] == 0) & (whole | ~loads)]
            parts.append(rows.assign(person=person)[["person", "side", "quantity", "value"]])
    return pd.concat(parts)


def test_people_legs_and_strides_are_counted_alike_from_the_tables(folders: list[Path]) -> None:
    with in_memory() as connection:
        list(add_folders(connection, folders))
        (group,) = build_norm(connection).groups
    legs = tables(folders).pivot_table("value", ["quantity", "person"], "side", aggfunc="mean")
    counts = set()
    for name, number in group.numbers.items():
        own = pd.DataFrame(legs.loc[name])
        people = own.mean(axis=1)
        half = (own["left"] - own["right"]).dropna() / 2
        sd = np.sqrt(people.var(ddof=1) + (half**2).sum() / len(people))
        assert number.count == len(people)
        assert (number.mean, number.sd) == pytest.approx((people.mean(), sd), rel=1e-6, abs=1e-9)
        counts.add(number.count)
    assert counts == {2, 3}  # loads of two, angles and times of three: never six strides
    assert {"speed", "step_length", "ankle_power_a2_peak"} <= group.numbers.keys()
    alone = set(legs.index.get_level_values(0)) - group.numbers.keys()
    assert all(len(legs.loc[name]) < 2 for name in alone)

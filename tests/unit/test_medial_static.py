"""Medial markers that a static of Plug-in Gait holds under a laboratory's own labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from walkers.laboratory import laboratory, spoken_as
from walkers.laboratory_files import write_laboratory

from gaitdyn.io.recording import read_recording
from gaitdyn.stages.labels import resolve
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from gaitdyn.types.recording import Recording

LAB = replace(
    spoken_as(laboratory(0), "plug-in-gait"), rung="condyles", medial="in static", static="quiet",
    foot="heel and toe", tracking="wands", legs="both", seen="all", pelvis="psis",
)  # fmt: skip
OWN = {"KNM": ("MKNE", "MedKnee", "KNI"), "MED": ("MMAL", "MedAnk", "MMA")}


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> tuple[Recording, Recording]:
    made = write_laboratory(tmp_path_factory.mktemp("lab"), LAB)
    assert made.static is not None
    return read_recording(made.walk), read_recording(made.static)


def spelled(static: Recording, way: int) -> Recording:
    labels = (x[0] + OWN[x[1:]][way] if x[1:] in OWN else x for x in static.labels)
    return replace(static, labels=tuple(labels))


@pytest.mark.parametrize("way", range(3))
def test_medial_markers_of_the_static_alone_are_used_under_any_label(files, way) -> None:
    trial, static = files
    assert not {"LKNM", "LMED"} & set(trial.labels)
    found = resolve(trial, spelled(static, way), Options())
    assert found.match.model.name == "plug-in-gait"
    assert found.static is not None
    assert {"LKNM", "RKNM", "LMED", "RMED"} <= set(found.static.labels)
    assert any(f"L{OWN['KNM'][way]} = LKNM" in line for line in found.log)


def test_the_vendors_own_model_knows_its_own_labels_alone(files) -> None:
    trial, static = files
    found = resolve(trial, spelled(static, 0), Options(profile="plug-in-gait"))
    assert found.static is not None
    assert not {"LKNM", "LMED"} & set(found.static.labels)

"""The names of a static's markers, asked for by themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io.recording import read_recording
from gaitdyn.landmarks import resolve, static_roles

if TYPE_CHECKING:
    import pytest

DATA = Path(__file__).parents[2] / "data"


def test_the_roles_of_a_static_are_those_that_its_resolution_has() -> None:
    trial, static = (read_recording(DATA / name) for name in ("walk01.c3d", "static.c3d"))
    _, whole = resolve(trial, static)
    assert whole is not None
    assert static_roles(static) == whole.roles()
    assert {"LASI", "RTOE"} <= set(whole.roles().values())


def test_a_marker_that_is_seen_in_few_frames_has_no_role() -> None:
    trial, static = (read_recording(DATA / name) for name in ("walk01.c3d", "static.c3d"))
    markers, toe = static.markers_L.copy(), static.labels.index("LTOE")
    markers[2:, toe] = np.nan
    ghost = replace(static, markers_L=markers)
    _, whole = resolve(trial, ghost)
    assert whole is not None
    assert toe not in whole.roles()
    assert static_roles(ghost) == whole.roles()


def test_the_trials_of_a_session_ask_for_the_roles_of_their_static_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    static = read_recording(DATA / "static.c3d")
    first = static_roles(static)
    monkeypatch.setattr("gaitdyn.landmarks.resolver.claims_of", None)
    assert static_roles(static) is first

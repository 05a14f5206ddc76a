"""Recordings of many makers with results added: their own samples stay, others read the same."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.errors import FileRefused, OutputRefused
from gaitdyn.exchange import export
from gaitdyn.io.c3d.added_points import AddedPoint
from gaitdyn.io.c3d.out import read_head, with_added_points
from gaitdyn.io.c3d.reader import read_c3d
from gaitdyn.io.c3d.reread import compare_with_added
from gaitdyn.pipeline import process_trial
from gaitdyn.store import ResultsFolder, write_results
from gaitdyn.types.options import Options
from tests.shared_files import CORPUS, WITH_CORPUS

pytestmark = [pytest.mark.real, WITH_CORPUS]
FILES = sorted(
    [*CORPUS.glob("gait/*/*.c3d"), *(p for p in CORPUS.glob("hostile/*") if p.is_file())]
)
NOT_OF_PY_C3D = {
    "FP1.C3D": "inconsistent analog count",
    "MotionMonitorC3D.c3d": "inconsistent analog count",
    "C3DRotationExample.c3d": "0-dimensional",
    "PiG_Calibration-FlatFoot-Full.c3d": "BODYMASS",
    "PiG_Calibration-FlatFoot-Hole.c3d": "BODYMASS",
}
"""What py-c3d says of the original as well."""

PROCESSED = {
    "BTK-A/PiG_Motion-FlatFoot-Full.c3d": Options(marker_diameter_mm=16),
    "BTK-D/PiG_Motion-FlatFoot-Hole.c3d": Options(marker_diameter_mm=16),
    "BMC/Gait.c3d": Options(mass_kg=70.0, height_m=1.7),
    "Qualisys-ezc3d/Qualisys.c3d": Options(mass_kg=80.0, height_m=1.8),
    "BTS-ezc3d/BTS.c3d": Options(mass_kg=65.0, height_m=1.7),
    "IST/Gait with EMG.c3d": Options(mass_kg=60.4, height_m=1.7),
    "McGill/HC030A05.c3d": Options(),
    "Sydney/S4-AMGait04.c3d": Options(),
}


def read_by_py_c3d(path):
    other = pytest.importorskip("c3d", reason="needs the package c3d")
    with path.open("rb") as stream:
        frames = [(p, a) for _, p, a in other.Reader(stream).read_frames(copy=True)]
    return np.array([p for p, _ in frames]), np.array([a for _, a in frames])


def five_points(n_frames):
    rng = np.random.default_rng(0)
    points = []
    for group in ("ANGLES", "FORCES", "MOMENTS", "POWERS", ""):
        values = rng.normal(0, 300, (n_frames, 3))
        values[::7] = np.nan
        points.append(AddedPoint(f"gd{group}", group, values, "a test"))
    return points


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
@pytest.mark.filterwarnings("ignore")
def test_every_readable_file_takes_points_and_keeps_its_own(path, tmp_path):
    try:
        notes = read_c3d(path).notes
    except FileRefused:
        pytest.skip("a file that is refused")
    head = read_head(path)
    points = five_points(len(head.frames()))
    new = tmp_path / "new.c3d"
    new.write_bytes(with_added_points(head, points, "1"))
    if any("no point was ever seen" in note for note in notes):
        with pytest.raises(OutputRefused, match="original points"):  # beside points that are seen
            compare_with_added(head, path, new, points)
        return
    compare_with_added(head, path, new, points)
    if path.name == "golfswing.c3d":
        pytest.skip("its OFFSET is stored as floats, which py-c3d takes for integers")
    reason = NOT_OF_PY_C3D.get(path.name)
    if reason:
        with pytest.raises((AssertionError, KeyError, TypeError), match=reason):
            read_by_py_c3d(path)
        return
    (before, samples), (after, samples_after) = read_by_py_c3d(path), read_by_py_c3d(new)
    np.testing.assert_array_equal(before, after[:, : head.used])
    np.testing.assert_array_equal(samples, samples_after)
    for i, point in enumerate(points):
        found = after[:, head.used + i]
        known = np.isfinite(point.values).all(axis=1)
        np.testing.assert_array_equal(found[known, :3], np.float32(point.values[known]))
        assert (found[~known, 3] == -1).all()


def results_of(name, options, tmp_path):
    trial = CORPUS / "gait" / name
    folder = ResultsFolder.prepare(tmp_path, trial)
    write_results(folder, process_trial(trial, options))
    return trial, folder.path


@pytest.mark.parametrize("name", PROCESSED)
def test_results_of_every_maker_are_exported(name, tmp_path):
    trial, folder = results_of(name, PROCESSED[name], tmp_path / "out")
    new = read_c3d(export(folder, "c3d", tmp_path, trial=trial).paths[0])
    old = read_c3d(trial)
    count = old.points.shape[1]
    assert new.points.shape[1] > count
    integers = old.header.scale > 0  # times the scale, they are rounded to 32-bit floats
    own = old.points.astype(np.float32).astype(float) if integers else old.points
    np.testing.assert_array_equal(new.points[:, :count], own)
    np.testing.assert_array_equal(new.analog, old.analog)
    labels = new.parameters.strings("POINT", "LABELS")
    centres = [i for i in range(count, len(labels)) if labels[i].startswith("LKJC")]
    markers = np.nanmedian(np.abs(old.points[..., 2]))
    height = np.nanmedian(np.abs(new.points[:, centres[0], 2]))
    assert 0.05 < height / markers < 20  # the centre is in the unit of the file's points
    for form in ("trc-mot", "mat"):
        assert all(p.is_file() for p in export(folder, form, tmp_path, trial=trial).paths)


GATES = {"Angles": 0.002, "AnkleMoment": 0.02, "KneeMoment": 0.1, "HipMoment": 0.25,
         "Power": 1e-3, "Force": 5e-4, "JC": 0.005}  # fmt: skip
"""RMSE of the vendor's stored outputs: deg, N mm/kg, W/kg, N/kg, mm."""


def test_the_added_points_mean_what_the_vendors_mean(tmp_path):
    """Profile plug-in-gait, own names: beside the outputs that the file already holds."""
    options = Options(marker_diameter_mm=16, profile="plug-in-gait")
    trial, folder = results_of("BTK-A/PiG_Motion-FlatFoot-Full.c3d", options, tmp_path / "out")
    written = export(folder, "c3d", tmp_path, trial=trial)
    assert any("_gd" in note for note in written.notes)
    raw = read_c3d(written.paths[0])
    labels = raw.parameters.strings("POINT", "LABELS")
    compared = 0
    for i, label in enumerate(labels):
        stem = label.removesuffix("_gd")
        if not label.endswith("_gd") or stem not in labels or "FootProgress" in label:
            continue
        gate = next(limit for word, limit in GATES.items() if word in label)
        ours, theirs = raw.points[60:250, i], raw.points[60:250, labels.index(stem)]
        known = np.isfinite(ours).all(axis=1) & np.isfinite(theirs).all(axis=1)
        error = ours[known] - theirs[known]
        assert np.sqrt(np.mean(error**2, axis=0)).max() < gate, label
        compared += 1
    assert compared > 20

import time
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.parameters import layout_of, read_parameters
from gaitdyn.io.c3d.reader import read_c3d
from gaitdyn.io.c3d.records import floats
from tests.shared_files import CORPUS, WITH_CORPUS

pytestmark = [pytest.mark.real, WITH_CORPUS]
GAIT = sorted(CORPUS.glob("gait/*/*.c3d"))
REFUSED = {
    "Empty.c3d": "empty",
    "badParameterOffset.c3d": "unbroken list",
    "bad_parameter_section.c3d": "unbroken list",
    "fuzz19.c3d": "POINT and ANALOG as one",
    "intneg.c3d": "one sign",
    "simple.c3d": "processor code 0",
    "text.c3d": "second byte",
    "trunc_data_50pct.c3d": "data of 40 frames; wanted all 89",
    "trunc_header.c3d": "300 bytes",
    "trunc_params.c3d": "cut off",
}
ODD = {
    "FP1.C3D": "longer than their 3 blocks",
    "golfswing.c3d": "frames: 515 in the parameters, 514 in the header",
    "MotionMonitorC3D.c3d": "144 values a frame in the parameters and 48 in the header",
    "TYPE-2.C3D": "group 7",
    "TYPE-4.C3D": "group 7",
    "parameterOverflow.c3d": "longer than their 46 blocks",
    "dynamic.C3D": "that of the header, which is taken",
}
TWICE = {
    "PiG_Calibration-FlatFoot-Full.c3d": "INTERASIS",
    "PiG_Calibration-FlatFoot-Hole.c3d": "BODY",
}
"""Files with a parameter of PROCESSING that stands twice, and how its name begins."""
HOSTILE = sorted(p for p in CORPUS.glob("hostile/*") if p.is_file())


def decoded(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Decode the points and analog samples of a float file without ezc3d, as the format says."""
    header, params = read_parameters(path)
    layout = layout_of(header, params, path.stat().st_size)
    start = (header.data_block - 1) * 512
    data = path.read_bytes()[start : start + layout.frames * layout.frame_bytes]
    values = floats(data, header.processor).reshape(layout.frames, -1)
    n_points = params.count("POINT", "USED") or 0
    channels = params.count("ANALOG", "USED") or 0
    points = values[:, : 4 * n_points].reshape(layout.frames, n_points, 4)[..., :3]
    if not channels:
        return points, np.zeros((0, 0))
    stored = values[:, 4 * n_points :].reshape(-1, channels)
    offset = params.get("ANALOG", "OFFSET")[:channels].astype(float)
    if params.strings("ANALOG", "FORMAT")[:1] == ["UNSIGNED"]:
        offset %= 65536
    general = params.number("ANALOG", "GEN_SCALE") or 1.0
    return points, (stored - offset) * params.get("ANALOG", "SCALE")[:channels] * general


@pytest.mark.parametrize("path", GAIT, ids=lambda p: p.name)
def test_a_gait_file_is_in_order_and_holds_what_is_stored_in_it(path: Path) -> None:
    raw = read_c3d(path)
    twice = [f"PROCESSING has {TWICE[path.name]}"] if path.name in TWICE else []
    assert [note[: len(twice[0]) if twice else None] for note in raw.notes] == twice
    assert raw.notes == raw.parameters.oddities
    header, params = read_parameters(path)
    if header.scale > 0:
        pytest.skip("the data are integers; this check decodes floats")
    points, analog = decoded(path)
    seen = ~np.isnan(raw.points)
    np.testing.assert_array_equal(raw.points[seen], points[seen])
    if params.count("ANALOG", "USED"):
        np.testing.assert_allclose(raw.analog, analog, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("path", HOSTILE, ids=lambda p: p.name)
def test_a_hostile_file_is_read_or_refused_in_one_line(path: Path) -> None:
    if path.name in REFUSED:
        with pytest.raises(FileRefused, match=REFUSED[path.name]) as caught:
            read_c3d(path)
        assert "\n" not in str(caught.value)
        assert str(CORPUS) not in str(caught.value)
        return
    raw = read_c3d(path)
    assert (path.name in ODD) == bool(raw.parameters.oddities)
    assert ODD.get(path.name, "") in " ".join(raw.notes)


def test_integer_real_and_dec_files_of_one_trial_agree() -> None:
    whole, real, dec = (
        read_c3d(CORPUS / "hostile" / f"{name}.c3d") for name in ("pc_int", "pc_real", "Dec_real")
    )
    np.testing.assert_array_equal(real.points, dec.points)
    np.testing.assert_array_equal(real.analog, dec.analog)
    np.testing.assert_allclose(whole.points, real.points, atol=0.3)


def test_labels_beyond_255_are_there() -> None:
    raw = read_c3d(CORPUS / "hostile" / "pts300.c3d")
    assert len(raw.parameters.strings("POINT", "LABELS")) == raw.points.shape[1] == 300


def test_the_sgi_file_of_a_trial_holds_what_its_intel_file_holds() -> None:
    sgi, intel = (read_c3d(CORPUS / "hostile" / f"Eb015{name}.c3d") for name in ("si", "pi"))
    assert sgi.header.processor == "sgi"
    labels = sgi.parameters.strings("POINT", "LABELS")
    assert labels == intel.parameters.strings("POINT", "LABELS")
    np.testing.assert_array_equal(sgi.points, intel.points)
    np.testing.assert_array_equal(sgi.residuals, intel.residuals)
    np.testing.assert_allclose(sgi.analog, intel.analog, rtol=1e-6, atol=1e-9)


def test_the_directory_is_refused_at_once() -> None:
    started = time.perf_counter()
    with pytest.raises(FileRefused, match="a folder"):
        read_c3d(CORPUS / "hostile")
    assert time.perf_counter() - started < 1.0

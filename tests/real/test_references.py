"""Published results of other programs: planar inverse dynamics, and OpenSim's ground forces.

OpenSim's files hold every twentieth of a second of walking5.c3d. The same in both: force on the
subject and moment in the laboratory axes of the file, z up, the moment about the centre of the
surface (``std_walking5``) or as free moment at the centre of pressure (``std_cop_walking5``), the
centre of pressure in the surface. Not the same: OpenSim takes one raw sample, keeps the baseline
and has no threshold; we fit a parabola to a marker interval, remove the baseline, filter, and show
a centre of pressure above max(50 N, 5 % of body weight) only; G has y up. So the samples are
compared first, and then the pipeline with OpenSim's values less their own baseline.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.core.places import plate_axes
from gaitdyn.core.rotations import cross
from gaitdyn.events.contacts import centre_of_pressure
from gaitdyn.io.plates.wrenches import sensor_offset
from gaitdyn.io.recording import read_recording
from gaitdyn.io.trial import to_trial
from tests.benchmark_scripts import script

if TYPE_CHECKING:
    from gaitdyn.types.recording import PlateRecord, Recording
    from gaitdyn.types.wrench import PlateWrench

pytestmark = pytest.mark.real
ROOT = Path(__file__).resolve().parents[2]


# ---------------------------------------------------------------- planar inverse dynamics


@pytest.fixture(scope="module")
def leg2d(shared):
    return script("leg2d")


@pytest.mark.parametrize("joint", ["ankle", "knee", "hip"])
@pytest.mark.parametrize("kind", ["butterworth", "spline"])
def test_sagittal_moments_equal_the_planar_reference(leg2d, joint, kind):
    data, reference = leg2d.read_data()
    off = leg2d.compare(leg2d.moments(data, kind), reference)[joint]
    assert leg2d.LIMIT == 0.03  # N m/kg
    assert off.rmse <= leg2d.LIMIT
    assert off.peak > 5 * off.rmse


@pytest.mark.parametrize("joint", ["ankle", "knee", "hip"])
def test_the_rest_of_the_difference_is_half_a_frame_of_acceleration(leg2d, joint):
    data, reference = leg2d.read_data()
    found = leg2d.compare(leg2d.moments(data, half_frame=True), reference)
    assert found[joint].rmse <= 0.001  # N m/kg; 0.0006 is reached


def test_the_stored_results_give_shank_and_thigh_the_mass_of_the_foot(leg2d, shared):
    """The vertical force of a joint less that of the next is m (g + a); a has a mean near 0."""
    from scipy.io import loadmat

    path = shared / "corpus" / "reference" / "leg2d" / "refresults.mat"
    hip, knee, ankle = loadmat(path)["refresults"][leg2d.EDGE : -leg2d.EDGE, [10, 12, 14]].T
    for above, below in ((hip, knee), (knee, ankle)):
        assert np.mean(above - below) / 9.81 == pytest.approx(0.0145, abs=0.0005)


def test_the_page_tells_the_numbers_of_today(leg2d):
    data, reference = leg2d.read_data()
    text = leg2d.PAGE.read_text(encoding="utf-8")
    for joint, off in leg2d.compare(leg2d.moments(data), reference).items():
        assert f"{off.rmse:.4f} ({off.largest:.4f})" in text, joint


# ---------------------------------------------------------------- OpenSim's ground forces


class Theirs(NamedTuple):
    """What OpenSim wrote of one plate, laboratory axes, N, m, N m."""

    force: np.ndarray
    point: np.ndarray
    moment: np.ndarray


def read_sto(path: Path) -> tuple[np.ndarray, list[Theirs]]:
    """Return times and the two plates of a file with forces, points (mm) and moments (N mm)."""
    lines = path.read_text(encoding="utf-8").splitlines()
    values = np.loadtxt(lines[lines.index("endheader") + 2 :])
    plates = [values[:, at : at + 9].reshape(-1, 3, 3) for at in (1, 10)]
    return values[:, 0], [Theirs(p[:, 0], p[:, 1] / 1e3, p[:, 2] / 1e3) for p in plates]


@pytest.fixture(scope="module")
def recording(shared) -> Recording:
    return read_recording(shared / "corpus" / "gait" / "OpenSim" / "walking5.c3d")


@pytest.fixture(scope="module")
def surface(shared) -> tuple[np.ndarray, list[Theirs]]:
    return read_sto(shared / "corpus" / "reference" / "OpenSim" / "std_walking5_grfs.sto")


@pytest.fixture(scope="module")
def pressure(shared) -> tuple[np.ndarray, list[Theirs]]:
    return read_sto(shared / "corpus" / "reference" / "OpenSim" / "std_cop_walking5_grfs.sto")


def samples(recording: Recording, times: np.ndarray) -> np.ndarray:
    """Return the analog samples of OpenSim's times, which begin at 0 with the first frame."""
    rate = recording.rate_hz * recording.samples_per_frame
    return np.minimum(np.rint(times * rate).astype(int), len(recording.plates[0].channels) - 1)


def at_surface(plate: PlateRecord, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return raw force and moment about the centre of the surface in the laboratory, and normal."""
    R = plate_axes(plate.corners_L)
    force, moment = plate.channels[rows, :3], plate.channels[rows, 3:]
    moment = moment + cross(sensor_offset(plate.origin), force)
    return force @ R.T, moment @ R.T, -R[:, 2]


ROUNDING = 1e-8
"""Files of OpenSim have eight decimals: 5e-9 N, mm and N mm."""


@pytest.mark.parametrize("k", [0, 1])
def test_force_and_moment_of_a_sample_are_those_of_opensim(recording, surface, k):
    times, plates = surface
    plate, theirs = recording.plates[k], plates[k]
    force, moment, _ = at_surface(plate, samples(recording, times))
    assert len(times) == 90
    np.testing.assert_allclose(force, theirs.force, rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(moment, theirs.moment, rtol=0, atol=ROUNDING)
    centre = np.broadcast_to(plate.corners_L.mean(axis=0), theirs.point.shape)
    np.testing.assert_allclose(centre, theirs.point, rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("k", [0, 1])
def test_centre_of_pressure_and_free_moment_of_a_sample_are_those_of_opensim(
    recording, pressure, k
):
    """All samples, also those of an empty plate: both formulas are the same without threshold."""
    times, plates = pressure
    plate, theirs = recording.plates[k], plates[k]
    force, moment, normal = at_surface(plate, samples(recording, times))
    centre = plate.corners_L.mean(axis=0)
    cop = centre_of_pressure(force, moment, centre, normal)
    free = moment - cross(cop - centre, force)
    np.testing.assert_allclose(cop, theirs.point, rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(free, theirs.moment, rtol=0, atol=ROUNDING)


BASELINE_N = 40.0
"""Raw samples of these plates below this are of an empty plate: 13 to 21 N downwards."""


def baseline(theirs: Theirs, values: np.ndarray) -> np.ndarray:
    """Return the median of OpenSim's values while nobody stands on the plate."""
    return np.median(values[np.abs(theirs.force[:, 2]) < BASELINE_N], axis=0)


def cleaned(recording: Recording, times: np.ndarray, k: int) -> PlateWrench:
    """Return a plate at the marker rate without baseline, at OpenSim's times.

    Half of these lie between two frames; the mean of both is taken there.
    """
    wrench = clean_plate(to_trial(recording, np.eye(3)).plates[k]).wrench
    at = np.arange(recording.n_frames) / recording.rate_hz
    force, moment = (
        np.stack([np.interp(times, at, y) for y in values.T], axis=1)
        for values in (wrench.force_G, wrench.moment_G)
    )
    return replace(wrench, force_G=force, moment_G=moment)


@pytest.mark.parametrize("k", [0, 1])
def test_forces_at_the_marker_rate_are_those_of_opensim_less_their_baseline(recording, surface, k):
    """8 N, 1 N m: the noise of one raw sample against the parabola through nine."""
    times, plates = surface
    theirs, wrench = plates[k], cleaned(recording, times, k)
    force = theirs.force - baseline(theirs, theirs.force)
    moment = theirs.moment - baseline(theirs, theirs.moment)
    off = np.abs(wrench.force_G - force).max(), np.abs(wrench.moment_G - moment).max()
    print(off)  # noqa: T201
    assert off[0] <= 8.0
    assert off[1] <= 1.0
    assert force[:, 2].max() > 500


@pytest.mark.parametrize("k", [0, 1])
def test_the_centre_of_pressure_without_baseline_is_that_of_opensim_less_its_baseline(
    recording, surface, pressure, k
):
    """1 mm above 195 N; with OpenSim's baseline left in it is up to 25 mm away."""
    times, plates = surface
    theirs, wrench = plates[k], cleaned(recording, times, k)
    loaded = wrench.force_G[:, 2] > 195
    centre, normal = wrench.centre_G, wrench.normal_G
    cop = centre_of_pressure(wrench.force_G[loaded], wrench.moment_G[loaded], centre, normal)
    force = (theirs.force - baseline(theirs, theirs.force))[loaded]
    moment = (theirs.moment - baseline(theirs, theirs.moment))[loaded]
    wanted = centre_of_pressure(force, moment, centre, normal)
    off = np.linalg.norm(cop - wanted, axis=1)
    shift = np.linalg.norm(cop - pressure[1][k].point[loaded], axis=1)
    free = (wrench.moment_G[loaded] - cross(cop - centre, wrench.force_G[loaded]))[:, 2]
    theirs_free = (moment - cross(wanted - centre, force))[:, 2]
    print(1e3 * off, 1e3 * shift, np.abs(free - theirs_free).max())  # noqa: T201
    assert loaded.sum() >= 8
    assert off.max() <= 1e-3
    assert 10e-3 < shift.max() <= 25e-3
    assert np.abs(free - theirs_free).max() <= 0.3  # N m


def test_markers_are_those_of_opensim(recording, shared):
    """Every tenth frame of the file; OpenSim wrote five digits, half of the last is 5e-5."""
    path = shared / "corpus" / "reference" / "OpenSim" / "std_walking5_markers.trc"
    lines = path.read_text(encoding="utf-8").splitlines()
    labels = lines[3].split()[2:]
    rows = [line.split("\t") for line in lines[5:] if line.strip()]
    values = np.array([[float(x) for x in row[1 : 2 + 3 * len(labels)]] for row in rows])
    frames = np.rint(values[:, 0] * recording.rate_hz).astype(int)
    theirs = values[:, 1:].reshape(len(rows), -1, 3) / 1e3
    ours = np.stack([recording.marker(label)[frames] for label in labels], axis=1)
    known = np.isfinite(theirs).all(axis=-1)
    assert known.sum() > 1000
    np.testing.assert_array_equal(known, np.isfinite(ours).all(axis=-1))
    np.testing.assert_allclose(ours[known], theirs[known], rtol=5.1e-5, atol=0)

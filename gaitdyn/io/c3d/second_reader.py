"""Read the data of a C3D file with ezc3d, as a check of gaitdyn's own reader."""

import shutil
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from gaitdyn.io.c3d.checks import Layout, is_unsigned, joined
from gaitdyn.io.c3d.data import Data
from gaitdyn.io.c3d.records import Parameters, refused
from gaitdyn.types.extras import import_extra

_ERRORS = (
    ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, SystemError,
    TypeError, ValueError,
)  # fmt: skip
_USE_GAITDYN = "read it without --reader ezc3d"


def load_data(path: Path, params: Parameters, layout: Layout, kept: Sequence[int]) -> Data:
    """Return the data of a file as ezc3d reads them.

    Parameters
    ----------
    path : Path
    params : Parameters
        Of the same file, already checked.
    layout : Layout
    kept : sequence of int
        Analog channels to keep, from 0.

    Returns
    -------
    Data
        With scaled samples.

    Raises
    ------
    FileRefused
        When ezc3d cannot read the file, or would read it wrongly: it takes the absolute value of an
        analog offset, and treats stored integers as signed.
    ExtraMissing
        When ezc3d is not installed.
    """
    ezc3d = import_extra("ezc3d", "--reader ezc3d")
    if is_unsigned(params) or (joined(params, "OFFSET") < 0).any():
        found = "analog offsets whose sign ezc3d does not take"
        raise refused(path.name, found, "offsets of 0 or more, signed", _USE_GAITDYN)
    try:
        with _plain_path(path) as readable:
            data = ezc3d.c3d(readable)["data"]
    except _ERRORS as error:
        found = f"data that ezc3d cannot read ({' '.join(str(error).split())})"
        raise refused(path.name, found, "a C3D file in good order", _USE_GAITDYN) from error
    points = np.asarray(data["points"])[:3].T
    residuals = np.array(np.asarray(data["meta_points"]["residuals"])[0].T, np.float64, order="C")
    residuals.flags.writeable = False
    frames, samples_per_frame = layout.frames, layout.samples_per_frame
    analog = np.asarray(data["analogs"])[0].T
    found = points.shape[:2], analog.shape
    wanted = (frames, layout.points), (frames * samples_per_frame, layout.channels)
    if any(
        have[0] < want[0] or have[1] != want[1] for have, want in zip(found, wanted, strict=True)
    ):
        counts = f"frames and points {found[0]}, samples and channels {found[1]} by ezc3d"
        raise refused(path.name, counts, f"{wanted[0]} and {wanted[1]}", _USE_GAITDYN)
    samples = analog[: frames * samples_per_frame, list(kept)]
    return Data(
        np.array(points[:frames], dtype=np.float64, order="C"),
        residuals[:frames] < 0,
        residuals[:frames],
        samples.reshape(frames, samples_per_frame, len(kept)),
        scaled=True,
    )


@contextmanager
def _plain_path(path: Path) -> Generator[str]:
    """Yield a path that C++ can open; a copy if the name cannot be encoded as UTF-8."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        with tempfile.TemporaryDirectory(prefix="gaitdyn-") as folder:
            yield shutil.copyfile(path, str(Path(folder) / "trial.c3d"))
    else:
        yield str(path)

"""Read the data of a C3D file with ezc3d, and put its analog samples right."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gaitdyn.io._records import Parameters

Arrays = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
READER_ERRORS = (
    ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, SystemError,
    TypeError, ValueError,
)  # fmt: skip
_WORD = 65536


def load_arrays(path: Path) -> Arrays:
    """Return points, residuals and analog samples as ezc3d reads them.

    Returns
    -------
    points : array, shape (n_frames, n_points, 3)
        Coordinates in the unit of the file.
    residuals : array, shape (n_frames, n_points)
        Residuals; negative where a point was not seen.
    analog : array, shape (n_samples, n_channels)
        Scaled samples.
    """
    import ezc3d

    with _plain_path(path) as readable:
        data = ezc3d.c3d(readable)["data"]
    points = np.ascontiguousarray(np.asarray(data["points"])[:3].T, dtype=np.float64)
    residuals = np.asarray(data["meta_points"]["residuals"])[0].T
    analog = np.asarray(data["analogs"])[0].T
    return (
        points,
        np.ascontiguousarray(residuals, dtype=np.float64),
        np.ascontiguousarray(analog, dtype=np.float64),
    )


@contextmanager
def _plain_path(path: Path) -> Iterator[str]:
    """Give a path that can be handed to C++; a copy where the locale cannot decode the name."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        with tempfile.TemporaryDirectory(prefix="gaitdyn-") as folder:
            yield shutil.copyfile(path, str(Path(folder) / "trial.c3d"))
    else:
        yield str(path)


def analog_put_right(
    analog: NDArray[np.float64], params: Parameters, *, integers: bool
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Return the samples with the offsets that the file means, and notes of what was changed.

    A sample is (stored - offset) * scale * general scale (C3D format user guide, "ANALOG:OFFSET"),
    and ANALOG:FORMAT says whether offsets and stored integers have a sign. ezc3d subtracts the
    absolute value of the offset, and takes stored integers as signed.

    Parameters
    ----------
    analog : array, shape (n_samples, n_channels)
        Samples as ezc3d gives them; changed in place where needed.
    params : Parameters
        Parameters of the same file.
    integers : bool
        The data are stored as integers.
    """
    channels = analog.shape[1]
    offset = _joined(params, "OFFSET")[:channels]
    scale = _joined(params, "SCALE")[:channels]
    if not analog.size or len(offset) < channels or len(scale) < channels:
        return analog, ()
    unsigned = params.strings("ANALOG", "FORMAT")[:1] == ["UNSIGNED"]
    general = params.number("ANALOG", "GEN_SCALE")
    factor = scale * (1.0 if general is None else general)
    meant = offset % _WORD if unsigned else offset
    taken = np.abs(offset)
    notes = []
    if integers and unsigned and factor.all():
        negative = np.rint(analog / factor + taken) < 0
        analog += negative * (_WORD * factor)
        notes += ["analog samples were read as unsigned integers"] * bool(negative.any())
    if (meant != taken).any():
        analog += (taken - meant) * factor
        notes.append("analog offsets were read with the sign that ANALOG:FORMAT gives them")
    return analog, tuple(notes)


def _joined(params: Parameters, name: str) -> NDArray[np.float64]:
    pieces = [params.get("ANALOG", full) for full in params.series("ANALOG", name)]
    numbers = [np.ravel(p, order="F") for p in pieces if isinstance(p, np.ndarray)]
    return np.concatenate([np.zeros(0), *numbers])

"""Read one C3D file in a process of its own: ``python -m gaitdyn.io._child PATH``.

The arrays are written to standard output as three ``.npy`` files one after the other; the reason
of a failure goes to standard error with exit code 3.
"""

import io
import os
import sys
from pathlib import Path

import numpy as np

from gaitdyn.io._arrays import READER_ERRORS, load_arrays

FAILED = 3


def main(path: str) -> int:
    """Write the arrays of the file to standard output; return the exit code."""
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # what a library prints must not come between the arrays
        try:
            arrays = load_arrays(Path(path))
        except READER_ERRORS as error:
            sys.stderr.write(f"{error}")
            return FAILED
        for array in arrays:
            whole = io.BytesIO()  # numpy asks a file for its position, which a pipe has not
            np.save(whole, array, allow_pickle=False)
            out.write(whole.getbuffer())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

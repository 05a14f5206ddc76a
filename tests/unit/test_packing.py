"""Numbers packed as text come back as they were, or as rounded as they say."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.packing import pack_floats, pack_whole, unpack_floats, unpack_whole


def test_floats_and_whole_numbers_come_back():
    values = np.array([0.1, -2.5, np.nan, 1e6])
    np.testing.assert_array_equal(unpack_floats(pack_floats(values)), values.astype(np.float32))
    np.testing.assert_array_equal(
        unpack_whole(pack_whole(np.array([1.4, -7.6, np.nan]))), [1, -8, np.nan]
    )

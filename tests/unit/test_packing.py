"""Numbers packed as text come back as they were, or as rounded as they say."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.core.packing import (
    expand,
    fitting_unit,
    pack_floats,
    pack_whole,
    squeeze,
    unpack_floats,
    unpack_whole,
)


def test_rows_come_back_within_half_a_unit_and_unknown_ones_stay_unknown():
    random = np.random.default_rng(1)
    rows = 50 * np.cumsum(random.normal(size=(30, 101)), axis=1)
    rows[random.random(rows.shape) < 0.1] = np.nan
    rows[3] = np.nan
    found = expand(squeeze(rows, 1e-4), 1e-4, 101)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(rows))
    assert np.nanmax(np.abs(found - rows)) <= 0.5001e-4


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 3), (0, 101)])
def test_short_rows_come_back(shape):
    rows = np.arange(np.prod(shape), dtype=float).reshape(shape)
    np.testing.assert_array_equal(expand(squeeze(rows, 1.0), 1.0, shape[1]), rows)


def test_the_largest_numbers_fit_and_larger_ones_are_refused():
    rows = np.array([[2.0**28, -(2.0**28), 2.0**28, -(2.0**28)]])
    np.testing.assert_array_equal(expand(squeeze(rows, 1.0), 1.0, 4), rows)
    with pytest.raises(OverflowError):
        squeeze(2 * rows, 1.0)
    unit = fitting_unit(1e6 * rows, 1e-5)
    found = expand(squeeze(1e6 * rows, unit), unit, 4)
    np.testing.assert_allclose(found, 1e6 * rows, rtol=1e-6)


def test_floats_and_whole_numbers_come_back():
    values = np.array([0.1, -2.5, np.nan, 1e6])
    np.testing.assert_array_equal(unpack_floats(pack_floats(values)), values.astype(np.float32))
    np.testing.assert_array_equal(
        unpack_whole(pack_whole(np.array([1.4, -7.6, np.nan]))), [1, -8, np.nan]
    )

"""Part of a recording: what belongs to its frames, on the clock of the whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.io.cut import cut
from gaitdyn.io.recording import read_recording
from gaitdyn.types.emg import AnalogChannels
from tests.unit import c3d_bytes


def test_a_part_has_the_frames_and_the_samples_of_its_time(tmp_path):
    points = np.arange(60.0).reshape(10, 2, 3) + 1.0
    path = tmp_path / "whole.c3d"
    path.write_bytes(c3d_bytes.c3d(points, first=101, rate=100.0, samples=4))
    whole = read_recording(path)
    samples = np.arange(40.0)
    muscle = AnalogChannels(
        (1,), ("L TA",), ("",), ("mV",), ("",), (None,), np.stack((samples, -samples))
    )
    whole = replace(whole, analog=muscle, outputs={"LKneeAngles": points[:, 0]})
    part = cut(whole, 3, 8)
    assert (part.first_frame, part.n_frames, part.samples_per_frame) == (104, 5, 4)
    assert part.start_s == whole.start_s + 0.03
    np.testing.assert_array_equal(part.markers_L, whole.markers_L[3:8])
    np.testing.assert_array_equal(part.outputs["LKneeAngles"], points[3:8, 0])
    assert part.analog is not None
    np.testing.assert_array_equal(part.analog.samples, [samples[12:32], -samples[12:32]])


def test_a_part_has_the_samples_of_its_plates(as_read):
    whole = as_read.trial.recording
    part, ratio = cut(whole, 30, 70), whole.samples_per_frame
    assert ratio > 1
    for plate, other in zip(part.plates, whole.plates, strict=True):
        np.testing.assert_array_equal(plate.channels, other.channels[30 * ratio : 70 * ratio])

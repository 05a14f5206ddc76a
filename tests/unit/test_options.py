"""Options refuse what cannot mean anything, for the command and the library alike."""

from __future__ import annotations

import pytest

from gaitdyn.errors import OptionRefused, UsageError
from gaitdyn.types.options import Options


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"profile": "pig"}, "profile is 'pig', wanted default or plug-in-gait"),
        ({"moments_in": "floor"}, "moments_in"),
        ({"filter": "bw"}, "filter"),
        ({"convention": "outside"}, "convention"),
        ({"baseline": "none"}, "baseline"),
        ({"cutoff_hz": 0.0}, "cutoff_hz is 0, wanted 0.5 to 1000 Hz"),
        ({"force_cutoff_hz": -1.0}, "force_cutoff_hz"),
        ({"mass_kg": 66500.0}, "mass_kg is 66500, wanted 3 to 400 kg"),
        ({"height_m": 177.0}, "height_m is 177, wanted 0.4 to 2.6 m"),
        ({"marker_diameter_mm": 0.014}, "marker_diameter_mm is 0.014, wanted 2 to 50 mm"),
        ({"names": "pig", "convention": "external"}, "names='pig'"),
        ({"names": "pig", "moments_in": "lab"}, "names='pig'"),
    ],
)
def test_a_wrong_option_is_named(wrong, told):
    with pytest.raises(UsageError) as error:
        Options(**wrong)
    assert told in str(error.value)


def test_the_command_line_speaks_of_its_options():
    with pytest.raises(OptionRefused) as error:
        Options(profile="plug-in-gait", hip_centre="hara")
    assert "profile='plug-in-gait' has" in str(error.value)
    assert "leave out hip_centre='hara'" in str(error.value)
    assert "leave out --hip-centre hara" in error.value.of_command


def test_the_defaults_are_good():
    assert Options().cutoff_hz == 10.0
    assert Options(cutoff_hz=None, force_cutoff_hz=None).force_cutoff_hz is None

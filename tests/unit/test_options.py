"""Options refuse what cannot mean anything, for the command and the library alike."""

from __future__ import annotations

from dataclasses import fields, replace
from inspect import signature
from pathlib import Path
from typing import Any, cast

import pytest

from gaitdyn.errors import OptionRefused, UsageError
from gaitdyn.types.options import Assignment, Options
from gaitdyn.types.recording import Event


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


RIGHT = Assignment(2, "right", (114, 181))
STRIKE = Event(1.25, "left", "foot_strike")


@pytest.mark.parametrize(
    ("field", "forms", "kept"),
    [
        (
            "assign",
            ("1=left,2=right:114-181", ["1=left", RIGHT], [(1, "left"), (2, "right", (114, 181))]),
            (Assignment(1, "left"), RIGHT),
        ),
        ("assign", ("3=none", {3: "none"}), (Assignment(3, "none"),)),
        (
            "leave_out",
            ("left 2, right 1", ["left 2", "Right 1"], [("left", 2), ("right", 1)]),
            (("left", 2), ("right", 1)),
        ),
        (
            "rename",
            ({"L knee": "LKNE"}, "L knee=LKNE", ["L knee=LKNE"], [("L knee", "LKNE")]),
            (("L knee", "LKNE"),),
        ),
        (
            "functional",
            ({"hip_left": Path("f.c3d")}, "hip_left=f.c3d", [("hip_left", "f.c3d")]),
            (("hip_left", "f.c3d"),),
        ),
        (
            "reasons",
            ({"left 2": "a stumble"}, [("left 2", "a stumble")]),
            (("left 2", "a stumble"),),
        ),
        ("events", ([STRIKE], [(1.25, "left", "foot_strike")]), (STRIKE,)),
        ("emg_band_hz", ("20-400", [20, 400]), (20.0, 400.0)),
    ],
)
def test_settings_of_several_parts_take_the_words_of_the_command(
    field: str, forms: tuple[Any, ...], kept: Any
):
    for form in (*forms, kept):
        assert getattr(Options(**{field: form}), field) == kept, form


def test_channels_of_muscles_are_named_in_a_dict_as_in_a_session_file() -> None:
    told: Any = {"EMG1": "left Tibialis anterior", "EMG2": "soleus right", "EMG3": "none"}
    assert Options(emg_channels=told).emg_channels == (
        ("EMG1", "tibialis_anterior", "left"), ("EMG2", "soleus", "right"), ("EMG3", "none", ""),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("field", "wrong", "told"),
    [
        ("assign", "1=up", "assign '1=up' cannot be read; wanted PLATE=left"),
        ("assign", 1, 'assign is 1, wanted plates and feet such as "1=left'),
        ("leave_out", "left", "leave_out: 'left' is not a cycle; wanted a side and a number"),
        ("leave_out", 1, 'leave_out is 1, wanted cycles such as "left 2"'),
        ("rename", "LASI", "rename 'LASI' cannot be read; wanted OLD=NEW"),
        ("rename", {"LASI": 1}, 'wanted labels such as {"L knee": "LKNE"}'),
        ("functional", {"hip_left": 1}, "functional is {'hip_left': 1}, wanted joints and files"),
        ("reasons", "a stumble", 'wanted what was decided and why, such as {"left 2"'),
        ("reasons", {"asign": "a stumble"}, 'wanted what was decided and why, such as {"left 2"'),
        ("events", [(1.25, "left", "strike")], 'such as [(1.25, "left", "foot_strike")]'),
        ("events", STRIKE, "wanted times, sides and kinds"),
        ("emg_channels", ["soleus"], "wanted labels, muscles and sides"),
        ("emg_channels", {"EMG1": "left"}, 'such as {"EMG1": "left soleus"}'),
        ("emg_band_hz", 20, "emg_band_hz is 20, wanted two frequencies in Hz"),
        ("static_frames", 3, "static_frames is 3, wanted the first and the last frame"),
        ("condition", 3, "condition is 3, wanted a text"),
        ("static", 3, "static is 3, wanted the path of a file or None"),
        ("quality", ["a.toml"], "quality is ['a.toml'], wanted the path of a file or None"),
        ("up", 3, "up is 3, wanted an axis such as +Z or None"),
        ("audit", "no", "audit is 'no', wanted True or False"),
        ("longest_gap_s", "0.1", "longest_gap_s is '0.1', wanted a number"),
        ("cutoff_hz", "6", "cutoff_hz is '6', wanted a number or None"),
        ("cutoff_hz", True, "cutoff_hz is True, wanted a number or None"),
        ("force_cutoff_hz", True, "force_cutoff_hz is True, wanted a number, same or None"),
    ],
)
def test_another_form_is_refused_by_name_with_the_form_wanted(field: str, wrong: Any, told: str):
    with pytest.raises(OptionRefused) as error:
        Options(**{field: wrong})
    assert told in str(error.value)


def test_a_setting_that_does_not_exist_is_refused_with_the_one_that_was_meant():
    """It was Python's own TypeError, which names no other setting."""
    unknown: Any = {"cutof_hz": 6}
    for make in (lambda: Options(**unknown), lambda: replace(Options(), **unknown)):
        with pytest.raises(OptionRefused) as told:
            make()
        assert str(told.value) == "there is no setting 'cutof_hz'; did you mean cutoff_hz?"
    with pytest.raises(OptionRefused, match=r"no setting 'qqq'; wanted one of static, .*forces"):
        Options(**cast("Any", {"qqq": 6}))
    assert list(signature(Options).parameters) == [field.name for field in fields(Options)]

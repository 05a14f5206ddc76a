"""Formulas and constants that a reader needs to compute the numbers again are those of the code."""

import re

import numpy as np
import pytest

from gaitdyn.calibrate.body.trunk import TRUNK_OF_LEG
from gaitdyn.calibrate.hip_regressions import HIP_RULES, PelvisMeasures
from gaitdyn.calibrate.plug_in_gait.joint_centres import asis_trochanter_m
from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.spectral import low_pass_gain
from gaitdyn.events.pace import FASTEST_S, MARKS, SLOWEST_S, USUAL_STRIDE_S
from gaitdyn.judge.curves import curve_rules
from tests.docs.test_numbers_agree import page, rows_of


def value(formula, **lengths):
    """Return the value of a sum such as ``-0.24 D - 9.9``."""
    terms = re.findall(r"([+-]?)\s*([\d.]+)(?:\s*([A-Z]))?", formula)
    signed = [(-1 if sign == "-" else 1) * float(number) for sign, number, _ in terms]
    return sum(
        n * lengths.get(letter, 1.0) for n, (_, _, letter) in zip(signed, terms, strict=True)
    )


def test_hip_rules_are_the_formulas_of_the_page():
    lengths = {"W": 251.0, "D": 147.0, "L": 873.0}
    pelvis = PelvisMeasures(width_m=0.251, depth_m=0.147, leg_length_m=0.873, diameter_m=0.0)
    rows = rows_of("docs/anthropometry.md", "| rule | forward, up, outward")
    assert {name.strip("`") for name, *_ in rows} == set(HIP_RULES)
    for name, formulas, _ in rows[1:]:  # the first is that of Plug-in Gait
        expected = [value(formula, **lengths) for formula in formulas.split(", ")]
        hip = HIP_RULES[name.strip("`")](pelvis, "right")
        np.testing.assert_allclose(1000 * hip, expected, atol=1e-9)


def test_davis_is_the_formula_of_the_page():
    text = page("docs/marker-models.md")
    constants = re.search(r"C = (\S+) l - (\S+) mm, a = (\S+) and b = (\S+) rad", text)
    depth = re.search(r"else (\S+) L - (\S+) mm\)", text)
    assert constants
    assert depth
    (by_leg, less, a, b), (by_length, off) = (
        [float(number) for number in found.groups()] for found in (constants, depth)
    )
    assert 1000 * asis_trochanter_m(0.9) == pytest.approx(900 * by_length - off)
    C, d, r, w = 900 * by_leg - less, 900 * by_length - off, 7.0, 240.0
    expected = [
        C * np.cos(a) * np.sin(b) - (d + r) * np.cos(b),
        -(C * np.cos(a) * np.cos(b) + (d + r) * np.sin(b)),
        w / 2 - C * np.sin(a),
    ]
    hip = HIP_RULES["davis"](PelvisMeasures(w / 1000, np.nan, 0.9, 2 * r / 1000), "right")
    np.testing.assert_allclose(1000 * hip, expected)


def test_delays_of_the_marks_of_events_are_those_of_the_page():
    text = page("docs/events.md")
    for marks in MARKS.values():
        for name, mark in marks.items():
            mark_of_page = name.replace("foot's turning down", "this turning")
            mark_of_page = mark_of_page.replace("toe rises", "it rises").replace(
                "toe acc", "toe marker acc"
            )
            assert f"{mark_of_page} ({mark.late_ms:g})" in text
    growth = [f"{mark.by_stride:g}" for mark in MARKS["foot_off"].values()]
    assert f"{growth[0]}, {growth[1]} and {growth[2]} ms per second" in text
    assert not any(mark.by_stride for mark in MARKS["foot_strike"].values())
    assert f"stride time of {USUAL_STRIDE_S} s" in text
    assert f"from {FASTEST_S} to {SLOWEST_S} s" in text


def test_gains_of_the_filters_are_those_of_the_pages():
    """A tone of the length of many cycles leaves both filters with the gain of the formula."""
    assert "1 / (1 + 0.414 (f / fc)^6)" in page("docs/methods.md")
    assert "1 / (1 + 0.414 (f / fc)^8)" in page("docs/emg.md")
    assert low_pass_gain(np.array([9.0]), 6.0)[0] == pytest.approx(
        1 / (1 + 0.414 * 1.5**8), rel=1e-3
    )
    t = np.arange(1200) / 200
    for f in (5.0, 10.0, 13.0):
        tone = np.sin(2 * np.pi * f * t)
        smoothed = smooth(np.stack([tone] * 3, axis=1)[:, None], Filter(200.0))[0][:, 0, 0]
        gain = np.dot(smoothed[200:-200], tone[200:-200]) / np.dot(tone[200:-200], tone[200:-200])
        assert gain == pytest.approx(1 / (1 + 0.414 * (f / 10) ** 6), rel=5e-3)


def test_roughness_of_published_sets_and_length_of_the_trunk_are_those_of_the_pages():
    text = page("docs/statistics.md")
    assert "it is 10 for angles, 20 for moments, 30 for powers and ground forces" in text
    for curve in curve_rules():
        kind = 10 if "angle" in curve.name else 20 if "moment" in curve.name else 30
        assert curve.norm_roughness == kind, curve.name
    assert f"({TRUNK_OF_LEG:.3f} of thigh plus shank)" in page("docs/generalised.md")

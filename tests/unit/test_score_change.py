"""GPS and GDI* between two sessions: what matters and what can be measured."""

from __future__ import annotations

import pytest

from gaitdyn.metrics.scores import score_change


@pytest.mark.parametrize(
    ("after", "matters", "measurable"),
    [(9.0, False, False), (7.71, False, False), (7.65, False, True), (7.3, True, True),
     (10.7, True, True)],
)  # fmt: skip
def test_a_change_may_be_measured_and_not_matter(after, matters, measurable):
    found = score_change(9.0, after)
    assert (found.matters, found.measurable) == (matters, measurable)


def test_gdi_star_follows_the_gps():
    assert score_change(10.0, 5.35).gdi_star == pytest.approx(23.8, abs=0.1)

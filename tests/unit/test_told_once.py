"""What is one fact is told once: by several rules, and of many contacts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.pipeline import process_trial
from gaitdyn.quality.rules import check_result, load_rules
from gaitdyn.quality.rules.told_once import told_once
from gaitdyn.store.document import document_of
from gaitdyn.store.run_lines import run_lines
from gaitdyn.types.options import Options
from tests.unit.faulty_walks import processed, with_channels

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.findings import Finding

RULES = load_rules()
OF_A_MASS = ("subject-differs", "force-against-mass", "peak-force", "force-against-static")


def levels(result: Result) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for finding in result.findings:
        if finding.code in OF_A_MASS:
            found.setdefault(finding.code, set()).add(finding.level)
    return found


def test_a_wrong_mass_is_told_once_with_what_supports_it(synthetic: Path) -> None:
    result = process_trial(synthetic / "walk01.c3d", Options(mass_kg=40))
    (lead,) = (f for f in result.findings if f.code == "force-against-mass")
    assert (lead.level, lead.scope) == ("warning", "mass_kg")
    assert lead.message.endswith(", and the static and the trial state 70.0 kg: the mass is wrong")
    assert levels(result) == {
        "force-against-mass": {"warning"}, "subject-differs": {"info"}, "peak-force": {"info"},
    }  # fmt: skip
    assert "mass_kg" in {f.scope for f in result.findings if f.code == "subject-differs"}
    assert result.verdict == "check"


def test_what_no_file_supports_stays_a_warning(as_read: Session) -> None:
    result = processed(as_read, with_channels(lambda channels: 1.8 * channels))
    assert levels(result)["peak-force"] == levels(result)["force-against-mass"] == {"warning"}


@pytest.mark.parametrize("source", ["static force", "option"])
def test_a_mass_of_the_static_is_not_told_beside_the_static_itself(
    clean: Result, source: str
) -> None:
    heavy, sources = 1.2 * (clean.subject.mass_kg or 0.0), {"mass_kg": source}
    bare = replace(clean.recording, subject=replace(clean.recording.subject, mass_kg=None))
    result = replace(
        clean, recording=bare, static=bare, static_force_n=heavy * 9.80665,
        subject=replace(clean.subject, mass_kg=heavy, sources=sources),
    )  # fmt: skip
    found = {f.code: f for f in told_once(result, check_result(result, RULES), RULES)}
    own = source == "static force"
    assert found["force-against-mass"].level == ("info" if own else "warning")
    assert found["force-against-static"].level == "warning"
    assert (", whose mass is used" in found["force-against-static"].message) is own


@pytest.mark.parametrize(
    ("code", "scope", "value", "supports"),
    [
        ("peak-force", "plate 1", 0.9, True),  # 1.08 of the body weight that the plates carry
        ("peak-force", "plate 1", 1.5, False),  # 1.8
        ("peak-force", "plate 1", 0.6, False),  # 0.72
        ("peak-force", "plate 1", None, False),
        ("subject-differs", "mass_kg", 14.0 / 84.0, True),  # 70 kg
        ("subject-differs", "mass_kg", 0.5, False),  # 42 or 126 kg
        ("subject-differs", "height_m", 14.0 / 84.0, False),
        ("plate-unlike", "plate 1", 14.0 / 84.0, False),
        ("force-against-mass", "mass_kg", 14.0 / 84.0, False),
    ],
)
def test_what_a_wrong_mass_explains_supports_the_warning_on_it_and_nothing_else_does(
    clean: Result, code: str, scope: str, value: float | None, supports: bool
) -> None:
    """The body mass is given as 84 kg; the plates carry 70, which both files state."""
    heavy = replace(clean, subject=replace(clean.subject, mass_kg=84.0))
    lead = RULES["force-against-mass"].found("mass_kg", "84 kg, but 70 are carried", 0.17)
    other = RULES[code].found(scope, "also", value)

    def level(*findings: Finding, result: Result = heavy) -> str:
        return told_once(result, findings, RULES)[-1].level

    assert level(lead, other) == ("info" if supports else "warning")
    assert level(lead, replace(other, level="error")) == "error"
    assert level(replace(lead, level="info"), other) == "warning"
    assert level(other) == "warning"
    of_static = RULES["force-against-static"].found("plates", "70 kg, but 84 in the static", 0.17)
    assert level(of_static, other) == "warning"
    bare = replace(clean.recording, subject=replace(clean.recording.subject, mass_kg=None))
    unstated = replace(heavy, recording=bare, static=None)
    assert level(lead, other, result=unstated) == "warning"
    sources = {"mass_kg": "static force"}
    weighed = replace(heavy, subject=replace(heavy.subject, sources=sources))
    assert level(lead, result=weighed) == "warning"  # nothing is said of the static


def test_many_contacts_are_counted_once_per_plate_and_foot(clean: Result) -> None:
    one = replace(clean.contacts[0], plate=1, side="left", verdict="valid")
    other = replace(one, plate=2, side="right")
    parts = [replace(other, verdict="partial")] * 2
    result = replace(clean, contacts=(one,) * 8 + (*parts, *(other,) * 7))
    (line,) = (x for x in run_lines(result, document_of(clean)) if "contacts" in x)
    assert line == "17 contacts: plate 1 left 8 valid; plate 2 right 7 valid, 2 partial"


def test_a_noisy_plate_is_not_told_to_drift_as_well(as_read: Session) -> None:
    def noisy(channels: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        random = np.random.default_rng(2)
        return channels + [40.0, 40.0, 25.0, 0.0, 0.0, 0.0] * random.normal(size=channels.shape)

    result = processed(as_read, with_channels(noisy))
    told = {(f.code, f.scope): f.level for f in result.findings}
    creeping = {scope for code, scope in told if code == "plate-creeps"}
    assert creeping
    for scope in creeping:
        assert told["plate-noise", scope] == "warning"
        assert told["plate-creeps", scope] == "info"

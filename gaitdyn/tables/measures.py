"""The measures of a person that a run takes, in words, with their sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gaitdyn.types.subject import Subject
from gaitdyn.types.words import measure_words

BY_COMMAND = "command line"
"""Where a setting comes from that no file gives."""


def measure_texts(subject: Mapping[str, Any]) -> list[str]:
    """Return mass, height and marker diameter, each with its source, of those that are known.

    Parameters
    ----------
    subject : mapping
        ``mass_kg``, ``height_m``, ``marker_diameter_m`` and ``sources``, as in ``result.json``.

    Examples
    --------
    >>> sources = {"mass_kg": "static force", "marker_diameter_m": "default"}
    >>> of = {"mass_kg": 36.3, "height_m": None, "marker_diameter_m": 0.014, "sources": sources}
    >>> measure_texts(of)
    ['36.3 kg (static force)', 'markers of 14 mm (default)']
    """
    known = {k: measure_words(k, subject[k]) for k in ("mass_kg", "height_m") if subject[k]}
    if diameter := subject["marker_diameter_m"]:
        known["marker_diameter_m"] = f"markers of {1000 * diameter:g} mm"
    sources = subject["sources"]
    return [f"{words} ({sources.get(key, 'given')})" for key, words in known.items()]


_OPTIONS = {"mass_kg": "mass_kg", "height_m": "height_m", "marker_diameter_m": "marker_diameter_mm"}
"""Measure -> the option that gives it."""


def with_setters(subject: Subject, setters: Mapping[str, str]) -> Subject:
    """Return a person whose measures name the file that set an option, instead of the option.

    Parameters
    ----------
    subject : Subject
        As taken by a run.
    setters : mapping
        Name of an option -> the file that set it, of :class:`gaitdyn.session.trial_plan.TrialPlan`.
    """
    files = {
        measure: setters[option]
        for measure, option in _OPTIONS.items()
        if subject.sources.get(measure) == "option"
        and setters.get(option, BY_COMMAND) != BY_COMMAND
    }
    return replace(subject, sources={**subject.sources, **files}) if files else subject


def measures_taken(subject: Subject | None) -> list[str]:
    """Return the measures that a run of a trial takes; an empty list for one that is refused."""
    if subject is None:
        return []
    names = ("mass_kg", "height_m", "marker_diameter_m", "sources")
    return measure_texts({name: getattr(subject, name) for name in names})

"""Findings and marker gaps as rows with their times, for ``result.json`` and the report."""

from __future__ import annotations

from typing import Any

from gaitdyn.core.runs import complete_rows, runs
from gaitdyn.quality.rules import findings_of
from gaitdyn.quality.rules.table import load_rules
from gaitdyn.types.frozen import by_name
from gaitdyn.types.result import Processed


def finding_rows(result: Processed) -> list[dict[str, Any]]:
    """Return the findings in the order of ``quality.csv``, with their subject and time.

    Returns
    -------
    list of dict
        The attributes of :class:`gaitdyn.types.findings.Finding` but ``spans``, and
        ``first_frame`` and ``last_frame``, inclusive, numbered as in ``timeseries.csv``; None if a
        finding has no time; ``action``: what to do about it.
    """
    rate, rules = result.recording.rate_hz, load_rules(result.options.quality)
    rows: list[dict[str, Any]] = []
    for finding in findings_of(result):
        times = finding.start_s, finding.stop_s
        first, last = (None if t is None else round(t * rate) + 1 for t in times)
        action = rules[finding.code].action_for(finding) if rules.has(finding.code) else ""
        frames = {"first_frame": first, "last_frame": last}
        told = {name: value for name, value in by_name(finding).items() if name != "spans"}
        rows.append({**told, **frames, "action": action})
    return rows


def gap_rows(result: Processed) -> list[dict[str, Any]]:
    """Return the gaps of the markers that the model uses.

    Returns
    -------
    list of dict
        ``marker``; ``first_frame``, ``last_frame``: inclusive; ``filled``: whether the smoother
        bridged it; otherwise its frames remain empty.
    """
    first, rows = result.recording.first_frame, []
    for label in result.trial.labels:
        if not result.recording.has(label):  # such as the midpoint of two markers
            continue
        recorded = complete_rows(result.recording.marker(label))
        if recorded.all():
            continue
        known = complete_rows(result.trial.marker(label))
        for filled, mask in ((True, ~recorded & known), (False, ~recorded & ~known)):
            rows += [
                {
                    "marker": label,
                    "first_frame": start + first,
                    "last_frame": stop + first - 1,
                    "filled": filled,
                }
                for start, stop in runs(mask)
            ]
    return rows

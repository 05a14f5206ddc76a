"""The contents of ``statistics.json``: thresholds, errors and their sources."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gaitdyn.statistics.threshold import ALPHA
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.abnormal import Abnormal
    from gaitdyn.judge.changes.changed import Changes
    from gaitdyn.judge.finding import CurveFinding
    from gaitdyn.judge.groups.two import GroupDifferences
    from gaitdyn.metrics.scores import GaitScores
    from gaitdyn.statistics.change import ChangeTest
    from gaitdyn.statistics.people import GroupTest


def abnormal_statistics(abnormal: Abnormal) -> dict[str, Any]:
    """Return thresholds and their sources."""
    matched, norm = abnormal.norm, abnormal.norm.norm
    curves = []
    for curve in abnormal.curves:
        entry: dict[str, Any] = {
            "side": curve.side, "curve": curve.rule.name, "family": curve.rule.family,
            "strides": curve.strides,
        }  # fmt: skip
        if curve.test is not None:
            entry |= {
                "k": curve.test.threshold, "roughness": curve.test.roughness,
                "roughness_origin": curve.origin, "nu": curve.test.nu,
            }  # fmt: skip
            if math.isfinite(curve.rank_p):
                entry["p_rank"] = curve.rank_p
            between = 0.0 if norm.in_house else curve.rule.between_laboratories
            entry["between_laboratories"] = between
        curves.append(entry)
    return {
        "schema": 1, "gaitdyn": __version__, "question": "abnormal", "alpha": ALPHA,
        "speed_nondimensional": abnormal.speed,
        "norm": {
            "name": norm.name, "sha256": norm.sha256, "source": norm.source,
            "own": norm.in_house, "count": matched.count, "note": matched.note,
        },
        "families": _families(abnormal.findings), "curves": curves,
        "scores": _scores(abnormal.scores),
    }  # fmt: skip


def _scores(scores: GaitScores) -> dict[str, Any]:
    """Return GPS, GDI* and the movement analysis profile, each with quartiles and cycles."""
    profile: dict[str, dict[str, Any]] = {}
    for (side, variable), score in scores.profile.items():
        profile.setdefault(side, {})[variable] = asdict(score)
    gps = {**scores.gps, "overall": scores.gps_overall}
    return {
        "gps": {side: asdict(score) for side, score in gps.items()},
        "gdi_star": {side: asdict(score) for side, score in scores.gdi_star.items()},
        "profile": profile,
    }


def change_statistics(changes: Changes, abnormal: Sequence[Abnormal]) -> dict[str, Any]:
    """Return thresholds, session errors and their sources, and with a norm the scores of both."""
    curves = []
    for curve in changes.curves:
        entry: dict[str, Any] = {
            "side": curve.side, "curve": curve.rule.name, "family": curve.rule.family,
            "planned": curve.planned, "strides": list(curve.counts),
        }  # fmt: skip
        if curve.means is not None and curve.test is not None:
            entry["means"] = list(curve.means)
        if curve.session is not None:
            entry["session_sd"] = float(curve.session.band.mean()) ** 0.5
            entry["session_sd_level"] = curve.session.level**0.5
            entry["session_sd_origin"] = curve.session.origin
            entry["session_nu"] = curve.session.nu
        elif changes.markers_on:
            entry["session_sd"], entry["session_sd_origin"] = 0.0, "no marker was placed again"
        curves.append(entry | _of_test(curve.test))
    return {
        "schema": 1, "gaitdyn": __version__, "question": "changed", "alpha": ALPHA,
        "markers_on": changes.markers_on, "speeds_nondimensional": list(changes.speeds),
        "gps_detectable_deg": None if changes.markers_on else _gps_limits(changes),
        "gps_not_judged": dict(changes.gps.refused),
        "families": _families(changes.findings), "curves": curves,
    } | ({"scores": [_scores(one.scores) for one in abnormal]} if abnormal else {})  # fmt: skip


def _gps_limits(changes: Changes) -> dict[str, float | str]:
    limits = changes.gps
    return {"side": limits.side, "overall": limits.overall, "origin": limits.origin}


def group_statistics(differences: GroupDifferences) -> dict[str, Any]:
    """Return the people, thresholds and degrees of freedom of every curve of two groups."""
    curves = [
        {"curve": c.rule.name, "family": c.rule.family, "people": list(c.people)} | _of_test(c.test)
        for c in differences.curves
    ]
    return {
        "schema": 1, "gaitdyn": __version__, "question": "groups", "alpha": ALPHA,
        "paired": differences.paired, "people": list(differences.people),
        "speeds_nondimensional": list(differences.speeds),
        "families": _families(differences.findings), "curves": curves,
    }  # fmt: skip


def _of_test(test: ChangeTest | GroupTest | None) -> dict[str, float]:
    """Return threshold, roughness and degrees of freedom of a test; empty without one."""
    if test is None:
        return {}
    return {"k": test.threshold, "roughness": test.roughness, "nu": test.nu}


def _families(findings: Sequence[CurveFinding]) -> dict[str, int]:
    """Return the number of judged curves in each family, for Holm's correction."""
    counts: dict[str, int] = {}
    for finding in findings:
        if not finding.planned:
            counts[finding.family] = counts.get(finding.family, 0) + (finding.word != "not judged")
    return counts

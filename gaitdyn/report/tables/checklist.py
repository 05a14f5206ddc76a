"""How the numbers were computed: the reporting checklist of joint moments, and provenance.

The items follow Derrick et al. 2020, J Biomech 99:109533 (ISB recommendations on the reporting of
intersegmental forces and moments).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

from gaitdyn.io.shipped import shipped_cells, shipped_rows
from gaitdyn.report.contents import TextTable
from gaitdyn.report.groups import Group, shank_axes
from gaitdyn.store.headings import rejoined
from gaitdyn.store.setting_words import setting_words
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.emg import Emg
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.norms import Norm
from gaitdyn.types.subject import SIDES
from gaitdyn.version import __version__

_SHORT_HASH = 16


def checklist(trial: StoredTrial) -> TextTable:
    """Return the reporting checklist of one trial."""
    options, model, file = (trial.document[key] for key in ("options", "model", "file"))
    methods: dict[str, str] = trial.document.get("methods", {})
    sources = sorted({row["source"] for row in trial.tables["events"]}) or ["none found"]
    spline = "quintic spline on positions and on the entries of rotation matrices"
    vendor = f"as the vendor's program: {options['filter']}"
    entries = options | {
        "condition": trial.condition or "not recorded",
        "rate_hz": file["rate_hz"],
        "analog_hz": file["rate_hz"] * file["analog_per_frame"],
        "model": f"{model['name']}; {methods.get('segment_axes', '')}".rstrip("; "),
        "rungs": _rungs(model),
        "shank": _shank(model),
        "marker_filter": _filter(options, "cutoff_hz"),
        "force_filter": _filter(options, "force_cutoff_hz"),
        "muscles": _muscles(trial.emg),
        "gaps": _gaps(options["longest_gap_s"]),
        "derivatives": spline if options["profile"] == "default" else vendor,
        "sources": ", ".join(sources),
        "steps": _choice_words("steps", "belt" if trial.document.get("belts") else "floor"),
        "plates": "; ".join(_plate(p) for p in file["plates"]) or "none",
        **{
            key: _choice_words(key, options[key])
            for key in ("moments_in", "convention", "baseline")
        },
    }
    rows: list[tuple[str, str]] = []
    for item, text in _items():
        joints = _centres(methods) if "{joint}" in item else [{}]
        told = [(item.format(**joint), text.format(**entries, **joint)) for joint in joints]
        rows += [row for row in told if row[1]]
    notes = (
        "Items after Derrick et al. 2020, J Biomech 99:109533.",
        "Internal extension equals what other programs call the external flexion moment.",
    )
    return TextTable(
        f"How {trial.name} was computed", ("Item", "What was done"), tuple(rows), notes, prose=True
    )


def _choice_words(option: str, choice: str) -> str:
    """Return the wording of a choice of the run; an unknown choice stays as it is."""
    return _words().get((option, choice), choice)


@cache
def _items() -> list[list[str]]:
    return shipped_cells("report/checklist.csv")[1:]


@cache
def _words() -> dict[tuple[str, str], str]:
    return {(row["of"], row["word"]): row["told"] for row in shipped_rows("report/choices.csv")}


def _centres(methods: dict[str, str]) -> list[dict[str, str]]:
    """Return how the joint centres were found, one entry per joint."""
    rows = []
    for joint in reversed(JOINTS):
        sources = {side: methods.get(f"{side}_{joint}_center", "") for side in SIDES}
        words = [f"{side}: {text}" for side, text in sources.items() if text]
        if words:
            rows.append({"joint": joint.capitalize(), "centre": "; ".join(words)})
    return rows


def _shank(model: dict[str, Any]) -> str:
    """Return what z of the shank follows; knee moments in different axes are not pooled."""
    kinds = shank_axes(model)
    words = (_choice_words("shank", kind) for kind in kinds)
    return " or ".join(words) or "the shank's z is not recorded"


def _rungs(model: dict[str, Any]) -> str:
    """Return the landmarks and rules by which each joint and segment of each side was found."""
    by_place: dict[str, list[str]] = {}
    for step in model.get("rungs", []):
        landmarks = f" ({', '.join(step['landmarks'])})" if step["landmarks"] else ""
        static = ", in the static" if step["seen_in"] == "static" else ""
        coarse = ", coarse" if step["coarse"] else ""
        rung = step["rung"]
        words = f"{rung}{landmarks}{static}{coarse}" if rung else f"none: {step['rule']}"
        by_place.setdefault(f"{step['side']} {step['place']}", []).append(words)
    texts = (f"{place}: {', '.join(words)}" for place, words in by_place.items())
    return "; ".join(texts) or "not recorded"


def _filter(options: dict[str, Any], key: str) -> str:
    cutoff = options[key]
    if cutoff is None or (isinstance(cutoff, float) and math.isnan(cutoff)):
        return "none: as recorded"
    return f"{_choice_words('filter', options['filter'])}, cut-off {cutoff:g} Hz (gain 0.707)"


def _muscles(emg: Emg | None) -> str:
    """Return how the envelopes were made; empty if no muscle is shown."""
    if emg is None or not emg.curves:
        return ""
    steps: dict[str, Any] = emg.processing
    low, high = steps["band_hz"]
    notch = "no notch filter" if steps["notch_hz"] is None else f"notch {steps['notch_hz']:g} Hz"
    return (
        f"band-pass {low:g} to {high:g} Hz, {notch}, absolute value, low-pass"
        f" {steps['envelope_hz']:g} Hz (4th order without lag, gain 0.707 at each cut-off)"
    )


def _gaps(longest_s: float) -> str:
    if not longest_s:
        return "not filled: they stay empty"
    return f"filled up to {longest_s:g} s, longer ones stay empty"


def _plate(plate: dict[str, Any]) -> str:
    problem = f", left out: {plate['problem']}" if plate["problem"] else ""
    kind = f"type {plate['type']}" if plate["type"] else "a force given with its point"
    return f"{plate['number']} ({kind}{problem})"


def provenance(groups: Sequence[Group], norm: Norm | None) -> TextTable:
    """Return every input file with its hash and the version that read it."""
    rows = [
        (trial.name, entry["role"], entry["name"], entry["sha256"][:_SHORT_HASH],
         str(trial.document["gaitdyn"]))
        for trial in rejoined([trial for group in groups for trial in group.trials])
        for entry in trial.document["inputs"]
    ]  # fmt: skip
    if norm is not None:
        source, digest = norm.source or "source not stated", norm.sha256[:_SHORT_HASH]
        rows.append(("reference", source, norm.name, digest, __version__))
    columns = ("Trial", "Role", "File", "SHA-256 (first 16)", "gaitdyn")
    return TextTable("Files and versions", columns, tuple(rows), prose=True)


def options_table(trial: StoredTrial) -> TextTable:
    """Return every option as used."""
    rows = tuple((key, setting_words(key, v)) for key, v in trial.document["options"].items())
    return TextTable(f"Options of {trial.name}", ("Option", "Value"), rows, prose=True)

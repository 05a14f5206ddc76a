"""How the numbers were made: the reporting checklist of joint moments, filled in, and provenance.

The items follow Derrick et al. 2020, J Biomech 99:109533 (ISB recommendations on the reporting of
intersegmental forces and moments).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gaitdyn.report.contents import Table
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.report.groups import Group
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.norms import Norm

_AXES = {
    "distal": "orthogonal axes of the distal segment",
    "proximal": "orthogonal axes of the proximal segment",
    "jcs": "joint coordinate system, projections on its axes",
    "jcs-dual": "joint coordinate system, components along its axes",
    "lab": "laboratory axes: x forward, y up, z to the right",
}
_SHORT_HASH = 16


def checklist(trial: StoredTrial) -> Table:
    """Return the reporting checklist of one trial.

    Parameters
    ----------
    trial : StoredTrial
    """
    options, model = trial.document["options"], trial.document["model"]
    methods: dict[str, str] = trial.document.get("methods", {})
    profile = options["profile"]
    sources = sorted({row["source"] for row in trial.tables["events"]}) or ["none found"]
    plates = trial.document["file"]["plates"]
    rows = (
        ("Condition", trial.condition or "not recorded"),
        ("Sampling", _sampling(trial.document["file"])),
        ("Moments", _convention(options["convention"])),
        ("Axes of the moments", f"{_AXES[options['moments_in']]}; about the joint centres"),
        ("Joint forces", "net forces of the proximal on the distal segment, not contact forces"),
        ("Marker model", f"{model['name']}; {methods.get('segment_axes', '')}".rstrip("; ")),
        *_centres(methods),
        ("Joints and segments", _rungs(model)),
        (
            "Segment axes",
            ("y along the bone to the proximal joint centre, z to the right along the flexion axis,"
            f" x forward; foot: x from heel to toes; {_shank(model)}"),
        ),
        ("Angles", ("Cardan angles: flexion, adduction, rotation (ankle: dorsiflexion first);"
                   " pelvis and foot against the walking direction")),
        ("Body segments", f"table {options['anthropometry']}"),
        ("Filter of the markers", _filter(options, "cutoff_hz")),
        ("Filter of the forces", _filter(options, "force_cutoff_hz")),
        ("Gaps", f"filled up to {options['longest_gap_s']:g} s, longer ones stay empty"),
        ("Derivatives", "quintic spline on positions and on the entries of rotation matrices"
                        if profile == "default" else "as the vendor's program"),
        ("Inverse dynamics", ("stacked Newton-Euler equations of foot, shank and thigh;"
                             f" gravity {options['gravity_m_s2']:.5f} m/s\u00b2")),
        ("Normalisation", "body mass; non-dimensional values after Hof 1996 with the leg length"),
        ("Gait events", f"from {', '.join(sources)}"),
        ("Force plates", "; ".join(_plate(p) for p in plates) or "none"),
        ("Plate baseline", _baseline(options["baseline"])),
        ("Steps", "load above 20 N for at least 0.1 s; the foot under the centre of pressure"),
        ("Foot and ground", ("one rigid foot; force, centre of pressure and free moment of the"
                            " plate; wrench carried as force and moment about a fixed point")),
        ("Not shown", (f"the first and last {options['unpublished_frames']} frames of every"
                      " stretch of known poses, where filters are unreliable")),
        ("Cycles", "from strike to strike of the same foot, events between frames, 101 points"),
    )  # fmt: skip
    notes = (
        "Items after Derrick et al. 2020, J Biomech 99:109533.",
        (
            "Internal extension carries the number that other programs call the external flexion"
            " moment."
        ),
    )
    return Table(
        f"How {trial.name} was computed", ("Item", "What was done"), rows, notes, prose=True
    )


def _sampling(file: dict[str, Any]) -> str:
    rate, count = file["rate_hz"], file["analog_per_frame"]
    return f"markers {rate:g} Hz, force plates {rate * count:g} Hz"


def _baseline(word: str) -> str:
    return {
        "remove": "what an unloaded plate reads is removed",
        "keep": "kept as recorded",
    }.get(word, word)


def _convention(word: str) -> str:
    return {
        "internal": "internal: net moment of muscles and ligaments",
        "external": "external: moment of the load",
    }[word]


def _centres(methods: dict[str, str]) -> list[tuple[str, str]]:
    """Return where the joint centres come from, a row a joint."""
    rows = []
    for joint in reversed(JOINTS):
        told = {side: methods.get(f"{side}_{joint}_center", "") for side in SIDES}
        words = [f"{side}: {text}" for side, text in told.items() if text]
        if words:
            rows.append((f"{joint.capitalize()} centre", "; ".join(words)))
    return rows


_SHANK = {
    "knee": "the shank's z follows the knee axis",
    "malleoli": "the shank's z follows the malleoli",
    "pelvis": "the shank's z is the pelvis's in the reference position",
    "plane": "z is square to the plane of walking",
    "maker": "the shank's z is as the maker of the poses turns it",
}


def _shank(model: dict[str, Any]) -> str:
    """Return what z of the shank follows; knee moments about different ones are not pooled."""
    kinds = sorted({one["shank"] for one in model.get("axes", {}).values()})
    return " or ".join(_SHANK[kind] for kind in kinds) or "the shank's z is not recorded"


def _rungs(model: dict[str, Any]) -> str:
    """Return by which landmarks and rules each joint and segment of each side was found."""
    told: dict[str, list[str]] = {}
    for step in model.get("rungs", []):
        shown = f" ({', '.join(step['landmarks'])})" if step["landmarks"] else ""
        seen = ", in the static" if step["seen_in"] == "static" else ""
        coarse = ", coarse" if step["coarse"] else ""
        words = f"{step['rung']}{shown}{seen}{coarse}" if step["rung"] else f"none: {step['rule']}"
        told.setdefault(f"{step['side']} {step['place']}", []).append(words)
    return "; ".join(f"{where}: {', '.join(words)}" for where, words in told.items()) or (
        "not recorded"
    )


def _filter(options: dict[str, Any], key: str) -> str:
    cutoff = options[key]
    if cutoff is None or (isinstance(cutoff, float) and math.isnan(cutoff)):
        return "none: as recorded"
    kind = {
        "spline": "quintic smoothing spline",
        "butterworth": "zero-lag Butterworth of second order, twice",
    }.get(options["filter"], options["filter"])
    return f"{kind}, cut-off {cutoff:g} Hz (gain 0.707)"


def _plate(plate: dict[str, Any]) -> str:
    problem = f", left out: {plate['problem']}" if plate["problem"] else ""
    kind = f"type {plate['type']}" if plate["type"] else "a force given with its point"
    return f"{plate['number']} ({kind}{problem})"


def provenance(groups: Sequence[Group], norm: Norm | None) -> Table:
    """Return every file that went in, with its hash and the version that read it."""
    references = [] if norm is None else [norm]
    rows = [
        (trial.name, entry["role"], entry["name"], entry["sha256"][:_SHORT_HASH],
         str(trial.document["gaitdyn"]))
        for group in groups
        for trial in group.trials
        for entry in trial.document["inputs"]
    ] + [
        ("reference", reference.source or "source not stated", reference.name,
         reference.sha256[:_SHORT_HASH], __version__)
        for reference in references
    ]  # fmt: skip
    columns = ("Trial", "Role", "File", "SHA-256 (first 16)", "gaitdyn")
    return Table("Files and versions", columns, tuple(rows), prose=True)


def options_table(trial: StoredTrial) -> Table:
    """Return every option as it was used."""
    rows = tuple((key, _word(value)) for key, value in trial.document["options"].items())
    return Table(f"Options of {trial.name}", ("Option", "Value"), rows, prose=True)


def _word(value: Any) -> str:
    return "none" if value is None or value == [] else str(value)

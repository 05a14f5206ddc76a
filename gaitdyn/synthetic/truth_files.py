"""The truth about a synthetic session, written next to its recordings."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.synthetic.body import SIDES, Side
from gaitdyn.synthetic.loads import SEGMENTS
from gaitdyn.synthetic.walk import Walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.synthetic.ground import FootContact

SCHEMA = "gaitdyn-synthetic-truth-1"
BASES = {
    "angle": "deg, Cardan angles of the distal in the proximal segment",
    "moment": "N m, internal, axes of the distal segment",
    "force": "N, on the distal segment at the joint centre, axes of the distal segment",
    "power": "W; sagittal, frontal, transverse: about z, x, y of the distal segment",
    "center": "mm, G",
    "grf": "N, on the subject: x along the walking direction, y up, z right",
    "cop": "mm, G; empty out of contact",
    "free_moment": "N m, about the vertical; empty out of contact",
}


def write_truth_csv(path: Path, trial: Walk) -> None:
    """Write ``frame`` and the true curves, one row per marker frame; NaN is an empty field.

    Parameters
    ----------
    path : Path
        Replaced if it exists.
    trial : Walk
        The truth.
    """
    columns = trial.columns()
    line = ",".join(["%d", *["%.10g"] * len(columns.names)])
    rows = zip(trial.frame.tolist(), columns.values.tolist(), strict=True)
    text = "\n".join([line % (frame, *row) for frame, row in rows]).replace("nan", "")
    path.write_text(",".join(("frame", *columns.names)) + f"\n{text}\n", "utf-8", newline="\n")


def write_truth_json(path: Path, static: Walk, walks: dict[str, Walk]) -> None:
    """Write body, inertia, plates, stances and events of a session.

    Parameters
    ----------
    path : Path
        Replaced if it exists.
    static : Walk
        The quiet stance.
    walks : dict
        Trials by file stem.
    """
    walker = static.walker
    document = {
        "schema": SCHEMA,
        "body": asdict(walker.body),
        "inertia": {side: _inertia(static, side) for side in SIDES},
        "recording": asdict(static.recording) | {"events": None, "gaps": None},
        "columns": BASES,
        "R_lab_G": static.recording.R_LG.tolist(),
        "static": {"frames": len(static.frame), "plates": _plates(static)},
        "trials": {name: _trial(trial) for name, trial in walks.items()},
    }
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _inertia(trial: Walk, side: Side) -> dict[str, object]:
    """Return mass (kg) and inertia (kg m^2, segment axes) of each segment."""
    motion = trial.leg(side).motion
    return {
        name: {"mass_kg": motion.mass[i], "inertia_S": motion.inertia_S[i].tolist()}
        for i, name in enumerate(SEGMENTS)
    }


def _trial(trial: Walk) -> dict[str, object]:
    """Return the truth about one trial other than its curves."""
    gait, course, recording = trial.walker.gait, trial.walker.course, trial.recording
    return {
        "first_frame": int(trial.frame[0]),
        "last_frame": int(trial.frame[-1]),
        "rate_hz": recording.rate_hz,
        "stride_s": gait.stride_s,
        "stride_m": gait.stride_length * trial.walker.body.leg_m,
        "heading_rad": course.heading_rad,
        "gaps": recording.gaps,
        "plates": _plates(trial),
        "contacts": [_contact(trial, stance) for stance in trial.stances],
        "events": [asdict(event) for event in trial.events],
    }


def _contact(trial: Walk, stance: FootContact) -> dict[str, object]:
    """Return one stance; frames (inclusive) are those of the trial with the foot on the ground."""
    inside = (trial.time_s > stance.strike_s) & (trial.time_s < stance.off_s)
    frames = trial.frame[np.flatnonzero(inside)]
    return {
        **asdict(stance),
        "first_frame": int(frames[0]) if len(frames) else None,
        "last_frame": int(frames[-1]) if len(frames) else None,
        "whole": bool(trial.time_s[0] <= stance.strike_s and stance.off_s <= trial.time_s[-1]),
    }


def _plates(trial: Walk) -> list[dict[str, object]]:
    """Return corners and sensor points of the plates, G, m."""
    return [
        {"corners_G_m": plate.corners_G.tolist(), "sensor_G_m": plate.sensor_G.tolist()}
        for plate in trial.plates
    ]

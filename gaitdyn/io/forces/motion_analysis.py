"""Read Motion Analysis ``.forces`` files: force, centre of pressure and free moment per plate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io.c3d.records import refused
from gaitdyn.io.forces.columns import GivenForce
from gaitdyn.io.text_files import hashed_text, numbers_of
from gaitdyn.types.frozen import frozen
from gaitdyn.types.texts import number_in

if TYPE_CHECKING:
    from pathlib import Path

WANTED = "a .forces file of force, centre of pressure and free moment"
_LARGEST_BYTES = 100_000_000
_COLUMNS, _MOST_PLATES = 7, 40
_STEP_N = 50.0


@frozen(eq=False)
class ForcesText:
    """The contents of a ``.forces`` file; it has no clock, its first sample is at 0 s."""

    name: str
    sha256: str
    rate_hz: float
    forces: list[GivenForce]


def read_forces_text(path: str | Path) -> ForcesText:
    """Read a ``.forces`` file in N, mm and N mm; its moment is always about the vertical.

    Raises
    ------
    FileRefused
    """
    name, text, digest = hashed_text(path, WANTED, _LARGEST_BYTES)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or lines[0].lower() != "[force data]":
        raise refused(name, "no line [Force Data]", WANTED)
    settings = dict(_pair(line) for line in lines[:20] if "=" in line)
    rate = number_in(settings.get("samplerate", ""))
    if not 1.0 <= rate <= 1e5:  # noqa: PLR2004
        raise refused(name, "no SampleRate", "samples per second")
    head = next((i for i, x in enumerate(lines) if x.lower().startswith("#sample")), None)
    plates = 0 if head is None else (len(lines[head].split()) - 1) // _COLUMNS
    if head is None or not 0 < plates <= _MOST_PLATES:
        raise refused(name, "no line #Sample FX1 FY1 FZ1 X1 Y1 Z1 MZ1", WANTED)
    width = 1 + _COLUMNS * plates
    rows = lines[head + 1 :]
    if not rows or any(len(row.split()) != width for row in rows):
        raise refused(name, "rows of another length than the labels", f"{width} cells per row")
    table = np.empty((len(rows), width))
    try:
        for i, row in enumerate(rows):
            table[i] = numbers_of(row.split())
    except ValueError:
        raise refused(name, "cells that are not numbers", WANTED) from None
    if not np.array_equal(table[:, 0], table[0, 0] + np.arange(len(table))):
        raise refused(name, "sample numbers that do not count up by 1", "every sample, in order")
    parts = table[:, 1:].reshape(len(table), plates, _COLUMNS)
    return ForcesText(name, digest, rate, _forces(parts))


@np.errstate(over="ignore", invalid="ignore")
def _forces(parts: np.ndarray) -> list[GivenForce]:
    """Return the forces; the last column is the moment about the axis with the largest force."""
    force = parts[:, :, :3]
    loaded = np.linalg.norm(force, axis=2) > _STEP_N
    up = int(np.argmax(np.abs(force[loaded].sum(axis=0)))) if loaded.any() else 2
    torque = np.zeros_like(force)
    torque[:, :, up] = 1e-3 * parts[:, :, 6]
    points = 1e-3 * parts[:, :, 3:6]
    return [
        GivenForce(str(k + 1), force[:, k], points[:, k], torque[:, k])
        for k in range(parts.shape[1])
    ]


def _pair(line: str) -> tuple[str, str]:
    key, _, value = line.partition("=")
    return key.strip().lower(), value.strip()

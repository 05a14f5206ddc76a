"""Joint coordinates as other programs store them, with their angles in radians."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gaitdyn.io.storage import Storage


def in_radians(table: Storage) -> Storage:
    """Return a table of joint coordinates with its angles in rad; translations stay as they are.

    ``inDegrees`` in the header decides. Without it the angles of the knees do: over a walk they
    stay below 2 pi in radians and go beyond it in degrees. The notes say what decided.

    Parameters
    ----------
    table : Storage
    """
    told = table.said.get("indegrees", "").lower()
    knees = [i for i, label in enumerate(table.labels) if "knee" in label.lower()]
    looked = table.values[:, knees] if knees else table.values
    large = bool(np.nanmax(np.abs(looked), initial=0.0) > 2.0 * math.pi)
    degrees = told == "yes" if told in ("yes", "no") else large
    why = f"inDegrees={told}" if told in ("yes", "no") else "by the size of the knee's angles"
    note = f"{table.name}: angles are in {'degrees' if degrees else 'radians'} ({why})"
    values = table.values.copy()
    if degrees:
        angles = [not label.lower().endswith(("_tx", "_ty", "_tz")) for label in table.labels]
        values[:, angles] = np.radians(values[:, angles])
    return replace(table, values=values, notes=(*table.notes, note))

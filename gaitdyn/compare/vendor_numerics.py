"""A trial with the vendor's own numerics: they tell how the file stores its values.

The default profile may differ from the vendor in the geometry itself (a medial malleolus, a hip
centre), and the best fit of such curves may find axes or signs that the file does not have.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from gaitdyn.compare.vendor import compare_vendor, result_vectors, vendor_labels
from gaitdyn.errors import GaitdynError
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.compare.agreement import SourceComparison
    from gaitdyn.types.recording import Recording
    from gaitdyn.types.result import Processed

    Again = Callable[[Options], Processed]

_PROFILE = "plug-in-gait"
_INPUTS = (
    "static", "static_frames", "forces", "up", "forward", "rename", "other_person", "subject",
    "subject_parameters", "subject_prefix", "mass_kg", "height_m", "marker_diameter_mm", "assign",
    "events", "leave_out",
)  # fmt: skip
"""Options that say what was measured, not how it is computed."""

_AGREE_DEG = 1.0
"""Largest root mean square difference of an angle with which the numerics are the vendor's."""

_CLEARLY = 0.5
"""Other offsets fit clearly better with less than this of the difference."""

_OFFSETS = {"static": "from the static", "trial": "that the file stores"}
"""Values of ``--offsets`` and what they are."""


def compare_with_vendor(
    result: Processed, recording: Recording, options: Options, again: Again
) -> SourceComparison:
    """Compare a result with the vendor's stored values, whose form the vendor's numerics tell.

    Parameters
    ----------
    result : Processed
    recording : Recording
        That of the result, with the outputs that the vendor stored.
    options : Options
        Those of the result, with the paths of its inputs.
    again : callable
        Processes the trial with other options.

    Raises
    ------
    FileRefused
        If the file contains no output that can be compared.
    """
    ours = result_vectors(result)
    known = result.engine == "chord" and vendor_labels(recording)
    found = _comparisons(options, again) if known else {}
    worst = {offsets: _worst(comparison, "deg") for offsets, comparison in found.items()}
    if not worst or min(worst.values()) > _AGREE_DEG:
        return compare_vendor(recording, ours)
    offsets = min(worst, key=lambda name: worst[name])
    remarks: list[str] = []
    if options.profile != _PROFILE:
        remarks = [_within(found[offsets], offsets)]
    elif worst[offsets] < _CLEARLY * worst.get(options.offsets, 0.0):
        remarks = [f"the foot offsets {_OFFSETS[offsets]} fit better: --offsets {offsets}"]
    return compare_vendor(recording, ours, found[offsets].conventions, remarks)


def _comparisons(options: Options, again: Again) -> dict[str, SourceComparison]:
    """Return offsets -> the comparison of the vendor's numerics with the stored values."""
    inputs = {name: getattr(options, name) for name in _INPUTS}
    found: dict[str, SourceComparison] = {}
    for offsets in ("static", "trial"):
        with suppress(GaitdynError):
            other = again(Options(**inputs, profile=_PROFILE, offsets=offsets))
            found[offsets] = compare_vendor(other.recording, result_vectors(other))
    return found


def _within(nearest: SourceComparison, offsets: str) -> str:
    """Return how near the vendor's numerics come."""
    moment = _worst(nearest, "N mm/kg")
    loads = f" and {moment:.2g} N mm/kg" if moment else ""
    return (
        f"--profile {_PROFILE} --offsets {offsets} is within {_worst(nearest, 'deg'):.2g} deg"
        f"{loads} of the stored values (RMSE): what is larger below is this profile's own"
    )


def _worst(found: SourceComparison, unit: str) -> float:
    """Return the largest root mean square difference among the columns of legs in a unit."""
    legs = ("pelvis", "hip", "knee", "ankle", "foot")
    rows = (row for row in found.rows if row.unit == unit and row.name.startswith(legs))
    return max((row.rmse for row in rows), default=0.0)

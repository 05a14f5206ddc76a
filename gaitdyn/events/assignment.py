"""Assign feet to plates: every load run gets a side, a verdict and a reason.

A run belongs to the foot whose heel-toe axis the centre of pressure follows. It is rejected if no
foot is near, if the other foot is on the plate too, or if the centre of pressure leaves the plate.
A swing foot that passes above the plate does no harm.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.core.low_pass import REACH_FRAMES
from gaitdyn.core.medians import median
from gaitdyn.errors import UsageError
from gaitdyn.events.contact_words import CUT, distance_words
from gaitdyn.events.contacts import FLOOR, Edges, centre_of_pressure, load_runs, widen
from gaitdyn.events.feet import (
    TrialFoot,
    distance_to_foot,
    inside_plate,
    median_distance,
    over_plate,
)
from gaitdyn.io.plates.types import RELIABLE_N
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.contacts import Contact, ContactCode, ContactSide, Verdict
from gaitdyn.types.frozen import frozen
from gaitdyn.types.options import Assignment
from gaitdyn.types.wrench import PlateWrench

GIVEN = {"user": "given by hand", "enf": "given by the trial's .enf"}

NEAR_M = 0.1
"""Largest median distance of the centre of pressure to the heel-toe axis of the standing foot."""

NEAR_POSE_M = 0.06
"""The same for segment poses, whose axes and clock are not tied to the plates by a marker."""

SOLE_M = 0.06
"""The same where neither heel nor toe marker is over the plate: half a sole is no wider. Beyond it
something else stands there, such as a cane beside the foot."""

SHARED_S, APART_M = 0.05, 0.06
"""A second foot shares the load of a plate if it stands over the plate and the centre of pressure
is more than 60 mm from the first foot's axis for longer than 50 ms. A foot that only passes over
the edge, or stands next to it on another plate, does not draw the centre of pressure away."""

LOWEST_M, HIGHEST_M = -0.1, 0.2
"""A foot stands on a plate if the height of its lower marker above the surface is in this range."""


OUTSIDE = 0.2
"""Largest share of the loaded frames with the centre of pressure off the plate."""


@frozen(eq=False)
class LoadedPlate:
    """A plate with its upward force above the baseline and its noise, N, and its run thresholds."""

    wrench: PlateWrench
    up: Array
    noise_N: float
    edges: Edges = FLOOR


def assign_contacts(
    plates: list[LoadedPlate],
    feet: list[TrialFoot],
    rate_hz: float,
    given: tuple[Assignment, ...] = (),
    first_frame: int = 1,
    near_m: float = NEAR_M,
) -> list[Contact]:
    """Return the contacts of all plates, ordered by plate and time.

    Parameters
    ----------
    plates : list of LoadedPlate
    feet : list of TrialFoot
        The feet that have markers.
    rate_hz : float
    given : tuple of Assignment
        Decisions of the user, which take precedence.
    first_frame : int
        Frame number of row 0 in the file, for ``given``.
    near_m : float
        Largest median distance of the centre of pressure to the foot that stands on the plate.
    """
    contacts = []
    for plate in plates:
        decided = [a for a in given if a.plate == plate.wrench.number]
        taken = []
        for a in decided:
            if a.frames:
                run = (max(0, a.frames[0] - first_frame), a.frames[1] - first_frame + 1)
                taken.append(run)
                contacts.append(_given(plate, run, a))
        for run in load_runs(plate.up, rate_hz, plate.edges):
            if any(run[0] < stop and run[1] > start for start, stop in taken):
                continue
            if decided and not taken:
                contacts.append(_given(plate, run, decided[-1]))
            else:
                contacts.append(_judge(plate, run, feet, (rate_hz, near_m)))
    return contacts


def check_overlaps(given: tuple[Assignment, ...]) -> None:
    """Refuse assignments of one plate that contradict each other.

    Raises
    ------
    UsageError
        If a plate is given twice without frames, or in frames that overlap.
    """
    for i, first in enumerate(given):
        for second in given[i + 1 :]:
            if first.plate != second.plate:
                continue
            a, b = first.frames, second.frames
            if a is None or b is None or (a[0] <= b[1] and b[0] <= a[1]):
                raise UsageError(
                    f"assign names plate {first.plate} twice for the same frames; give each step"
                    " its own frames, as in 2=right:114-181,2=left:240-300"
                )


def _given(plate: LoadedPlate, run: tuple[int, int], assignment: Assignment) -> Contact:
    start, stop = max(run[0], 0), min(run[1], len(plate.up))
    peak = float(plate.up[start:stop].max()) if stop > start else 0.0
    verdict: Verdict = "rejected" if assignment.side == "none" else "valid"
    reason = GIVEN[assignment.origin]
    number = plate.wrench.number
    return Contact(number, assignment.side, start, stop, peak, verdict, reason, "given")


def _judge(
    plate: LoadedPlate, run: tuple[int, int], feet: list[TrialFoot], limits: tuple[float, float]
) -> Contact:
    """Return the contact of one load run."""
    side, verdict, code, reason = _decide(plate, run, feet, limits)
    n = len(plate.up)
    if verdict == "valid" and (run[0] == 0 or run[1] == n):
        end = "start" if run[0] == 0 else "end"
        reason = f"{CUT} {end} of the file; {reason}"
        verdict, code = "partial", "cut"
    peak = float(plate.up[run[0] : run[1]].max())
    return Contact(plate.wrench.number, side, *run, peak, verdict, reason, code)


def _decide(
    plate: LoadedPlate, run: tuple[int, int], feet: list[TrialFoot], limits: tuple[float, float]
) -> tuple[ContactSide, Verdict, ContactCode, str]:
    """Return side, verdict and reason of one load run."""
    rate_hz, near_m = limits
    w, rows = plate.wrench, slice(*run)
    cop, loaded = loaded_cop(plate, run)
    outside = loaded & ~inside_plate(cop, w.corners_G, 0.02)
    if (share := outside.sum() / loaded.sum()) > OUTSIDE and not w.virtual:
        over, on = (
            _standing_under(cop, part, feet, rows, near_m) for part in (outside, loaded & ~outside)
        )
        two = f"the {on} foot stands on the plate, the {over} foot over its edge"
        one = f"centre of pressure beside the plate in {100 * share:.0f} %"
        is_two = bool(over and on and over != on)
        side, code, reason = ("both", "two-feet", two) if is_two else ("none", "outside", one)
        return side, "rejected", code, reason
    parts = {foot.side: foot.part(rows) for foot in feet}
    distances = distances_to_feet(cop, loaded, feet, run)
    if not distances:
        return "none", "rejected", "unseen", "no foot marker is seen during the load"
    best = min(distances, key=lambda s: distances[s])
    apart = distance_words(distances)
    over = over_plate(parts[best], w.corners_G)[loaded]
    beside = not w.virtual and 2 * over.sum() < over.size
    if distances[best] > (min(SOLE_M, near_m) if beside else near_m):
        far = distances[best] > near_m
        where = "centre of pressure far from both feet" if far else f"the {best} foot is beside it"
        return "none", "rejected", "far", f"{where} ({apart})"
    above = _height_above(parts[best], w)
    if not LOWEST_M <= above <= HIGHEST_M:
        reason = f"the {best} foot is {above:.2f} m above the plate's surface"
        return "none", "rejected", "height", reason
    away = loaded & (distance_to_foot(cop, parts[best]) > APART_M)
    for side, foot in parts.items():
        if side != best and not w.virtual:
            shares = over_plate(foot, w.corners_G) & foot.stance & away
            if shares.sum() / rate_hz > SHARED_S:
                reason = f"the {side} foot stands on the plate too ({apart})"
                return "both", "rejected", "two-feet", reason
    return best, "valid", "", f"centre of pressure under the foot ({apart})"  # pyrefly: ignore[bad-return]


def loaded_cop(plate: LoadedPlate, run: tuple[int, int]) -> tuple[Array, Mask]:
    """Return the centre of pressure of a load run, G, m, and the frames with enough load for it."""
    w, rows = plate.wrench, slice(*run)
    cop = centre_of_pressure(w.force_G[rows], w.moment_G[rows], w.centre_G, w.normal_G)
    return cop, plate.up[rows] > min(RELIABLE_N, plate.up[rows].max() / 2)


def distances_to_feet(
    cop: Array, loaded: Mask, feet: Sequence[TrialFoot], run: tuple[int, int]
) -> dict[str, float]:
    """Return the median distance of a centre of pressure to each foot that is seen, m."""
    parts = {foot.side: foot.part(slice(*run)).part(loaded) for foot in feet}
    distances = {side: median_distance(cop[loaded], part) for side, part in parts.items()}
    return {side: distance for side, distance in distances.items() if np.isfinite(distance)}


def _standing_under(
    cop: Array, loaded: Mask, feet: list[TrialFoot], rows: slice, near_m: float
) -> str:
    """Return the side of the standing foot nearest to the force in some frames, or ""."""
    stands = [f for f in feet if loaded.any() and 2 * f.stance[rows][loaded].sum() > loaded.sum()]
    distances = {f.side: median_distance(cop[loaded], f.part(rows).part(loaded)) for f in stands}
    near = {side: distance for side, distance in distances.items() if distance <= near_m}
    return min(near, key=lambda side: near[side], default="")


def _height_above(foot: TrialFoot, plate: PlateWrench) -> float:
    """Return how high the lower marker of a foot is above a plate, median, m."""
    lower = np.fmin(foot.heel_G[:, 1], foot.toe_G[:, 1])
    return float(median(lower[np.isfinite(lower)]) - plate.centre_G[1])


def force_rows(plate: LoadedPlate, contact: Contact, others: list[Contact]) -> tuple[int, int]:
    """Return the rows in which a contact's force acts on the foot: the run, widened to its tails.

    It is widened while the force is above three times the unloaded noise, and as far as the
    low-pass of the plate spreads it, but not into another contact of the same plate.
    """
    start, stop = widen(plate.up, (contact.start, contact.stop), max(3.0 * plate.noise_N, 0.01))
    reach = 0 if plate.wrench.edge_force_G is None else REACH_FRAMES
    start, stop = max(0, start - reach), min(len(plate.up), stop + reach)
    for neighbour in others:
        if neighbour is not contact and neighbour.plate == contact.plate:
            if neighbour.stop <= contact.start:
                start = max(start, (neighbour.stop + contact.start + 1) // 2)
            elif neighbour.start >= contact.stop:
                stop = min(stop, (contact.stop + neighbour.start + 1) // 2)
    return start, stop

"""How the curves of a run were computed, derived from its model, rungs, filters and options."""

from __future__ import annotations

from gaitdyn.clean.smoothing import Filter
from gaitdyn.stages.foot_wrenches import force_filter
from gaitdyn.stages.motion import marker_filter
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import Processed

KINDS = {
    "spline": "a quintic smoothing spline",
    "butterworth": "a zero-lag Butterworth filter of second order, twice",
}
_VENDOR = "numerics of the vendor: inertia, derivatives and 9.81 m/s2"


@frozen()
class Methods:
    """What was done, each as a sentence or part of one.

    Attributes
    ----------
    markers, forces : str
        How they were smoothed.
    axes : str
        Where the segment axes come from.
    centres : dict
        ``left_hip`` and so on -> landmarks and rule of a joint centre.
    angles, loads, powers, ground, pressure : str
        How each was computed; ``ground`` is the ground reaction force, ``pressure`` its centre.
    """

    markers: str
    forces: str
    axes: str
    centres: dict[str, str]
    angles: str
    loads: str
    powers: str
    ground: str
    pressure: str

    def centre(self, side: str, joint: str) -> str:
        """Return how a joint centre was found."""
        return self.centres.get(f"{side}_{joint}", "joint centre")


def methods_of(result: Processed) -> Methods:
    """Return how the curves of a result were computed."""
    return result.once("methods", lambda: _methods(result))


def _methods(result: Processed) -> Methods:
    options = result.options
    rate = 0.0 if result.recording is None else result.recording.rate_hz
    vendor = options.profile == "plug-in-gait"
    source = "entries and origins of the poses" if result.engine == "poses" else "markers"
    markers = filter_words(source, marker_filter(options, rate))
    forces = filter_words("forces", force_filter(options, rate))
    axes = _axes(result)
    kind = "angle of two" if result.pose.planar else "Cardan angle of"
    numerics = f", {_VENDOR}" if vendor else ""
    return Methods(
        markers=markers,
        forces=forces,
        axes=axes,
        centres=result.rungs,
        angles=f"{kind} {axes}, {markers}",
        loads=f"stacked Newton-Euler equations, {markers}, {forces}{numerics}",
        powers=(
            "moment times angular velocity of the distal against the proximal segment,"
            f" {markers}, {forces}{numerics}"
        ),
        ground=f"force of the ground on the foot, sum of its plates, {forces}",
        pressure=(
            "centre of pressure on the plate's surface, above max(50 N, 5 % of body weight),"
            f" {forces}"
        ),
    )


def filter_words(source: str, filter_: Filter) -> str:
    """Return how samples were smoothed.

    Examples
    --------
    >>> from gaitdyn.clean.smoothing import Filter
    >>> filter_words("markers", Filter(100.0, 6.0, "spline", 0.1))
    'markers smoothed by a quintic smoothing spline, cut-off 6 Hz'
    >>> filter_words("forces", Filter(100.0, None, longest_gap_s=0.0))
    'forces as recorded'
    """
    if filter_.cutoff_hz is None:
        gaps = f", gaps up to {filter_.longest_gap_s:g} s filled" if filter_.longest_gap_s else ""
        return f"{source} as recorded{gaps}"
    return f"{source} smoothed by {KINDS[filter_.kind]}, cut-off {filter_.cutoff_hz:g} Hz"


def _axes(result: Processed) -> str:
    """Return where the segment axes come from."""
    if result.pose.planar:
        return "lines of markers in the sagittal plane"
    if result.engine == "poses":
        return f"segment axes of the poses that {result.model} stores"
    if result.engine == "landmarks":
        where = "the trial itself" if result.static is None else "the static"
        return f"segment axes of landmarks in {where}, carried by rigid clusters of markers"
    return "segment axes of joint centres and lateral markers in every frame"


def method_document(result: Processed) -> dict[str, str]:
    """Return the methods for ``result.json``: subject -> words."""
    methods = methods_of(result)
    names = [f"{side}_{joint}" for side in result.sides for joint in JOINTS]
    centres = {f"{name}_center": methods.centres.get(name, "") for name in names}
    return {
        "markers": methods.markers,
        "forces": methods.forces,
        "segment_axes": methods.axes,
        **centres,
        "angles": methods.angles,
        "loads": methods.loads,
        "powers": methods.powers,
    }

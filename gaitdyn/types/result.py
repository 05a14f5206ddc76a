"""The values of one run, including those between the steps."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeVar

from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.later import computed_late
from gaitdyn.types.task import WALKING, Task
from gaitdyn.types.visit import Visit

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.types.belts import Belt
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.loads import JointLoads
    from gaitdyn.types.marker_model import Engine
    from gaitdyn.types.motion import Calibration, Pose
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Event, Recording
    from gaitdyn.types.rungs import Taken
    from gaitdyn.types.subject import Subject
    from gaitdyn.types.trial import Trial
    from gaitdyn.types.upper import UpperBody
    from gaitdyn.types.wrench import FootWrench

T = TypeVar("T")


@frozen(arrays=True)
class LegKinetics:
    """Loads of one leg.

    Attributes
    ----------
    loads : JointLoads
        Ankle, knee and hip.
    power : array, shape (n, 3, 3)
        Power of each joint, by component in the distal axes, W.
    published : array of bool, shape (n, 3)
        Frames in which the loads of a joint may be shown: far enough from the ends of a known run.
    """

    loads: JointLoads
    power: Array
    published: Mask


@frozen(arrays=True)
class Side:
    """Results for one leg.

    Attributes
    ----------
    angles : dict
        ``pelvis``, ``hip``, ``knee``, ``ankle``, ``foot`` -> array, shape (n, 3), deg.
    wrench : FootWrench or None
        ``None`` without usable plates.
    kinetics : LegKinetics or None
        ``None`` without plates or mass.
    stance : array of bool, shape (n,)
    """

    angles: dict[str, Array]
    wrench: FootWrench | None
    kinetics: LegKinetics | None
    stance: Mask


@frozen(arrays=True)
class Processed:
    """The values of one processed trial; :class:`gaitdyn.Result` has the methods for them.

    Attributes
    ----------
    recording, trial : the file as read, and in G
    static : Recording or None
    model : str
        Name of the marker model.
    options : Options
        Options as resolved.
    subject : Subject
    calibration : Calibration
    pose : Pose
    sides : dict
        ``left`` and ``right`` -> Side, for the legs that have their markers.
    contacts : tuple of Contact
    events : tuple of Event
    noticed : tuple of Finding
        Findings of the stages; the quality rules evaluate them later.
    no_kinetics : str
        Why there are no kinetics and what to do about it; empty if there are.
    no_kinetics_code : str
        The code of this reason among those of a cycle's status.
    log : tuple of str
        What was chosen, one line each for the user.
    feet : dict
        Side -> heel and toe (head of metatarsal II), filtered, shape (n, 3) each, G, m.
    static_force_n : float or None
        Vertical force on the plates of the static; None if it has no plates.
    taken : tuple of Taken
        The rung of each joint and segment of each side.
    engine : str
        Engine of the marker model: ``chord``, ``landmarks``, ``sagittal`` or ``poses``.
    rungs : dict
        ``left_hip`` and so on -> landmarks and rule for a joint centre.
    upper : UpperBody or None
        Trunk, head and arms, if they have markers; computed when first read.
    belts : tuple of Belt
        Moving belts that the feet stand on; empty on the floor.
    travel : dict
        Side -> how far the ground below the foot has moved since the first frame, shape (n, 3),
        G, m; empty on the floor.
    task : str
        What the person does, of :data:`gaitdyn.types.task.TASK_WORDS`; only a walk has cycles.
    judged : tuple of Finding or None
        Findings of stages and rules, made before impossible values were left empty; None before
        that. Findings on trunk and muscles are added when first read.
    visit : Visit
        Details of the visit from the laboratory; no number depends on them.
    kept : dict
        Cached answers, see :meth:`once`, and what was computed on demand
        (:mod:`gaitdyn.types.uncertainty`); a changed copy starts without any.
    """

    recording: Recording
    trial: Trial
    static: Recording | None
    options: Options
    subject: Subject
    calibration: Calibration
    pose: Pose
    sides: dict[str, Side]
    contacts: tuple[Contact, ...]
    events: tuple[Event, ...]
    noticed: tuple[Finding, ...]
    no_kinetics: str = ""
    no_kinetics_code: str = ""
    log: tuple[str, ...] = field(default=())
    model: str = "plug-in-gait"
    feet: dict[str, tuple[Array, Array]] = field(default_factory=dict[str, tuple[Array, Array]])
    static_force_n: float | None = None
    taken: tuple[Taken, ...] = ()
    engine: Engine = "chord"
    rungs: dict[str, str] = field(default_factory=dict[str, str])
    upper: UpperBody | None = None
    belts: tuple[Belt, ...] = ()
    travel: dict[str, Array] = field(default_factory=dict[str, Array])
    task: Task = WALKING
    judged: tuple[Finding, ...] | None = None
    visit: Visit = field(default_factory=Visit)
    kept: dict[str, Any] = field(default_factory=dict[str, Any], init=False)

    def once(self, name: str, compute: Callable[[], T]) -> T:
        """Return the cached value of a name, or compute and cache it.

        Parameters
        ----------
        name : str
        compute : callable
            Must depend only on these values, so that the answer cannot change.
        """
        if name not in self.kept:
            self.kept[name] = compute()
        return self.kept[name]

    def rung(self, side: str, place: str) -> Taken | None:
        """Return the rung (landmarks and rule) by which a joint or segment of a side was found.

        Parameters
        ----------
        side : {"left", "right"}
        place : {"pelvis", "hip", "knee", "ankle", "foot"}
        """
        return next((t for t in self.taken if (t.side, t.place) == (side, place)), None)

    def ground_travel(self, side: str) -> Array:
        """Return how far the ground below a foot has moved, shape (n, 3), G, m; 0 on the floor."""
        import numpy as np

        travel = self.travel.get(side)
        return np.zeros((self.recording.n_frames, 3)) if travel is None else travel

    @property
    def frame_numbers(self) -> Array:
        """Frame numbers as in the file, shape (n,)."""
        import numpy as np

        return self.recording.first_frame + np.arange(self.recording.n_frames, dtype=float)

    @property
    def time_s(self) -> Array:
        """Time on the clock of EVENT:TIMES, (frame - 1) / rate, shape (n,), s."""
        return (self.frame_numbers - 1.0) / self.recording.rate_hz

    def row(self, time_s: float) -> float:
        """Return the row, with its fraction, at a time on the clock of the recording."""
        return round(time_s * self.recording.rate_hz + 1.0 - self.recording.first_frame, 3)


computed_late(Processed, "upper", "noticed", "judged")

"""Everything one run found, with the values between the steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.audit import LegAudit
from gaitdyn.types.brief import brief
from gaitdyn.types.contacts import Contact
from gaitdyn.types.findings import Finding
from gaitdyn.types.loads import JointLoads
from gaitdyn.types.motion import Calibration, Pose
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Event, Recording
from gaitdyn.types.rungs import Taken
from gaitdyn.types.subject import Subject
from gaitdyn.types.trial import Trial
from gaitdyn.types.wrench import FootWrench

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LegKinetics:
    """Loads of one leg.

    Attributes
    ----------
    loads : JointLoads
        Ankle, knee and hip.
    power : array, shape (n, 3, 3)
        Of each joint by component of the distal axes, W.
    published : array of bool, shape (n, 3)
        Frames in which a joint's loads may be shown: far enough from the ends of a run of frames.
    """

    __repr__ = brief

    loads: JointLoads
    power: Array
    published: Mask


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Side:
    """What was found of one leg.

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

    __repr__ = brief

    angles: dict[str, Array]
    wrench: FootWrench | None
    kinetics: LegKinetics | None
    stance: Mask


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Result:
    """One processed trial.

    Attributes
    ----------
    recording, trial : the file as read, and in G
    static : Recording or None
    model : str
        Name of the marker model.
    options : Options
        As resolved.
    subject : Subject
    calibration : Calibration
    pose : Pose
    sides : dict
        ``left`` and ``right`` -> Side, for the legs whose markers are there.
    feet : dict
        Side -> heel and toe in G, shape (n, 3) each, m.
    contacts : list of Contact
    events : tuple of Event
    findings : list of Finding
    no_kinetics : str
        Why there are none and what to do; empty when there are.
    feet : dict
        Side -> heel and toe (head of metatarsal II), filtered, shape (n, 3) each, G, m.
    static_force_n : float or None
        Vertical force on the plates of the static; None where it has none.
    taken : tuple of Taken
        The rung of each joint and segment of each side.
    audit : dict
        Side -> LegAudit, of :func:`gaitdyn.quality.rules.audited`; empty before it.
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
    findings: tuple[Finding, ...]
    no_kinetics: str = ""
    log: tuple[str, ...] = field(default=())
    model: str = "plug-in-gait"
    feet: dict[str, tuple[Array, Array]] = field(default_factory=dict[str, tuple[Array, Array]])
    static_force_n: float | None = None
    taken: tuple[Taken, ...] = ()
    audit: dict[str, LegAudit] = field(default_factory=dict[str, LegAudit])

    def __repr__(self) -> str:
        """Return in short what there is; every array is in the attributes."""
        read = self.recording
        legs = [
            f"{name} {'without' if side.kinetics is None else 'with'} kinetics"
            for name, side in self.sides.items()
        ]
        static = "none" if self.static is None else self.static.name
        return (
            f"<gaitdyn.Result of {read.name}: {read.n_frames} frames at {read.rate_hz:g} Hz, model"
            f" {self.model}, static {static}, {', '.join(legs)}; to_frame(), .sides, .pose,"
            " .contacts, .events, .findings>"
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the curves of both sides as a pandas table, a row a marker frame.

        The columns are those of ``timeseries.csv`` in its units, with a unit, a frame and a
        positive direction each in ``attrs["columns"]``; see
        :func:`gaitdyn.tables.frame.result_frame`, which does it.
        """
        from gaitdyn.tables.frame import result_frame

        return result_frame(self)

    def rung(self, side: str, place: str) -> Taken | None:
        """Return the rung that a joint or a segment of a side was found by."""
        found = (t for t in self.taken if (t.side, t.place) == (side, place))
        return next(found, None)

    @property
    def frame_numbers(self) -> Array:
        """The file's own numbers of the frames, shape (n,)."""
        import numpy as np

        return self.recording.first_frame + np.arange(self.recording.n_frames, dtype=float)

    @property
    def time_s(self) -> Array:
        """Time on the clock of EVENT:TIMES, (frame - 1) / rate, shape (n,), s."""
        return (self.frame_numbers - 1.0) / self.recording.rate_hz

    def row(self, time_s: float) -> float:
        """Return the row, with its fraction, of a time on the clock of the recording."""
        return round(time_s * self.recording.rate_hz + 1.0 - self.recording.first_frame, 3)

"""One C3D file as read: SI units, laboratory axes, nothing filtered and nothing filled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.subject import Subject

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.emg import AnalogChannels
    from gaitdyn.types.poses import SegmentPoses

EventKind = Literal["foot_strike", "foot_off"]
EventSource = Literal["file", "plate", "kinematic"]


@dataclass(frozen=True, slots=True, order=True)
class Event:
    """A foot strike or a foot-off; ``time_s`` is on the clock of the recording."""

    time_s: float
    side: str
    kind: EventKind
    source: EventSource = "file"


@frozen(arrays=True)
class PlateRecord:
    """A force plate's parameters and channels.

    Attributes
    ----------
    number : int
        From 1, as in the file.
    kind : int
        FORCE_PLATFORM:TYPE; 0 of a virtual plate.
    corners_L : array, shape (4, 3)
        m, laboratory axes.
    origin : array, shape (3,)
        FORCE_PLATFORM:ORIGIN as stored, m, plate axes.
    channels : array, shape (m, 6)
        Fx Fy Fz Mx My Mz of the sensor in plate axes, N and N m, at the analog rate.
    notes : tuple of str
        What was decided while reading.
    problem : str
        Why the plate cannot be used; empty when it can.
    still : tuple of int
        Which of its channels as stored, from 1, never change while others do; where a matrix or
        several sensors make the six components, none of these shows it.
    virtual : bool
        The file gives force, point and torque instead of a plate: ``corners_L`` are drawn around
        the points and judge nothing, ``channels`` are the given wrench about their centre.
    """

    number: int
    kind: int
    corners_L: Array
    origin: Array
    channels: Array
    notes: tuple[str, ...] = ()
    problem: str = ""
    still: tuple[int, ...] = ()
    virtual: bool = False


@frozen()
class SecondFile:
    """A file whose forces or muscles joined a recording.

    Its clock was moved by ``offset_s``; ``turned`` says how its axes were, where they were.
    """

    name: str
    sha256: str
    path: Path | None = None
    offset_s: float = 0.0
    turned: str = ""


@frozen(arrays=True)
class Recording:
    """The contents of a C3D file that gait analysis needs.

    Attributes
    ----------
    name : str
        File name without its folder.
    sha256 : str
        Of the file's bytes.
    rate_hz : float
        Of the markers.
    samples_per_frame : int
        Analog samples a marker frame.
    first_frame : int
        The file's number of the first frame, from 1.
    labels : tuple of str
        Marker labels, subject prefix and model outputs taken away.
    markers_L : array, shape (n, m, 3)
        m, laboratory axes; NaN in gaps.
    descriptions : tuple of str
        POINT:DESCRIPTIONS of the markers; they tell markers of the same label apart.
    outputs : dict
        Label -> array (n, 3) of the model outputs that the vendor stored, file units.
    events : tuple of Event
    plates : tuple of PlateRecord
    subject : Subject
        What the file's parameters say about the person.
    vendor : dict
        Side -> offsets of an earlier static that the file stores.
    units : dict
        What the file says about its units.
    notes : tuple of str
    persons : tuple of str
        SUBJECTS:NAMES; for comparing two files, never for printing.
    camera_rate_hz : float
        Of the maker's software (TRIAL:CAMERA_RATE over its divider), 0 where it is not stated.
    head_offset_rad : float
        PROCESSING:HeadOffset; 0 where the vendor's "head level" is off or not said.
    software : str
        MANUFACTURER:SOFTWARE and VERSION_LABEL, such as ``Vicon Nexus 2.6.1.97704h``.
    called : tuple of str
        What else the file calls persons: prefixes of labels, subjects of events; as ``persons``.
    path : Path or None
        Where the file is, when it was read from one.
    analog : AnalogChannels or None
        What may be electromyography; None where nothing may.
    poses : SegmentPoses or None
        Poses of segments that the file stores beside its markers, or without any.
    forces : SecondFile or None
        Where the plates are from; None where they are in the file itself.
    muscles : SecondFile or None
        Where ``analog`` is from; None where it is in the file itself.
    clock_s : float
        What the file's own clock adds to (frame - 1) / rate, less than half a frame.
    """

    name: str
    sha256: str
    rate_hz: float
    samples_per_frame: int
    first_frame: int
    labels: tuple[str, ...]
    markers_L: Array
    outputs: dict[str, Array]
    events: tuple[Event, ...]
    plates: tuple[PlateRecord, ...]
    subject: Subject
    vendor: dict[str, LegOffsets] = field(default_factory=dict[str, LegOffsets])
    units: dict[str, str] = field(default_factory=dict[str, str])
    notes: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    persons: tuple[str, ...] = ()
    head_offset_rad: float = 0.0
    camera_rate_hz: float = 0.0
    software: str = ""
    called: tuple[str, ...] = ()
    path: Path | None = None
    analog: AnalogChannels | None = None
    poses: SegmentPoses | None = None
    forces: SecondFile | None = None
    muscles: SecondFile | None = None
    clock_s: float = 0.0

    @property
    def start_s(self) -> float:
        """Time of the first frame on the file's own clock."""
        return (self.first_frame - 1) / self.rate_hz + self.clock_s

    @property
    def n_frames(self) -> int:
        """Number of marker frames."""
        return len(self.markers_L)

    def has(self, label: str) -> bool:
        """Return whether a marker of this label exists and is seen in some frame."""
        return label in self.labels

    def marker(self, label: str) -> Array:
        """Return one marker, shape (n, 3), m."""
        return self.markers_L[:, self.labels.index(label)]

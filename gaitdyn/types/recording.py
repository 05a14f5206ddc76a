"""One recording as read: SI units, laboratory axes, neither filtered nor gap-filled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

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


NO_TORQUE = "its torque about the vertical is not given: the free moment is taken as 0"
"""The note on a plate whose free moment is not measured."""

NOT_USED = "not used: "
"""Begins the note on a file of forces that cannot be used."""


@frozen(arrays=True)
class PlateRecord:
    """Parameters and channels of one force plate.

    Attributes
    ----------
    number : int
        From 1, as in the file.
    kind : int
        FORCE_PLATFORM:TYPE; 0 for a virtual plate.
    corners_L : array, shape (4, 3)
        m, laboratory axes.
    origin : array, shape (3,)
        FORCE_PLATFORM:ORIGIN as stored, m, plate axes.
    channels : array, shape (m, 6)
        Fx Fy Fz Mx My Mz of the sensor in plate axes, N and N m, at the analog rate.
    notes : tuple of str
        Decisions made while reading.
    problem : str
        Why the plate cannot be used; empty when it can.
    still : tuple of int
        Numbers, from 1, of its stored channels that never change while others do. If a matrix or
        several sensors make the six components, this cannot be seen in the components.
    flat : int
        Longest run of samples in which a stored channel stays at its largest deviation from its
        median; concealed in the same way.
    virtual : bool
        Whether the file gives force, point and torque instead of a plate. Then ``corners_L`` are
        drawn around the points and are not used to judge anything, and ``channels`` are the given
        wrench about their centre.
    """

    number: int
    kind: int
    corners_L: Array
    origin: Array
    channels: Array
    notes: tuple[str, ...] = ()
    problem: str = ""
    still: tuple[int, ...] = ()
    flat: int = 0
    virtual: bool = False


@frozen()
class SecondFile:
    """A file whose forces or muscles joined a recording.

    Its clock was shifted by ``offset_s``; ``turned`` describes a correction of its axes, if any.
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
        Hash of the file's bytes.
    rate_hz : float
        Marker rate.
    samples_per_frame : int
        Analog samples per marker frame.
    first_frame : int
        Number of the first frame in the file, from 1.
    labels : tuple of str
        Marker labels, without the subject prefix and without model outputs.
    markers_L : array, shape (n, m, 3)
        m, laboratory axes; NaN in gaps.
    descriptions : tuple of str
        POINT:DESCRIPTIONS of the markers; they distinguish markers with the same label.
    outputs : dict
        Label -> array (n, 3) of the model outputs that the vendor stored or `gaitdyn export` added,
        file units.
    added : tuple of str
        Labels of the outputs that `gaitdyn export` added.
    events : tuple of Event
    plates : tuple of PlateRecord
    subject : Subject
        Data about the person from the parameters of the file.
    vendor : dict
        Side -> offsets of an earlier static that the file stores.
    units : dict
        Units as stated in the file.
    notes : tuple of str
    persons : tuple of str
        SUBJECTS:NAMES; used to compare two files, never printed.
    camera_rate_hz : float
        Camera rate of the maker's software (TRIAL:CAMERA_RATE over its divider), 0 if not stated.
    head_offset_rad : float
        PROCESSING:HeadOffset; 0 if the vendor's "head level" is off or not stated.
    software : str
        MANUFACTURER:SOFTWARE and VERSION_LABEL, such as ``Vicon Nexus 2.6.1.97704h``.
    called : tuple of str
        Other names of persons in the file: prefixes of labels, subjects of events; see ``persons``.
    path : Path or None
        Path of the file, if the recording was read from one.
    analog : AnalogChannels or None
        Channels that may be electromyography; None if there are none.
    poses : SegmentPoses or None
        Segment poses stored in the file, with or without markers.
    forces : SecondFile or None
        File of the plates; None if they are in the recording's own file.
    muscles : SecondFile or None
        File of ``analog``; None if it is in the recording's own file.
    clock_s : float
        Offset of the file's own clock from (frame - 1) / rate, less than half a frame.
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
    added: tuple[str, ...] = ()

    @property
    def start_s(self) -> float:
        """Time of the first frame on the file's own clock."""
        return (self.first_frame - 1) / self.rate_hz + self.clock_s

    @property
    def n_frames(self) -> int:
        """Number of marker frames."""
        return len(self.markers_L)

    def time_of(self, row: float) -> float:
        """Return the time (frame - 1) / rate of a row, which may have a fraction, s."""
        return float(row + self.first_frame - 1) / self.rate_hz

    def times_of(self, start: int, stop: int) -> dict[str, Any]:
        """Return the times of half-open rows as a finding has them, s."""
        return {"start_s": self.time_of(start), "stop_s": self.time_of(stop - 1)}

    def frames_of(self, start: int, stop: int) -> tuple[int, int]:
        """Return the numbers of the first and the last of half-open rows."""
        return start + self.first_frame, stop + self.first_frame - 1

    def has(self, label: str) -> bool:
        """Return whether a marker with this label exists."""
        return label in self.labels

    def marker(self, label: str) -> Array:
        """Return one marker, shape (n, 3), m."""
        return self.markers_L[:, self.labels.index(label)]

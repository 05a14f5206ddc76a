"""All settings of a run in one value."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import wraps
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from gaitdyn.errors import OptionRefused, UsageError
from gaitdyn.types.arguments import at_home, in_words_of_arguments
from gaitdyn.types.frozen import frozen
from gaitdyn.types.option_checks import check_kinds, check_values
from gaitdyn.types.task import TASK_WORDS

if TYPE_CHECKING:
    from gaitdyn.types.recording import Event

T = TypeVar("T")
Profile = Literal["default", "plug-in-gait"]


CHOICES: dict[str, tuple[str, ...]] = {
    "offsets": ("static", "trial"),
    "hip_centre": (
        "model", "davis", "harrington", "harrington-full", "harrington-width", "hara", "bell",
        "bell-1989",
    ),
    "flat_foot": ("auto", "yes", "no"),
    "task": ("auto", *TASK_WORDS),
    "profile": ("default", "plug-in-gait"),
    "filter": ("spline", "butterworth"),
    "baseline": ("remove", "keep"),
    "moments_in": ("distal", "proximal", "jcs", "jcs-dual", "lab"),
    "convention": ("internal", "external"),
    "names": ("gaitdyn", "pig"),
    "shoulder": ("cardan", "isb"),
    "reader": ("gaitdyn", "ezc3d"),
}  # fmt: skip
"""Allowed values of the options that are words."""

EMG_SCALES = ("session", "trial", "none")
"""Values of ``--emg-normalise`` other than the name of a file."""

NO_STATIC = "none"
"""Instead of the path of a static: use none, and do not search for one."""

NO_FORCES = "none"
"""Instead of the path of a force file: use none, and do not search for one."""


_FRAMES = re.compile(r"(?P<file>.*):(?P<first>\d{1,9})-(?P<last>\d{1,9})", re.ASCII | re.DOTALL)
_AXIS = re.compile(r"[+-]?[XYZ]", re.ASCII | re.IGNORECASE)


def split_frames(text: str) -> tuple[str, tuple[int, int] | None]:
    """Return the file and the frames of ``FILE:200-300``; a drive keeps its colon.

    Examples
    --------
    >>> split_frames("C:/lab/cal.c3d:200-300"), split_frames("C:/lab/cal.c3d")
    (('C:/lab/cal.c3d', (200, 300)), ('C:/lab/cal.c3d', None))
    """
    match = _FRAMES.fullmatch(text)
    return (match["file"], (int(match["first"]), int(match["last"]))) if match else (text, None)


@frozen()
class Assignment:
    """A contact given by the user: a plate, a side, and frames if it is not the whole load run.

    ``frames`` are the file's frame numbers, both inclusive. ``origin`` is ``enf`` for an assignment
    from the laboratory's data base: it is ignored if the plate cannot be used.
    """

    plate: int
    side: Literal["left", "right", "none"]
    frames: tuple[int, int] | None = None
    origin: Literal["user", "enf"] = "user"


def _naming_settings(kind: type[T]) -> type[T]:
    """Make a class of settings refuse an unknown one with :class:`OptionRefused`."""
    initialise = kind.__init__

    @wraps(initialise)
    def checked(self: T, *args: Any, **settings: Any) -> None:
        names = initialise.__annotations__
        for name in settings:
            if name not in names:
                raise OptionRefused(_no_setting(name, names))
        initialise(self, *args, **settings)

    setattr(kind, "__init__", checked)  # noqa: B010
    return kind


def _no_setting(name: str, names: Collection[str]) -> str:
    """Return the message for an unknown setting, with the one that was probably meant."""
    from difflib import get_close_matches

    similar = get_close_matches(name, names, 1, 0.5)
    advice = f"did you mean {similar[0]}?" if similar else f"wanted one of {', '.join(names)}"
    return f"there is no setting {name!r}; {advice}"


@_naming_settings
@frozen()
class Options:
    """Settings of :func:`gaitdyn.process_trial`, with the names and meanings of the command.

    Every path may be a ``pathlib.Path`` and begin with ``~``. Settings of several parts also accept
    the text of the command (``assign="1=left,2=right:114-181"``, ``leave_out="left 2"``), lists of
    such texts, or a dict (``rename={"L knee": "LKNE"}``). A type checker accepts these forms as
    settings of :func:`gaitdyn.process_trial`, and here only the types below.

    Attributes
    ----------
    static : str or None
        Path of the static trial; ``None`` searches near the trial, ``"none"`` uses none. A suffix
        ``:200-300`` is removed and becomes ``static_frames``.
    static_frames : tuple of 2 int or None
        First and last frame of the static that are used, numbered as in the file, inclusive;
        ``None`` uses its quiet part.
    forces : str or None
        Path of a file with the ground reaction forces; ``None`` searches for the one that belongs
        to a recording in a format without plates (TRC), ``"none"`` uses none.
    up, forward : str or None
        Axis of the laboratory that points up, and the one nearest to the walking direction, such as
        ``+Z``; ``None`` finds it from the data.
    rename : tuple of (str, str)
        Label in the files and the label that replaces it.
    other_person : bool
        Use a static even if it shows another person.
    subject : str or None
        Path of a ``subject.toml``, or of a ``session.toml`` with a table ``[subject]``.
    subject_parameters : str or None
        Path of a Vicon ``.mp`` file: its measurements take precedence over those in C3D files.
    subject_prefix : str or None
        Prefix of the subject's labels, in a file with several subjects; ``none`` for labels
        without one.
    mass_kg, height_m, marker_diameter_mm : float or None
        These take precedence over every file.
    model : str
    offsets : {"static", "trial"}
        Foot offsets computed from the static's markers, or those stored in the trial.
    hip_centre : str
        Rule for the hip joint centres: ``model`` is that of the marker model, the others are the
        regressions of :mod:`gaitdyn.calibrate.hip_regressions`.
    functional : tuple of (key, path)
        Functional trials: ``hip_left``, ``hip_right``, ``knee_left`` or ``knee_right`` and the file
        whose movement shows that hip centre or knee axis. They take precedence over ``hip_centre``.
    flat_foot : {"auto", "yes", "no"}
        Whether the soles were level in the static; ``auto`` infers it from the stored offsets.
    profile : {"default", "plug-in-gait"}
    cutoff_hz : float or None
        Cut-off for the markers; ``None`` leaves them as recorded.
    force_cutoff_hz : float, "same" or None
    baseline : {"remove", "keep"}
        What to do with the offset of unloaded plates; contacts are always found without it.
    filter : {"spline", "butterworth"}
    longest_gap_s : float
        Longest gap that is filled.
    moments_in : {"distal", "proximal", "jcs", "jcs-dual", "lab"}
    convention : {"internal", "external"}
    anthropometry : str
        Name of a table, the path of your own, or ``auto``: adult or child table according to age,
        otherwise size.
    assign : tuple of Assignment
    names : {"gaitdyn", "pig"}
    shoulder : {"cardan", "isb"}
        Shoulder angles: abduction, flexion, rotation, or plane of elevation, elevation,
        rotation (Y-X-Y, Wu et al. 2005).
    audit : bool
        Check the loads of the run and write the results into ``result.json``.
    terms : bool
        Write the joint moments by cause and by source segment.
    generalised : bool
        Write loads in generalised coordinates, the residual at the pelvis, and the effect of each
        joint moment on the body's centre of mass.
    task : str
        What the person does: ``auto`` recognises it from the paths of pelvis and feet; otherwise a
        key of :data:`gaitdyn.types.task.TASK_WORDS`. Only ``walking`` has gait cycles.
    condition : str
        Condition under which the subject walked, such as ``barefoot``; a report pools trials of one
        condition.
    events : tuple of Event
        Events that replace those in the file; if empty, those in the file are used. A tuple such as
        ``(1.25, "left", "foot_strike")``, with the time in s on the clock of the file, is also
        accepted.
    leave_out : tuple of (side, number)
        Cycles that are not used; the others keep their numbers.
    reasons : tuple of (str, str)
        Why events (``events``) or feet of plates (``assign``) were given, or a cycle (``left 2``)
        was left out. They change no number and are recorded in the results.
    uncertainty : str
        ``none``, ``default``, or the path of a file of input errors. It changes no number of the
        result; the bands are kept with it, and saved and drawn with it.
    quality : str or None
        Path of a TOML file that changes limits and levels of quality rules.
    publish_anyway : bool
        Write physically impossible values, marked, instead of leaving them empty.
    reader : {"gaitdyn", "ezc3d"}
        Library that reads C3D files; both give the same numbers.
    emg_band_hz : tuple of 2 float
        Band-pass of the electromyography; its upper end is limited to 0.45 of the rate.
    emg_envelope_hz : float
        Low-pass of the rectified signal.
    emg_notch_hz : float or None
        Mains frequency that is removed with its harmonics; ``None`` removes nothing.
    emg_normalise : str
        Value that counts as 1 in an envelope: for ``session`` or ``trial``, the peak of the mean
        over the strides of the session or of the trial; for ``none``, one unit of the file; or the
        path of a TOML file of maxima.
    emg_channels : tuple of (label, muscle, side)
        Muscle and side of each channel; they take precedence over labels and descriptions.

    See Also
    --------
    gaitdyn.process_trial, gaitdyn.process_session : Take them, or single fields.

    Examples
    --------
    >>> from dataclasses import replace
    >>> six = Options(cutoff_hz=6, rename={"L knee": "LKNE"})
    >>> six.rename, replace(six, mass_kg=66.5).cutoff_hz
    ((('L knee', 'LKNE'),), 6)
    """

    static: str | None = None
    static_frames: tuple[int, int] | None = None
    forces: str | None = None
    up: str | None = None
    forward: str | None = None
    rename: tuple[tuple[str, str], ...] = ()
    other_person: bool = False
    subject: str | None = None
    subject_parameters: str | None = None
    subject_prefix: str | None = None
    mass_kg: float | None = None
    height_m: float | None = None
    marker_diameter_mm: float | None = None
    model: str = "auto"
    offsets: Literal["static", "trial"] = "static"
    hip_centre: str = "model"
    functional: tuple[tuple[str, str], ...] = ()
    flat_foot: Literal["auto", "yes", "no"] = "auto"
    profile: Profile = "default"
    cutoff_hz: float | None = 10.0
    force_cutoff_hz: float | Literal["same"] | None = "same"
    baseline: Literal["remove", "keep"] = "remove"
    filter: Literal["spline", "butterworth"] = "spline"
    longest_gap_s: float = 0.1
    moments_in: Literal["distal", "proximal", "jcs", "jcs-dual", "lab"] = "distal"
    convention: Literal["internal", "external"] = "internal"
    anthropometry: str = "auto"
    assign: tuple[Assignment, ...] = ()
    names: Literal["gaitdyn", "pig"] = "gaitdyn"
    shoulder: Literal["cardan", "isb"] = "cardan"
    audit: bool = True
    terms: bool = False
    generalised: bool = False
    task: str = "auto"
    condition: str = ""
    events: tuple[Event, ...] = ()
    leave_out: tuple[tuple[Literal["left", "right"], int], ...] = ()
    reasons: tuple[tuple[str, str], ...] = ()
    uncertainty: str = "none"
    quality: str | None = None
    publish_anyway: bool = False
    reader: Literal["gaitdyn", "ezc3d"] = "gaitdyn"
    emg_band_hz: tuple[float, float] = (20.0, 450.0)
    emg_envelope_hz: float = 6.0
    emg_notch_hz: float | None = None
    emg_normalise: str = "session"
    emg_channels: tuple[tuple[str, str, str], ...] = ()

    def __post_init__(self) -> None:
        """Refuse invalid words and numbers.

        Raises
        ------
        OptionRefused
            With the setting, what was given and what is wanted.
        """
        self._take_paths()
        try:
            self._take_forms()
            check_kinds(self)
            self._split_static()
            self._check_axes()
            check_values(self, CHOICES, EMG_SCALES)
        except UsageError as error:
            message = in_words_of_arguments(str(error), self.__dataclass_fields__, CHOICES)
            raise OptionRefused(message, str(error)) from None

    def _take_paths(self) -> None:
        """Replace each ``pathlib.Path`` by its text, and ``~`` by the home folder."""
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if isinstance(value, (str, PurePath)):
                object.__setattr__(self, name, at_home(str(value)))

    def _take_forms(self) -> None:
        """Convert settings of several parts to tuples, whatever form they were given in."""
        for name, field in self.__dataclass_fields__.items():
            value = getattr(self, name)
            if str(field.type).startswith("tuple") and value is not field.default:
                from gaitdyn.types.given_forms import in_full

                object.__setattr__(self, name, in_full(name, value))

    def _split_static(self) -> None:
        """Split the frames off the path of the static, and check them."""
        path, frames = split_frames(self.static or "")
        if frames is not None:
            object.__setattr__(self, "static", path)
            object.__setattr__(self, "static_frames", frames)
        if self.static_frames is None:
            return
        first, last = self.static_frames
        if not 0 < first <= last:
            message = f"--static has frames {first}-{last}, wanted the first and last frame used"
            raise UsageError(message)

    def _check_axes(self) -> None:
        """Bring axes to the form ``+Z``, and refuse anything else."""
        for name in ("up", "forward"):
            value = getattr(self, name)
            if value is None:
                continue
            if not _AXIS.fullmatch(value):
                raise UsageError(f"--{name} is {value!r}, wanted an axis such as +Z or -Y")
            axis = value.upper()
            object.__setattr__(self, name, axis if axis[0] in "+-" else "+" + axis)
        if self.up and self.forward and self.up[1] == self.forward[1]:
            raise UsageError(f"--up is {self.up} and --forward {self.forward}, wanted two axes")

"""Every option once: its words, what it may name, and where it is taken.

The command line, ``session.toml``, the inputs that results record, ``gaitdyn reproduce``, the
sweeps and the guide's table (``docs/options.md``) are made from these rows; checks of values stand
in :class:`gaitdyn.types.options.Options`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from gaitdyn.types.frozen import frozen
from gaitdyn.types.options import CHOICES, Options
from gaitdyn.types.options import NO_STATIC as NONE

Kind = Literal[
    "word", "file", "recording", "number", "frequency", "band", "switch",
    "rename", "assign", "functional", "muscles",
]  # fmt: skip
"""How the text of an option is read; a ``frequency`` may be ``none``."""


@frozen()
class OptionRow:
    """One option.

    Attributes
    ----------
    field : str
        Of :class:`gaitdyn.types.options.Options`.
    kind : Kind
    help : str
        Begins with a capital and ends with a full stop; what a word may say is added to it.
    commands : str
        Those that take it.
    word : str
        On the command line, without hyphens in front; the field without its unit when empty.
    ending : str
        Of the name of a file, for a word that may name one instead.
    role : str
        Of that file in ``inputs`` of ``result.json``.
    again : bool
        Whether running again needs that file.
    sweep : str
        Key of ``--sweep``; empty when it cannot be varied.
    session : bool
        Whether ``[options]`` of ``session.toml`` may say it.
    off : bool
        Whether the command line has a word that turns it off, too.
    """

    field: str
    kind: Kind
    help: str
    commands: str = "process batch"
    word: str = ""
    ending: str = ""
    role: str = ""
    again: bool = True
    sweep: str = ""
    session: bool = True
    off: bool = False

    @property
    def name(self) -> str:
        """On the command line, with ``_`` for ``-``."""
        if self.word:
            return self.word
        stem, _, unit = self.field.rpartition("_")
        return stem if unit in _UNITS else self.field

    @property
    def told(self) -> str:
        """Help with what a word may say."""
        allowed = CHOICES.get(self.field)
        if not allowed:
            return self.help
        return f"{self.help[:-1]}: {', '.join(allowed[:-1])} or {allowed[-1]}."

    @property
    def default(self) -> str:
        """What it is when left out, as a word; empty for nothing."""
        value = Options.__dataclass_fields__[self.field].default
        if self.kind in ("switch", "number"):
            return "" if value in (None, False) else f"{value:g}" if value is not True else "yes"
        if self.kind == "band":
            return "-".join(f"{edge:g}" for edge in value)
        if self.kind == "frequency":
            return "none" if value is None else value if isinstance(value, str) else f"{value:g}"
        return value if isinstance(value, str) else ""


_UNITS = ("hz", "kg", "m", "mm", "s")
_ALL = "process batch info model"

ROWS = (
    OptionRow("static", "recording", "Static trial, FILE or FILE:FIRST-LAST (frames), or none;"
              " found near the trial when not given.", "process info model", session=False),
    OptionRow("forces", "recording", "Ground forces, FILE (.mot, .sto, .forces, .c3d), or"
              " none; found beside a TRC file when not given.", "process info", session=False),
    OptionRow("other_person", "switch", "Use a static of another person anyway."),
    OptionRow("up", "word", "Axis that points up, such as +Z; found from the data when not given.",
              "process batch info"),
    OptionRow("forward", "word", "Axis nearest to the walking direction, such as -Y.",
              "process batch info"),
    OptionRow("rename", "rename", "Rename one label: OLD=NEW; repeatable.", _ALL, session=False),
    OptionRow("subject", "file", "Measurements of the person: FILE.toml.", "process",
              role="subject"),
    OptionRow("subject_parameters", "file", "Vicon's measurements.", "",
              role="subject parameters", session=False),
    OptionRow("subject_prefix", "word", "Prefix of the labels, in a file of several subjects.",
              "process info model"),
    OptionRow("mass_kg", "number", "Body mass, kg.", "process batch compare"),
    OptionRow("height_m", "number", "Height, m.", "process"),
    OptionRow("marker_diameter_mm", "number", "Marker diameter, mm.", "process compare"),
    OptionRow("reader", "word", "Reader of C3D files; ezc3d serves as a check."),
    OptionRow("model", "word", "auto, the name of a marker model, or FILE.toml.", _ALL,
              ending=".toml", role="model"),
    OptionRow("task", "word", "What the trial shows."),
    OptionRow("offsets", "word", "Trial from which the foot offsets are taken.",
              "process batch compare"),
    OptionRow("flat_foot", "word", "Whether the soles are level in the static."),
    OptionRow("hip_centre", "word", "Rule for the hip joint centres.", sweep="hip"),
    OptionRow("functional", "functional", "Functional trial of a joint, hip_left=FILE (hip or knee,"
              " left or right); repeatable.", session=False),
    OptionRow("profile", "word", "Set of numerical methods.", "process batch compare",
              sweep="profile"),
    OptionRow("cutoff_hz", "frequency", "Cut-off of the marker filter, Hz, or none.",
              "process batch compare", sweep="cutoff"),
    OptionRow("force_cutoff_hz", "frequency", "Cut-off of the force filter, Hz, same or none.",
              "process batch compare", sweep="force_cutoff"),
    OptionRow("baseline", "word", "Offset of unloaded plates.", sweep="baseline"),
    OptionRow("filter", "word", "Filter for markers and forces.", sweep="filter"),
    OptionRow("moments_in", "word", "Axes in which moments are expressed.", sweep="moments_in"),
    OptionRow("convention", "word", "Sign convention of the moments."),
    OptionRow("anthropometry", "word", "Body-segment table: auto (adult or child), a name, or"
              " FILE.csv.", ending=".csv", role="anthropometry", sweep="anthropometry"),
    OptionRow("assign", "assign", "Plates to feet, such as 1=left,2=right:114-181,3=none (file"
              " frames).", "process compare", session=False),
    OptionRow("names", "word", "Column names in the tables.", "process"),
    OptionRow("shoulder", "word", "Shoulder angles (isb is Y-X-Y)."),
    OptionRow("condition", "word", "Condition, such as barefoot; a report pools trials by it.",
              "process"),
    OptionRow("emg_band_hz", "band", "Band-pass of the EMG, Hz."),
    OptionRow("emg_envelope_hz", "number", "Low-pass of the rectified EMG, Hz."),
    OptionRow("emg_notch_hz", "frequency", "Mains frequency to remove from the EMG, Hz, or none."),
    OptionRow("emg_normalise", "word", "Peak that counts as 1 in an EMG envelope: session,"
              " trial, none or FILE.toml.", ending=".toml", role="emg maxima"),
    OptionRow("emg_channels", "muscles", "Muscle and side of each EMG label: FILE.toml.",
              word="emg_muscles", session=False),
    OptionRow("quality", "file", "Limits and levels of quality rules: FILE.toml.", role="quality"),
    OptionRow("uncertainty", "word", "95 % bands from input errors: none, default or"
              " FILE.toml.",
              ending=".toml", role="uncertainty", again=False),
    OptionRow("audit", "switch", "Check the computation: closure, energy balance.", off=True),
    OptionRow("terms", "switch", "Write what each moment is made of, by cause and segment.",
              off=True),
    OptionRow("generalised", "switch", "Write the mass matrix, velocity, gravity and ground terms"
              " of each joint, and induced accelerations.",
              off=True),
    OptionRow("publish_anyway", "switch", "Write physically impossible values too, marked;"
              " otherwise they are left empty.",
              session=False),
)  # fmt: skip
"""In the order in which the commands show them."""

MASKED = "subject parameters"
"""The role of a file that is named as the person: told with stars for letters."""

FILES = tuple(row for row in ROWS if row.role)
"""Options that may name a file whose hash results record."""


def rows_of(command: str) -> tuple[OptionRow, ...]:
    """Return the options of a command in their order."""
    return tuple(row for row in ROWS if command in row.commands.split())


def files_of(options: Options) -> dict[str, Path]:
    """Return the files that options name: role in ``inputs`` -> path.

    Examples
    --------
    >>> list(files_of(Options(quality="limits.toml", functional=(("hip_left", "f.c3d"),))))
    ['quality', 'functional hip_left']
    """
    named = ((row, getattr(options, row.field)) for row in FILES)
    found = {row.role: Path(text) for row, text in named if is_file(row, text)}
    return found | {f"functional {key}": Path(path) for key, path in options.functional}


def recordings_named(options: Options) -> dict[str, Path]:
    """Return the recordings that options name: role in ``inputs`` -> path."""
    named = {row.field: getattr(options, row.field) for row in ROWS if row.kind == "recording"}
    return {role: Path(text) for role, text in named.items() if text not in (None, NONE)}


def is_file(row: OptionRow, text: str | None) -> bool:
    """Return whether the value of an option names a file."""
    if text is None:
        return False
    return row.kind == "file" or text.lower().endswith(row.ending)


def without_folders(options: Options) -> dict[str, Any]:
    """Return the fields that name files, with the names alone.

    Examples
    --------
    >>> without_folders(Options(static="session/static.c3d", anthropometry="dumas"))["static"]
    'static.c3d'
    """
    rows = (row for row in ROWS if row.role or row.kind == "recording")
    named = ((row, getattr(options, row.field)) for row in rows)
    found: dict[str, Any] = {row.field: Path(x).name for row, x in named if x is not None}
    found["functional"] = tuple((key, Path(path).name) for key, path in options.functional)
    return found

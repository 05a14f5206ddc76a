"""The table of processing options: help, kind of value, and the commands that take each.

The command line, ``session.toml``, the inputs recorded in results, ``gaitdyn reproduce``, the
sweeps and ``docs/options.md`` are made from these rows. Values are checked in
:class:`gaitdyn.types.options.Options`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

from gaitdyn.types.arguments import one_of, option_of
from gaitdyn.types.frozen import frozen
from gaitdyn.types.options import CHOICES, Options
from gaitdyn.types.options import NO_STATIC as NONE

Kind = Literal[
    "word", "file", "recording", "number", "frequency", "band", "switch",
    "rename", "assign", "functional", "muscles",
]  # fmt: skip
"""How the text of an option is parsed; a ``frequency`` may be ``none``."""


@frozen()
class OptionRow:
    """One option.

    Attributes
    ----------
    field : str
        Field of :class:`gaitdyn.types.options.Options`.
    kind : Kind
    help : str
        Begins with a capital and ends with a full stop; the allowed words are added to it.
    commands : str
        Commands that take the option.
    ending : str
        Ending of a file name, for a word that may name a file instead.
    role : str
        Role of that file in ``inputs`` of ``result.json``.
    again : bool
        Whether running again needs that file.
    sweep : str
        Key of ``--sweep``; empty if the option cannot be varied.
    session : bool
        Whether ``[options]`` of ``session.toml`` may set it.
    off : bool
        Whether the command line also has an option that turns it off.
    """

    field: str
    kind: Kind
    help: str
    commands: str = "process batch"
    ending: str = ""
    role: str = ""
    again: bool = True
    sweep: str = ""
    session: bool = True
    off: bool = False

    @property
    def name(self) -> str:
        """Name on the command line, with ``_`` for ``-``."""
        return option_of(self.field).removeprefix("--").replace("-", "_")

    @property
    def told(self) -> str:
        """Help text including the allowed words."""
        allowed = CHOICES.get(self.field)
        if not allowed:
            return self.help
        return f"{self.help[:-1]}: {one_of(allowed)}."

    @property
    def default(self) -> str:
        """Default as text; empty if there is none."""
        value = Options.__dataclass_fields__[self.field].default
        if self.kind in ("switch", "number"):
            return "" if value in (None, False) else f"{value:g}" if value is not True else "yes"
        if self.kind == "band":
            return "-".join(f"{edge:g}" for edge in value)
        if self.kind == "frequency":
            return "none" if value is None else value if isinstance(value, str) else f"{value:g}"
        return value if isinstance(value, str) else ""


_ALL = "process batch info model"

ROWS = (
    OptionRow("static", "recording", "Static trial, FILE or FILE:FIRST-LAST (frames), or none;"
              " found near the trial when not given.", "process info model", session=False),
    OptionRow("forces", "recording", "Ground forces, FILE (.mot, .sto, .forces, .c3d), or"
              " none; found next to a TRC file when not given.", "process info", session=False),
    OptionRow("other_person", "switch", "Use a static of another person anyway."),
    OptionRow("up", "word", "Axis that points up, such as +Z; found from the data when not given.",
              "process batch info"),
    OptionRow("forward", "word", "Axis nearest to the walking direction, such as -Y.",
              "process batch info"),
    OptionRow("rename", "rename", "Rename one label: OLD=NEW; repeatable.", _ALL, session=False),
    OptionRow("subject", "file", "Measurements of the person: FILE.toml.", "process",
              role="subject"),
    OptionRow("subject_parameters", "file", "Measurements in Vicon's parameter file.", "",
              role="subject parameters", session=False),
    OptionRow("subject_prefix", "word", "Prefix of the subject's labels, in a file with several"
              " subjects; none for labels without one.", "process info model"),
    OptionRow("mass_kg", "number", "Body mass, kg.", "process batch compare"),
    OptionRow("height_m", "number", "Height, m.", "process"),
    OptionRow("marker_diameter_mm", "number", "Marker diameter, mm.", "process compare"),
    OptionRow("reader", "word", "Reader for C3D files (ezc3d as a check)."),
    OptionRow("model", "word", "Marker model: auto, a name, or FILE.toml.", _ALL,
              ending=".toml", role="model"),
    OptionRow("task", "word", "Movement in the trial."),
    OptionRow("offsets", "word", "Trial from which the foot offsets are taken.",
              "process batch compare"),
    OptionRow("flat_foot", "word", "Whether the soles are flat on the floor in the static."),
    OptionRow("hip_centre", "word", "Rule for the hip joint centres.", sweep="hip"),
    OptionRow("functional", "functional", "Functional trial of a joint, hip_left=FILE (hip or knee,"
              " left or right); repeatable.", session=False),
    OptionRow("profile", "word", "Set of numerical methods.", "process batch compare",
              sweep="profile"),
    OptionRow("cutoff_hz", "frequency", "Cut-off of the marker filter, Hz, or none.",
              "process batch compare", sweep="cutoff"),
    OptionRow("force_cutoff_hz", "frequency", "Cut-off of the force filter, Hz, same or none.",
              "process batch compare", sweep="force_cutoff"),
    OptionRow("baseline", "word", "Treatment of the offset of unloaded plates.", sweep="baseline"),
    OptionRow("filter", "word", "Filter for markers and forces.", sweep="filter"),
    OptionRow("moments_in", "word", "Axes in which moments are expressed.", sweep="moments_in"),
    OptionRow("convention", "word", "Sign convention of the moments."),
    OptionRow("anthropometry", "word", "Body-segment table: auto (adult or child), a name, or"
              " FILE.csv.", ending=".csv", role="anthropometry", sweep="anthropometry"),
    OptionRow("assign", "assign", "Foot on each plate, such as 1=left,2=right:114-181,3=none (file"
              " frames).", "process compare", session=False),
    OptionRow("names", "word", "Column names in the tables.", "process"),
    OptionRow("shoulder", "word", "Sequence of shoulder angles (isb is Y-X-Y)."),
    OptionRow("condition", "word", "Condition, such as barefoot; reports pool trials of the same"
              " condition.", "process"),
    OptionRow("emg_band_hz", "band", "Band-pass of the EMG, Hz."),
    OptionRow("emg_envelope_hz", "number", "Low-pass of the rectified EMG, Hz."),
    OptionRow("emg_notch_hz", "frequency", "Mains frequency to remove from the EMG, Hz, or none."),
    OptionRow("emg_normalise", "word", "Peak that counts as 1 in an EMG envelope: session,"
              " trial, none or FILE.toml.", ending=".toml", role="emg maxima"),
    OptionRow("emg_channels", "muscles", "Muscle and side for each EMG label: FILE.toml.",
              session=False),
    OptionRow("quality", "file", "Limits and levels for quality rules: FILE.toml.", role="quality"),
    OptionRow("uncertainty", "word", "95 % bands from input errors: none, default or"
              " FILE.toml.",
              ending=".toml", role="uncertainty", again=False),
    OptionRow("audit", "switch", "Check the computation: closure, energy balance.", off=True),
    OptionRow("terms", "switch", "Write the parts of each moment, by cause and by segment.",
              off=True),
    OptionRow("generalised", "switch", "Write the mass matrix, velocity, gravity and ground terms"
              " of each joint, and induced accelerations.",
              off=True),
    OptionRow("publish_anyway", "switch", "Write physically impossible values, marked, instead of"
              " leaving them empty.",
              session=False),
)  # fmt: skip
"""In the order in which the commands show them."""

MASKED = "subject parameters"
"""The role of a file that has the name of the person: shown with stars for letters."""

FILES = tuple(row for row in ROWS if row.role)
"""Options that may name a file whose hash results record."""


def rows_of(command: str) -> tuple[OptionRow, ...]:
    """Return the options of a command, in order."""
    return tuple(row for row in ROWS if command in row.commands.split())


def files_of(options: Options) -> dict[str, Path]:
    """Return the files that options name: role in ``inputs`` -> path.

    Examples
    --------
    >>> list(files_of(Options(quality="limits.toml", functional=(("hip_left", "f.c3d"),))))
    ['quality', 'functional hip_left']
    """
    named = ((row, getattr(options, row.field)) for row in FILES)
    files = {row.role: Path(text) for row, text in named if is_file(row, text)}
    return files | {f"functional {key}": Path(path) for key, path in options.functional}


def recordings_named(options: Options) -> dict[str, Path]:
    """Return the recordings that options name: role in ``inputs`` -> path."""
    named = {row.field: getattr(options, row.field) for row in ROWS if row.kind == "recording"}
    return {role: Path(text) for role, text in named.items() if text not in (None, NONE)}


def not_usual(options: Options, fields: Iterable[str]) -> list[str]:
    """Return the fields that do not have their default.

    Examples
    --------
    >>> not_usual(Options(cutoff_hz=6.0), ("cutoff_hz", "filter"))
    ['cutoff_hz']
    """
    usual = Options()
    return [f for f in fields if getattr(options, f) != getattr(usual, f)]


def is_file(row: OptionRow, text: str | None) -> bool:
    """Return whether the value of an option names a file."""
    if text is None:
        return False
    return row.kind == "file" or text.lower().endswith(row.ending)


def without_folders(options: Options) -> dict[str, Any]:
    """Return the fields that name files, without the folders.

    Examples
    --------
    >>> without_folders(Options(static="session/static.c3d", anthropometry="dumas"))["static"]
    'static.c3d'
    """
    rows = (row for row in ROWS if row.role or row.kind == "recording")
    named = ((row, getattr(options, row.field)) for row in rows)
    names: dict[str, Any] = {row.field: Path(x).name for row, x in named if x is not None}
    names["functional"] = tuple((key, Path(path).name) for key, path in options.functional)
    return names


def swept_tables(sweep: str) -> list[str]:
    """Return the files among the body-segment tables of a sweep, ``KEY=A,B``."""
    return [word for word in _swept(sweep) if _is_table(word)]


def with_swept_tables(sweep: str, written: Callable[[str], str]) -> str:
    """Return a sweep, ``KEY=A,B``, whose files of body-segment tables are written in another way.

    Examples
    --------
    >>> with_swept_tables("anthropometry=dumas, lab/own.csv", lambda table: Path(table).name)
    'anthropometry=dumas,own.csv'
    """
    words = (written(word) if _is_table(word) else word for word in _swept(sweep))
    return "".join((*sweep.partition("=")[:2], ",".join(words)))


def _swept(sweep: str) -> list[str]:
    return [word.strip() for word in sweep.partition("=")[2].split(",")]


def _is_table(word: str) -> bool:
    return word.lower().endswith(".csv")

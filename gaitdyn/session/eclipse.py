"""Read the ``.enf`` files in which Vicon Eclipse, the database of Nexus, describes trials.

An ``.enf`` file is text with sections and lines ``KEY=value``; ``walk01.Trial.enf`` (or
``walk01.Trial03.enf``) belongs to ``walk01.c3d``. Some lines are a lone ``=``. In the section
TRIAL_INFO the trial's type is under TYPE, TRIAL_TYPE or TrialType, the plates under FP1, FP2 ...
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from gaitdyn.errors import FileRefused
from gaitdyn.io.text_files import read_text, shown
from gaitdyn.types.frozen import frozen
from gaitdyn.types.options import Assignment

_SECTION = "TRIAL_INFO"
_TYPES = ("TYPE", "TRIAL_TYPE", "TRIALTYPE")
_PLATE = re.compile(r"FP([1-9]\d?)", re.ASCII)
_FEET: dict[str, Literal["left", "right", "none"]] = {
    "left": "left",
    "right": "right",
    "invalid": "none",
}
_OF_THE_DATA = "auto"
_TRIAL = re.compile(r"(.+)\.trial\d{0,6}\.enf", re.IGNORECASE | re.DOTALL)
_PERSON = re.compile(r"(.+)\.patient\d{0,6}\.enf", re.IGNORECASE | re.DOTALL)
_LONGEST_LINE = 4000
_LONGEST_TEXT = 200


@frozen()
class TrialEnf:
    """An ``.enf`` file's description of one trial.

    Attributes
    ----------
    file : str
        Name of the file.
    kind : str
        As written: ``Static``, ``Dynamic``, ``Motion``; empty if the file has no type.
    description, notes : str
        Free text, which may contain a name.
    plates : tuple of Assignment
        Plates with a letter; ``Invalid`` is ``none``, ``Auto`` is left out.
    problem : str
        Why the file, or a foot in it, could not be read.
    """

    file: str
    kind: str = ""
    description: str = ""
    notes: str = ""
    plates: tuple[Assignment, ...] = ()
    problem: str = ""

    @property
    def static(self) -> bool:
        """Whether the type is a static trial."""
        return self.kind.lower() in ("static", "stat")

    @property
    def dynamic(self) -> bool:
        """Whether the type is a trial in which the person moves."""
        return self.kind.lower() in ("dynamic", "motion", "walking", "gait")


def read_trial_enf(path: Path) -> TrialEnf:
    """Read the ``.enf`` file of a trial; ``problem`` gives what could not be read."""
    name = shown(path.name)
    try:
        values = trial_values(read_text(path, "an Eclipse .enf file"))
    except FileRefused as error:
        return TrialEnf(name, problem=str(error))
    plates, unread = [], []
    for key, value in values.items():
        plate, side = _PLATE.fullmatch(key), _FEET.get(value.lower())
        if plate and side:
            plates.append(Assignment(int(plate[1]), side, origin="enf"))
        elif plate and value.lower() != _OF_THE_DATA:
            unread.append(f"{key}={value}")
    told = f"{name}: found {', '.join(unread)}, wanted Left, Right, Invalid or Auto"
    return TrialEnf(
        file=name,
        kind=next((values[key] for key in _TYPES if values.get(key)), ""),
        description=values.get("DESCRIPTION", ""),
        notes=values.get("NOTES", ""),
        plates=tuple(sorted(plates, key=lambda a: a.plate)),
        problem=told if unread else "",
    )


def trial_values(text: str) -> dict[str, str]:
    r"""Return the keys, in capitals, and values of the section TRIAL_INFO.

    Lines without a key or a value are skipped; if a key is repeated, the last one counts.

    Examples
    --------
    >>> trial_values("[Node Information]\nTYPE=TRIAL\n[TRIAL_INFO]\n=\nTYPE=Static\nFP1=Left\n")
    {'TYPE': 'Static', 'FP1': 'Left'}
    """
    values: dict[str, str] = {}
    section = ""
    for line in map(str.strip, text.splitlines()):
        if len(line) > _LONGEST_LINE:
            continue
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip().upper()
        elif section == _SECTION:
            key, _, value = line.partition("=")
            if key.strip() and value.strip():
                values[key.strip().upper()] = shown(value.strip())[:_LONGEST_TEXT]
    return values


def find_trial_enf(names: list[str], stem: str) -> str | None:
    """Return the name of a trial's ``.enf`` among some file names, or ``None``."""
    matches = ((name, _TRIAL.fullmatch(name)) for name in names)
    return next((name for name, m in matches if m and m[1].lower() == stem.lower()), None)


def person_of(name: str) -> str | None:
    """Return the name of the person in the name of a ``.Patient.enf`` file, or ``None``."""
    match = _PERSON.fullmatch(name)
    return match[1] if match else None

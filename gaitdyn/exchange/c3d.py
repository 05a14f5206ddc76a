"""``--to c3d``: add angles, forces, moments, powers and joint centres to the recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gaitdyn.errors import ResultsRefused
from gaitdyn.exchange.curves import StoredCurves
from gaitdyn.exchange.targets import Written
from gaitdyn.exchange.vendor_vectors import vendor_vectors
from gaitdyn.io.c3d.added_points import UNITS, AddedPoint
from gaitdyn.io.c3d.out import Head, read_head, with_added_points
from gaitdyn.io.c3d.persons import with_aliases
from gaitdyn.io.c3d.reread import compare_with_added
from gaitdyn.io.labels import strip_prefix
from gaitdyn.io.units import UNITS as METRES
from gaitdyn.store import StoredTrial
from gaitdyn.store.outward import name_replacement
from gaitdyn.store.single_file import put_in_place
from gaitdyn.types.words import counted
from gaitdyn.version import __version__

_MM = 0.001
_SUFFIX = "_gd"


def write_c3d(
    stored: StoredTrial, curves: StoredCurves, trial: Path, path: Path, *, with_names: bool = False
) -> Written:
    """Write the recording with the results added, after checking that it reads back correctly.

    Parameters
    ----------
    stored : StoredTrial
    curves : StoredCurves
        Of the same trial.
    trial : Path
        The recording that was processed.
    path : Path
    with_names : bool
        Leave the names of persons in the parameters and labels as they are.

    Raises
    ------
    ResultsRefused
        When the results have other frames than the recording, or no curves.
    OutputRefused
        When the file cannot be written, or does not read back correctly.
    """
    head = read_head(trial)
    if not with_names:
        head = with_aliases(head, name_replacement(stored.document))
    curves.check_frames(len(head.frames()), head.header.first_frame)
    points, notes = _points(stored, head, curves)
    if head.integers:
        notes.append("16-bit integers were converted to 32-bit floats of the same values")
    content = with_added_points(head, points, __version__)
    put_in_place(path, content, lambda copy: compare_with_added(head, trial, copy, points))
    return Written((path,), tuple(notes))


def _points(
    stored: StoredTrial, head: Head, curves: StoredCurves
) -> tuple[list[AddedPoint], list[str]]:
    """Return the points to add, under unused labels, and notes for the user."""
    to_unit = _MM / METRES[stored.document["file"]["units"]["points"]]
    points = [
        AddedPoint(
            v.label,
            v.group,
            v.values if v.group else v.values * to_unit,
            f"gaitdyn {__version__}: {v.about if v.group else 'joint centre'}",
        )
        for v in vendor_vectors(stored.document, curves)
    ]
    if not points:
        message = "found no angle, load or joint centre to add; quality.csv says why"
        raise ResultsRefused(f"{stored.path}: {message}")
    taken = {strip_prefix(label) for label in head.params.strings("POINT", "LABELS")}
    suffix = _free_suffix([p.label for p in points], taken)
    notes = [f"added {counted(len(points), 'point')} to the {head.used} of {head.name}"]
    if suffix:
        notes.append(f"the file already has outputs of these names; the added ones end in {suffix}")
    notes += _unit_notes(head, points)
    if head.replaced:
        done = "names of persons were replaced by pseudonyms"
        done = done if head.names else "address and date of birth were emptied"
        notes.append(f"{done}; --with-names keeps them")
    return [replace(p, label=p.label + suffix) for p in points], notes


def _free_suffix(labels: Sequence[str], taken: set[str]) -> str:
    """Return the first suffix that makes all labels new: none, ``_gd``, ``_gd2`` and so on."""
    suffix, number = "", 1
    while any(label + suffix in taken for label in labels):
        suffix = _SUFFIX if number == 1 else f"{_SUFFIX}{number}"
        number += 1
    return suffix


def _unit_notes(head: Head, points: Sequence[AddedPoint]) -> list[str]:
    """Return a note for every unit of the file that differs from the vendor's."""
    notes = []
    for group, (name, wanted) in UNITS.items():
        units = [text for text in head.params.strings("POINT", name) if text]
        if units and units[0] != wanted and any(p.group == group for p in points):
            notes.append(
                f"POINT:{name} is {units[0]!r} and is kept; the added outputs are in {wanted}"
            )
    return notes

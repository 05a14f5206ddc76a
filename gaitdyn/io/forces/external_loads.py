"""Read OpenSim ExternalLoads: the axes in which forces are given, and the foot they act on.

The foot is only a hint: some files assign both plates of a walk to one foot, and the centre of
pressure shows the true one.
"""

from __future__ import annotations

from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING

from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.records import refused
from gaitdyn.io.text_files import read_text
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_WANTED = "an XML file of external loads"
_GROUND = "ground"
_MOST, _FILES = 100, 200


@frozen()
class ExternalForce:
    """One force: the prefix of its columns, the body it acts on, and its axes."""

    force: str
    body: str
    force_axes: str
    point_axes: str

    @property
    def in_ground(self) -> bool:
        """Whether force and point are given in laboratory axes."""
        return {self.force_axes, self.point_axes} <= {_GROUND, ""}


def read_external_loads(path: Path) -> tuple[str, tuple[ExternalForce, ...]]:
    """Return the name of the force file, and each force in it.

    Raises
    ------
    FileRefused
        When it is not a file of external loads, or declares a document type.
    """
    from xml.etree.ElementTree import ParseError, fromstring

    text = read_text(path, _WANTED)
    if "<!" in text.replace("<!--", ""):
        raise refused(path.name, "a document type", _WANTED)
    try:
        root = fromstring(text)  # noqa: S314  no entities, a megabyte at most
    except (ParseError, ValueError):
        raise refused(path.name, "text that is not XML", _WANTED) from None
    loads = root if root.tag == "ExternalLoads" else root.find(".//ExternalLoads")
    if loads is None:
        raise refused(path.name, "no ExternalLoads", _WANTED)
    forces = [_force(x) for _, x in zip(range(_MOST), loads.iter("ExternalForce"), strict=False)]
    file = PureWindowsPath(_text(loads, "datafile")).name
    return file, tuple(forces)


def _force(element: Element) -> ExternalForce:
    return ExternalForce(
        force=_text(element, "force_identifier").lower(),
        body=_text(element, "applied_to_body").rpartition("/")[2],
        force_axes=_text(element, "force_expressed_in_body").rpartition("/")[2].lower(),
        point_axes=_text(element, "point_expressed_in_body").rpartition("/")[2].lower(),
    )


def _text(element: Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()


def loads_for(path: Path) -> dict[str, ExternalForce]:
    """Return the external loads in XML files next to a force file: first column -> force.

    Parameters
    ----------
    path : Path
        The force file.
    """
    loads: dict[str, ExternalForce] = {}
    try:
        files = sorted(p for p in path.parent.iterdir() if p.suffix.lower() == ".xml")[:_FILES]
    except OSError:
        return {}
    for file in files:
        try:
            name, forces = read_external_loads(file)
        except (FileRefused, OSError):
            continue
        if name.lower() == path.name.lower():
            loads |= {f"{force.force}x": force for force in forces}
    return loads

"""ExternalLoads of OpenSim: in which axes the forces of a file are given, and to which foot.

The foot is a hint alone: files give both plates of a walk to one foot, and the centre of pressure
says which it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING

from gaitdyn.errors import FileRefused
from gaitdyn.io._records import refused
from gaitdyn.io.text_files import read_text

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_WANTED = "an XML file of external loads"
_GROUND = "ground"
_MOST, _FILES = 100, 200


@dataclass(frozen=True, slots=True)
class ExternalForce:
    """One force: the columns that begin with its identifiers, and the axes they are in."""

    force: str
    body: str
    force_axes: str
    point_axes: str

    @property
    def in_ground(self) -> bool:
        """Whether force and point are given in the laboratory's axes."""
        return {self.force_axes, self.point_axes} <= {_GROUND, ""}


def read_external_loads(path: Path) -> tuple[str, tuple[ExternalForce, ...]]:
    """Return the name of the file of forces, and what is said of each.

    Parameters
    ----------
    path : Path

    Raises
    ------
    FileRefused
        When it is no such file, or declares entities.
    """
    from xml.etree.ElementTree import ParseError, fromstring

    text = read_text(path, _WANTED)
    if "<!" in text.replace("<!--", ""):
        raise refused(path.name, "a document type", _WANTED)
    try:
        root = fromstring(text.encode())  # noqa: S314  no entities, a megabyte at most
    except (ParseError, ValueError):
        raise refused(path.name, "no XML", _WANTED) from None
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


def loads_beside(path: Path) -> dict[str, ExternalForce]:
    """Return what the XML files beside a file of forces say of it: first column -> the force.

    Parameters
    ----------
    path : Path
        Of the forces.
    """
    found: dict[str, ExternalForce] = {}
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
            found |= {f"{force.force}x": force for force in forces if force.force}
    return found

"""A marker model as data: labels and their other names, what is needed, what tracks a segment."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from gaitdyn.types.frozen import frozen

Engine = Literal["chord", "landmarks", "sagittal", "poses"]


@frozen()
class MarkerModel:
    """One marker set.

    Attributes
    ----------
    name, title, source : str
    engine : {"chord", "landmarks", "sagittal", "poses"}
        ``chord``: Plug-in Gait, joint centres from widths and wand markers in every frame.
        ``landmarks``: joint centres and axes from landmarks in a reference position, carried by
        the markers that track each segment.
        ``sagittal``: the markers of a leg stand for its joint centres; one plane.
        ``poses``: no markers; centres and axes are those of segment poses in the file.
    labels : dict
        Our name of a marker -> labels under which files know it; ``label|description`` asks for
        a description too.
    tracking : dict
        ``pelvis`` and, with ``{s}`` for L or R, ``thigh``, ``shank``, ``foot`` -> our names of the
        markers that move with the segment; ``left thigh`` and so on where the legs differ.
    optional : tuple of str
        Our names (without the side) that a leg may lack; what needs them stays empty.
    rungs : dict
        ``pelvis``, ``hip``, ``knee``, ``ankle``, ``foot`` -> names of the rungs that the model may
        take (:data:`gaitdyn.calibrate.rungs.RUNGS`); one that is not named takes the best.
    climbs : bool
        Made of what a file has: every segment is done as far as its markers allow.
    """

    name: str
    title: str
    source: str
    engine: Engine
    labels: dict[str, tuple[str, ...]]
    tracking: dict[str, tuple[str, ...]]
    optional: tuple[str, ...] = ()
    rungs: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    climbs: bool = False


@frozen()
class ModelMatch:
    """How a model fits a file.

    Attributes
    ----------
    model : MarkerModel
    places : dict
        Index of a marker in the recording -> our name of it.
    sides : list of {"left", "right"}
        Legs that can be computed.
    missing : dict
        Side -> what is missing.
    """

    model: MarkerModel
    places: dict[int, str]
    sides: list[str]
    missing: dict[str, list[str]]

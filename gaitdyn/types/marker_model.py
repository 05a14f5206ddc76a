"""A marker model as data: labels and their aliases, optional and tracking markers, rungs."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from gaitdyn.types.frozen import frozen

Engine = Literal["chord", "landmarks", "sagittal", "poses"]

PELVIS_MARKERS = ("LASI", "RASI", "LPSI", "RPSI", "SACR")
"""Our names of the markers that may lie on the pelvis."""


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
        ``sagittal``: the markers of a leg are used as its joint centres; one plane.
        ``poses``: no markers; centres and axes are those of segment poses in the file.
    labels : dict
        Our name of a marker -> its labels in files; ``label|description`` also requires a
        description.
    tracking : dict
        ``pelvis`` and, with ``{s}`` for L or R, ``thigh``, ``shank``, ``foot`` -> our names of the
        markers that move with the segment; ``left thigh`` and so on if the legs differ.
    optional : tuple of str
        Our names (without the side) that a leg may lack; results that need them stay empty.
    rungs : dict
        ``pelvis``, ``hip``, ``knee``, ``ankle``, ``foot`` -> names of the rungs that the model may
        use (:data:`gaitdyn.calibrate.ladder.rungs.RUNGS`); a place that is not named uses the best.
    climbs : bool
        Whether the model is made from the markers of a file, each segment with its best rung.
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
    """Match of a model to a file.

    Attributes
    ----------
    model : MarkerModel
    places : dict
        Index of a marker in the recording -> our name of it.
    sides : list of {"left", "right"}
        Legs that can be computed.
    missing : dict
        Side -> missing markers.
    """

    model: MarkerModel
    places: dict[int, str]
    sides: list[str]
    missing: dict[str, list[str]]

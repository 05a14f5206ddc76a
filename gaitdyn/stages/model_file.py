"""Write a marker model of what was resolved in a trial and its static, to be corrected by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from gaitdyn.calibrate.models.renaming import mended
from gaitdyn.calibrate.models.text import model_text
from gaitdyn.errors import ModelNotFound
from gaitdyn.io.recording import read_recording
from gaitdyn.landmarks.labels.role_table import is_name
from gaitdyn.stages.labels import Labelled, resolve
from gaitdyn.stages.standing import read_static
from gaitdyn.types.marker_model import MarkerModel, ModelMatch
from gaitdyn.types.options import Options
from gaitdyn.types.recording import Recording
from gaitdyn.version import __version__


def new_model(path: str | Path, options: Options, name: str) -> tuple[str, list[str]]:
    """Return a complete, commented marker model of a trial as TOML, and a log of what was chosen.

    Parameters
    ----------
    path : str or Path
        Of the trial.
    options : Options
        ``static``, ``model``, ``subject_prefix`` and ``rename`` are used.
    name : str
        Of the model.

    Raises
    ------
    FileRefused, ModelNotFound
    """
    read = read_recording(path, options.subject_prefix)
    trial = mended(read, options.rename)
    file = read_static(path, trial, options)
    named = resolve(trial, file.recording, options)
    if named.match.model.engine == "poses":
        raise ModelNotFound(
            f"{read.name}: found segment poses, which need no marker model; wanted a trial with"
            " markers; process it as it is"
        )
    files = [("trial", read, named.trial)]
    if named.static is not None and file.path is not None:
        static = read_recording(file.path, options.subject_prefix)
        files.append(("static", static, named.static))
    model = _with_all_names(named) if named.match.model.climbs else named.match.model
    matches = [
        (role, raw, replace(named.match, model=model, places=_places(ours, model)))
        for role, raw, ours in files
    ]
    text = model_text(model, matches, name, __version__)
    doubts = [line for _, recording, match in matches for line in _copies(recording, match)]
    return text, [*named.log, *file.log, *doubts]


def _copies(recording: Recording, match: ModelMatch) -> list[str]:
    """Return a line on repeated labels with one description, which no model can distinguish."""
    words = recording.descriptions or ("",) * len(recording.labels)
    marks = list(zip(recording.labels, words, strict=False))
    count = Counter(marks)
    twice = list(dict.fromkeys(marks[i][0] for i in match.places if count[marks[i]] > 1))
    if not twice:
        return []
    labels = ", ".join(twice[:3]) + (", .." if len(twice) > len(twice[:3]) else "")
    line = (
        f"{recording.name}: labels that occur more than once ({labels}): the model takes the first"
        " marker of each; without the model, process takes the one seen best"
    )
    return [line]


def _places(ours: Recording, model: MarkerModel) -> dict[int, str]:
    """Return index -> name of the markers of a model, in a recording under our names."""
    return {i: label for i, label in enumerate(ours.labels) if label in model.labels}


def _with_all_names(named: Labelled) -> MarkerModel:
    """Return a model of all names in both files, including markers above the pelvis."""
    model = named.match.model
    files = (named.trial, named.static)
    names = {x for ours in files if ours is not None for x in ours.labels if is_name(x)}
    return replace(model, labels={x: (x,) for x in sorted(names | set(model.labels))})

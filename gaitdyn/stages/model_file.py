"""A marker model of what was resolved in a trial and its static, as a text to correct by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.calibrate.marker_models import match_model
from gaitdyn.calibrate.model_text import model_text
from gaitdyn.calibrate.renaming import mended
from gaitdyn.errors import ModelNotFound
from gaitdyn.io.recording import read_recording
from gaitdyn.stages.labels import resolve
from gaitdyn.stages.standing import read_static
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.types.options import Options


def new_model(path: str | Path, options: Options, name: str) -> tuple[str, list[str]]:
    """Return a complete commented marker model of a trial as TOML, and what was chosen.

    Parameters
    ----------
    path : str or Path
        Of the trial.
    options : Options
        ``static``, ``model``, ``subject_prefix``, ``rename`` count.
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
        message = (
            f"{read.name}: found segment poses, which need no marker model; wanted a trial with"
            " markers; process it as it is"
        )
        raise ModelNotFound(message)
    model, roles = named.match.model, tuple(new for _, new in options.rename)
    found = [("trial", read, named.match)]
    if file.recording is not None and file.path is not None:
        static = read_recording(file.path, options.subject_prefix)
        found.append(("static", static, match_model(model, file.recording, roles)))
    return model_text(model, found, name, __version__), [*named.log, *file.log]

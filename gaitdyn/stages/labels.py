"""From the labels of a laboratory to our names: the one place where it happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaitdyn.calibrate.marker_models import (
    PLUG_IN_GAIT,
    choose_model,
    match_model,
    renamed,
    renaming_lines,
)

if TYPE_CHECKING:
    from gaitdyn.types.marker_model import ModelMatch
    from gaitdyn.types.options import Options
    from gaitdyn.types.recording import Recording


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Trial and static under our names.

    Attributes
    ----------
    trial : Recording
    static : Recording or None
    match : ModelMatch
        Of the trial.
    log : list of str
    """

    trial: Recording
    static: Recording | None
    match: ModelMatch
    log: list[str]


def resolve(trial: Recording, static: Recording | None, options: Options) -> Labelled:
    """Return trial and static under our names.

    Parameters
    ----------
    trial, static : Recording
        Labels as in the files, single ones mended (:func:`gaitdyn.calibrate.renaming.mended`).
    options : Options
        ``model``, and the targets of ``rename``, which may be names of ours.

    Raises
    ------
    ModelNotFound
        When no marker model fits.
    """
    roles = tuple(new for _, new in options.rename)
    match = choose_model(trial, options.model, roles)
    log = [] if match.model.name == PLUG_IN_GAIT else [
        f"marker model: {match.model.name} ({match.model.title})"
    ]  # fmt: skip
    pairs = renaming_lines(trial, match)
    log += [f"labels: {', '.join(pairs)}"] if pairs else []
    if static is None:
        return Labelled(renamed(trial, match), None, match, log)
    in_static = match_model(match.model, static, roles)
    of_static = renaming_lines(static, in_static)
    if of_static and of_static != pairs:
        log.append(f"labels of the static: {', '.join(of_static)}")
    return Labelled(renamed(trial, match), renamed(static, in_static), match, log)

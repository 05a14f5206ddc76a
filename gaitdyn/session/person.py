"""What a session knows of the person, what is missing, and whether there are several."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gaitdyn.calibrate.axes import WALKED_M
from gaitdyn.calibrate.subject import resolve_subject
from gaitdyn.calibrate.widths import require_lengths
from gaitdyn.errors import SubjectDataMissing
from gaitdyn.io.names import name_code
from gaitdyn.io.text_files import shown
from gaitdyn.session.contents import travel_m
from gaitdyn.stages.session import SHORTEST_FRAMES
from gaitdyn.types.options import NO_FORCES
from gaitdyn.types.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.calibrate.find_static import StaticChoice
    from gaitdyn.session.contents import RecordingContents
    from gaitdyn.session.trial_plan import TrialPlan
    from gaitdyn.types.marker_model import ModelMatch
    from gaitdyn.types.options import Options


def find_subject(
    options: Options, seen: RecordingContents, static: RecordingContents | None
) -> Subject:
    """Return the measurements that a trial will be processed with.

    Parameters
    ----------
    options : Options
    seen : RecordingContents
        The trial.
    static : RecordingContents or None

    Raises
    ------
    UsageError
        When the subject file has an error.
    """
    if seen.content is None:
        return Subject()
    standing = None if static is None or static.content is None else static.content.sample
    return resolve_subject(options, seen.content.sample, standing)[0]


_MUSCLES_ALONE = "; where its channels show muscles, these alone are given"


def expected_problem(
    seen: RecordingContents,
    role: str,
    subject: Subject,
    static: RecordingContents | None,
    options: Options | None = None,
) -> str:
    """Return why a trial will be refused, as far as a look can tell; empty for nothing.

    Parameters
    ----------
    seen : RecordingContents
        The trial.
    role : {"dynamic", "static", "functional", "left-out"}
    subject : Subject
    static : RecordingContents or None
    options : Options, optional
        Only the vendor's profile cannot do without a length; forces that are named need no search.
    """
    if role in ("left-out", "functional"):
        return ""
    if role == "static" or seen.content is None or seen.match is None:
        muscles = role == "dynamic" and seen.content is not None and seen.content.muscles
        return seen.problem + _MUSCLES_ALONE * bool(muscles and seen.problem)
    if static is not None and static.content is None:
        return f"its static: {static.problem}"
    if seen.content.frames < SHORTEST_FRAMES:
        return f"{seen.content.frames} frames, wanted at least {SHORTEST_FRAMES}"
    moved = travel_m(seen)
    if moved is not None and moved <= WALKED_M:
        return "nobody walks in it"
    named = options is not None and options.forces is not None
    profile = "default" if options is None else options.profile
    return (not named and seen.content.problem) or _lengths_missing(subject, seen.match, profile)


def _lengths_missing(subject: Subject, match: ModelMatch, profile: str) -> str:
    """Return which lengths the model of a trial lacks; empty for none."""
    try:
        if match.model.engine == "chord" and profile == "plug-in-gait":
            require_lengths(subject, match.sides)
    except SubjectDataMissing as error:
        return str(error)
    return ""


def missing_data(
    seen: RecordingContents, subject: Subject, static: StaticChoice, options: Options
) -> tuple[str, ...]:
    """Return what is not there and what it costs."""
    if seen.content is None or seen.match is None:
        return ()
    found = []
    if not seen.content.plates and options.forces in (None, NO_FORCES):
        found.append("no force plates: kinematics only")
    elif subject.mass_kg is None:
        found.append("body mass not known: kinematics only, unless the static stands on plates")
    if len(seen.match.sides) == 1:
        found.append(f"markers of one leg only ({seen.match.sides[0]})")
    if static.path is None:
        found.append(static.reason)
    return tuple(found)


def several_people(walks: Sequence[tuple[TrialPlan, RecordingContents]]) -> str:
    """Return that the walks of a folder are of several persons and why, without names.

    Parameters
    ----------
    walks : sequence of (TrialPlan, RecordingContents)

    Returns
    -------
    str
        Empty where all may be one person's.
    """
    told = [_document(trial, seen) for trial, seen in walks]
    if all(one == told[0] for one in told):
        return ""
    from gaitdyn.store.persons import persons_apart, persons_differ  # few folders need it

    apart = persons_apart(told)
    if len(apart) < 2:  # noqa: PLR2004
        return ""
    files = "; ".join(", ".join(shown(walks[i][0].path.name) for i in own) for own in apart)
    return (
        f"the folder holds {len(apart)} people ({persons_differ(told)}): {files}; each is shown"
        " separately"
    )


def _document(trial: TrialPlan, seen: RecordingContents) -> dict[str, Any]:
    """Return what a result would know of the person."""
    sample = None if seen.content is None else seen.content.sample
    names = () if sample is None else sample.persons or sample.called
    codes = sorted({name_code(name) for name in names})
    subject = asdict(trial.subject) | {"sources": {}}
    return {"subject": subject, "private": {"name_codes": codes}}

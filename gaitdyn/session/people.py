"""Whether the walks of a folder are of more than one person."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gaitdyn.io.names import name_code
from gaitdyn.io.text_files import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.session.contents import Seen
    from gaitdyn.session.trial_plan import TrialPlan


def several_people(walks: Sequence[tuple[TrialPlan, Seen]]) -> str:
    """Return that the walks of a folder are of several persons and why, without names.

    Parameters
    ----------
    walks : sequence of (TrialPlan, Seen)

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


def _document(trial: TrialPlan, seen: Seen) -> dict[str, Any]:
    """Return what a result would know of the person."""
    sample = None if seen.content is None else seen.content.sample
    names = () if sample is None else sample.persons or sample.called
    codes = sorted({name_code(name) for name in names})
    subject = asdict(trial.subject) | {"sources": {}}
    return {"subject": subject, "private": {"name_codes": codes}}

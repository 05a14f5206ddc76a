"""Which static a trial of a session gets, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaitdyn.calibrate.find_static import last_before, natural_order, same_person, unfit
from gaitdyn.errors import UsageError
from gaitdyn.io.peek import Peek
from gaitdyn.session.contents import pelvis_labels, pelvis_travel_m

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.session.contents import Seen
    from gaitdyn.session.roles import Decision
    from gaitdyn.session.session_file import SessionFile

SESSION = "session.toml"


@dataclass(frozen=True, slots=True)
class ChosenStatic:
    """The static of a trial, or ``None``, and why in one sentence."""

    path: Path | None
    reason: str


def choose_static(
    seen: Seen, condition: str, file: SessionFile, files: Sequence[tuple[Seen, Decision]]
) -> ChosenStatic:
    """Return the static of a trial: the one ``session.toml`` names, or else one that fits it.

    Found statics must show the same person and all markers of the trial's model; of several the
    last one before the trial. Where the files say nothing of the person, a file that is called
    static is taken: one session, one person.

    Parameters
    ----------
    seen : Seen
        The trial.
    condition : str
    file : SessionFile
    files : sequence of (Seen, Decision)
        All files of the session.

    Raises
    ------
    UsageError
        When ``session.toml`` names a file that is not there.
    """
    own = file.trial(seen.path.name).static
    if own is not None:
        return ChosenStatic(_named(seen.path.parent, own), f"{SESSION}, for this trial")
    if file.statics:
        return _of_session(seen, condition, file)
    return _found(seen, [(s, d) for s, d in files if d.role == "static" and s.path != seen.path])


def _named(folder: Path, name: str) -> Path:
    path = folder / name
    if not path.is_file():
        message = f"{SESSION}: static {name!r} is not there; wanted a C3D file of the session"
        raise UsageError(message)
    return path


def _of_session(seen: Seen, condition: str, file: SessionFile) -> ChosenStatic:
    """Return the static that the session names for a condition, or for all."""
    folder = seen.path.parent
    for wanted, why in ((condition or None, f"{SESSION}, for {condition}"), (None, SESSION)):
        fit = [_named(folder, e.file) for e in file.statics if e.condition == wanted]
        fit.sort(key=lambda p: natural_order(p.name))
        if fit:
            before = [p for p in fit if natural_order(p.name) < natural_order(seen.path.name)]
            more = ", the last one before the trial" if len(fit) > 1 and before else ""
            return ChosenStatic((before or fit[:1])[-1], why + more)
    message = f"no static: {SESSION} names none for the condition {condition or 'of this trial'!r}"
    return ChosenStatic(None, message)


def _found(seen: Seen, statics: list[tuple[Seen, Decision]]) -> ChosenStatic:
    """Return a static that fits by person and markers."""
    if not statics:
        return ChosenStatic(None, "no static in the session")
    if seen.glance is None:
        return ChosenStatic(None, "no static: the trial cannot be read")
    if seen.match is None:
        return ChosenStatic(None, "no static: no marker model fits the trial")
    labels = seen.glance.sample.labels
    wanted = {labels[i] for i in seen.match.places}
    pelvis = pelvis_labels(seen) or ("LASI", "RASI")
    own = as_peek(seen, pelvis)
    fit: list[Path] = []
    doubts, unnamed = [], False
    for other, decision in statics:
        candidate = as_peek(other, pelvis)
        if own is None or candidate is None:
            doubts.append(f"{other.path.name}: it cannot be read")
            continue
        same = same_person(own, candidate)
        if same is False or (same is None and not decision.told):
            doubt = "another person" if same is False else "nothing says that it is the same person"
        else:
            doubt = unfit(candidate, wanted)
        if doubt:
            doubts.append(f"{other.path.name}: {doubt}")
        else:
            fit.append(other.path)
            unnamed = unnamed or same is None
    if not fit:
        return ChosenStatic(None, f"no static fits ({'; '.join(doubts[:6])})")
    choice = last_before(seen.path, fit)
    if choice.path is None:
        names = ", ".join(p.name for p in fit)
        return ChosenStatic(None, f"no static: {names} fit equally; name one in {SESSION}")
    how = "the only one" if len(fit) == 1 else "the last one before the trial"
    who = "the files do not say of whom" if unnamed else "same person"
    return ChosenStatic(choice.path, f"{how} that fits; {who}, all model markers")


def as_peek(seen: Seen, pelvis: tuple[str, str]) -> Peek | None:
    """Return what is compared of a file; ``None`` when it cannot be read.

    Parameters
    ----------
    seen : Seen
    pelvis : tuple of 2 str
        Labels of the trial whose static is looked for.
    """
    if seen.glance is None:
        return None
    sample = seen.glance.sample
    person = sample.subject
    return Peek(
        subject=seen.glance.subject,
        labels=frozenset(sample.labels),
        body=(person.mass_kg, person.left.leg_length_m, person.right.leg_length_m),
        travel_m=pelvis_travel_m(sample, pelvis),
    )

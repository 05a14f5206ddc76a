"""Findings on the plates, contacts and task of a trial."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gaitdyn.clean.baseline import CleanPlate
from gaitdyn.core.runs import runs
from gaitdyn.io.file_kinds import holds_forces
from gaitdyn.types.findings import Finding
from gaitdyn.types.options import NO_FORCES, Options
from gaitdyn.types.recording import NOT_USED
from gaitdyn.types.task import TASK_WORDS, Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Mask
    from gaitdyn.types.contacts import Contact, ContactCode
    from gaitdyn.types.recording import PlateRecord, Recording


def no_gait(task: Task, recording: Recording) -> Finding:
    """Return the finding that a trial is not a walk."""
    message = (
        f"{recording.name}: {task}, not walking ({TASK_WORDS[task]}): curves over the whole trial"
        " and by contact, no gait cycle; if that is wrong, give --task walking"
    )
    return Finding("info", "task", recording.name, message)


def no_kinetics(
    recording: Recording, mass_kg: float | None, options: Options, *, usable: bool
) -> tuple[str, str]:
    """Return the code and the text of why a trial has no kinetics; empty if it can have them.

    ``usable`` tells whether any of its plates is.
    """
    plates, name = recording.plates, recording.name
    whole = holds_forces(name)
    if not plates and options.forces == NO_FORCES and whole:
        return "no-forces", "no forces, as requested with --forces none: kinematics only"
    if not plates:
        todo = (
            "export the analog channels with the trial" if whole else "name its forces (--forces)"
        )
        tried = "".join(f"{note}; " for note in recording.notes if note.startswith(NOT_USED))
        why = f"no force plates in the file: kinematics only; {tried}{todo} for kinetics"
        return "no-plates", why
    if not usable:
        turned = options.up and not all(plate.problem for plate in plates)
        todo = f"{'leave --up out or ' if turned else ''}correct the plate parameters"
        why = f"no usable force plate ({_problems(plates)}): kinematics only; {todo}"
        return "no-usable-plate", why
    if mass_kg is None:
        todo = "give it with --mass KG, or as mass_kg in session.toml, for kinetics"
        why = f"the body mass is not known: kinematics only; {todo}"
        return "no-mass", why
    return "", ""


def _problems(plates: Sequence[PlateRecord]) -> str:
    """Return why plates cannot be used, once for those with the same reason."""
    names: dict[str, list[str]] = {}
    for plate in plates:
        names.setdefault(plate.problem or "does not face up", []).append(f"plate {plate.number}")
    return ", ".join(f"{', '.join(of_reason)}: {reason}" for reason, of_reason in names.items())


def as_swing(side: str, wrong: Mask, recording: Recording) -> list[Finding]:
    """Return a finding for each run in which the vendor's rule treats a standing foot as swing."""
    findings: list[Finding] = []
    for start, stop in runs(wrong):
        first, last = recording.frames_of(start, stop)
        message = (
            f"{side} foot, frames {first}-{last}: it stands beside the plates in a stance cut by"
            " the file; its kinetics are computed as swing, as the vendor does, and are wrong in"
            " these frames"
        )
        size, times = float(stop - start), recording.times_of(start, stop)
        findings.append(Finding("warning", "stance-as-swing", side, message, size, **times))
    return findings


def plate_findings(
    plates: Sequence[CleanPlate], contacts: list[Contact], recording: Recording
) -> list[Finding]:
    """Return the findings on plates and contacts."""
    findings: list[Finding] = []
    for plate in plates:
        scope = f"plate {plate.wrench.number}"
        if plate.inverted:
            message = f"{scope} records the force on itself; it was reversed"
            findings.append(Finding("warning", "plate-inverted", scope, message))
        message = f"{scope} reads {plate.baseline_N:.1f} N while unloaded"
        findings.append(Finding("warning", "plate-baseline", scope, message, plate.baseline_N))
    return findings + _not_whole(contacts, recording)


MANY = 5
"""Up to this many steps that are not whole are reported one by one."""


def _not_whole(contacts: list[Contact], recording: Recording) -> list[Finding]:
    """Return a finding for each contact that is not whole, or one for all of them."""
    findings: list[Finding] = []
    incomplete = [contact for contact in contacts if contact.verdict != "valid"]
    if len(incomplete) > MANY:
        kinds = Counter(SEVERAL[contact.code] for contact in incomplete if contact.code)
        summary = "; ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        message = (
            f"{len(incomplete)} of {len(contacts)} contacts are not whole: {summary} (contacts.csv)"
        )
        value = float(len(incomplete))
        return [Finding("warning", "contacts-not-whole", "plates", message, value)]
    for contact in incomplete:
        code = "contact-rejected" if contact.verdict == "rejected" else "contact-partial"
        first, last = recording.frames_of(contact.start, contact.stop)
        message = f"plate {contact.plate}, frames {first}-{last}: {contact.reason}"
        times = recording.times_of(contact.start, contact.stop)
        findings.append(Finding("warning", code, f"plate {contact.plate}", message, **times))
    return findings


SEVERAL: dict[ContactCode, str] = {
    "cut": "cut by the file",
    "light": "with too little load in single support",
    "late": "loaded for a part of the stance",
    "two-feet": "of both feet",
    "shared": "of both feet, which cannot be divided",
    "alone": "of one foot between such parts",
    "unsteady": "on a belt that changes its speed",
    "outside": "with the force outside the plate or the foot",
    "beside": "with the force outside the plate or the foot",
    "far": "with the force far from both feet",
    "height": "with the foot off the surface of the plate",
    "unseen": "without a visible foot",
    "scuff": "of a foot that only touches the plate",
    "given": "assigned to no foot",
}
"""Why a contact is not whole -> description of several such contacts."""

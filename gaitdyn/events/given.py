"""Contacts that were given to a foot far from the force, as by a wrong ``--assign``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gaitdyn.events.assignment import NEAR_M, LoadedPlate, distances_to_feet, loaded_cop
from gaitdyn.events.contact_words import distance_words
from gaitdyn.events.feet import TrialFoot
from gaitdyn.types.contacts import Contact
from gaitdyn.types.findings import Finding, Findings

Far = tuple[Contact, dict[str, float]]
"""A contact with the median distance of the centre of pressure to each foot, m."""


def given_astray(
    contacts: Iterable[Contact], plates: Sequence[LoadedPlate], feet: Sequence[TrialFoot]
) -> list[Far]:
    """Return the given contacts whose centre of pressure is not at the foot, with its distances."""
    by_number = {plate.wrench.number: plate for plate in plates}
    astray: list[Far] = []
    for contact in contacts:
        if contact.code != "given" or contact.side not in ("left", "right") or not contact.peak_N:
            continue
        run = (contact.start, contact.stop)
        away = distances_to_feet(*loaded_cop(by_number[contact.plate], run), feet, run)
        if away.get(contact.side, 0.0) > NEAR_M:
            astray.append((contact, away))
    return astray


def astray_findings(astray: Iterable[Far]) -> Findings:
    """Return a finding for each plate and foot with such contacts, on the farthest of them."""
    groups: dict[tuple[int, str], list[dict[str, float]]] = {}
    for contact, away in astray:
        groups.setdefault((contact.plate, contact.side), []).append(away)
    for (plate, side), distances in groups.items():
        worst = max(distances, key=lambda away: away[side])
        steps = f" in {len(distances)} steps" if len(distances) > 1 else ""
        message = (
            f"plate {plate} is given to the {side} foot, but its centre of pressure is not under"
            f" that foot{steps} ({distance_words(worst)}): another foot is meant"
        )
        yield Finding(
            "warning", "assigned-astray", f"plate {plate}", message, worst[side], NEAR_M, side=side
        )

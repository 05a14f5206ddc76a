"""Labels become landmarks: words propose, the standing person confirms, refutes or decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.landmarks.alike import told_apart
from gaitdyn.landmarks.assign import assign
from gaitdyn.landmarks.case import Case
from gaitdyn.landmarks.checks import check
from gaitdyn.landmarks.claims import claims_of
from gaitdyn.landmarks.items import gather
from gaitdyn.landmarks.look import look
from gaitdyn.landmarks.nameless import nameless_clusters
from gaitdyn.landmarks.outcome import outcomes, roles_in
from gaitdyn.landmarks.reading import read_items
from gaitdyn.landmarks.shapes import by_shape
from gaitdyn.landmarks.vocabulary import Vocabulary, shipped_vocabulary
from gaitdyn.types.later import Last

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.landmarks.assign import MarkerClaim
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.landmarks import Resolution
    from gaitdyn.types.recording import Recording


def resolve(
    trial: Recording,
    static: Recording | None = None,
    rename: Mapping[str, str] | None = None,
    vocabulary: Vocabulary | None = None,
) -> tuple[Resolution, Resolution | None]:
    """Return what the labels of a trial, and of its static, mean.

    Both files are judged together: a label that is in both means the same, and the place in the
    static counts before that in the trial.

    Parameters
    ----------
    trial : Recording
    static : Recording, optional
        Of the same person with the same markers.
    rename : mapping, optional
        Label -> our name or another label, from the user.
    vocabulary : Vocabulary, optional
        Spellings; without it those that ship with gaitdyn.

    Returns
    -------
    (Resolution, Resolution or None)
        Of the trial and of the static.
    """
    files, still = ([trial], -1) if static is None else ([static, trial], 0)
    case, claims, won, found = _judged(files, still, rename or {}, vocabulary)
    findings = check(case, won) + found
    parts = outcomes(case, won, claims, findings)
    if static is None:
        return parts[-1], None
    return by_shape(trial, static, parts[-1], parts[0]), parts[0]


def static_roles(static: Recording) -> dict[int, str]:
    """Return the roles that a static shows by itself; of the last static they are kept.

    Parameters
    ----------
    static : Recording

    Returns
    -------
    dict
        Place in the labels of the static -> our name, of the markers that are to be used.
    """
    return _LAST_ROLES.of((static,), (), lambda: _static_roles(static))


_LAST_ROLES: Last[dict[int, str]] = Last()


def _static_roles(static: Recording) -> dict[int, str]:
    """Return the roles of the markers of a static that are there for long enough."""
    case, _, won, _ = _judged([static], 0, {}, None)
    roles, rare = roles_in(case, won), case.rare[0]
    at = {i: item.at.get(0) for i, item in enumerate(case.items) if i not in rare}
    return {place: role for i, role in roles.items() if role and (place := at.get(i)) is not None}


def _judged(
    files: list[Recording],
    still: int,
    rename: Mapping[str, str],
    vocabulary: Vocabulary | None,
) -> tuple[Case, list[MarkerClaim], dict[int, MarkerClaim], list[tuple[int, Finding]]]:
    """Return what is known about the labels, all claims, those that won, and what they tell."""
    gathered = gather(files, rename)
    vocabulary = vocabulary or shipped_vocabulary()
    if said := told_apart(files, gathered, vocabulary, still):
        gathered = gather(files, rename, said)
    words = read_items(gathered.items, vocabulary, set(rename.values()))
    case = Case(files, still, gathered, words)
    look(case)
    claims = claims_of(case)
    won = assign(claims)
    nameless = nameless_clusters(case, won)
    won |= {i: claim for i, (claim, _) in nameless.items()}
    return case, claims, won, [(i, finding) for i, (_, finding) in nameless.items()]

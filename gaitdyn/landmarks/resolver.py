"""Turn labels into landmarks: words propose, the standing person confirms, refutes or decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.landmarks.alike import separated_labels
from gaitdyn.landmarks.assign import MarkerClaim, assign
from gaitdyn.landmarks.body.case import Case
from gaitdyn.landmarks.body.persons import find_persons
from gaitdyn.landmarks.checks import check
from gaitdyn.landmarks.claims import claims_of
from gaitdyn.landmarks.labels.items import gather
from gaitdyn.landmarks.labels.reading import read_items
from gaitdyn.landmarks.labels.vocabulary import Vocabulary, shipped_vocabulary
from gaitdyn.landmarks.nameless import nameless_clusters
from gaitdyn.landmarks.outcome import outcomes, roles_in
from gaitdyn.landmarks.shapes import by_shape
from gaitdyn.types.later import Last

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.types.findings import Finding
    from gaitdyn.types.landmarks import Resolution
    from gaitdyn.types.recording import Recording


def resolve(
    trial: Recording,
    static: Recording | None = None,
    rename: Mapping[str, str] | None = None,
    vocabulary: Vocabulary | None = None,
) -> tuple[Resolution, Resolution | None]:
    """Return the meaning of the labels of a trial, and of its static.

    Both files are judged together: a label in both means the same, and positions in the static take
    precedence over those in the trial.

    Parameters
    ----------
    trial : Recording
    static : Recording, optional
        Of the same person with the same markers.
    rename : mapping, optional
        Label -> gaitdyn name or another label, from the user.
    vocabulary : Vocabulary, optional
        Spellings; by default those shipped with gaitdyn.

    Returns
    -------
    (Resolution, Resolution or None)
        Of the trial and of the static.
    """
    files, static_index = ([trial], -1) if static is None else ([static, trial], 0)
    case, claims, won, nameless_findings = _resolve_files(
        files, static_index, rename or {}, vocabulary
    )
    resolutions = outcomes(case, won, claims, check(case, won) + nameless_findings)
    if static is None:
        return resolutions[-1], None
    return by_shape(trial, static, resolutions[-1], resolutions[0]), resolutions[0]


def static_roles(static: Recording) -> dict[int, str]:
    """Return the roles found in a static alone; those of the last static are cached.

    Parameters
    ----------
    static : Recording

    Returns
    -------
    dict
        Index in the labels of the static -> gaitdyn name, for the markers to be used.
    """
    return _LAST_ROLES.of((static,), (), lambda: _static_roles(static))


_LAST_ROLES: Last[dict[int, str]] = Last()


def _static_roles(static: Recording) -> dict[int, str]:
    """Return the roles of the markers visible in enough frames of a static."""
    case, _, won, _ = _resolve_files([static], 0, {}, None)
    roles, rare = roles_in(case, won), case.rare[0]
    indices = {i: item.index.get(0) for i, item in enumerate(case.items) if i not in rare}
    return {
        place: role for i, role in roles.items() if role and (place := indices.get(i)) is not None
    }


def _resolve_files(
    files: list[Recording],
    static_index: int,
    rename: Mapping[str, str],
    vocabulary: Vocabulary | None,
) -> tuple[Case, list[MarkerClaim], dict[int, MarkerClaim], list[tuple[int, Finding]]]:
    """Return the case, all claims, the winning claims, and findings on nameless clusters."""
    gathered = gather(files, rename)
    vocabulary = vocabulary or shipped_vocabulary()
    if separated := separated_labels(files, gathered, vocabulary, static_index):
        gathered = gather(files, rename, separated)
    words = read_items(gathered.items, vocabulary, set(rename.values()))
    case = Case(files, static_index, gathered, words)
    find_persons(case)
    claims = claims_of(case)
    won = assign(claims)
    nameless = nameless_clusters(case, won)
    won |= {i: claim for i, (claim, _) in nameless.items()}
    return case, claims, won, [(i, finding) for i, (_, finding) in nameless.items()]

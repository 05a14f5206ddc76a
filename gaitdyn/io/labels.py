"""Sort point labels: which are markers, which are model outputs, and whose they are."""

from __future__ import annotations

import re
from functools import lru_cache

from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.parameters import Parameters
from gaitdyn.io.c3d.records import shown
from gaitdyn.types.words import counted

PAIRS_OF_A_BODY = 4
_MIRROR = dict(zip("LRlrGDgd", "RLrlDGdg", strict=True))
_OTHER = {"left": "right", "right": "left", "gauche": "droite", "droite": "gauche"}
_SIDES = "|".join(_OTHER)
STAMP = "GAITDYN"
"""The group that records which version added points."""
_ADDED = re.compile(r"gaitdyn \d\S*: ")
"""Beginning of their descriptions (:mod:`gaitdyn.exchange.c3d`)."""

_OUTPUT_GROUPS = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS")


def point_labels(params: Parameters, count: int) -> list[str]:
    """Return one label per point: LABELS, LABELS2, ... in order, cut or padded to ``count``.

    Unprintable characters are escaped, so that a label is always one line.
    """
    labels = params.strings("POINT", "LABELS")[:count]
    whole = "".join(labels)
    if not (whole.isascii() and whole.isprintable()):
        labels = [shown(label) for label in labels]
    return labels + [f"*{i + 1}" for i in range(len(labels), count)]


def output_labels(params: Parameters) -> set[str]:
    """Return the labels of model outputs: listed in POINT:ANGLES and the like, or added by gaitdyn.

    Joint centres are positions, which no group lists.
    """
    listed = {label for group in _OUTPUT_GROUPS for label in params.strings("POINT", group)}
    return listed.union(added_labels(params))


def added_labels(params: Parameters) -> list[str]:
    """Return the labels of the points that `gaitdyn export` added, by their descriptions."""
    if params.record(STAMP, "VERSION") is None:
        return []
    pairs = zip(
        params.strings("POINT", "LABELS"), params.strings("POINT", "DESCRIPTIONS"), strict=False
    )
    return [label for label, text in pairs if _ADDED.match(text)]


def added_note(added: int) -> tuple[str, ...]:
    """Return a note on the number of points that `gaitdyn export` added, if there are any."""
    what = f"{counted(added, 'point')} that gaitdyn export added: results, not used as markers"
    return (what,) if added else ()


def prefixes(labels: list[str]) -> list[str]:
    """Return the different subject prefixes (``name`` of ``name:LASI``), in order."""
    return list(dict.fromkeys(label.split(":", 1)[0] for label in labels if ":" in label))


def marker_prefixes(params: Parameters) -> list[str]:
    """Return the different subject prefixes of all labels but those of model outputs, in order."""
    outputs = output_labels(params)
    labels = point_labels(params, len(params.strings("POINT", "LABELS")))
    return prefixes([label for label in labels if label not in outputs])


def one_subject(labels: list[str], outputs: set[str], wanted: str | None, file: str) -> list[str]:
    """Return labels without prefix; those of other subjects are replaced by a star and a number.

    A subject is identified by the prefix of its labels; labels without one are a subject, too, if
    they and those of another share the markers of a body. With one subject, or with prefixes that
    never share a marker, every prefix is removed. Of several subjects the requested one is used, or
    else the only one whose markers form a body (:func:`the_body`).

    Parameters
    ----------
    labels : list of str
    outputs : set of str
        Labels of model outputs, which are ignored.
    wanted : str or None
        Prefix of the requested subject, regardless of case and punctuation; :data:`NO_PREFIX` for
        the one without.
    file : str
        Name for the message.

    Raises
    ------
    FileRefused
        When there are several bodies and none was requested, or the requested one is missing; names
        are masked.
    """
    subjects = subjects_of(labels, outputs)
    if not several(labels, subjects):
        return [strip_prefix(label) for label in labels]
    chosen = [] if wanted is None else asked_for(subjects, wanted)
    if wanted is None:
        chosen = the_body(labels, subjects)
    if not chosen:
        masked = ", ".join(mask(x) if x else "one without prefix" for x in subjects)
        asked = "none was requested" if wanted is None else "not the one requested"
        bare = f"{NO_PREFIX} for the one without; " if "" in subjects else ""
        raise FileRefused(
            f"{file}: found markers of {len(subjects)} subjects ({masked}) and {asked};"
            f" name one with --subject-prefix ({bare}gaitdyn info --show-names prints them), or"
            " export each subject to a file of its own"
        )
    others = set(subjects) - {*chosen}
    return [f"*{i}" if prefix_of(x) in others else strip_prefix(x) for i, x in enumerate(labels)]


def asked_for(subjects: list[str], wanted: str) -> list[str]:
    """Return the prefixes that a request names; the one without if it is asked for."""
    named = [prefix for prefix in subjects if wanted and _plain(prefix) == _plain(wanted)]
    bare = "" in subjects and _plain(wanted) == NO_PREFIX
    return named or ([""] if bare else [])


NO_PREFIX = "none"
"""Stands for the prefix of the subject whose labels have none, beside another subject."""

NO_SUCH_PREFIX = "no label has the subject prefix asked for; the one subject of the file is taken"


def subject_note(labels: list[str], outputs: set[str], wanted: str | None) -> tuple[str, ...]:
    """Return a note if a subject was chosen because it alone forms a body, or is the only one.

    Parameters
    ----------
    labels, outputs, wanted
        As in :func:`one_subject`.
    """
    all_prefixes = subjects_of(labels, outputs)
    many = several(labels, all_prefixes)
    if wanted and not many:
        bare = _markers([label for label in labels if label not in outputs], "")
        has_bare = not all_prefixes or _is_body(bare)
        known = {*map(_plain, all_prefixes), *([NO_PREFIX] if has_bare else [])}
        return () if _plain(wanted) in known else (NO_SUCH_PREFIX,)
    if wanted is not None or not many:
        return ()
    chosen = the_body(labels, all_prefixes)
    body = ", ".join(map(mask, chosen))
    others = ", ".join(mask(prefix) for prefix in all_prefixes if prefix not in chosen)
    return (f"markers of {body} make a body and are taken; those of {others} are not",)


def the_body(labels: list[str], found: list[str]) -> list[str]:
    """Return a list of the one prefix whose markers form a body; empty if none or several do.

    A body has at least four markers with a left and a right; bars, boxes and sticks do not.

    Examples
    --------
    >>> person = [f"Ann:{side}{name}" for side in "LR" for name in ("ASI", "KNE", "ANK", "TOE")]
    >>> the_body([*person, "bar:1", "bar:2", "bar:LASI"], ["Ann", "bar"])
    ['Ann']
    """
    bodies = [prefix for prefix in found if _is_body(_markers(labels, prefix))]
    return bodies if len(bodies) == 1 else []


def _is_body(markers: set[str]) -> bool:
    """Return whether markers without prefix have four or more with a left and a right."""
    return sum(_has_mirror(label, markers) for label in markers) >= 2 * PAIRS_OF_A_BODY


def _markers(labels: list[str], prefix: str) -> set[str]:
    """Return the labels with a prefix, or with none, without it."""
    return {strip_prefix(x) for x in labels if prefix_of(x) == prefix}


def prefix_of(label: str) -> str:
    """Return the prefix of a label, an empty text if it has none."""
    return label.split(":", 1)[0] if ":" in label else ""


def subjects_of(labels: list[str], outputs: set[str]) -> list[str]:
    """Return the different prefixes, and an empty one if labels without prefix are a person, too.

    They are if they share the markers of a body with a prefix.

    Examples
    --------
    >>> plain = [f"{side}{name}" for side in "LR" for name in ("ASI", "KNE", "ANK", "TOE")]
    >>> subjects_of([*plain, *(f"Ann:{x}" for x in plain)], set())
    ['Ann', '']
    >>> subjects_of(["Ann:LASI", *plain], set())
    ['Ann']
    """
    own = [label for label in labels if label not in outputs]
    found = [prefix for prefix in prefixes(own) if prefix]
    bare = _markers(own, "")
    shared = (bare & _markers(own, prefix) for prefix in (found if bare else ()))
    return [*found, *([""] if any(map(_is_body, shared)) else [])]


def _has_mirror(label: str, labels: set[str]) -> bool:
    """Return whether the same label exists for the other side."""
    word = re.sub(_SIDES, lambda m: _OTHER[m[0].lower()], label.lower())
    swapped = (label[:i] + _MIRROR[c] + label[i + 1 :] for i, c in enumerate(label) if c in _MIRROR)
    lower = {x.lower() for x in labels} if word != label.lower() else set()
    return any(mirrored in labels for mirrored in swapped) or word in lower


def mask(name: str) -> str:
    """Return a name masked so that only its owner can recognise it.

    Examples
    --------
    >>> mask("Daphnee")
    'D*****e'
    """
    return name[:1] + "*" * max(len(name) - 2, 1) + (name[-1:] if len(name) > 2 else "")  # noqa: PLR2004


def mask_prefix(prefix: str) -> str:
    """Return a subject's prefix masked; the word for labels without one names nobody and stays.

    Examples
    --------
    >>> mask_prefix("Nele"), mask_prefix("none")
    ('N**e', 'none')
    """
    return prefix if _plain(prefix) == NO_PREFIX else mask(prefix)


def mask_file(name: str) -> str:
    """Return a file name with its stem masked, since laboratories name files after persons.

    Examples
    --------
    >>> mask_file("Daphnee.mp")
    'D*****e.mp'
    """
    stem, dot, ending = name.rpartition(".")
    return f"{mask(stem)}{dot}{ending}" if dot else mask(name)


def _plain(prefix: str) -> str:
    return "".join(c for c in prefix.lower() if c.isalnum())


def several(labels: list[str], found: list[str]) -> bool:
    """Return whether two prefixes share a marker."""
    sets = [_markers(labels, prefix) for prefix in found]
    return any(a & b for i, a in enumerate(sets) for b in sets[i + 1 :])


@lru_cache(maxsize=4096)
def strip_prefix(label: str) -> str:
    """Return the label without its subject prefix."""
    return label.rsplit(":", 1)[-1].strip()

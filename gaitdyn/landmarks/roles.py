"""Map landmarks to gaitdyn names (roles) by code, side and order."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import combinations, permutations, takewhile
from typing import TYPE_CHECKING

from gaitdyn.core.rigid import SMALLEST_CLUSTER
from gaitdyn.landmarks.hands import knuckles_of
from gaitdyn.landmarks.labels.role_table import KEPT_ENDINGS, SIDE_LETTER, names_in, role_table
from gaitdyn.types.frozen import frozen
from gaitdyn.types.landmarks import BodySide

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

_CLUSTER = 3
"""With this many other markers a wand keeps its name: the knee axis may depend on it, and the
segment is tracked without it."""

_SIDE, _STEM = re.compile(r"^(LEFT|RIGHT|[LR])[\W_]*|[\W_]*(LEFT|RIGHT|[LR])$"), 3
"""Side at one end of a label, and letters that labels of a series share beside it."""

_PELVIS = tuple(f"PEL{i}" for i in range(1, 31))
_MOST = 30


@frozen()
class Marked:
    """One marker with its landmark.

    Attributes
    ----------
    item : int
    files : frozenset of int
        Files in which it is visible: a name is given once per file.
    code : str
    side : {"left", "right", ""}
    label : str
        Series are numbered in the order of their labels.
    tracks : bool
        Whether it only tracks: it is not a wand, and shows no axis.
    """

    item: int
    files: frozenset[int]
    code: str
    side: BodySide
    label: str
    tracks: bool = False


def roles_of(marks: list[Marked]) -> dict[int, str]:
    """Return item -> role; a marker has the same name in all files.

    Parameters
    ----------
    marks : list of Marked
        Best candidate of each landmark first.
    """
    groups: dict[tuple[str, BodySide], list[Marked]] = defaultdict(list)
    for mark in marks:
        groups["TOE" if mark.code == "MT2H" else mark.code, mark.side].append(mark)
    assigned = _RoleNames()
    for (code, side), members in groups.items():
        pattern = role_table().get(code, "")
        all_files = frozenset[int]().union(*(mark.files for mark in members))
        once = "#" in pattern and not _may_differ(members)
        for mark, names in _names(code, pattern, SIDE_LETTER[side], members):
            assigned.give(mark.item, all_files if once else mark.files, names)
    for letter in "LR":
        heads = assigned.has(f"{letter}MT1") and assigned.has(f"{letter}MT5")
        if not (heads or assigned.has(f"{letter}TOE")):
            assigned.rename(f"{letter}HLX", f"{letter}TOE")
    return assigned.roles


def _may_differ(members: Sequence[Marked]) -> bool:
    """Return whether a cluster may have other labels in each file, its first marker the same.

    Not if they share a label or a word with numbers, nor if one of them has too few markers to
    compare the shapes: then a label that only one file has is another marker than one that only
    the other has. A lone marker of each file is the wand, whatever it is called, unless the labels
    are those of a series.
    """
    sizes = Counter(file for mark in members for file in mark.files)
    if max(sizes.values()) == 1:
        return not any(of_a_series(a.label, b.label) for a, b in combinations(members, 2))
    if min(sizes.values()) < SMALLEST_CLUSTER or any(len(mark.files) > 1 for mark in members):
        return False
    stems: dict[int, set[str]] = defaultdict(set)
    for mark in members:
        for file in mark.files:
            stems[file].add(re.sub(r"\d+", "#", mark.label.upper()))
    return not any("#" in stem for stem in set[str].intersection(*stems.values()))


def of_a_series(one: str, other: str) -> bool:
    """Return whether labels count, letter or describe different markers of one segment.

    They have other numbers, or end in another way after three letters or all but the last one.

    Examples
    --------
    >>> [of_a_series("LSK1", x) for x in ("LSK2", "LSK_1", "LTIB")]
    [True, False, True]
    >>> [of_a_series("LSHA", x) for x in ("LSHB", "L shank", "LTIB")]
    [True, False, False]
    >>> of_a_series("LSHL", "LSHM"), of_a_series("SHA_L", "SHB_L"), of_a_series("LTIB", "L tib")
    (True, True, False)
    >>> of_a_series("L_Shank_Upper", "L_Shank_Lower")
    True
    """
    if re.findall(r"\d+", one) != re.findall(r"\d+", other):
        return True
    a, b = (re.sub(r"[\W_]", "", _SIDE.sub("", text.upper(), count=1)) for text in (one, other))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    ends = len(a) - same, len(b) - same
    return min(ends) > 0 and (same >= _STEM or ends == (1, 1))


class _RoleNames:
    """The names assigned so far, each once per file."""

    def __init__(self) -> None:
        self.roles: dict[int, str] = {}
        self._taken: set[tuple[int, str]] = set()

    def give(self, item: int, files: Collection[int], names: Iterable[str]) -> None:
        """Assign a marker the first name that is free in some files, or an empty string."""
        free = (n for n in names if not any((file, n) in self._taken for file in files))
        name = next(free, "")
        self.roles[item] = name
        self._taken |= {(file, name) for file in files if name}

    def has(self, name: str) -> bool:
        """Return whether a name was assigned."""
        return name in self.roles.values()

    def rename(self, old: str, new: str) -> None:
        """Rename all markers with a given name."""
        self.roles = {item: new if name == old else name for item, name in self.roles.items()}


def _names(
    code: str, pattern: str, letter: str, members: list[Marked]
) -> Iterator[tuple[Marked, Iterable[str]]]:
    """Yield each marker of one landmark and side with its possible names, best first."""
    many, _, single = pattern.partition(" or ")
    if code in {"SACR", "PEX"}:
        first = ("SACR",) if code == "SACR" else ()
        yield from ((mark, (*first, *_PELVIS)) for mark in members)
    elif pattern.startswith("=") and pattern.endswith("#"):
        yield from ((mark, _vertebra(pattern[1:-1], mark.label)) for mark in members)
    elif pattern.startswith("="):
        yield from ((mark, () if letter else (pattern[1:],)) for mark in members)
    elif code == "HAN":
        knuckles = [members[i] for i in knuckles_of([mark.label for mark in members])]
        yield from ((mark, (letter + pattern,)) for mark in knuckles)
        yield from ((mark, ()) for mark in members if mark not in knuckles)
    elif single and _most_in_a_file(members) == 1 and not any(m.tracks for m in members):
        yield from ((mark, (letter + single,)) for mark in members)
    elif many.endswith("#"):
        yield from _names_of_cluster(code, letter + many[:-1], letter, single, members)
    else:
        yield from _names_of_place(code, pattern, letter, members)


def _names_of_cluster(
    code: str, stem: str, letter: str, single: str, members: list[Marked]
) -> Iterator[tuple[Marked, list[str]]]:
    """Yield each marker of a segment with numbered names, behind its own ending where it has one.

    The marker without a number beside a numbered cluster is a wand, whose name is ``single``.
    """
    numbered = [f"{stem}{i}" for i in range(1, _MOST)]
    kept = (*KEPT_ENDINGS, single) if _most_in_a_file(members) > _CLUSTER else KEPT_ENDINGS
    labels = [mark.label for mark in members]
    alone = lone_marker(labels) if single else None
    wand = None if alone is None or members[alone].tracks else members[alone]
    ends = _ends_of_head(labels) if code == "HED" else {}
    for mark in sorted(members, key=lambda mark: natural(mark.label)):
        ending = single if mark is wand else mark.label.upper()[-3:]
        ending = ends.get(mark.label, ending)
        yield mark, ([letter + ending] if ending in kept else []) + numbered


def _names_of_place(
    code: str, pattern: str, letter: str, members: list[Marked]
) -> Iterator[tuple[Marked, list[str]]]:
    """Yield each marker of a place with its names, the one that its label has first.

    A name that ends in ``!`` is taken only by a label that has it.
    """
    names = [name for name in pattern.split() if not name.endswith("!")]
    names = names[:1] if code == "WRX" and _most_in_a_file(members) > len(names) else names
    for mark in _counted_last(members):
        own = [x for x in names_in(pattern) if x not in names and _is_labelled(mark.label, x)]
        yield mark, [letter + name for name in (*own, *names)]


def _counted_last(members: list[Marked]) -> list[Marked]:
    """Return markers of one landmark, those that count another behind it: ``HEE2`` behind ``HEE``.

    Whatever their positions, the label without a number is the landmark itself.
    """
    counted = [mark for mark in members if mark.label[-1:].isdigit()]
    if not counted or len(members) == 1:
        return members
    plain = {mark.label.upper() for mark in members}
    counted = [m for m in counted if re.sub(r"[\W_]*\d+$", "", m.label.upper()) in plain]
    others = [mark for mark in members if mark not in counted]
    return others + sorted(counted, key=lambda mark: natural(mark.label))


def _is_labelled(label: str, name: str) -> bool:
    """Return whether a label is a name and a side.

    Examples
    --------
    >>> [_is_labelled(x, "WRA") for x in ("LWRA", "wra_l", "Ann:RWRA", "LWRadius", "RRSP")]
    [True, True, True, False, False]
    """
    side = "(?:L|R|LEFT|RIGHT)?"
    bare = label.upper().rpartition(":")[2]
    return re.fullmatch(rf"{side}[^A-Z]*{name}[^A-Z]*{side}", bare) is not None


_FRONT_AND_BACK = (
    ("F", "B"), ("A", "P"), ("FRONT", "BACK"), ("FRONT", "REAR"), ("ANT", "POST"),
    ("ANTERIOR", "POSTERIOR"),
)  # fmt: skip

_OF_FRONT, _OF_BACK = re.compile("FRONT|TEMP|TMP"), re.compile("BACK|REAR|OCC")


def _ends_of_head(labels: Sequence[str]) -> dict[str, str]:
    """Return label -> FHD or BHD for two markers of one side of the head, as their labels tell.

    Whether they are in front is checked by position when the head is built.

    Examples
    --------
    >>> _ends_of_head(["L_HDB", "L_HDF"])
    {'L_HDF': 'FHD', 'L_HDB': 'BHD'}
    >>> _ends_of_head(["Back head left", "Head temple left"])
    {'Head temple left': 'FHD', 'Back head left': 'BHD'}
    >>> _ends_of_head(["HEAD1", "HEAD2"])
    {}
    """
    if len(set(labels)) != 2:  # noqa: PLR2004  front and back
        return {}
    for front, back in permutations(sorted(set(labels))):
        text, other = front.upper(), back.upper()
        for one, opposite in _FRONT_AND_BACK:
            places = (i for i in range(len(text)) if text.startswith(one, i))
            if any(text[:i] + opposite + text[i + len(one) :] == other for i in places):
                return {front: "FHD", back: "BHD"}
        if _OF_FRONT.search(text) and _OF_BACK.search(other):
            return {front: "FHD", back: "BHD"}
    return {}


def lone_marker(labels: Sequence[str]) -> int | None:
    """Return which marker of a segment may be a wand; None if all are those of a cluster.

    It is the only one, or the only one without a number beside a numbered cluster.

    Examples
    --------
    >>> (
    ...     lone_marker(["cuisse"]),
    ...     lone_marker(["T1", "T2", "cuisse", "T3"]),
    ...     lone_marker(["T1", "T2"]),
    ... )
    (0, 2, None)
    """
    if len(labels) == 1:
        return 0
    plain = [i for i, label in enumerate(labels) if not label[-1:].isdigit()]
    return plain[0] if len(plain) == 1 and len(labels) > _CLUSTER else None


def _most_in_a_file(members: list[Marked]) -> int:
    return max(Counter(file for mark in members for file in mark.files).values(), default=0)


def natural(label: str) -> list[tuple[str, int]]:
    """Return a key that sorts ``TH2`` before ``TH10``."""
    return [(text, int(number or 0)) for text, number in re.findall(r"(\D*)(\d*)", label)]


def _vertebra(letter: str, label: str) -> tuple[str, ...]:
    digits = "".join(c for c in label if c.isdigit())
    return (f"{letter}{digits}",) if digits else ()

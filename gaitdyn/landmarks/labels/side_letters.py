"""Find sides from letters of longer words, confirmed by mirrored labels in the file."""

from __future__ import annotations

import re
from collections import Counter
from string import digits
from typing import TYPE_CHECKING

from gaitdyn.landmarks.labels.label import joined
from gaitdyn.landmarks.labels.sided import NEARLY_ALL, PAIRS_WANTED, Sided, mirrored, without
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDE_OF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gaitdyn.types.landmarks import BodySide

Place = tuple[int, "Mapping[str, BodySide]"]
"""Position in a label of a letter for a side (0 first, -1 last), and letter -> side."""

_OTHER_LETTERS = (
    ("G", "D"), ("S", "D"), ("I", "D"), ("E", "D"), ("V", "H"), ("V", "O"), ("L", "P"),
)  # fmt: skip
"""First letters of left and right in other languages."""

_AFFIXES = (
    ("LEFT", "RIGHT"), ("LFT", "RGT"), ("LI", "RE"), ("LX", "RX"), ("SX", "DX"), ("SIN", "DES"),
    ("SN", "DS"), ("GAU", "DRO"), ("GA", "DR"), ("IZQ", "DER"), ("IZ", "DE"), ("ESQ", "DIR"),
    ("VANSTER", "HOGER"), ("VENSTRE", "HOJRE"), ("VEN", "HOJ"), ("SOL", "SAG"), ("ZUO", "YOU"),
)  # fmt: skip
"""Words for left and right that count at the end of a longer word if three pairs confirm them."""

_MOST, _OF_ONE_LEG = 0.6, 0.75
"""Share of labels above which most have a letter for a side; the same for one leg."""

_SECOND_AFTER = "FB"
"""First letters after which the second may be a side, such as front and back."""

_VERTEBRA = re.compile(r"[CTL]\d{1,2}(SPIN[A-Z]*|PROC[A-Z]*)?")


@frozen()
class Letters:
    """The meaning of letters in a file.

    Attributes
    ----------
    cores : Counter of str
        Labels whose side is not given by a word.
    series : frozenset of str
        Those that end in a number, without it.
    is_midline : callable
        Whether a core is known as a point without side.
    affixes : tuple of (str, str, bool)
        Words for left and right at the end (True) or the beginning.
    ends : tuple of Place
        Letters other than L and R.
    most : bool
        Whether most labels begin with L or R.
    one_leg : Place or None
        Position at which nearly all labels have a letter for a side.
    """

    cores: Counter[str]
    series: frozenset[str]
    is_midline: Callable[[str], bool]
    affixes: tuple[tuple[str, str, bool], ...]
    ends: tuple[Place, ...]
    most: bool
    one_leg: Place | None


def letters_of(cores: set[str], is_midline: Callable[[str], bool]) -> Letters:
    """Return the meaning of letters in labels whose side is not given by a word.

    Parameters
    ----------
    cores : set of str
    is_midline : callable
        Whether a core is known as a point without side, such as ``LUMBAR``.
    """
    ends, most = _ending_letters(cores, is_midline), _most_begin(cores, is_midline)
    one_leg = None if most else _one_leg(cores, is_midline, ends)
    series = frozenset(core.rstrip(digits) for core in cores if core[-1:] in digits)
    return Letters(Counter(cores), series, is_midline, _affixes(cores), ends, most, one_leg)


def by_letters(parts: list[str], letters: Letters) -> Sided | None:
    """Return the side given by a part of a longer word, or None.

    Parameters
    ----------
    parts : list of str
        Pieces of one label.
    letters : Letters
        Meaning of letters in its file.
    """
    return _by_affix(parts, letters.affixes) or _by_letter(parts, letters)


def _most_begin(cores: Iterable[str], is_midline: Callable[[str], bool]) -> bool:
    """Return whether most labels begin with L or R, and both are common.

    For one leg with its pelvis one letter is rare; then nearly all labels must begin with L or R,
    with a pair among them. For one leg without a pelvis, or with one whose sides stand elsewhere,
    nearly all others begin with the same letter.
    """
    cores = {core for core in cores if len(core) > 1}
    first = Counter(core[0] for core in cores)
    share = (first["L"] + first["R"]) / max(sum(first.values()), 1)
    if min(first["L"], first["R"]) >= PAIRS_WANTED:
        return share > _MOST
    pairs = sum(mirrored(core, 0, "L", "R") in cores for core in cores if core[0] == "L")
    sided = {core for core in cores if not is_midline(core)}
    if _is_enough(pairs, _share(sided, 0, ("L", "R"))):
        return True
    others = {core for core in sided if not _has_inner_twin(core, cores)}
    counts = Counter(core[0] for core in others)
    letter = max("LR", key=lambda x: counts[x])
    alone = counts[letter] == counts["L"] + counts["R"] > PAIRS_WANTED
    return alone and counts[letter] > _OF_ONE_LEG * len(others)


def _is_enough(pairs: int, share: float) -> bool:
    """Return whether pairs of labels, and the share with a letter, show it to be that of a side."""
    return (pairs > 0 and share > NEARLY_ALL) or (pairs > 1 and share > _OF_ONE_LEG)


def _has_inner_twin(core: str, cores: set[str]) -> bool:
    """Return whether a label has its side inside, as WAISTLFRONT beside WAISTRFRONT."""
    twins = {mirrored(core, i, "L", "R") for i in range(1, len(core))}
    return bool((twins - {core}) & cores)


def _ending_letters(cores: Iterable[str], is_midline: Callable[[str], bool]) -> tuple[Place, ...]:
    """Return the positions (0 first, -1 last) at which letters other than L and R are sides."""
    cores = _limbs(cores, is_midline)
    plain = _plain(cores)
    cores -= plain
    for place in (-1, 0):
        for one, other in _OTHER_LETTERS:
            pairs = sum(
                mirrored(core, place, one, other) in cores for core in cores if core[place] == one
            )
            few = pairs > bool(plain) and _is_enough(pairs, _share(cores, place, (one, other)))
            if pairs >= PAIRS_WANTED or few:
                sides: dict[str, BodySide] = {one: "left", other: "right"}
                return ((place, sides),)
    return ()


def _limbs(cores: Iterable[str], is_midline: Callable[[str], bool]) -> set[str]:
    """Return the cores of at least three letters that may have a side, without last numbers."""
    bare = {core.rstrip(digits) for core in cores if not is_midline(core)}
    return {core for core in bare if len(core) > 2}  # noqa: PLR2004


def _plain(cores: set[str]) -> set[str]:
    """Return the cores that begin or end with L or R and have a mirrored one."""
    return {
        core for core in cores for place in (0, -1)
        if core[place] in SIDE_OF and mirrored(core, place, "L", "R") in cores
    }  # fmt: skip


def _affixes(cores: Iterable[str]) -> tuple[tuple[str, str, bool], ...]:
    """Return the pairs of side words that end (True) or begin the labels of three pairs.

    For one leg two pairs (those of the pelvis) are enough, if most labels have one of the words.
    """
    cores = set(cores)
    affixes: list[tuple[str, str, bool]] = []
    for one, other in _AFFIXES:
        for at_end in (True, False):
            pairs = sum(
                len(core) > len(one) + 1 and _other_end(core, one, other, at_end=at_end) in cores
                for core in cores
            )
            ends = sum(_has_end(core, (one, other), at_end=at_end) for core in cores)
            if pairs >= PAIRS_WANTED or (pairs > 1 and ends > _MOST * len(cores)):
                affixes.append((one, other, at_end))
    return tuple(affixes)


def _has_end(core: str, words: str | tuple[str, str], *, at_end: bool) -> bool:
    return core.endswith(words) if at_end else core.startswith(words)


def _other_end(core: str, one: str, other: str, *, at_end: bool) -> str:
    """Return a core with the other word at its end or beginning; empty if it has neither."""
    if at_end:
        return core.removesuffix(one) + other if core.endswith(one) else ""
    return other + core.removeprefix(one) if core.startswith(one) else ""


def _by_affix(parts: list[str], affixes: tuple[tuple[str, str, bool], ...]) -> Sided | None:
    """Return the side given by a word at the end or the beginning of a label: ``SIASli``."""
    core = joined(parts)
    for one, other, at_end in affixes:
        sides: dict[str, BodySide] = {one: "left", other: "right"}
        for word, side in sides.items():
            if len(core) > len(word) + 1 and _has_end(core, word, at_end=at_end):
                remaining = parts
                for _ in word:
                    remaining = list(
                        without(remaining, len(joined(remaining)) - 1 if at_end else 0)
                    )
                return Sided(side, tuple(remaining))
    return None


def _share(cores: set[str], place: int, letters: tuple[str, str]) -> float:
    """Return the share of labels with one of two letters at a position, 0 to 1."""
    return sum(core[place] in letters for core in cores) / max(len(cores), 1)


def _one_leg(
    cores: Iterable[str], is_midline: Callable[[str], bool], ends: tuple[Place, ...]
) -> Place | None:
    """Return the position at which nearly all labels have a letter for a side, or None.

    A pair must be among them. This is typical of one leg, where only the pelvis has both sides.
    """
    cores = _limbs(cores, is_midline)
    others = cores - _plain(cores)  # with an upper body in English
    for (place, sides), own in (*((end, others) for end in ends), ((-1, SIDE_OF), cores)):
        one, other = sides
        pairs = sum(mirrored(c, place, one, other) in own for c in own if c[place] == one)
        if _is_enough(pairs, _share(own, place, (one, other))):
            return place, sides
    return None


def _by_letter(parts: list[str], letters: Letters) -> Sided | None:
    core = joined(parts)
    if len(core) < 2:  # noqa: PLR2004
        return None
    sure_first = core[0] in SIDE_OF and mirrored(core, 0, "L", "R") in letters.cores
    likely_first = letters.most and core[0] in SIDE_OF and not letters.is_midline(core)
    if sure_first or (likely_first and not _VERTEBRA.fullmatch(core)):
        return Sided(SIDE_OF[core[0]], without(parts, 0))
    may_be_second = core[0] in _SECOND_AFTER and len(core) > 2  # noqa: PLR2004
    last = len(core.rstrip(digits)) - 1  # the L of THL1
    ends = [(-1, SIDE_OF), *letters.ends, *([(1, SIDE_OF)] if may_be_second else [])]
    places = [
        (end if end >= 0 else last, sides, (end, sides) == letters.one_leg)
        for end, sides in ends if end >= 0 or last > 0
    ]  # fmt: skip
    for place, sides, _ in places:
        other = mirrored(core, place, *sides)
        of_series = place == last < len(core) - 1 and other[: last + 1] in letters.series
        if core[place] in sides and (other in letters.cores or of_series):
            return Sided(sides[core[place]], without(parts, place))
    for sides in (SIDE_OF, *(sides for _, sides in letters.ends)):
        inner = [
            i for i in range(1, len(core) - 1)
            if core[i] in sides and mirrored(core, i, *sides) in letters.cores
        ]  # fmt: skip
        if len(inner) == 1:  # KNEELLATERAL beside KNEERLATERAL
            return Sided(sides[core[inner[0]]], without(parts, inner[0]))
    for place, sides, one_leg in places:
        if one_leg and core[place] in sides and not letters.is_midline(core):
            return Sided(sides[core[place]], without(parts, place))
    return None

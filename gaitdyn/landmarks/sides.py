"""The side of each label of a file: a word, or a letter that its mirrored label confirms."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaitdyn.landmarks.label import camel, joined, pieces
from gaitdyn.types.landmarks import BodySide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_LEFT = (
    "L",
    "LEFT",
    "LT",
    "LFT",
    "LINKS",
    "LINKE",
    "LINKER",
    "LINKES",
    "SX",
    "SIN",
    "SINISTRA",
    "SINISTRO",
    "GAUCHE",
    "GCHE",
    "IZQ",
    "IZQUIERDA",
    "IZQUIERDO",
    "IZDA",
    "IZDO",
    "ESQ",
    "ESQUERDA",
    "ESQUERDO",
    "VANSTER",
    "VENSTRE",
    "LEWY",
    "LEWA",
    "LEWE",
)
_RIGHT = (
    "R", "RIGHT", "RT", "RGT", "RECHTS", "RECHTE", "RECHTER", "RECHTES", "DX", "DESTRA", "DESTRO",
    "DROIT", "DROITE", "DRTE", "DER", "DERECHA", "DERECHO", "DCHA", "DCHO", "DIR", "DIREITA",
    "DIREITO", "HOGER", "HOJRE", "HOYRE", "PRAWY", "PRAWA", "PRAWE",
)  # fmt: skip
_WORDS: dict[str, BodySide] = {
    **dict.fromkeys(_LEFT, "left"),
    **dict.fromkeys(_RIGHT, "right"),
}
_LONG = sorted((w for w in _WORDS if len(w) > 3), key=len, reverse=True)  # noqa: PLR2004
_NEEDS_BOTH: tuple[dict[str, BodySide], ...] = (
    {"LI": "left", "RE": "right"},
    {"G": "left", "D": "right"},
    {"S": "left", "D": "right"},
    {"I": "left", "D": "right"},
    {"E": "left", "D": "right"},
    {"V": "left", "H": "right"},
)
"""Short words that mean a side only where the word of the other side is met too."""
_LETTERS: dict[str, BodySide] = {"L": "left", "R": "right"}
_OTHER_LETTERS = (("G", "D"), ("S", "D"), ("I", "D"), ("E", "D"), ("V", "H"))
_AFFIXES = (
    ("LEFT", "RIGHT"), ("LFT", "RGT"), ("LI", "RE"), ("SX", "DX"), ("SIN", "DES"),
    ("SN", "DS"), ("GAU", "DRO"), ("GA", "DR"), ("IZQ", "DER"), ("IZ", "DE"), ("ESQ", "DIR"),
    ("VANSTER", "HOGER"), ("VENSTRE", "HOJRE"), ("VEN", "HOJ"),
)  # fmt: skip
"""Words of left and right that are sides at the end of a longer word where three pairs show it."""
_PAIRS_WANTED = 3
_MOST = 0.6
_NEARLY_ALL = 0.9
_SECOND_AFTER = "FB"
_VERTEBRA = re.compile(r"[CTL]\d{1,2}")
_VERTEBRAE = ("L", "S")
_SIDED_NUMBER = re.compile(r"([A-Za-z]+)(\d+)")


@dataclass(frozen=True, slots=True)
class Sided:
    """One label cut into its side and the rest.

    ``explicit`` is whether the side was a word of its own rather than a letter of a longer one.
    """

    side: BodySide
    parts: tuple[str, ...]
    explicit: bool = False

    @property
    def core(self) -> str:
        """The rest as one word in upper case."""
        return joined(self.parts)


def split_sides(
    texts: Sequence[str],
    is_midline: Callable[[str], bool],
    is_limb: Callable[[str], bool] = lambda _: False,
) -> list[Sided]:
    """Return the side and the rest of each cleaned label, judged on all labels of a file.

    Parameters
    ----------
    texts : sequence of str
        Cleaned labels.
    is_midline : callable
        Whether a core is known as a point without side, such as ``LUMBAR``.
    is_limb : callable
        Whether a core is known as a point that has a side, such as ``KNE``.

    Returns
    -------
    list of Sided
        A label whose side does not show has side ``""``.
    """
    cut = [pieces(text) for text in texts]
    words = _words_of(cut)
    met = {part.upper() for parts in cut for part in parts} | {joined(parts) for parts in cut}
    found = [_by_word(parts, words, met) for parts in cut]
    rest = {joined(p) for p, s in zip(cut, found, strict=True) if s is None}
    everything = Counter(rest)
    affixes = _affixes(rest)
    ends = _ending_letters(rest, is_midline)
    most = _most_begin(rest, is_midline)
    one_leg = None if most else _one_leg(rest, is_midline, ends)
    pairs = any(c[:1] == "L" and _mirrored(c, 0, "L", "R") in everything for c in rest if c)
    out: list[Sided] = []
    for parts, sided in zip(cut, found, strict=True):
        letters = (
            sided
            or _by_affix(parts, affixes)
            or _by_letter(
                parts, everything, ends, most=most, one_leg=one_leg, is_midline=is_midline
            )
        )
        core = joined(parts)
        alone = pairs and core[:1] in _LETTERS and not is_limb(core) and not is_midline(core)
        if letters is None and alone and is_limb(core[1:]):
            letters = Sided(_LETTERS[core[0]], _without(parts, 0))
        out.append(letters or Sided("", tuple(parts)))
    return out


def side_of_text(text: str) -> BodySide:
    """Return the side that a description tells in words, or ``""``.

    Examples
    --------
    >>> side_of_text("Right medial ankle"), side_of_text("Knie re"), side_of_text("R.Knee")
    ('right', 'right', 'right')
    """
    parts = pieces(text)
    words: dict[str, BodySide] = {**_WORDS, **_NEEDS_BOTH[0]}
    sided = _by_word(parts, words, set())
    if sided is None and len(parts) == 1 and parts[0].upper() in words:
        return words[parts[0].upper()]
    return "" if sided is None else sided.side


def _words_of(cut: list[list[str]]) -> dict[str, BodySide]:
    """Return the side words, with the short ones of which both are met in this file."""
    met = Counter(part.upper() for parts in cut if len(parts) > 1 for part in parts)
    words = dict(_WORDS)
    plain = met["L"] and met["R"]
    for pair in _NEEDS_BOTH:
        one, other = pair
        enough = 1 if one == "LI" or _nearly_all_say(cut, pair) else _PAIRS_WANTED
        if min(met[one], met[other]) >= enough and (one == "LI" or not plain):
            words |= pair
    return words


def _nearly_all_say(cut: list[list[str]], pair: dict[str, BodySide]) -> bool:
    """Return whether one word of a pair begins or ends nearly all labels of several words."""
    ends = [{parts[0].upper(), parts[-1].upper()} for parts in cut if len(parts) > 1]
    said = sum(bool(words & pair.keys()) for words in ends)
    return said >= 2 * _PAIRS_WANTED and said > _NEARLY_ALL * len(ends)


def _by_word(parts: list[str], words: dict[str, BodySide], met: set[str]) -> Sided | None:
    for i, part in enumerate(parts):
        upper = part.upper()
        if upper in words and len(parts) > 1 and not _is_vertebra(parts):
            return Sided(words[upper], tuple(parts[:i] + parts[i + 1 :]), explicit=True)
    for i, part in enumerate(parts):
        number = _SIDED_NUMBER.fullmatch(part)
        side = words.get(number[1].upper()) if number else None
        if number and side and len(parts) > 1 and _is_numbered_side(number, words, met):
            rest = (*parts[:i], number[2], *parts[i + 1 :])
            return Sided(side, rest, explicit=True)
    return _by_inner_word(parts, words, met)


def _is_numbered_side(number: re.Match[str], words: dict[str, BodySide], met: set[str]) -> bool:
    """Return whether a side word with a number behind it, as in ``Thigh_R1``, is a side.

    The other side is met with this number, or the first three numbers of this side are.
    """
    word, digits = number[1].upper(), number[2]
    others = [other for other, side in words.items() if side != words[word]]
    series = word not in _VERTEBRAE and all(f"{word}{i}" in met for i in (1, 2, 3))
    return series or any(other + digits in met for other in others)


def _by_inner_word(parts: list[str], words: dict[str, BodySide], met: set[str]) -> Sided | None:
    """Return the side that is a word inside a piece: ``LeftHip``, ``kneeLeft``, ``WaistLFront``."""
    for i, part in enumerate(parts):
        cut = camel(part)
        mixed = not part.isupper() and not part.islower() and len(cut) > 1
        for j, word in enumerate(cut if mixed else ()):
            if word.upper() in words and word[0].isupper() and _is_clear(parts, i, j, met):
                rest = (*parts[:i], *cut[:j], *cut[j + 1 :], *parts[i + 1 :])
                return Sided(words[word.upper()], rest, explicit=True)
        upper = part.upper()
        for word in _LONG:
            if upper != word and (upper.startswith(word) or upper.endswith(word)):
                at = upper.find(word) if upper.startswith(word) else len(upper) - len(word)
                left = part[:at] + part[at + len(word) :]
                return Sided(_WORDS[word], (*parts[:i], left, *parts[i + 1 :]), explicit=True)
    return None


def _is_clear(parts: list[str], i: int, j: int, met: set[str]) -> bool:
    """Return whether a letter inside a piece is a side: another letter behind may be it too."""
    cut = camel(parts[i])
    if len(cut[j]) > 1 or parts[-1][-1] not in "lr":
        return True
    swapped = cut[j].translate(str.maketrans("LRlr", "RLrl"))
    whole = (*parts[:i], *cut[:j], swapped, *cut[j + 1 :], *parts[i + 1 :])
    return joined(whole) in met


def _is_vertebra(parts: list[str]) -> bool:
    return len(parts) == 2 and parts[0].upper() == "L" and parts[1].isdigit()  # noqa: PLR2004


def _most_begin(cores: Iterable[str], is_midline: Callable[[str], bool]) -> bool:
    """Return whether L and R, both often, begin most labels that show no other side.

    Of one leg with its pelvis R begins few; then nearly all must, with a pair among them. Of one
    leg without it one of the letters begins all.
    """
    cores = {core for core in cores if len(core) > 1}
    first = Counter(core[0] for core in cores)
    share = (first["L"] + first["R"]) / max(sum(first.values()), 1)
    if min(first["L"], first["R"]) >= _PAIRS_WANTED:
        return share > _MOST
    pairs = sum(_mirrored(core, 0, "L", "R") in cores for core in cores if core[0] == "L")
    sided = {core for core in cores if not is_midline(core)}
    if len(sided) > _PAIRS_WANTED and {core[0] for core in sided} in ({"L"}, {"R"}):
        return True
    return pairs > 0 and _share(sided, 0, ("L", "R")) > _NEARLY_ALL


def _ending_letters(
    cores: Iterable[str], is_midline: Callable[[str], bool]
) -> tuple[tuple[int, dict[str, BodySide]], ...]:
    """Return the places (0 first, -1 last) at which two letters other than L and R are sides."""
    cores = {core for core in cores if len(core) > 2 and not is_midline(core)}  # noqa: PLR2004
    plain = {c for c in cores for place in (0, -1) if c[place] in _LETTERS
             and _mirrored(c, place, "L", "R") in cores}  # fmt: skip
    cores -= plain
    for place in (-1, 0):
        for one, other in _OTHER_LETTERS:
            pairs = sum(
                _mirrored(core, place, one, other) in cores for core in cores if core[place] == one
            )
            few = pairs > 0 and not plain and _share(cores, place, (one, other)) > _NEARLY_ALL
            if pairs >= _PAIRS_WANTED or few:
                sides: dict[str, BodySide] = {one: "left", other: "right"}
                return ((place, sides),)
    return ()


def _affixes(cores: Iterable[str]) -> tuple[tuple[str, str, bool], ...]:
    """Return the pairs of side words that end (True) or begin the labels of three pairs.

    Of one leg two pairs are enough, those of the pelvis, where most labels have one of the words.
    """
    cores = set(cores)
    found: list[tuple[str, str, bool]] = []
    for one, other in _AFFIXES:
        for behind in (True, False):
            pairs = sum(
                len(core) > len(one) + 1 and _other_end(core, one, other, behind=behind) in cores
                for core in cores
            )
            ends = sum(_has_end(core, (one, other), behind=behind) for core in cores)
            if pairs >= _PAIRS_WANTED or (pairs > 1 and ends > _MOST * len(cores)):
                found.append((one, other, behind))
    return tuple(found)


def _has_end(core: str, words: tuple[str, str], *, behind: bool) -> bool:
    return core.endswith(words) if behind else core.startswith(words)


def _other_end(core: str, one: str, other: str, *, behind: bool) -> str:
    """Return a core with the other word at its end or beginning, nothing where it has not one."""
    if behind:
        return core.removesuffix(one) + other if core.endswith(one) else ""
    return other + core.removeprefix(one) if core.startswith(one) else ""


def _by_affix(parts: list[str], affixes: tuple[tuple[str, str, bool], ...]) -> Sided | None:
    """Return the side that a word at the end or the beginning of a label tells: ``SIASli``."""
    core = joined(parts)
    for one, other, behind in affixes:
        sides: dict[str, BodySide] = {one: "left", other: "right"}
        for word, side in sides.items():
            if len(core) > len(word) + 1 and (
                core.endswith(word) if behind else core.startswith(word)
            ):
                rest = parts
                for _ in word:
                    rest = list(_without(rest, len(joined(rest)) - 1 if behind else 0))
                return Sided(side, tuple(rest))
    return None


def _share(cores: set[str], place: int, letters: tuple[str, str]) -> float:
    """Return how many of some labels have one of two letters at a place, 0 to 1."""
    return sum(core[place] in letters for core in cores) / max(len(cores), 1)


def _one_leg(
    cores: Iterable[str],
    is_midline: Callable[[str], bool],
    ends: tuple[tuple[int, dict[str, BodySide]], ...],
) -> tuple[int, dict[str, BodySide]] | None:
    """Return at which place nearly all labels have the letter of a side, with a pair among them.

    So they do of one leg, whose pelvis alone has both sides.
    """
    cores = {core for core in cores if len(core) > 2 and not is_midline(core)}  # noqa: PLR2004
    for place, sides in (*ends, (-1, _LETTERS)):
        one, other = sides
        pairs = sum(_mirrored(c, place, one, other) in cores for c in cores if c[place] == one)
        if pairs > 0 and _share(cores, place, (one, other)) > _NEARLY_ALL:
            return place, sides
    return None


def _mirrored(core: str, place: int, one: str, other: str) -> str:
    """Return a core with the letter of the other side at one place."""
    at = place % len(core)
    swapped = {one: other, other: one}.get(core[at], core[at])
    return core[:at] + swapped + core[at + 1 :]


def _by_letter(
    parts: list[str],
    cores: Counter[str],
    ends: tuple[tuple[int, dict[str, BodySide]], ...],
    *,
    most: bool,
    one_leg: tuple[int, dict[str, BodySide]] | None,
    is_midline: Callable[[str], bool],
) -> Sided | None:
    core = joined(parts)
    if len(core) < 2:  # noqa: PLR2004
        return None
    sure_first = core[0] in _LETTERS and _mirrored(core, 0, "L", "R") in cores
    likely_first = most and core[0] in _LETTERS and not is_midline(core)
    if sure_first or (likely_first and not _VERTEBRA.fullmatch(core)):
        return Sided(_LETTERS[core[0]], _without(parts, 0))
    second = core[0] in _SECOND_AFTER and len(core) > 2  # noqa: PLR2004
    tries = [(-1, _LETTERS), *ends, *([(1, _LETTERS)] if second else [])]
    for end, sides in tries:
        place = end if end >= 0 else len(core.rstrip("0123456789")) - 1  # of THL1 the L
        if end < 0 and place < 1:
            continue
        letter = core[place]
        alone = (end, sides) == one_leg and not is_midline(core)
        if letter in sides and (alone or _mirrored(core, place, *sides) in cores):
            return Sided(sides[letter], _without(parts, place % len(core)))
    inner = [
        i for i in range(1, len(core) - 1)
        if core[i] in _LETTERS and _mirrored(core, i, "L", "R") in cores
    ]  # fmt: skip
    if len(inner) == 1:  # KNEELLATERAL beside KNEERLATERAL
        return Sided(_LETTERS[core[inner[0]]], _without(parts, inner[0]))
    return None


def _without(parts: list[str], at: int) -> tuple[str, ...]:
    """Return the pieces without the letter at one place of their joined text."""
    out: list[str] = []
    for part in parts:
        inside = 0 <= at < len(part)
        out.append(part[:at] + part[at + 1 :] if inside else part)
        at -= len(part)
    return tuple(part for part in out if part)

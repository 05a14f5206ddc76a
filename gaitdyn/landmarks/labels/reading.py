"""Read the side and the meaning of all items, using descriptions and series."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from gaitdyn.landmarks.labels.clusters import series
from gaitdyn.landmarks.labels.concepts import landmark_of
from gaitdyn.landmarks.labels.grids import grids
from gaitdyn.landmarks.labels.items import MarkerItem, side_in_words
from gaitdyn.landmarks.labels.label import cleaned
from gaitdyn.landmarks.labels.meanings import (
    Dialect,
    Meaning,
    described,
    dialect_of,
    meaning_of,
    of_duplicate,
)
from gaitdyn.landmarks.labels.role_table import landmark_of_role
from gaitdyn.landmarks.labels.siblings import like_their_siblings
from gaitdyn.landmarks.labels.sided import Sided
from gaitdyn.landmarks.labels.sides import split_sides
from gaitdyn.landmarks.labels.words import read_parts
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.landmarks.labels.vocabulary import Vocabulary
    from gaitdyn.types.landmarks import BodySide

_BY_DESCRIPTION, _CORRECTED, _DOUBTED = 0.75, 0.9, 0.4
_HALF, _MIDDLE = 0.5, 0.8
_TWINS = {"KLE": "KME", "KME": "KLE", "ANL": "ANM", "ANM": "ANL", "MT1H": "MT5H", "MT5H": "MT1H"}
_ALIKE = {"MT2H": "TOE", "HLX": "TOE", "PEX": "SACR"}
_CODES_OF_ONE_PERSON: dict[str, tuple[str, BodySide]] = {
    "R": ("ASIS", "right"), "B": ("ASIS", "left"), "L": ("ASIS", "left"),
}  # fmt: skip


@frozen()
class LabelWords:
    """Side and meaning of an item from its words.

    ``group`` is the number of its series, or -1.
    """

    sided: Sided
    meaning: Meaning
    group: int = -1


class Label(NamedTuple):
    """The parts that are read of a :class:`gaitdyn.landmarks.labels.items.MarkerItem`."""

    text: str
    description: str
    shared: bool


def read_items(
    items: list[MarkerItem], vocabulary: Vocabulary, renamed: set[str]
) -> list[LabelWords]:
    """Return side and meanings of each item, judged from all items together."""
    labels = tuple(Label(item.text, item.description, item.shared) for item in items)
    return list(_words_of(labels, vocabulary, frozenset(renamed)))


@lru_cache(maxsize=128)
def _words_of(
    items: tuple[Label, ...], vocabulary: Vocabulary, renamed: frozenset[str]
) -> tuple[LabelWords, ...]:
    """Return side and meanings of each label; cached, since trials of a laboratory share labels."""
    unique = list(dict.fromkeys(item.text for item in items))
    split = dict(
        zip(unique, split_sides(unique, vocabulary.is_midline, vocabulary.is_limb), strict=True)
    )
    sided = [_with_described_side(split[item.text], item) for item in items]
    dialect = dialect_of([split[text] for text in unique])
    meanings = [meaning_of(s, vocabulary, dialect) for s in sided]
    meanings = like_their_siblings(sided, meanings)
    meanings = _between_spines(sided, meanings, vocabulary, dialect)
    sided, meanings = _short_codes(items, sided, meanings, short=dialect.short)
    meanings = _apply_descriptions(items, meanings)
    doubled = [
        of_duplicate(m) if item.shared else m for item, m in zip(items, meanings, strict=True)
    ]
    groups = {i: n for n, group in enumerate(grids(sided) + series(sided)) for i in group}
    words = [
        LabelWords(s, m, groups.get(i, -1))
        for i, (s, m) in enumerate(zip(sided, doubled, strict=True))
    ]
    return tuple(
        _as_renamed(w, item) if item.text in renamed else w
        for w, item in zip(words, items, strict=True)
    )


def _between_spines(
    sided: list[Sided], meanings: list[Meaning], vocabulary: Vocabulary, dialect: Dialect
) -> list[Meaning]:
    """Read a lone posterior spine without a side as the middle of both, if no spine has a side.

    It may also be called so (``Mid PSIS``), which is a computed point beside those of the sides.
    """
    if any(meaning.codes and _best(meaning.codes) == "PSIS" for meaning in meanings):
        return meanings
    as_left = [
        meaning if s.side or not meaning.codes.keys() <= {"VIR"}
        else meaning_of(Sided("left", s.parts), vocabulary, dialect)
        for s, meaning in zip(sided, meanings, strict=True)
    ]  # fmt: skip
    behind = [i for i, m in enumerate(as_left) if m.codes and _best(m.codes) == "PSIS"]
    if len(behind) != 1:
        return meanings
    how = f"{sided[behind[0]].core} without a side: the middle of both posterior spines"
    middle = Meaning({"SACR": _MIDDLE * max(as_left[behind[0]].codes.values())}, how)
    return [middle if i in behind else meaning for i, meaning in enumerate(meanings)]


def _with_described_side(sided: Sided, item: Label) -> Sided:
    side = side_in_words(item.description) if not sided.side else ""
    return Sided(side, sided.parts) if side else sided


def _short_codes(
    items: Sequence[Label], sided: list[Sided], meanings: list[Meaning], *, short: bool
) -> tuple[list[Sided], list[Meaning]]:
    """Read one-letter codes of old software: R and B are the iliac spines."""
    if not short:
        return sided, meanings
    texts = {item.text.upper() for item in items}
    for i, item in enumerate(items):
        code = _CODES_OF_ONE_PERSON.get(item.text.upper())
        if code and "R" in texts and (item.text.upper() != "L" or "B" not in texts):
            sided[i] = Sided(code[1], ())
            meanings[i] = Meaning({code[0]: 0.9}, "a one-letter code of old software", exact=True)
    return sided, meanings


def _apply_descriptions(items: Sequence[Label], meanings: list[Meaning]) -> list[Meaning]:
    """Use descriptions for unknown labels and to correct known ones, if most of them agree.

    If most disagree, the descriptions may be shifted relative to the labels.
    """
    described_codes = [_described_codes(item) for item in items]
    agreements = [
        _best(codes) == _best(meaning.codes)
        for codes, meaning in zip(described_codes, meanings, strict=True)
        if codes and meaning.codes and "VIR" not in meaning.codes
    ]
    if sum(agreements) < _HALF * len(agreements) or not agreements:
        return meanings
    return [corrected(m, codes) for m, codes in zip(meanings, described_codes, strict=True)]


def _described_codes(item: Label) -> dict[str, float]:
    text = cleaned(item.description)
    if not text or text.upper() == item.text.upper():
        return {}
    return described(text)


def _best(codes: dict[str, float]) -> str:
    best = max(codes, key=lambda code: codes[code])
    return _ALIKE.get(best, best)


def corrected(meaning: Meaning, described_codes: dict[str, float]) -> Meaning:
    """Return the meaning of a label after its description was read.

    Parameters
    ----------
    meaning : Meaning
        Of the label.
    described_codes : dict
        Landmark code -> weight, of the description; empty if it says nothing.
    """
    if not described_codes:
        return meaning
    code = max(described_codes, key=lambda c: described_codes[c])
    if not meaning.codes:
        codes = {c: _BY_DESCRIPTION * share for c, share in described_codes.items()}
        return Meaning(codes, "by its description", exact=True)
    if _TWINS.get(_best(meaning.codes)) == code:
        codes = {c: _DOUBTED * w for c, w in meaning.codes.items()}
        return Meaning({**codes, code: _CORRECTED}, "corrected by its description", exact=True)
    if not meaning.exact:
        best = max(_BY_DESCRIPTION, *meaning.codes.values())
        agrees = _ALIKE.get(code, code) == _best(meaning.codes)
        how = f"{meaning.how}, its description {'agrees' if agrees else f'says {code}'}"
        return Meaning({**meaning.codes, code: best}, how, exact=True)
    return meaning


def _as_renamed(words: LabelWords, item: Label) -> LabelWords:
    """Return the meaning of a label that the user renamed to a gaitdyn name."""
    landmark = landmark_of_role().get(item.text.upper())
    if landmark is None:
        return words
    code, side = landmark
    return LabelWords(
        Sided(side, words.sided.parts, explicit=True),
        Meaning({code: 1.0}, "renamed by the user", exact=True),
    )


def stem_codes(sided: Sided) -> dict[str, float]:
    """Return the cluster codes implied by the words of a series."""
    for reading in read_parts(sided.parts):
        meanings = landmark_of(reading.meanings)
        codes = {c: w for c, w in meanings.items() if c in {"THX", "SHX", "FTX", "PEX"}}
        if codes and reading.cost < 1.0:
            return codes
    return {}

"""List what each label of a file may mean: codes with weights, before any geometry."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import field
from functools import cache

from gaitdyn.io.shipped import shipped_cells
from gaitdyn.landmarks.labels.acronyms import acronym
from gaitdyn.landmarks.labels.concepts import landmark_of
from gaitdyn.landmarks.labels.derived import is_centre
from gaitdyn.landmarks.labels.label import without_initials
from gaitdyn.landmarks.labels.sided import Sided
from gaitdyn.landmarks.labels.vocabulary import Vocabulary
from gaitdyn.landmarks.labels.words import Reading, lexicon, read_parts
from gaitdyn.types.frozen import frozen
from gaitdyn.types.landmarks import BodySide

WHOLE = 0.6
"""From this weight on a word is sure, regardless of position."""

_WORDS, _ACRONYM = 0.8, 0.7
_FEW, _BESIDE = 2, 0.5
_ONE_LETTER = 0.4
_REPEATED = 0.6
_FURTHER = 12.0
"""Rate at which a reading costlier than the best one loses weight."""
_READABLE, _READABLE_CLUSTER = 1.3, 0.8
_KEYPOINTS = {
    "NOSE", "EAR", "EYE", "BIGTOE", "SMALLTOE",
    "SPINEBASE", "SPINEMID", "SPINESHOULDER", "SPINENAVEL", "SPINECHEST", "HANDTIP",
}  # fmt: skip
"""Labels of key points of videos and of the joints of depth cameras."""
_JOINT = re.compile(r"V?([HKA])JC")
_JOINTS = {"H": "HJC", "K": "KJC", "A": "AJC"}
_VERTEBRA = re.compile(
    r"(?:VERT|VERTEBRA|SPINE|(?:TRUNK|THORAX)(?=[CT]))?"
    r"(C(?:E|ER|ERV)?V?|TH?V?|D|LV?|S)(\d{1,2})(VERT[A-Z]*|SPIN[A-Z]*|PROC[A-Z]*|[CM]|(?<=C7)T1)?"
)
_LAST = {"C": 7, "T": 12, "D": 12, "L": 5, "S": 5}
_BESIDE_SACRUM = 0.8
_OF_THIGH, _OF_SHANK = ("GTR", "KLE", "KME"), ("FIB", "TTU", "ANL", "ANM")
_ON_SEGMENT = {
    "PELVIS": ("ASIS", "PSIS", "SACR", "ILC"),
    "THIGH": _OF_THIGH,
    "FEMUR": _OF_THIGH,
    "SHANK": _OF_SHANK,
    "TIBIA": _OF_SHANK,
    "FOOT": ("CAL", "MT1H", "MT2H", "MT5H", "MT1B", "MT5B", "TOE", "HLX"),
}
"""Word of a segment -> the landmarks that letters after it may name."""
_BROAD = {"THX", "SHX", "FTX", "PEX", "TRX", "HAN", "UPA", "FRM", "HED", "SCP"}
MIDLINE = {"SACR", "C7", "JN", "XIP", "TSP", "LSP", "TRX", "HED", "PEX", "SCP"}
"""Codes that may be on the midline."""

EITHER = {"HED", "PEX", "SCP", "TRX", "JN", "VIR"}
"""Codes that occur with and without a side."""


@frozen()
class Meaning:
    """Landmark code -> weight of a label, and how it was read.

    ``reasons`` gives the reason for a single code, if it differs from ``how``.
    """

    codes: dict[str, float] = field(default_factory=dict[str, float])
    how: str = ""
    exact: bool = False
    reasons: dict[str, str] = field(default_factory=dict[str, str])


@frozen()
class Dialect:
    """Properties of all labels of a file that help to read each of them."""

    short: bool
    keypoints: bool


def dialect_of(labels: list[Sided]) -> Dialect:
    """Return whether half of the labels have at most two letters, and if they are key points.

    Vertebrae do not count: ``C7`` and ``L5`` are short in any laboratory.
    """
    cores = [s for s in labels if s.side or (s.core and not _vertebra(s.core))]
    short = sum(len(s.core) + bool(s.side) <= 2 for s in cores)  # noqa: PLR2004
    counts = Counter(sided.core for sided in cores)
    return Dialect(2 * short >= len(cores) > 0, len(_KEYPOINTS & set(counts)) > 1)


def meaning_of(sided: Sided, vocabulary: Vocabulary, dialect: Dialect) -> Meaning:
    """Return the possible meanings of one label, from its spelling alone."""
    core, midline = sided.core, not sided.side
    drawn = vocabulary.drawn(core, midline=midline, keypoints=dialect.keypoints)
    real = vocabulary.meanings(core, midline=midline)
    if drawn and (dialect.keypoints or (is_centre(core) and not real)):
        return Meaning(drawn, "known as a computed point", exact=True)
    if is_centre(core):
        return _centre(sided)
    if real:
        plausible = len(core) > 1 or dialect.short
        weights = real if plausible else {code: w * _ONE_LETTER for code, w in real.items()}
        if vocabulary.sources(core) <= _FEW:
            weights = _with_words(weights, sided)
        return Meaning(_with_alternatives(weights), f"{core} is a known spelling", exact=True)
    if "VIR" in drawn:
        return Meaning({"VIR": 1.0}, "known as a computed point", exact=True)
    return _unknown_core(sided, vocabulary)


def _with_words(weights: dict[str, float], sided: Sided) -> dict[str, float]:
    """Return the weights of a rare core, with those of its words added at a discount."""
    out = dict(weights)
    if len(sided.core) > 1:
        for code, weight in _from_words(sided).codes.items():
            out[code] = max(_BESIDE * weight, out.get(code, 0.0))
    return out


def _unknown_core(sided: Sided, vocabulary: Vocabulary) -> Meaning:
    """Return the possible meanings of an unknown core."""
    code = "" if sided.side else _vertebra(sided.core)
    if code:
        return Meaning({code: _WORDS}, f"{sided.core} is a vertebra")
    by_words = _from_words(sided) if len(sided.core) > 1 else Meaning()
    on_segment = _on_segment(sided, vocabulary)
    if not on_segment:
        return by_words
    how = f"{sided.parts[-1]} is known on the {sided.parts[0]}"
    return Meaning(by_words.codes | on_segment, how, reasons=dict.fromkeys(on_segment, how))


def _on_segment(sided: Sided, vocabulary: Vocabulary) -> dict[str, float]:
    """Return the weights of letters that follow the name of the segment they are on: ``Foot.CA``.

    Letters with a number are not read so: ``Foot.M1`` may be a marker of a cluster.
    """
    match [part.upper() for part in sided.parts]:
        case [segment, letters] if letters.isalpha() and len(letters) > 1:
            on = {c for word in lexicon().get(segment, ()) for c in _ON_SEGMENT.get(word, ())}
            known = vocabulary.meanings(letters, midline=not sided.side) or acronym(letters)
            return {code: _ACRONYM * weight for code, weight in known.items() if code in on}
        case _:
            return {}


def _vertebra(core: str) -> str:
    """Return the code of a spinous process, as ``TH7`` or ``VERTEBRAC7``, or an empty string."""
    match = _VERTEBRA.fullmatch(core)
    if match is None:
        return ""
    letter, number = match[1][0], int(match[2])
    if number > _LAST[letter] or (letter == "C" and number != _LAST["C"]):
        return ""
    return {"C": "C7", "T": "TSP", "D": "TSP", "L": "LSP", "S": "SACR"}[letter]


def _centre(sided: Sided) -> Meaning:
    letter = _JOINT.match(sided.core)
    if letter is None:
        for reading in read_parts(sided.parts):
            codes = landmark_of(reading.meanings)
            if "CENTRE" in reading.meanings and codes and sided.side:
                return Meaning(codes, "its words name a joint centre", exact=True)
        letter = _JOINT.search(sided.core)
    if letter and sided.side:
        return Meaning({_JOINTS[letter[1]]: 0.7}, "its label names a joint centre", exact=True)
    return Meaning({"VIR": 1.0}, "a computed point", exact=True)


def _from_words(sided: Sided) -> Meaning:
    """Return the meanings of an unknown core from its acronym and its words."""
    codes: dict[str, float] = {}
    reasons: dict[str, str] = {}
    for code, share in _codes_for_side(acronym(sided.core), sided.side).items():
        codes[code], reasons[code] = _ACRONYM * share, f"{sided.core} is an acronym"
    candidates = [
        (r, shares) for r in read_parts(sided.parts) if (shares := _of_side(r, sided.side))
    ]
    best = min((r.cost for r, _ in candidates), default=0.0)
    for reading, shares in candidates:
        text = " ".join(word.lower() for word in reading.meanings)
        is_broad = max(shares, key=lambda code: shares[code]) in _BROAD
        limit = _READABLE_CLUSTER if is_broad else _READABLE
        for code, share in shares.items():
            weight = _WORDS * share * math.exp(-reading.cost - _FURTHER * (reading.cost - best))
            if reading.cost <= limit and weight > codes.get(code, 0.0):
                codes[code], reasons[code] = weight, f"read as {text}"
    short = Sided(sided.side, without_initials(sided.parts))
    if short.parts and not is_centre(short.core):
        for code, weight in _from_words(short).codes.items():
            if _REPEATED * weight > codes.get(code, 0.0):
                codes[code] = _REPEATED * weight
                reasons[code] = f"read without the {sided.parts[-1][-1]} at its end"
    keep = _codes_for_side(codes, sided.side)
    if not keep:
        return Meaning()
    how = reasons[max(keep, key=lambda code: keep[code])]
    return Meaning(_with_alternatives(keep), how, reasons=reasons)


def _of_side(reading: Reading, side: BodySide) -> dict[str, float]:
    """Return landmark code -> share for the words of a label with this side."""
    return _codes_for_side(landmark_of(reading.meanings), side)


def _codes_for_side(codes: dict[str, float], side: BodySide) -> dict[str, float]:
    """Return the codes allowed for a label with this side, or without one.

    A sacrum with a side is a marker beside it.
    """
    if not side:
        return {code: share for code, share in codes.items() if code in MIDLINE}
    kept = {code: share for code, share in codes.items() if code not in MIDLINE - EITHER}
    if "SACR" in codes:
        kept["PEX"] = max(_BESIDE_SACRUM * codes["SACR"], kept.get("PEX", 0.0))
    return kept


def described(text: str) -> dict[str, float]:
    """Return landmark code -> share for a description in full words."""
    meanings: list[str] = []
    for word in (
        text.replace(".", " ").replace("_", " ").replace("(", " ").replace(")", " ").split()
    ):
        readings = read_parts((word,)) if word.isalnum() else []
        if readings and readings[0].cost < 0.5:  # noqa: PLR2004
            meanings += readings[0].meanings
    return landmark_of(tuple(meanings)) if meanings else {}


@cache
def alternatives() -> tuple[tuple[str, str, float, str], ...]:
    """Return code, other code, share and condition: other uses of a name."""
    rows = shipped_cells("landmarks/alternatives.csv")[1:]
    return tuple((code, other, float(share), when) for code, other, share, when in rows)


def _with_alternatives(codes: dict[str, float], when: str = "always") -> dict[str, float]:
    out = dict(codes)
    for code, other, share, event in alternatives():
        if event == when and code in codes and share * codes[code] > out.get(other, 0.0):
            out[other] = share * codes[code]
    return out


def of_duplicate(meaning: Meaning) -> Meaning:
    """Return the meaning of a label that occurs twice: the second may be the medial marker."""
    codes = _with_alternatives(meaning.codes, "duplicate")
    return Meaning(codes, meaning.how, meaning.exact, meaning.reasons)

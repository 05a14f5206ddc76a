"""What words together mean: concept, qualifier and number as a landmark."""

from __future__ import annotations

_SIDE_TO_SIDE = {"MEDIAL", "LATERAL"}
_LOW = {"DISTAL", "PROXIMAL", "ANTERIOR", "POSTERIOR", "MIDDLE"}

Codes = dict[str, float]


def landmark_of(meanings: tuple[str, ...]) -> Codes:
    """Return landmark code -> share for the meanings of one label, empty when they make none.

    Without a qualifier a knee or an ankle is its lateral marker.

    Examples
    --------
    >>> landmark_of(("MEDIAL", "ANKLE")), landmark_of(("TOE", "N5"))
    ({'ANM': 1.0}, {'MT5H': 1.0})
    """
    words = set(meanings)
    for rule in (_centre, _pelvis, _foot, _knee_and_ankle, _leg, _trunk, _arm):
        codes = rule(words)
        if codes is not None:
            return codes
    return {}


def number_of(words: set[str]) -> int:
    """Return the number among the meanings, 0 for none."""
    return next((int(w[1:]) for w in sorted(words) if w[0] == "N" and w[1:].isdigit()), 0)


def _centre(words: set[str]) -> Codes | None:
    if "CENTRE" not in words:
        return None
    if {"KNEE"} & words:
        return {"KJC": 1.0}
    if {"ANKLE"} & words:
        return {"AJC": 1.0}
    return {"HJC": 1.0} if {"HIP"} & words else {}


def _pelvis(words: set[str]) -> Codes | None:
    front, back = "ANTERIOR" in words, "POSTERIOR" in words
    if "ASIS" in words:
        return {"ASIS": 1.0}
    if "PSIS" in words:
        return {"PSIS": 1.0}
    if "SACRUM" in words:
        return {"PEX": 1.0} if "WAND" in words else {"SACR": 0.9, "PEX": 0.1}
    if "CREST" in words or ("ILIAC" in words and not front | back):
        return {"ILC": 1.0}
    if words & {"ILIAC", "SPINE", "PELVIS"} and front:
        return {"ASIS": 1.0}
    if words & {"ILIAC", "SPINE", "PELVIS"} and back:
        return {"PSIS": 0.9, "SACR": 0.1}
    if "PELVIS" in words:
        return {"PEX": 1.0}
    if "HIP" in words:
        return _hip(words)
    return None


def _hip(words: set[str]) -> Codes:
    if "ANTERIOR" in words:
        return {"ASIS": 0.7, "GTR": 0.1}
    if "POSTERIOR" in words:
        return {"PSIS": 0.7}
    return {"GTR": 0.6, "HJC": 0.2, "THX": 0.1, "ASIS": 0.1}


def _foot(words: set[str]) -> Codes | None:
    number, medial, lateral = number_of(words), "MEDIAL" in words, "LATERAL" in words
    if words & {"NAVICULAR", "CUNEIFORM", "SUSTENTACULUM", "PERONEAL"}:
        codes = {"NAVICULAR": "NAV", "CUNEIFORM": "CUN", "SUSTENTACULUM": "CALM"}
        return {next((c for w, c in codes.items() if w in words), "CALL"): 1.0}
    if "HALLUX" in words and "METATARSAL" in words:
        return _toes({*words, "N1"}, 1)
    if "HALLUX" in words or ("BIG" in words and "TOE" in words):
        return {"HLX": 1.0}
    if words & {"METATARSAL", "TOE", "FOREFOOT"}:
        return _toes(words, number)
    if "HEEL" in words or "HINDFOOT" in words:
        if lateral or medial:
            return {"CALL": 1.0} if lateral else {"CALM": 1.0}
        return {"CAL": 1.0}
    if "MIDFOOT" in words:
        return {"FTX": 1.0}
    if "FOOT" in words:
        return _foot_alone(words)
    return None


def _foot_alone(words: set[str]) -> Codes:
    """Return what ``foot`` with a qualifier may be: heads of metatarsals, or any point."""
    if "TIP" in words:
        return {"TOE": 0.7, "FTX": 0.3}
    if words & _SIDE_TO_SIDE and not words & {"PROXIMAL", "POSTERIOR", "MIDDLE"}:
        return {"MT5H" if "LATERAL" in words else "MT1H": 0.5, "FTX": 0.35}
    return {"FTX": 1.0}


def _toes(words: set[str], number: int) -> Codes:
    head = "METATARSAL" in words or "FOREFOOT" in words
    base = bool(words & {"BASE", "PROXIMAL"})
    if number == 1 or (not number and "MEDIAL" in words):
        if base:
            return {"MT1B": 0.8, "MT1H": 0.2}
        return {"MT1H": 1.0} if head or not number else {"MT1H": 0.6, "HLX": 0.4}
    if number == 5 or (not number and words & {"LATERAL", "SMALL"}):  # noqa: PLR2004
        return {"MT5B": 0.8, "MT5H": 0.2} if base else {"MT5H": 1.0}
    if "TIP" in words:
        return {"HLX": 1.0}
    if number in {2, 3}:
        return {"MT2B" if base else "MT2H": 0.7, "TOE": 0.3} if head else {"TOE": 1.0}
    return {"TOE": 0.9, "FTX": 0.1} if not number else {"FTX": 0.6}


def _knee_and_ankle(words: set[str]) -> Codes | None:
    number, medial = number_of(words), "MEDIAL" in words
    if words & {"ELBOW", "HUMERUS"}:
        return None
    if "FIBULA" in words and not words & {"KNEE", "CONDYLE"}:
        malleolus = bool(words & {"MALLEOLUS", "ANKLE", "DISTAL"})
        return {"ANL": 1.0} if malleolus else {"FIB": 0.8, "SHX": 0.2}
    if "MALLEOLUS" in words or "ANKLE" in words:
        return {"ANM": 1.0} if medial else {"ANL": 1.0}
    if words & {"PATELLA"}:
        return {"PAT": 1.0}
    if "TUBEROSITY" in words:
        return {"TTU": 1.0}
    if words & {"KNEE", "CONDYLE"}:
        if "CLUSTER" in words or "WAND" in words:
            return {"THX": 0.5, "SHX": 0.4}
        if medial:
            return {"KME": 1.0}
        if number == 2 and "LATERAL" not in words:  # noqa: PLR2004
            return {"FIB": 0.4, "KME": 0.4, "KLE": 0.1}
        return {"KLE": 1.0}
    return None


def _leg(words: set[str]) -> Codes | None:
    side_to_side = bool(words & _SIDE_TO_SIDE)
    if "TROCHANTER" in words:
        return {"GTR": 1.0}
    if "THIGH" in words:
        return {"THX": 0.85, "GTR": 0.15}
    if "FEMUR" in words:
        if side_to_side and not words & _LOW:
            return {"KME" if "MEDIAL" in words else "KLE": 0.6, "THX": 0.4}
        return {"HJC": 0.6} if "HEAD" in words else {"THX": 1.0}
    if words & {"SHANK", "TIBIA"}:
        return {"SHX": 0.9, "TTU": 0.1}
    if "LEG" in words:
        low = 0.9 if "DISTAL" in words else 0.3 if "PROXIMAL" in words else 0.6
        return {"SHX": low, "THX": 0.95 - low}
    if words & {"WAND", "CLUSTER"}:
        return {"THX": 0.4, "SHX": 0.4}
    return None


def _trunk(words: set[str]) -> Codes | None:
    table = {
        "XIPHOID": "XIP", "STERNUM": "JN", "CLAVICLE": "JN", "ACROMION": "ACR", "SHOULDER": "ACR",
        "SCAPULA": "SCP", "NECK": "C7", "LUMBAR": "LSP", "TRUNK": "TRX", "EYE": "HED",
    }  # fmt: skip
    if "SHOULDER" in words and words & {"POSTERIOR", "ANTERIOR"}:
        return {"SCP": 1.0}
    code = next((code for word, code in table.items() if word in words), "")
    return {code: 1.0} if code else None


def _arm(words: set[str]) -> Codes | None:
    if words & {"ELBOW"} or ("HUMERUS" in words and words & {*_SIDE_TO_SIDE, "CONDYLE"}):
        return {"ELM" if "MEDIAL" in words else "ELL": 1.0}
    table = {
        "WRIST": "WRX", "HAND": "HAN", "FINGER": "HAN", "FOREARM": "FRM", "RADIUS": "WRR",
        "ULNA": "WRU", "HUMERUS": "UPA", "ARM": "UPA", "HEAD": "HED",
    }  # fmt: skip
    code = next((code for word, code in table.items() if word in words), "")
    return {code: 1.0} if code else None

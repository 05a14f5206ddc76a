"""Recognise acronyms of landmarks, regardless of the order of their letters."""

from __future__ import annotations

import re
from functools import cache

Codes = dict[str, float]

_EPICONDYLE = ("E", "C", "EF", "CF", "K", "CEF", "CE", "EK", "CK", "EFP", "EKP")
_MALLEOLUS = ("M", "A", "AM")
_PLAIN: dict[str, Codes] = {
    "GT": {"GTR": 1.0}, "FT": {"GTR": 1.0, "FIB": 0.4}, "GRT": {"GTR": 1.0}, "CFT": {"GTR": 1.0},
    "RT": {"GTR": 0.6}, "FH": {"FIB": 1.0}, "BFH": {"FIB": 1.0}, "CFI": {"FIB": 0.6},
    "TT": {"TTU": 1.0}, "TTU": {"TTU": 1.0}, "BTT": {"TTU": 1.0}, "ATT": {"TTU": 0.8},
    "CTT": {"TTU": 1.0},
    "CI": {"ILC": 0.6, "KME": 0.3}, "CIL": {"ILC": 0.9}, "CIR": {"ILC": 0.8},
    "EL": {"KLE": 0.8, "ELL": 0.2}, "ELP": {"KLE": 0.8, "ELL": 0.2},
    "EM": {"KME": 0.65, "ANL": 0.15, "ELM": 0.2}, "EMP": {"KME": 0.8, "ELM": 0.2},
    "CL": {"KLE": 1.0, "CALL": 0.5}, "CM": {"KME": 1.0, "CAL": 0.4, "CALM": 0.4},
    "AP": {"ACR": 1.0}, "LW": {"WRX": 1.0}, "MW": {"WRX": 1.0},
    "CP": {"CAL": 0.6}, "IM": {"ANM": 0.8}, "CEX": {"KLE": 0.8}, "CIN": {"KME": 0.7},
}  # fmt: skip
_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5}
_NUMBER = r"(?P<n>[1-5]|III|II|IV|I|V)"
_HEADS = re.compile(
    rf"(?:D|H(?!\w*H))?(?:META|MTPJ?|MTH|MET|C?MT|MHD|FMH|MH|MFH|MP|TMH|C?M|T){_NUMBER}H?"
    rf"|{_NUMBER.replace('<n>', '<k>')}(?:META|MTPH?|MTH?|MET|MHD|MH|MP|M|T)"
    r"|(?:MET|MT|M)(?P<d>[1-5])D|(?P<e>[1-5])MT?D"
)
_BASES = re.compile(
    rf"(?:P|B)(?:MET|MT|M){_NUMBER}|(?:MTB|MB|BM|BMT){_NUMBER.replace('<n>', '<k>')}"
    rf"|{_NUMBER.replace('<n>', '<m>')}(?:MTB|MB|BM)|P{_NUMBER.replace('<n>', '<j>')}M"
    r"|(?:MET|MT|M)(?P<i>[1-5])B"
)
_METACARPALS = re.compile(r"(?:H?MCP?|HMH)(?:[1-5]|III|II|IV|I|V)")
_WORDED = {"F": 1, "S": 2}


@cache
def _table() -> dict[str, Codes]:
    """Return letters in alphabetical order -> codes."""
    table = dict(_PLAIN)
    for letters in _EPICONDYLE:
        for letter, code in (("L", "KLE"), ("M", "KME")):
            table.setdefault("".join(sorted(letters + letter)), {code: 1.0})
    for letters in _MALLEOLUS:
        for letter, code in (("L", "ANL"), ("M", "ANM")):
            table["".join(sorted(letters + letter))] = {code: 1.0}
    return table


def acronym(core: str) -> Codes:
    """Return landmark code -> share for an acronym; empty if unknown.

    Examples
    --------
    >>> acronym("EL"), acronym("SIAS"), acronym("3MH"), acronym("VMB")
    ({'KLE': 0.8, 'ELL': 0.2}, {'ASIS': 1.0}, {'TOE': 1.0}, {'MT5B': 1.0})
    """
    letters = "".join(sorted(core))
    if letters in _table():
        return _table()[letters]
    if _METACARPALS.fullmatch(core):
        return {"HAN": 1.0}
    if spine := _spine(letters):
        return {spine: 1.0}
    return _metatarsal(core)


def _spine(letters: str) -> str:
    """Return ASIS or PSIS for A or P with S, I and optionally S or E, in any order."""
    if len(letters) not in {3, 4} or "S" not in letters or letters.count("I") != 1:
        return ""
    for letter, code in (("A", "ASIS"), ("P", "PSIS")):
        rest = letters.replace(letter, "", 1).replace("S", "", 1).replace("I", "", 1)
        if letter in letters and rest in {"", "S", "E"}:
            return code
    return ""


def _metatarsal(core: str) -> Codes:
    for pattern, head in ((_BASES, False), (_HEADS, True)):
        if match := pattern.fullmatch(core):
            text = next(value for value in match.groupdict().values() if value)
            return _ray(_ROMAN.get(text) or int(text), head=head)
    if len(core) == 3 and core[0] in _WORDED and core[1] == "M" and core[2] in "HB":  # noqa: PLR2004
        return _ray(_WORDED[core[0]], head=core[2] == "H")
    return {}


def _ray(number: int, *, head: bool) -> Codes:
    if head:
        return {{1: "MT1H", 2: "MT2H", 3: "TOE", 4: "FTX", 5: "MT5H"}[number]: 1.0}
    return {{1: "MT1B", 2: "MT2B", 3: "FTX", 4: "FTX", 5: "MT5B"}[number]: 1.0}

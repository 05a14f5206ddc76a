"""Names of a person's measurements in other words and languages, under Vicon's names."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import product

from gaitdyn.types.side_words import SIDE_WORDS

_WHOLE = {
    "Bodymass": "BODYMASS MASS WEIGHT BODYWEIGHT PESO PESOCORPORAL MASA MASSA MASSE POIDS GEWICHT"
    " KORPERGEWICHT KOERPERGEWICHT LICHAAMSGEWICHT VIKT VEKT WAGA",
    "Height": "HEIGHT BODYHEIGHT STATURE ALTURA ESTATURA TALLA TAILLE GROSSE GROESSE KORPERGROSSE"
    " KOERPERGROESSE ALTEZZA STATURA LICHAAMSLENGTE LANGD HOYDE WZROST",
}
"""Vicon's name of a measurement of the body -> the same in other languages."""

_LENGTH_WORDS = "LENGTH|LONGITUD|LARGO|COMPRIMENTO|LANGE|LAENGE|LENGTE|LONGUEUR|LUNGHEZZA"
_WIDTH_WORDS = (
    "WIDTH|DIAMETER|BREADTH|DIAMETRO|ANCHO|ANCHURA|BREITE|DURCHMESSER|BREEDTE|LARGEUR|DIAMETRE"
    "|LARGHEZZA|LARGURA"
)
_ANKLE_WORDS = "ANKLE|TOBILLO|TORNOZELO|KNOE?CHEL|ENKEL|CHEVILLE|CAVIGLIA|MALL?EOL(?:OS?|I|US|ES?)?"
_PARTS = (
    ("LegLength", "LEG|PIERNA|PERNA|BEIN|BEEN|JAMBE|ARTO", _LENGTH_WORDS),
    ("KneeWidth", "KNEE|RODILLA|JOELHO|KNIE|GENOU|GINOCCHIO", _WIDTH_WORDS),
    ("AnkleWidth", _ANKLE_WORDS, _WIDTH_WORDS),
)  # fmt: skip
"""End of Vicon's name of a length of a leg, words for the part and for what was measured."""

_SIDE_OF_WORD = SIDE_WORDS | {"G": "left", "I": "left", "LI": "left", "D": "right", "RE": "right"}
_STATED_UNIT = re.compile(r"[ _.(\[]+(KG|CM|MM|M|N)[)\]]?$")


@lru_cache(maxsize=1024)
def vicon_name(name: str) -> str:
    """Return Vicon's name of a measurement of the person in other words, or an empty string.

    Examples
    --------
    >>> vicon_name("PESO"), vicon_name("DIAMETRO_RODILLA_DERECHA"), vicon_name("Knee Width left")
    ('Bodymass', 'RKneeWidth', 'LKneeWidth')
    >>> vicon_name("ALTURA_MALEOLOS_DERECHO"), vicon_name("LOWERLEGLENGTH")
    ('', '')
    """
    bare = unicodedata.normalize("NFKD", name.upper().replace("ß", "SS"))
    text = re.sub("[^A-Z]", "", _STATED_UNIT.sub("", bare))
    for own, words in _WHOLE.items():
        if text in words.split():
            return own
    for stem, pattern in _patterns():
        if pattern.search(text) and not pattern.fullmatch(text):
            side = _side_around(pattern, text)
            if side:
                return f"{side[:1].upper()}{stem}"
    return ""


def _side_around(pattern: re.Pattern[str], text: str) -> str:
    """Return the side before or behind what a pattern matches, or an empty string."""
    begins = [word for word in ("", *_SIDE_OF_WORD) if text.startswith(word)]
    ends = [word for word in ("", *_SIDE_OF_WORD) if text.endswith(word)]
    for begin, end in product(begins, ends):
        sides = {_SIDE_OF_WORD[word] for word in (begin, end) if word}
        if len(sides) == 1 and pattern.fullmatch(text, len(begin), len(text) - len(end)):
            return sides.pop()
    return ""


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the patterns of a length: the part before or behind what was measured."""
    return tuple(
        (stem, re.compile(rf"(?:{part})(?:{of})|(?:{of})(?:DE|DEL|DU)?(?:{part})"))
        for stem, part, of in _PARTS
    )

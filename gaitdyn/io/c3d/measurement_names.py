"""Names of a person's measurements in other words and languages, under Vicon's names."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

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
_SIDES = "|".join(sorted(_SIDE_OF_WORD, key=len, reverse=True))
_STATED_UNIT = re.compile(r"[ _.(\[]+(KG|CM|MM|M|N)[)\]]?$")
_OTHER_WORDS = tuple(
    (stem, re.compile(rf"(?P<a>{_SIDES})?({part}|(?P<d>{of})(DE|DEL|DU)?({part}))"
                      rf"(?(d)|({of}))(?P<b>{_SIDES})?"))
    for stem, part, of in _PARTS
)  # fmt: skip
"""The side before or behind, the part before or behind what was measured."""


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
    for stem, pattern in _OTHER_WORDS:
        match = pattern.fullmatch(text)
        sides = (
            {_SIDE_OF_WORD[side] for side in (match["a"], match["b"]) if side} if match else set()
        )
        if len(sides) == 1:
            return f"{sides.pop()[:1].upper()}{stem}"
    return ""

"""Words for left and right in the languages of labels and events."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaitdyn.types.landmarks import BodySide

_LEFT = (
    "L", "LEFT", "LT", "LFT", "LINKS", "LINKE", "LINKER", "LINKES", "SX", "SIN", "SINISTRA",
    "SINISTRO", "GAUCHE", "GCHE", "IZQ", "IZQUIERDA", "IZQUIERDO", "IZDA", "IZDO", "ESQ",
    "ESQUERDA", "ESQUERDO", "VANSTER", "VENSTRE", "LEWY", "LEWA", "LEWE", "LEVY", "LEVA", "LEVE",
    "LEV", "LEVI", "LIJEVI", "VASEN", "STANG", "STANGA", "BAL", "ZUO", "ARISTERO", "ARISTERA",
    "OEN", "HIDARI", "LEVYY", "LEVYJ", "LEVAYA",
)  # fmt: skip

_RIGHT = (
    "R", "RIGHT", "RT", "RGT", "RECHTS", "RECHTE", "RECHTER", "RECHTES", "DX", "DESTRA", "DESTRO",
    "DROIT", "DROITE", "DRTE", "DER", "DERECHA", "DERECHO", "DCHA", "DCHO", "DIR", "DIREITA",
    "DIREITO", "HOGER", "HOJRE", "HOYRE", "PRAWY", "PRAWA", "PRAWE", "PRAVY", "PRAVA", "PRAVE",
    "PRAV", "DESNI", "OIKEA", "DREPT", "DREAPTA", "JOBB", "YOU", "DEXI", "DEXIA", "OREUN",
    "MIGI", "PRAVYY", "PRAVYJ", "PRAVAYA",
)  # fmt: skip

SIDE_WORDS: dict[str, BodySide] = {**dict.fromkeys(_LEFT, "left"), **dict.fromkeys(_RIGHT, "right")}
"""Word in capitals, without accents -> side."""

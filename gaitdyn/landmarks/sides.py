"""The side of each label of a file: a word, or a letter that its mirrored label confirms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.landmarks.label import joined, pieces
from gaitdyn.landmarks.side_letters import by_letters, letters_of
from gaitdyn.landmarks.side_words import by_word, side_words
from gaitdyn.landmarks.sided import Sided, mirrored, without
from gaitdyn.types.subject import SIDE_OF

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.types.landmarks import BodySide


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
    words = side_words(cut)
    met = {part.upper() for parts in cut for part in parts} | {joined(parts) for parts in cut}
    found = [by_word(parts, words, met) for parts in cut]
    rest = {joined(p) for p, s in zip(cut, found, strict=True) if s is None}
    letters = letters_of(rest, is_midline)
    pairs = any(c[:1] == "L" and mirrored(c, 0, "L", "R") in rest for c in rest if c)
    said: set[tuple[BodySide, str]] = {(s.side, s.core) for s in found if s is not None}
    out: list[Sided] = []
    for parts, sided in zip(cut, found, strict=True):
        side, core = sided or _as_said(parts, said) or by_letters(parts, letters), joined(parts)
        alone = pairs and core[:1] in SIDE_OF and not is_limb(core) and not is_midline(core)
        if side is None and alone and is_limb(core[1:]):
            side = Sided(SIDE_OF[core[0]], without(parts, 0))
        out.append(side or Sided("", tuple(parts)))
    return out


def _as_said(parts: list[str], said: set[tuple[BodySide, str]]) -> Sided | None:
    """Return the side of a first letter that the label of the other side has as a word.

    ``LKNE`` beside ``R.KNE``, where there is no ``L.KNE``.
    """
    core = joined(parts)
    own = SIDE_OF.get(core[:1])
    if own is None or (own, core[1:]) in said:
        return None
    other: BodySide = "right" if own == "left" else "left"
    return Sided(own, without(parts, 0)) if (other, core[1:]) in said else None

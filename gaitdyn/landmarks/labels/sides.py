"""Find the side of each label of a file: a word, or a letter confirmed by its mirrored label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.landmarks.labels.label import joined, pieces
from gaitdyn.landmarks.labels.side_letters import by_letters, letters_of
from gaitdyn.landmarks.labels.side_words import by_word, side_words
from gaitdyn.landmarks.labels.sided import Sided, mirrored, without
from gaitdyn.types.subject import OTHER, SIDE_OF

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.types.landmarks import BodySide


def split_sides(
    texts: Sequence[str],
    is_midline: Callable[[str], bool],
    is_limb: Callable[[str], bool] = lambda _: False,
) -> list[Sided]:
    """Return the side and the rest of each cleaned label, judged from all labels of a file.

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
        A label without a recognised side has side ``""``.
    """
    split = [pieces(text) for text in texts]
    words = side_words(split)
    met = {part.upper() for parts in split for part in parts} | {joined(parts) for parts in split}
    by_words = [by_word(parts, words, met) for parts in split]
    remaining = {joined(p) for p, s in zip(split, by_words, strict=True) if s is None}
    letters = letters_of(remaining, is_midline)
    pairs = any(c[:1] == "L" and mirrored(c, 0, "L", "R") in remaining for c in remaining if c)
    explicit: set[tuple[BodySide, str]] = {(s.side, s.core) for s in by_words if s is not None}
    sided_labels: list[Sided] = []
    for parts, sided in zip(split, by_words, strict=True):
        side, core = (
            sided or _as_mirrored(parts, explicit) or by_letters(parts, letters),
            joined(parts),
        )
        may_be_side = pairs and core[:1] in SIDE_OF and not is_limb(core) and not is_midline(core)
        if side is None and may_be_side and is_limb(core[1:]):
            side = Sided(SIDE_OF[core[0]], without(parts, 0))
        sided_labels.append(side or Sided("", tuple(parts)))
    return sided_labels


def _as_mirrored(parts: list[str], explicit: set[tuple[BodySide, str]]) -> Sided | None:
    """Return the side of a first letter whose mirror label has the side as a word.

    ``LKNE`` next to ``R.KNE``, if there is no ``L.KNE``.
    """
    core = joined(parts)
    side = SIDE_OF.get(core[:1])
    if side is None or (side, core[1:]) in explicit:
        return None
    return Sided(side, without(parts, 0)) if (OTHER[side], core[1:]) in explicit else None

"""Read labels that name one marker for several models: ``heel_left__IOR_L_CA__CGM_LHEE``."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BEHIND = re.compile(r"(?<=[^_]__)([A-Z][A-Z0-9]+)_(?=[^_])")
_NOBODY = re.compile(r"[A-Z]_\d+")
_SEVERAL = 3


def without_models(
    texts: Sequence[str], is_word: Callable[[str], bool] = lambda _: False
) -> list[str]:
    """Return labels with the first of several names only, and none with a model in front.

    A model is a word in capitals that stands, before another name, behind two underscores in
    several labels; it is then no part of other labels either. All labels stay if two would become
    alike.

    Parameters
    ----------
    texts : sequence of str
        Cleaned labels of a file.
    is_word : callable
        Whether a beginning is a side or a word of the body, which belongs to the labels.

    Examples
    --------
    >>> heels = [f"heel_{x}__CGM_{x[0].upper()}HEE" for x in ("left", "right")]
    >>> without_models([*heels, "toe_left__CGM_LTOE", "CGM_LTHI", "LKNE"])
    ['heel_left', 'heel_right', 'toe_left', 'LTHI', 'LKNE']
    >>> without_models(["L__KNE_M", "L__KNE_L", "R__KNE_M", "R__KNE_L"], "KNE".__eq__)
    ['L__KNE_M', 'L__KNE_L', 'R__KNE_M', 'R__KNE_L']
    """
    if not any("__" in text for text in texts):
        return list(texts)
    found = Counter(model for text in texts for model in set(_BEHIND.findall(text)))
    models = {model for model, count in found.items() if count >= _SEVERAL and not is_word(model)}
    bare = [_first_name(text, models) for text in texts]
    return bare if len(set(bare)) == len(set(texts)) else list(texts)


def _first_name(text: str, models: set[str]) -> str:
    """Return the first name of several; the next one if it is that of a point nobody named."""
    first, *others = text.split("__")
    if others and all(other.partition("_")[0] in models for other in others):
        text = others[0] if _NOBODY.fullmatch(first) else first
    model, _, rest = text.partition("_")
    return rest if model in models and rest else text

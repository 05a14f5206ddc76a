"""Resolve the labels of a file to landmarks of the body."""

from typing import TYPE_CHECKING

from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.landmarks.by_words import likeliest_by_words, may_name_thorax
    from gaitdyn.landmarks.labels.items import with_bare_labels, words_before
    from gaitdyn.landmarks.labels.vocabulary import Vocabulary, shipped_vocabulary
    from gaitdyn.landmarks.renaming import renamed
    from gaitdyn.landmarks.resolver import resolve, static_roles

__all__ = [
    "Vocabulary", "likeliest_by_words", "may_name_thorax", "renamed", "resolve",
    "shipped_vocabulary", "static_roles", "with_bare_labels",
    "words_before",
]  # fmt: skip

# a file whose labels a marker model knows needs no resolver
__getattr__ = imported_late(
    __name__,
    by_words=("likeliest_by_words", "may_name_thorax"),
    renaming=("renamed",),
    resolver=("resolve", "static_roles"),
    **{
        "labels.items": ("with_bare_labels", "words_before"),
        "labels.vocabulary": ("Vocabulary", "shipped_vocabulary"),
    },
)

"""Resolve the labels of a file to landmarks of the body."""

from gaitdyn.landmarks.items import with_bare_labels
from gaitdyn.landmarks.renaming import renamed
from gaitdyn.landmarks.resolver import likeliest_by_words, may_name_thorax, resolve, static_roles
from gaitdyn.landmarks.vocabulary import Vocabulary, shipped_vocabulary

__all__ = [
    "Vocabulary", "likeliest_by_words", "may_name_thorax", "renamed", "resolve",
    "shipped_vocabulary", "static_roles", "with_bare_labels",
]  # fmt: skip

"""From the labels of a file to the landmarks of a body."""

from gaitdyn.landmarks.renaming import renamed
from gaitdyn.landmarks.resolver import resolve, static_roles
from gaitdyn.landmarks.vocabulary import Vocabulary, shipped_vocabulary

__all__ = ["Vocabulary", "renamed", "resolve", "shipped_vocabulary", "static_roles"]

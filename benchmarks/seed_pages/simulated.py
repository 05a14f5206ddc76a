"""Motions of the systems, each made once for all figures and rows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from gaitdyn.multibody.systems import simulate

if TYPE_CHECKING:
    from gaitdyn.multibody.systems.model import SystemRun


def simulated(name: str, *words: str, as_published: bool = False) -> SystemRun:
    """Return what ``simulate`` returns of the same words; not to be changed."""
    return _simulated(name, words, as_published)  # by place: a default that is named is the same


@cache
def _simulated(name: str, words: tuple[str, ...], as_published: bool) -> SystemRun:
    return simulate(name, words, as_published=as_published)[1]

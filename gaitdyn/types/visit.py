"""Details of a visit for the header of a report; no number depends on them."""

from __future__ import annotations

from gaitdyn.types.frozen import frozen

FIELDS = ("date", "laboratory", "diagnosis", "aids", "referral", "comments")
"""The texts of the table ``[report]`` of a ``session.toml``, in the order of the header."""


@frozen()
class Visit:
    """A visit.

    Attributes
    ----------
    texts : tuple of (str, str)
        Those of :data:`FIELDS` that were given.
    examination : tuple of tuple of str
        Rows of the physical examination, such as a measure, left and right.
    planned : tuple of str
        Curves named before the second session, such as ``left knee_angle_flexion swing``.
    """

    texts: tuple[tuple[str, str], ...] = ()
    examination: tuple[tuple[str, ...], ...] = ()
    planned: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything was given."""
        return bool(self.texts or self.examination or self.planned)

    def text(self, name: str) -> str:
        """Return one of :data:`FIELDS`; empty if it was not given."""
        return dict(self.texts).get(name, "")

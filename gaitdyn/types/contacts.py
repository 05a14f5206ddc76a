"""Which foot stood on which plate, and for how long."""

from __future__ import annotations

from typing import Literal

from gaitdyn.types.frozen import frozen

ContactSide = Literal["left", "right", "both", "none"]
Verdict = Literal["valid", "partial", "rejected"]
ContactCode = Literal[
    "", "given", "cut", "light", "late", "two-feet", "shared", "alone", "unsteady", "outside",
    "beside", "far", "height", "unseen", "scuff",
]  # fmt: skip
"""Why a contact is not valid, or that it was given rather than found."""


@frozen()
class Contact:
    """One load run of one plate.

    Attributes
    ----------
    plate : int
        Number of the plate, from 1.
    side : {"left", "right", "both", "none"}
    start, stop : int
        Half-open interval of rows.
    peak_N : float
        Largest vertical force.
    verdict : {"valid", "partial", "rejected"}
        Only forces of ``valid`` and ``partial`` contacts are applied to a foot.
    reason : str
    code : ContactCode, optional
        The kind of the reason; empty for a foot that was found on the plate.
    light : float, optional
        Mean load in single support as a share of body weight, if that is too little for a whole
        step.
    """

    plate: int
    side: ContactSide
    start: int
    stop: int
    peak_N: float
    verdict: Verdict
    reason: str
    code: ContactCode = ""
    light: float | None = None

    @property
    def accepted(self) -> bool:
        """Whether the force of this contact is applied to a foot."""
        return self.verdict != "rejected" and self.side in ("left", "right")

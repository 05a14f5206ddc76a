"""What is said of the gaps of markers and of segment poses."""

from __future__ import annotations

from gaitdyn.events.passes import lost_within
from gaitdyn.types.arrays import Mask
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.words import counted


def gap_findings(
    names: str, filled: Mask, known: Mask, between: list[tuple[int, int]], *, seen: bool
) -> Findings:
    """Yield findings about the gaps of a marker or of segments; one between frames is a warning.

    Before the first and after the last visible frame, and between two passes, the subject is merely
    outside the volume.

    Parameters
    ----------
    names : str
    filled : array of bool, shape (n,)
        Frames that were filled in.
    known : array of bool, shape (n,)
        Frames with a value after that.
    between : list of (start, stop)
        From :func:`gaitdyn.events.passes.pauses`.
    seen : bool
        Whether any value was recorded; if not, every frame is lost.
    """
    if filled.any():
        message = f"{names}: {counted(int(filled.sum()), 'frame')} filled in short gaps"
        yield Finding("info", "gap-filled", names, message, float(filled.sum()))
    missing = ~known
    if missing.any():
        inside = int(lost_within(known, between).sum()) if seen else len(known)
        message = f"{names}: missing in {missing.sum()} of {len(known)} frames, left empty there"
        if inside:
            share = inside if inside < missing.sum() else "all"
            message += f", {share} of them between visible frames"
        level = "warning" if inside else "info"
        yield Finding(level, "gap-open", names, message, float(missing.sum()))

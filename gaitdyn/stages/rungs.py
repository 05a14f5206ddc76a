"""The rungs of a run: landmarks and rule of every joint centre."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.calibrate.rungs import centre_rungs

if TYPE_CHECKING:
    from gaitdyn.stages.body import Body
    from gaitdyn.stages.session import Session
    from gaitdyn.types.options import Options


def find_rungs(session: Session, body: Body, options: Options) -> dict[str, str]:
    """Return where every joint centre comes from: ``left_hip`` and so on -> words.

    Parameters
    ----------
    session : Session
    body : Body
    options : Options
    """
    return centre_rungs(
        session.model,
        options,
        () if body.reference is None else body.reference.seen,
        () if session.static is None else session.static.labels,
        body.calibration.offsets,
        session.sides,
    )

"""``gaitdyn explain``: the free body of one segment in one frame."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from gaitdyn.errors import UsageError
from gaitdyn_cli import options as of
from gaitdyn_cli.console import answer, answer_document
from gaitdyn_cli.recorded_inputs import (
    Near,
    Prefix,
    Results,
    StaticFile,
    SubjectFile,
    TrialFile,
)

if TYPE_CHECKING:
    from gaitdyn.explain import FreeBody, StoredLeg
    from gaitdyn.explain.chain_at import Limb

VIEWS = ("sagittal", "frontal")


def explain(
    results: Results,
    frame: Annotated[int, typer.Option(help="Frame, as in timeseries.csv (the file's number).")],
    segment: Annotated[
        str,
        typer.Option(
            help="left_foot, left_shank, left_thigh, left_hand, left_forearm, left_upper_arm or"
            " right_...",
            show_default=False,
        ),
    ],
    picture: Annotated[
        Optional[Path], typer.Option(help="Draw the free body to FILE.png.", show_default=False)
    ] = None,
    view: Annotated[
        str, typer.Option(help="View of the drawing: sagittal or frontal.")
    ] = "sagittal",
    trial: TrialFile = None,
    static: StaticFile = None,
    subject: SubjectFile = None,
    near: Near = None,
    subject_prefix: Prefix = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a picture that gaitdyn did not write.")
    ] = False,
    as_json: Annotated[bool, of.JSON] = False,
) -> None:
    """Show every force, lever arm and moment on a segment in one frame, and its equations.

    The motion is that of motion.npz; without it (process --intermediate) the trial is processed
    again from the recorded inputs and options.
    """
    from gaitdyn.explain import free_body, free_body_document, free_body_lines
    from gaitdyn.explain.chain_at import parse_segment

    side, limb, number = parse_segment(segment)
    _check_picture(picture, view, force=force)
    inputs = {"trial": trial, "static": static, "subject": subject}
    leg = _leg(results, (side, limb), inputs, near or [], subject_prefix)
    body = free_body(leg, number, frame)
    if as_json:
        answer_document(free_body_document(body), ensure_ascii=True, allow_nan=False)
    else:
        for line in free_body_lines(body):
            answer(line)
    if picture is not None:
        _draw(body, view, picture)
        if not as_json:
            answer(f"picture: {picture}")


def _leg(
    results: Path,
    which: tuple[str, Limb],
    inputs: dict[str, Path | None],
    near: list[Path],
    prefix: str | None,
) -> StoredLeg:
    """Return the leg of ``motion.npz``, or of the trial processed again, as an arm always is."""
    from gaitdyn.explain import leg_of_motion, leg_of_result
    from gaitdyn.explain.chain_at import LEG
    from gaitdyn.store import read_trial

    read_trial(results)
    motion = results / "motion.npz"
    side, limb = which
    if motion.is_file() and limb is LEG:
        return leg_of_motion(motion, side)
    from gaitdyn.provenance.rerun import recorded_run

    return leg_of_result(recorded_run(results, inputs, near, prefix).result(), side, limb)


def _check_picture(picture: Path | None, view: str, *, force: bool) -> None:
    if view not in VIEWS:
        message = f"--view is {view!r}, wanted {' or '.join(VIEWS)}"
        raise UsageError(message)
    if picture is None:
        return
    if picture.suffix.lower() != ".png":
        message = f"--picture {picture.name}: wanted a name that ends in .png"
        raise UsageError(message)
    from gaitdyn.compare.files import refuse_foreign

    refuse_foreign(picture, force=force)


def _draw(body: FreeBody, view: str, picture: Path) -> None:
    from gaitdyn.explain import free_body_sheet
    from gaitdyn.plots.png import png_bytes
    from gaitdyn.store.single_file import put_in_place

    put_in_place(picture, png_bytes(free_body_sheet(body, view)))  # pyright: ignore[reportArgumentType]

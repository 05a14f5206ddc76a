"""``gaitdyn explain``: the free body of one segment in one frame."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from gaitdyn.errors import UsageError
from gaitdyn_cli.choices import check_word
from gaitdyn_cli.console import answer, answer_document
from gaitdyn_cli.options import with_options

if TYPE_CHECKING:
    from gaitdyn.explain import FreeBody

VIEWS = ("sagittal", "frontal")
_INPUTS = ("--trial", "--static", "--subject", "--near", "--subject-prefix")
"""Options of commands that read the recording again."""


def _refuse_inputs(given: Optional[list[str]]) -> None:
    if given:
        raise UsageError(f"explain reads only the results: leave out {', '.join(_INPUTS)}")


@with_options("explain")
def explain(
    *,
    results: Path,
    frame: int,
    segment: str,
    picture: Optional[Path] = None,
    view: str = "sagittal",
    force: bool = False,
    as_json: bool = False,
    inputs: Annotated[  # noqa: ARG001  the callback refuses them
        Optional[list[str]], typer.Option(*_INPUTS, hidden=True, callback=_refuse_inputs)
    ] = None,
) -> None:
    """Show the free body of a segment in a frame.

    It lists every force, lever arm and moment, and the equations with their numbers. The results
    hold all of it: no recording is needed.
    """
    from gaitdyn.explain import free_body, free_body_document, free_body_lines, leg_of_result
    from gaitdyn.explain.chain_at import parse_segment
    from gaitdyn.trial import read_results

    side, limb, number = parse_segment(segment)
    _check_picture(picture, view, force=force)
    body = free_body(leg_of_result(read_results(results), side, limb), number, frame)
    if picture is not None:  # first: the reader of the output may leave, as head does
        _draw(body, view, picture)
    if as_json:
        answer_document(free_body_document(body), ensure_ascii=True, allow_nan=False)
        return
    answer(*free_body_lines(body))
    if picture is not None:
        answer(f"picture: {picture}")


def _check_picture(picture: Path | None, view: str, *, force: bool) -> None:
    check_word("view", view, VIEWS)
    if picture is None:
        return
    if picture.suffix.lower() != ".png":
        raise UsageError(f"--picture {picture.name}: wanted a name ending in .png")
    from gaitdyn.store.single_file import refuse_foreign

    refuse_foreign(picture, force=force)


def _draw(body: FreeBody, view: str, picture: Path) -> None:
    from gaitdyn.explain import free_body_sheet
    from gaitdyn.plots.png import png_bytes
    from gaitdyn.store.single_file import put_in_place

    put_in_place(picture, png_bytes(free_body_sheet(body, view)))  # pyrefly: ignore[bad-argument-type]

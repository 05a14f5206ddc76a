"""``gaitdyn explain``: the free body of one segment in one frame."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads the annotations
from typing import TYPE_CHECKING, Optional

from gaitdyn.errors import UsageError
from gaitdyn_cli.choices import check_word
from gaitdyn_cli.console import answer, answer_document
from gaitdyn_cli.moved import Moved
from gaitdyn_cli.options import with_options

if TYPE_CHECKING:
    from gaitdyn.explain import FreeBody

VIEWS = ("sagittal", "frontal")


@with_options("explain")
def explain(
    *,
    results: Path,
    frame: int,
    segment: str,
    picture: Optional[Path] = None,
    view: str = "sagittal",
    moved: Moved,
    force: bool = False,
    as_json: bool = False,
) -> None:
    """Show the free body of a segment in a frame.

    It lists every force, lever arm and moment, and the equations with their numbers. The results
    hold all of it: options that name the recording or its static are accepted, but not needed.
    """
    from gaitdyn.explain import free_body, free_body_document, free_body_lines, leg_of_result
    from gaitdyn.explain.chain_at import parse_segment
    from gaitdyn.trial import read_results

    del moved
    side, limb, number = parse_segment(segment)
    _check_picture(picture, view, force=force)
    body = free_body(leg_of_result(read_results(results), side, limb), number, frame)
    if as_json:
        answer_document(free_body_document(body), ensure_ascii=True, allow_nan=False)
    else:
        answer(*free_body_lines(body))
    if picture is not None:
        _draw(body, view, picture)
        if not as_json:
            answer(f"picture: {picture}")


def _check_picture(picture: Path | None, view: str, *, force: bool) -> None:
    check_word("view", view, VIEWS)
    if picture is None:
        return
    if picture.suffix.lower() != ".png":
        raise UsageError(f"--picture {picture.name}: wanted a name ending in .png")
    from gaitdyn.compare.files import refuse_foreign

    refuse_foreign(picture, force=force)


def _draw(body: FreeBody, view: str, picture: Path) -> None:
    from gaitdyn.explain import free_body_sheet
    from gaitdyn.plots.png import png_bytes
    from gaitdyn.store.single_file import put_in_place

    put_in_place(picture, png_bytes(free_body_sheet(body, view)))  # pyright: ignore[reportArgumentType]

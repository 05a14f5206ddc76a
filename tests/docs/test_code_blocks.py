"""Every Python block and every command of the guide runs; what a page prints is what comes out.

A page is run from top to bottom in a folder of its own, where a reader stands who has processed
``data/walk01.c3d`` with ``--intermediate``. Blocks marked ``python`` run as they are. Blocks marked
``sh`` are commands: their ``gaitdyn`` lines run. A block marked ``text`` that follows an ``sh``
block is its output, line by line; ``...`` is anything. A block without a language may hold a
synopsis: only its ``gaitdyn`` lines about ``data/`` and ``gaitdyn-results/walk01`` run. A block
after ``<!-- not run: reason -->`` does not run; there are as many of them as NOT_RUN says.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
import sys

import pytest

from tests.docs.pages import GUIDE, ROOT, TOP, Fence, fences, name_of

NOT_RUN: dict[str, int] = {}
"""Page -> marked blocks. A new mark is a choice: write it here too."""

_AT_HAND = re.compile(r"(^|\s)(data\b|gaitdyn-results/walk01\b)")
_PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b|\[--|\|")


def commands(text, *, all_of_them):
    """Return the ``gaitdyn`` lines of a block without the remarks beside them."""
    joined = re.sub(r"\\\n\s*", " ", text)
    lines = [re.split(r" {3,}| # ", line)[0] for line in joined.splitlines()]
    lines = [line.removeprefix("$ ") for line in lines]
    lines = [line for line in lines if line.startswith("gaitdyn ")]
    if all_of_them:
        return lines
    return [line for line in lines if _AT_HAND.search(line) and not _PLACEHOLDER.search(line)]


def run(line, monkeypatch):
    """Run a command in this process and return what it printed; it must succeed."""
    from gaitdyn_cli.app import main

    printed = io.StringIO()
    monkeypatch.setattr(sys, "argv", shlex.split(line))
    code = 0
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    assert code == 0, f"{line}: exit {code}\n{printed.getvalue()}"
    return printed.getvalue()


def check_output(wanted, printed, where):
    """Assert that the lines of a page are among the printed ones, in their order."""
    lines = iter(" ".join(line.split()) for line in printed.splitlines())
    for line in wanted.splitlines():
        words = " ".join(line.split())
        if words not in {"", "..."}:
            assert words in lines, f"{where}: not printed: {words}\n{printed}"


@pytest.fixture(scope="module")
def processed(tmp_path_factory):
    """The folder of a reader who has processed the trial of data/."""
    folder = tmp_path_factory.mktemp("reader")
    shutil.copytree(ROOT / "data", folder / "data")
    for name in ("walk01.c3d", "static.c3d"):
        shutil.copy(ROOT / "data" / name, folder)
    with contextlib.chdir(folder), pytest.MonkeyPatch.context() as patch:
        run("gaitdyn process data/walk01.c3d --intermediate --no-figures", patch)
    return folder


def steps(page):
    """Return what runs on a page: (fence, its command lines or None for Python)."""
    found: list[tuple[Fence, list[str] | None]] = []
    for fence in fences(page):
        if fence.not_run:
            continue
        if fence.language == "python":
            found.append((fence, None))
        elif fence.language in {"sh", ""}:
            lines = commands(fence.text, all_of_them=fence.language == "sh")
            if lines:
                found.append((fence, lines))
        elif fence.language == "text" and found and found[-1][1] and found[-1][0].language == "sh":
            found.append((fence, []))
    return found


RUN = [page for page in (*TOP, *GUIDE) if page.is_file() and steps(page)]


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_a_page_runs_from_top_to_bottom(page, processed, tmp_path, monkeypatch):
    here = tmp_path / "reader"
    shutil.copytree(processed, here)
    monkeypatch.chdir(here)
    names = {"__name__": "__main__"}
    printed = ""
    for fence, lines in steps(page):
        where = f"{name_of(page)}:{fence.line}"
        if lines is None:
            code = compile("\n" * (fence.line - 1) + fence.text, str(page), "exec")
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                exec(code, names)  # noqa: S102
            assert "processed differently" not in shown.getvalue(), where  # no such comparison
        elif lines:
            printed = "".join(run(line, monkeypatch) for line in lines)
        else:
            check_output(fence.text, printed, where)


def test_a_block_that_does_not_run_says_why_and_is_counted():
    counts = {name_of(page): sum(bool(f.not_run) for f in fences(page)) for page in (*TOP, *GUIDE)}
    assert {page: count for page, count in counts.items() if count} == NOT_RUN


def test_the_marker_model_and_the_renaming_of_the_guide_are_read(tmp_path):
    from gaitdyn.calibrate.models.files import parse_model
    from gaitdyn.session.session_file import read_session_file

    renaming, example = tomls("docs/marker-models.md")
    model = parse_model(example, "own.toml")
    assert model.name == "our-clusters"
    path = tmp_path / "session.toml"
    path.write_text(renaming, encoding="utf-8")
    read_session_file(path)


def test_the_session_and_the_subject_of_the_guide_are_read(tmp_path):
    from gaitdyn.calibrate.body.subject_file import read_subject_file
    from gaitdyn.session.session_file import read_session_file

    example, subject = tomls("docs/sessions.md")
    (tmp_path / "subject.toml").write_text(subject, encoding="utf-8")
    assert read_subject_file(tmp_path / "subject.toml").mass_kg == 66.5
    for name in ("static.c3d", "walk01.c3d", "walk02.c3d"):
        (tmp_path / name).touch()
    path = tmp_path / "session.toml"
    path.write_text(example, encoding="utf-8")
    read_session_file(path)


def tomls(name):
    """Return the TOML blocks of a page."""
    return [fence.text for fence in fences(ROOT / name) if fence.language == "toml"]

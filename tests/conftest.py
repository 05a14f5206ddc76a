"""What several kinds of tests share: a synthetic session, the command, the shared folder."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from tests.passed_before import PASSED, REST, longest_first, plugin_of
from tests.shared_files import SHARED

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

_BROWSER = "tests/browser/"

settings.register_profile("untimed", deadline=None)  # a busy machine fails no test
settings.load_profile("untimed")


if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the other cores have workers of their own


def pytest_configure(config: pytest.Config) -> None:
    """Leave out, or write down, the tests that passed."""
    if (plugin := plugin_of(config)) is not None:
        config.pluginmanager.register(plugin)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Before all tests are collected by several workers, each compiles its part.

    A run of the rest finds all compiled. What is imported and collected is kept: no search for
    garbage looks at it, then or later.
    """
    config = session.config
    worker = getattr(config, "workerinput", None)
    if worker and not REST and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        from tests.compiled_once import compile_part, part

        compile_part(part(int(worker["workerid"].removeprefix("gw")), worker["workercount"]))
    gc.disable()
    collected = yield
    gc.freeze()
    gc.set_threshold(50_000, 10, 20)  # results are freed without a search; what it finds is little
    gc.enable()
    return collected


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in the program alone: the files of tests, which come here, have none."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, where all tests are run."""
    if PASSED:
        longest_first(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give the tests of a file to one worker: what they share is made once, not in each.

    All of the browser go to one: one Chromium, and each page once.
    """
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    class LoadFiles(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _BROWSER if nodeid.startswith(_BROWSER) else super()._split_scope(nodeid)

    return LoadFiles(config, log)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the corpus, the oracles and the acceptance scripts."""
    if not (SHARED / "corpus" / "catalogue.csv").is_file():
        pytest.skip("needs ../shared with the corpus of real trials, which is not here")
    return SHARED


@pytest.fixture(scope="session")
def synthetic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session of the synthetic walker without noise: static.c3d and walk01.c3d, 100 Hz."""
    from gaitdyn.synthetic import Recording, Walker, write_session

    folder = tmp_path_factory.mktemp("session")
    write_session(folder, Walker(), Recording(), trials=1)
    return folder


@pytest.fixture(scope="session")
def walked(synthetic: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Process the synthetic trial and return its results folder; the words are options.

    The folder of the same words is the same: it is not to be changed.
    """
    from dataclasses import replace

    from gaitdyn.store import ResultsFolder, write_results
    from gaitdyn.types.options import Options
    from tests.walks import processed

    @cache
    def results(**words: str) -> Path:
        options: Any = words
        folder = ResultsFolder.prepare(tmp_path_factory.mktemp("out"), synthetic / "walk01.c3d")
        write_results(folder, processed(synthetic / "walk01.c3d", replace(Options(), **options)))
        return folder.path

    return results


@pytest.fixture(scope="session")
def results(walked: Callable[..., Path]) -> Path:
    """The results folder of the synthetic trial, under gaitdyn's own names; not to be changed."""
    return walked()


@pytest.fixture(scope="session")
def rich_folder(synthetic: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with everything that can be asked for; not to be changed."""
    from tests.rich_results import rich_results

    return rich_results(synthetic / "walk01.c3d", tmp_path_factory.mktemp("rich"))


@pytest.fixture(scope="session")
def command_server() -> Iterator[subprocess.Popen[str] | None]:
    """A process that runs the command in forks of itself; None where processes do not fork."""
    if not hasattr(os, "fork"):
        yield None
        return
    script = Path(__file__).with_name("command_server.py")
    command, pipe = [sys.executable, str(script)], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as server:
        yield server
        if server.stdin:
            server.stdin.close()


@pytest.fixture(scope="session")
def gaitdyn_in(
    tmp_path_factory: pytest.TempPathFactory, command_server: subprocess.Popen[str] | None
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command in a folder and return what it did."""

    def run(
        folder: Path, *words: str | Path, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        texts = [str(word) for word in words]
        if env is None and command_server is not None:
            printed = tmp_path_factory.mktemp("printed")
            return _forked(command_server, texts, folder, printed)
        return subprocess.run(
            [sys.executable, "-m", "gaitdyn_cli.app", *texts],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120,
            cwd=folder,
            check=False,
            env=env,
        )

    return run


@pytest.fixture
def gaitdyn_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command in an empty folder and in this process, of which a test may patch a part."""
    from gaitdyn_cli.app import main

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        texts, code = [str(word) for word in words], 0
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["gaitdyn", *texts])
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        return subprocess.CompletedProcess(texts, code, *capsys.readouterr())

    return run


@pytest.fixture
def gaitdyn(
    tmp_path: Path, gaitdyn_in: Callable[..., subprocess.CompletedProcess[str]]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command in an empty folder and return what it did."""
    return partial(gaitdyn_in, tmp_path)


def _forked(
    server: subprocess.Popen[str], words: list[str], cwd: Path, printed: Path
) -> subprocess.CompletedProcess[str]:
    out, err = printed / "out", printed / "err"
    asked = {"words": words, "cwd": str(cwd), "out": str(out), "err": str(err)}
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps(asked) + "\n")
    server.stdin.flush()
    code = int(server.stdout.readline())
    texts = (path.read_bytes().decode("utf-8", "replace") for path in (out, err))
    return subprocess.CompletedProcess(words, code, *texts)

"""The command while it loads: Ctrl-C is one line then, too."""

from __future__ import annotations

import sys
from typing import NoReturn

import pytest

from gaitdyn_cli import app, start


class _Stopped:
    """Ctrl-C while the command line is being imported."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == app.__name__:
            raise KeyboardInterrupt


def _stop() -> NoReturn:
    raise KeyboardInterrupt


@pytest.mark.parametrize("imported", [True, False])
def test_ctrl_c_while_the_command_loads_is_one_line(monkeypatch, capsys, imported):
    """It ended in a traceback through the modules of typer."""
    monkeypatch.setattr(app, "main", _stop)
    if not imported:
        monkeypatch.delitem(sys.modules, app.__name__)
        monkeypatch.setattr(sys, "meta_path", [_Stopped(), *sys.meta_path])
    with pytest.raises(SystemExit) as stopped:
        start.main()
    assert stopped.value.code == 130
    assert capsys.readouterr().err == "gaitdyn: stopped\n"

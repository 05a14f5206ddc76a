"""Templates: values are escaped, and compiled once where the installation can be written to."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from gaitdyn.report.page import templates

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = {"page": "<p>{{ name }}</p>"}
SHOWN = "<p>&lt;b&gt;</p>"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new place for compiled templates."""
    monkeypatch.setattr(templates, "_CACHE", tmp_path / "cache")
    return tmp_path / "cache"


def test_a_template_is_compiled_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert templates.environment_of(TEXTS).get_template("page").render(name="<b>") == SHOWN
    assert len(list(cache.iterdir())) == 1
    again = templates.environment_of(TEXTS)
    monkeypatch.setattr(again, "compile", None)
    assert again.get_template("page").render(name="<b>") == SHOWN
    changed = templates.environment_of({"page": "{{ name }}"})
    assert changed.get_template("page").render(name="<b>") == "&lt;b&gt;"


@pytest.mark.parametrize("plain", [True, False])
def test_nothing_is_written_where_it_must_or_can_not_be(
    cache: Path, monkeypatch: pytest.MonkeyPatch, *, plain: bool
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", plain)
    if not plain:
        cache.write_text("a file where the folder should be")
    assert templates.environment_of(TEXTS).get_template("page").render(name="<b>") == SHOWN
    assert not cache.is_dir()

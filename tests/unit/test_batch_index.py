"""An index page that finds no room is told like a trial that finds none."""

from __future__ import annotations

import errno

from gaitdyn.batch import pages, run


def test_an_index_without_room_is_a_failure_with_its_reason(tmp_path, monkeypatch):
    def full(out):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pages, "write_index", full)
    (found,) = run.index_failures(tmp_path)
    assert (found.state, found.name, found.file) == ("failed", "", "index.html")
    assert found.reason == "index.html: no space left on device"


def test_an_index_that_is_written_is_no_failure(tmp_path):
    assert run.index_failures(tmp_path) == []
    assert (tmp_path / "index.html").is_file()

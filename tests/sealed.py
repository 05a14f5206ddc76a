"""Results that a test changed, closed again: listed and sealed as if gaitdyn had written them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gaitdyn.store.document import document_text
from gaitdyn.store.whole import FILES, SEAL, with_files

if TYPE_CHECKING:
    from pathlib import Path


def close_again(folder: Path, document: dict[str, Any] | None = None) -> None:
    """List and seal what stands in a results folder, with another document where one is given."""
    path = folder / "result.json"
    told = document or json.loads(path.read_text(encoding="utf-8"))
    told = {key: value for key, value in told.items() if key not in {FILES, SEAL}}
    path.unlink()
    (folder / "batch.json").unlink(missing_ok=True)
    text = with_files(told, folder, document_text)[1]
    path.write_text(text, encoding="utf-8", newline="\n")

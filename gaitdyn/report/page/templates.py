"""Templates of the pages, compiled once an installation, as Python does with its modules."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
from jinja2 import DictLoader, Environment, FileSystemBytecodeCache

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2.bccache import Bucket

_CACHE = Path(cache_from_source(__file__)).parent


class _CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates beside the compiled modules, where they can be read and written."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError, EOFError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                _CACHE.mkdir(parents=True, exist_ok=True)
                super().dump_bytecode(bucket)


def environment_of(texts: Mapping[str, str]) -> Environment:
    """Return the environment of templates: their values are escaped as HTML.

    Parameters
    ----------
    texts : mapping
        Name -> source.
    """
    pattern = f"template-%s.jinja-{jinja2.__version__}.cache"
    return Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=DictLoader(texts),
        bytecode_cache=_CompiledTemplates(str(_CACHE), pattern),
    )

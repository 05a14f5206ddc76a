"""One line of the table of seed rows, and how differences are measured."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Row(NamedTuple):
    """A row as it was measured.

    ``found`` is the largest difference, or words where nothing is measured; ``limit`` the tolerance
    of ../shared/specs/seeds.md, 0 where the row has to be exact, None where it has none.
    """

    number: str
    what: str
    path: str
    oracle: str
    found: float | str
    limit: float | None
    test: str
    kind: str = ""

    @property
    def holds(self) -> bool:
        """Whether a measured row is within its tolerance."""
        if isinstance(self.found, str) or self.limit is None:
            return True
        return self.found <= self.limit

    def cells(self) -> tuple[str, ...]:
        """Return the cells of the table."""
        found = self.found if isinstance(self.found, str) else f"{self.found:.1e}"
        limit = "-" if self.limit is None else f"{self.limit:.0e}{self.kind}".replace("e-0", "e-")
        if self.limit == 0:
            limit, found = "exact", f"{self.found:.0f}"
        if self.limit is not None and not self.holds:
            found = f"**{found}: missed**"
        test = f"`{self.test}`" if self.test.startswith("tests/") else self.test
        return (self.number, self.what, self.path, self.oracle, found, limit, test)


def gap(found: Any, wanted: Any) -> float:
    """Return the largest absolute difference."""
    return float(np.abs(np.asarray(found, dtype=float) - np.asarray(wanted, dtype=float)).max())


def share(found: Any, wanted: Any) -> float:
    """Return the largest difference over the largest value."""
    return gap(found, wanted) / float(np.abs(np.asarray(wanted, dtype=float)).max())

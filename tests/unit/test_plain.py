"""Values as a JSON document has them."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

import numpy as np

from gaitdyn.store.plain import plain
from gaitdyn.types.frozen import frozen


@dataclass(frozen=True, slots=True)
class Inner:
    """A frozen value within another."""

    share: float
    names: tuple[str, ...]


@frozen()
class Outer:
    """A value of the faster kind."""

    inner: Inner
    limit: float | None = None


def test_a_plain_value_is_what_json_gives_back() -> None:
    value = {
        "outer": Outer(Inner(np.float64(0.25), ("left", "right"))),
        "rows": [(1, True, None), (math.inf, -math.inf, math.nan)],
    }
    found = plain(value)
    assert found == {
        "outer": {"inner": {"share": 0.25, "names": ["left", "right"]}, "limit": None},
        "rows": [[1, True, None], [None, None, None]],
    }
    assert json.loads(json.dumps(found)) == found
    assert type(found["outer"]["inner"]["share"]) is float

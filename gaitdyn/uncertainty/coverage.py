"""What the bands were measured to cover: synthetic walks whose truth is known."""

from __future__ import annotations

from dataclasses import dataclass

from gaitdyn.io.shipped import shipped_rows


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often the truth lay in the 95 % band of a curve, 0 to 1.

    Attributes
    ----------
    published_for_it : float
        Skin as published, and bands that were told so.
    half_default : float
        Skin of half that, and the default bands, which say so.
    published_default : float
        Skin as published, and the default bands.
    """

    published_for_it: float
    half_default: float
    published_default: float


def measured_coverage() -> dict[str, Coverage]:
    """Return the coverage of every curve, and of ``all``, by ``benchmarks/coverage.py``.

    Examples
    --------
    >>> 0.93 < measured_coverage()["all"].half_default < 0.97
    True
    """
    return {
        row["curve"]: Coverage(
            *(
                float(row[name]) / 100.0
                for name in ("published_for_it", "half_default", "published_default")
            )
        )
        for row in shipped_rows("uncertainty/coverage.csv")
    }

"""What the body-segment table changes in joint moments: the numbers of docs/anthropometry.md.

usage: python benchmarks/body_tables.py

Needs ../shared/corpus. Prints the largest difference of the joint moments of a walk between two
tables, for either sex, N m/kg: the length of the vector, its sagittal component, and the length
with more than 20 N under the foot. ``opposite`` is the table of Dumas with the sign of every
product of inertia reversed.
"""

from __future__ import annotations

import csv
import tempfile
from importlib.resources import files
from pathlib import Path

import numpy as np
from page import SHARED, need_shared
from usage import help_shown

from gaitdyn import process_trial
from gaitdyn.types.options import Options

TRIAL = ("corpus", "gait", "BTK-B", "PiG_Motion3_FF.c3d")
LOADED_N = 20.0
ADULTS = "dempster-winter"
PRODUCTS = ("r_xy", "r_xz", "r_yz")


def with_opposite_products(path: Path) -> str:
    """Write the table of Dumas with the sign of every product of inertia reversed."""
    shipped = files("gaitdyn").joinpath("resources/anthropometry/dumas.csv").read_text("utf-8")
    rows = list(csv.DictReader(x for x in shipped.splitlines() if not x.startswith("#")))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row | {key: str(-float(row[key])) for key in PRODUCTS} for row in rows)
    return str(path)


def moments(table: str, subject: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the moments of both legs, N m/kg, distal axes, and where their foot is on a plate."""
    result = process_trial(SHARED.joinpath(*TRIAL), Options(anthropometry=table, subject=subject))
    curves, found, loaded = result.to_frame(), [], []
    for name, side in result.sides.items():
        if side.kinetics is not None:
            known = side.kinetics.published[..., None]
            found.append(np.where(known, side.kinetics.loads.moment_S, np.nan))
            loaded.append(curves[f"{name}_grf_y"].to_numpy() > LOADED_N)
    return np.concatenate(found) / result.subject.mass_kg, np.concatenate(loaded)


def main() -> None:
    """Print the differences."""
    if not need_shared(*TRIAL):
        return
    with tempfile.TemporaryDirectory() as folder:
        subject = Path(folder, "subject.toml")
        opposite = with_opposite_products(Path(folder, "opposite.csv"))
        for sex in ("m", "f"):
            subject.write_text(f'[subject]\nsex = "{sex}"\n', encoding="utf-8")
            for first, second in (("dumas", opposite), (ADULTS, "de-leva"), (ADULTS, "dumas")):
                one, other = moments(first, str(subject)), moments(second, str(subject))
                off, loaded = other[0] - one[0], one[1]
                size = np.linalg.norm(off, axis=-1)
                print(
                    f"{sex} {first} to {Path(second).stem}: ankle, knee, hip",
                    f"{np.nanmax(size, axis=0).round(3)},",
                    f"sagittal {np.nanmax(abs(off[..., 2]), axis=0).round(3)},",
                    f"on a plate {np.nanmax(size[loaded], axis=0).round(3)}",
                )


if __name__ == "__main__":
    help_shown(__doc__)
    main()

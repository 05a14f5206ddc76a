"""Read a reference set in any supported format."""

from __future__ import annotations

import csv
import hashlib
import json
from importlib.resources import files
from pathlib import Path

from gaitdyn.catalogue.keys import key_of
from gaitdyn.errors import NormRefused, NotANorm
from gaitdyn.io.plain_files import plain_bytes
from gaitdyn.metrics.healthy import SCHWARTZ_SPEEDS
from gaitdyn.metrics.norms import gcd as norm_gcd
from gaitdyn.metrics.norms import own_format as norm_csv
from gaitdyn.metrics.norms import tables as norm_table
from gaitdyn.metrics.norms.ages import ages_in
from gaitdyn.metrics.norms.own_format import AGES, CONDITION, MOMENTS, SHANK
from gaitdyn.metrics.norms.people import people_file, read_people
from gaitdyn.types.arguments import told
from gaitdyn.types.norms import Norm, NormGroup
from gaitdyn.types.texts import number_in
from gaitdyn.types.words import system_reason

_FASTEST = 1.5  # v / sqrt(g L); people run from about 0.7 on
_SCALARS = "_scalars.csv"
_SPEED_ROW = "Dimensionless Speed"

Heads = dict[str, tuple[float | None, int | None]]


def read_norm(path: str | Path) -> Norm:
    """Read a reference set; its format is recognised from its content.

    Parameters
    ----------
    path : str or Path
        gaitdyn's CSV, a table by signal and plane, or ``.gcd`` text, as described in docs/norms.md;
        or the name of a set that is included, see :func:`shipped_norms`.

    Returns
    -------
    Norm
        In the names, units and signs of ``cycles.csv``; curves that the file lacks are absent.

    Raises
    ------
    NormRefused
        With one line: what was found, what was wanted, what to do.
    """
    path = norm_path(path)
    raw = _bytes(path)
    text = _text(path.name, raw)
    groups, source = _read(path, text)
    in_house = norm_csv.is_in_house(text)
    has_moments = any(key_of(name).is_moment for group in groups for name in group.bands)
    if in_house and has_moments and not norm_csv.comments_of(text, MOMENTS):
        source += "; the file does not say in which axes its moments are: distal ones are assumed"
    people = read_people(path)
    for group in {group for group, *_ in people} - {group.name for group in groups}:
        raise NormRefused(
            f"{people_file(path).name}: found people of the group {told(group)}, which {path.name}"
            " does not have; build both again, or move the file away"
        )
    digest = hashlib.sha256(raw).hexdigest()
    conditions = tuple(norm_csv.comments_of(text, CONDITION))
    return Norm(
        path.name, source, digest, _by_speed(groups), in_house,
        people, norm_csv.models_of(text), conditions,
        norm_csv.moments_in(path.name, text),
        ages_in(" ".join(norm_csv.comments_of(text, AGES)), source),
        " ".join(norm_csv.comments_of(text, SHANK)),
        norm_csv.settings_in(text),
        tuple(norm_csv.comments_of(text, norm_csv.GROUND)),
    )  # fmt: skip


def shipped_norms() -> dict[str, Path]:
    """Return name -> file of the published reference sets included in gaitdyn.

    Examples
    --------
    >>> list(shipped_norms())
    ['pinzone2014', 'schwartz2008']
    """
    home = Path(str(files("gaitdyn").joinpath("resources/norms")))
    return {path.stem: path for path in sorted(home.glob("*.csv"))}


def norm_path(named: str | Path) -> Path:
    """Return the file of a reference set: that of an included name, or the path itself."""
    return shipped_norms().get(str(named), Path(named))


def _read(path: Path, text: str) -> tuple[tuple[NormGroup, ...], str]:
    """Return the groups and the source of a file according to its format."""
    header = _header(text)
    ours = (*norm_csv.COLUMNS, norm_csv.ROUGHNESS)
    if header in (sorted(norm_csv.COLUMNS), sorted(ours)):
        source = norm_csv.source_of(text) or f"{path.name}, source not stated"
        return norm_csv.gaitdyn_groups(path.name, text), source
    if header == sorted(norm_table.COLUMNS):
        source = _manifest_title(path) or norm_csv.source_of(text)
        heads, speed_source = _heads(path)
        source = source or f"{path.name}, source not stated"
        return norm_table.table_groups(path.name, text, heads), source + speed_source
    if any(line.startswith("!") for line in text.splitlines()):
        source = f"{path.name} (.gcd; what its deviations are, the format does not say)"
        return norm_gcd.gcd_groups(path.name, text), source
    raise NotANorm(
        f"{path.name}: found {_first(text)!r}; wanted a header {','.join(norm_csv.COLUMNS)}, a"
        f" header {','.join(norm_table.COLUMNS)}, or .gcd text; see docs/norms.md"
    )


def _bytes(path: Path) -> bytes:
    try:
        return plain_bytes(path)
    except OSError as error:
        raise NormRefused(
            f"{path.name or path}: {system_reason(error)}; wanted a reference set; give the path of"
            f" its file, or one that ships: {', '.join(shipped_norms())}"
        ) from error


def _text(name: str, raw: bytes) -> str:
    if b"\0" in raw:
        raise NormRefused(f"{name}: found a binary file; wanted text; give a CSV or .gcd file")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _first(text: str) -> str:
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return next(lines, "")[:80]


def _header(text: str) -> list[str]:
    cells = next(csv.reader([_first(text)]), [])
    return sorted(cell.strip() for cell in cells)


def _by_speed(groups: tuple[NormGroup, ...]) -> tuple[NormGroup, ...]:
    """Return the groups by rising speed, then those without a speed in the order of the file."""
    return tuple(sorted(groups, key=lambda g: float("inf") if g.speed is None else g.speed))


def _manifest_title(path: Path) -> str:
    """Return the title of the file in a ``manifest.json`` in the same folder; empty if none."""
    try:
        entry = json.loads(plain_bytes(path.parent / "manifest.json"))[path.name]
        return str(entry["title"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def _heads(path: Path) -> tuple[Heads, str]:
    """Return speed and number of people of each group, and a phrase naming their source."""
    scalars = path.with_name(path.stem + _SCALARS)
    if scalars.is_file():
        heads = _read_heads(scalars)
        return heads, f"; speeds of the groups: {scalars.name}" if heads else ""
    if path.stem.lower().startswith("schwartz2008"):
        speed_source = "; speeds of the groups: Schwartz et al. 2008, J Biomech 41:1639-1650"
        return {name: (speed, None) for name, speed in SCHWARTZ_SPEEDS.items()}, speed_source
    return {}, ""


def _read_heads(path: Path) -> Heads:
    """Read the rows "Dimensionless Speed" of ``parameter,group,n,mean,sd``."""
    heads: Heads = {}
    text = _text(path.name, _bytes(path))
    for number, row in enumerate(csv.DictReader(text.splitlines()), 2):
        if row.get("parameter") != _SPEED_ROW:
            continue
        try:
            name = norm_table.plain_name(row["group"])
            speed, count = (number_in(row[column] or "") for column in ("mean", "n"))
            if not (0 < speed < _FASTEST and count >= 1 and count.is_integer()):
                raise ValueError(row["mean"])  # noqa: TRY301  as a column that is not there
            heads[name] = speed, int(count)
        except (KeyError, TypeError, ValueError) as error:
            raise NormRefused(
                f"{path.name} line {number}: found no speed; wanted parameter,group,n,mean,sd;"
                " correct or remove the file"
            ) from error
    return heads

"""Marker models read from TOML files, with errors that name the line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from gaitdyn.calibrate.ladder.model import LIMB_ROLES, MIDLINE
from gaitdyn.calibrate.ladder.rungs import rungs_of
from gaitdyn.errors import MarkersUnfit, UsageError
from gaitdyn.io.plain_files import named_text
from gaitdyn.io.toml_lines import Place, line_of, read_toml
from gaitdyn.landmarks.labels.role_table import is_name
from gaitdyn.types.arguments import told
from gaitdyn.types.marker_model import MarkerModel
from gaitdyn.types.rungs import PLACES
from gaitdyn.types.subject import LETTER, SIDES

_KEYS = {
    "name", "title", "source", "engine", "sides", "labels", "tracking", "optional", "rungs",
    "climbs",
}  # fmt: skip
_ROLES = {*MIDLINE, *(letter + role for letter in "LR" for role in LIMB_ROLES)}
"""Our names of the anatomical markers; others may be listed for tracking."""
_SIDED_ROLES = {"{s}" + role[1:] for role in _ROLES}

_SEGMENTS = ("pelvis", "thigh", "shank", "foot")
_OF_A_LEG = tuple(f"{side} {segment}" for side in SIDES for segment in _SEGMENTS[1:])
"""Names of segments of one leg, for models whose legs have different markers."""

_ENGINES = ("chord", "landmarks", "sagittal")
"""Engines in the order in which their models are tried."""

_LINE_FEET = (
    "heel-toe", "heel-metatarsal-middle", "heel-metatarsal", "heel-first-metatarsal",
    "toe-stored-offsets", "toe", "metatarsals",
)  # fmt: skip
"""Rungs of the foot for a model that names none."""


def model_names() -> list[str]:
    """Return the names of the models that ship with gaitdyn, in the order they are tried."""
    return [model.name for model in shipped_models()]


def shipped_models() -> Iterator[MarkerModel]:
    """Yield the models that ship with gaitdyn; Plug-in Gait comes first, one plane last.

    Each is parsed when its turn comes: most files fit the first one.
    """
    for name in _shipped_texts():
        yield _shipped_model(name)


@cache
def _shipped_texts() -> dict[str, str]:
    """Return the files of the shipped models in the order in which they are tried."""
    folder = files("gaitdyn") / "resources" / "markersets"
    texts = {p.name: p.read_text("utf-8") for p in folder.iterdir() if p.name.endswith(".toml")}

    def turn(name: str) -> tuple[int, bool, str]:
        text = texts[name]
        engine = next(i for i, kind in enumerate(_ENGINES) if f'\nengine = "{kind}"' in text)
        return engine, "\noptional = " in text, name

    return {name: texts[name] for name in sorted(texts, key=turn)}


@cache
def _shipped_model(name: str) -> MarkerModel:
    return parse_model(_shipped_texts()[name], name)


def load_model(name: str) -> MarkerModel:
    """Return a model that ships with gaitdyn, or one from a ``.toml`` file.

    Raises
    ------
    UsageError
        If there is no such model, or its file has an error; the message has the line, what was
        found and what was wanted.
    MarkersUnfit
        If it is a model of segment poses, which the recording lacks.
    """
    if name.lower().endswith(".toml"):
        file = Path(name).name
        return parse_model(
            named_text(name, f"--model {file}", "a marker model; check the path"), file
        )
    for model in shipped_models():
        if model.name == name:
            return model
    from gaitdyn.io.c3d.poses import pose_tables  # a plain trial does not need it

    if name in {table.name for table in pose_tables()}:
        wanted = "a file with the group ROTATION; give another --model"
        raise MarkersUnfit(f"--model {name}: found no segment poses; wanted {wanted}")
    names = ", ".join(model_names())
    wanted = f"auto, ladder, a .toml file or one of {names}"
    raise UsageError(f"no marker model {name!r}; wanted {wanted}")


def parse_model(text: str, file: str) -> MarkerModel:
    """Return the model that a TOML text describes.

    Raises
    ------
    UsageError
        Naming the line, what was found and what was wanted.
    """
    try:
        table = read_toml(text)
    except ValueError as error:
        raise UsageError(f"marker model {file}: {error}") from error
    wrong = _Wrong(text, file, table)
    for key in table:
        wrong.unless_known(key in _KEYS, (key,), f"one of {', '.join(sorted(_KEYS))}")
    for key in ("name", "engine", "labels"):
        if key not in table:
            raise UsageError(f"marker model {file}: {key} is missing")
    for key in ("name", "title", "source"):
        wrong.unless(isinstance(table.get(key, ""), str), (key,), "a text")
    wrong.unless(table["engine"] in _ENGINES, ("engine",), "chord, landmarks or sagittal")
    sides = table.get("sides", LETTER)
    good = isinstance(sides, dict) and all(isinstance(sides.get(s), str) for s in SIDES)
    wrong.unless(good, ("sides",), 'letters such as { left = "L", right = "R" }')
    climbs = table.get("climbs", False)
    good = isinstance(climbs, bool) and (not climbs or table["engine"] == "landmarks")
    wrong.unless(good, ("climbs",), "true or false; true with landmarks alone")
    tracking = _tracking(table, wrong)
    optional = table.get("optional", [])
    wrong.unless(_is_texts(optional), ("optional",), "a list of markers without their side")
    if table["engine"] == "sagittal":
        for key in ("tracking", "optional"):
            wanted = "neither tracking nor optional with sagittal"
            wrong.unless_known(key not in table, (key,), wanted)
    labels = _labels(table, tracking, optional, sides, wrong)
    return MarkerModel(
        name=table["name"],
        title=table.get("title", table["name"]),
        source=table.get("source", ""),
        engine=table["engine"],
        labels=labels,
        tracking={segment: tuple(names) for segment, names in tracking.items()},
        optional=tuple(optional),
        rungs=_rungs(table, wrong),
        climbs=climbs,
    )


def _rungs(table: dict[str, Any], wrong: _Wrong) -> dict[str, tuple[str, ...]]:
    """Return the rungs a model may use for each joint; the default foot rolls with its shank."""
    given = table.get("rungs", {})
    wrong.unless(isinstance(given, dict), ("rungs",), "a table: joint = [names of rungs]")
    rungs: dict[str, tuple[str, ...]] = {}
    if table["engine"] == "landmarks" and not table.get("climbs"):
        rungs["foot"] = _LINE_FEET
    for place, names in given.items():
        wrong.unless_known(place in PLACES, ("rungs", place), f"one of {', '.join(PLACES)}")
        known = [rung.name for rung in rungs_of(place)]
        good = _is_texts(names) and names and set(names) <= set(known)
        wrong.unless(good, ("rungs", place), f"a list of {', '.join(known)}")
        rungs[place] = tuple(names)
    return rungs


def _tracking(table: dict[str, Any], wrong: _Wrong) -> dict[str, list[str]]:
    tracking = table.get("tracking", {})
    wrong.unless(isinstance(tracking, dict), ("tracking",), "a table of segments")
    known = (*_SEGMENTS, *_OF_A_LEG)
    for segment, names in tracking.items():
        where = ("tracking", segment)
        wrong.unless_known(segment in known, where, f"one of {', '.join(known)}")
        good = _is_texts(names) and (names or table.get("climbs"))
        wrong.unless(good, where, "a list of markers")
        wrong.unless(len(set(names)) == len(names), where, "each of its markers once")
    if table["engine"] == "landmarks":
        for segment in _SEGMENTS:
            by_side = {x for x in _OF_A_LEG if x.endswith(segment)}
            tracked = segment in tracking or (by_side and by_side <= set(tracking))
            wrong.unless(tracked, ("tracking", segment), f"markers that track the {segment}")
    return tracking


def _labels(
    table: dict[str, Any],
    tracking: dict[str, list[str]],
    optional: list[str],
    sides: dict[str, str],
    wrong: _Wrong,
) -> dict[str, tuple[str, ...]]:
    """Return our name of each marker -> its labels, after checking every reference to a marker."""
    given = table["labels"]
    wrong.unless(isinstance(given, dict), ("labels",), "a table: our name = [labels]")
    tracked = {name for names in tracking.values() for name in names}
    tracked |= {one_side(name, letter) for name in tracked for letter in LETTER.values()}
    known = tracked | _ROLES | _SIDED_ROLES
    labels: dict[str, tuple[str, ...]] = {}
    for role, names in given.items():
        wrong.unless(_is_texts(names) and names, ("labels", role), "a list of labels")
        good = role in known or (table.get("climbs") and is_name(role))
        wanted = "a marker with a meaning, or one listed in tracking"
        wrong.unless_known(good, ("labels", role), wanted)
        labels |= _both_sides(role, names, sides)
    joints = {"@hip", "@knee", "@ankle"}
    for segment, names in tracking.items():
        for name in names:
            defined = {one_side(name, letter) for letter in LETTER.values()} <= set(labels)
            wanted = f"markers of [labels] or {', '.join(sorted(joints))}, not {told(name)}"
            wrong.unless(defined or name in joints, ("tracking", segment), wanted)
    for role in optional:
        wanted = f"markers with a meaning, not {told(role)}"
        wrong.unless("L" + role in _ROLES, ("optional",), wanted)
    return labels


class _Wrong:
    """Refuses a file with the line, what was found and what was wanted."""

    def __init__(self, text: str, file: str, table: dict[str, Any]) -> None:
        self._lines, self._file, self._table = text.splitlines(), file, table

    def unless(self, good: object, where: tuple[str, ...], wanted: str) -> None:
        """Refuse the file unless the value at a place is ``good``."""
        if good:
            return
        value: Any = self._table
        for key in where:
            value = value.get(key) if isinstance(value, dict) else None
        found = f"no {where[-1]}" if value is None else f"{where[-1]} = {told(value)}"
        self._refuse(where, found, wanted)

    def unless_known(self, good: object, where: tuple[str, ...], wanted: str) -> None:
        """Refuse the file unless the key at a place is ``good``."""
        if not good:
            self._refuse(where, told(where[-1]), wanted)

    def _refuse(self, where: Place, found: str, wanted: str) -> None:
        line = line_of(self._lines, where)
        raise UsageError(f"marker model {self._file}{line}: found {found}, wanted {wanted}")


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def one_side(template: str, letter: str) -> str:
    """Return a label for one side, with its letter in place of ``{s}``."""
    return template.replace("{s}", letter)


def _both_sides(role: str, names: list[str], letters: dict[str, str]) -> dict[str, tuple[str, ...]]:
    if "{s}" not in role:
        return {role: tuple(names)}
    return {
        one_side(role, LETTER[side]): tuple(one_side(name, letters[side]) for name in names)
        for side in SIDES
    }

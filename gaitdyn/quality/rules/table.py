"""The table of the rules: what is measured, its limit and level, why, and what to do."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from gaitdyn.errors import UsageError
from gaitdyn.events.contact_words import CUT
from gaitdyn.types.arguments import SHOWN, told
from gaitdyn.types.findings import Finding, Level
from gaitdyn.types.frozen import frozen
from gaitdyn.types.task import IN_FLIGHT, Task

Where = Literal["rules", "audit", "stages", "status"]
About = Literal["both", "kinetics", "upper", "emg"]
Empties = Literal["", "kinematics", "kinetics"]
_LIMITS = ("limit", "low", "least", "flight")
LEVELS = ("info", "warning", "error", "off")
_LINE = re.compile(r"^(?:\[(.+)\]|(\w+) = (.+))$", re.MULTILINE)


@frozen()
class QualityRule:
    """One row of the table.

    Attributes
    ----------
    code : str
    where : {"rules", "audit", "stages", "status"}
        Which part of the program makes the finding. Stages report what they measured, and the
        limit is applied afterwards.
    what, why, source, action : str
    if_cut : str
        What to do instead of ``action`` about a step that the file cuts.
    level : {"info", "warning", "error", "off"}
    limit, low : float or None
        Largest and smallest value, in ``unit``.
    least : float or None
        A second smallest value; ``what`` says of what.
    flight : float or None
        The limit in running and jumps, if it is larger.
    unit : str
    empties : {"", "kinematics", "kinetics"}
        Curves that an error of this rule empties, see :mod:`gaitdyn.quality.impossible`.
    about : {"both", "kinetics", "upper", "emg"}
        Verdicts for which a finding counts, see :mod:`gaitdyn.quality.verdicts`.
    walk : bool
        Whether it applies to walking only: a jump lands harder, a seated hip is not above its
        knee.
    """

    code: str
    where: Where
    what: str
    why: str
    source: str
    action: str
    level: Literal["info", "warning", "error", "off"]
    limit: float | None = None
    low: float | None = None
    least: float | None = None
    flight: float | None = None
    unit: str = ""
    empties: Empties = ""
    about: About = "both"
    walk: bool = False
    if_cut: str = ""

    def action_for(self, finding: Finding) -> str:
        """Return what to do about a finding of this rule."""
        return self.if_cut if self.if_cut and CUT in finding.message else self.action

    @property
    def bound(self) -> float:
        """The limit; infinite if there is none."""
        return float("inf") if self.limit is None else self.limit

    def beyond(self, value: float) -> bool:
        """Return whether a known value is below the low or above the limit."""
        low = -math.inf if self.low is None else self.low
        return math.isfinite(value) and not low <= value <= self.bound

    def found(self, scope: str, message: str, value: float | None = None, **where: Any) -> Finding:
        """Return a finding of this rule.

        Parameters
        ----------
        scope, message : str
        value : float, optional
        **where : side, cycle, joint, start_s, stop_s, limit
        """
        level: Level = "info" if self.level == "off" else self.level
        below = self.low is not None and value is not None and value < self.low
        limit = where.pop("limit", self.low if below else self.limit)
        return Finding(level, self.code, scope, message, value, limit, **where)


@frozen()
class Rules:
    """All rows of the table, in its order.

    Attributes
    ----------
    by_code : dict
        Code -> Rule.
    """

    by_code: dict[str, QualityRule]

    @property
    def rows(self) -> tuple[QualityRule, ...]:
        """The rules."""
        return tuple(self.by_code.values())

    def __getitem__(self, code: str) -> QualityRule:
        """Return the rule of a code."""
        return self.by_code[code]

    def has(self, code: str) -> bool:
        """Return whether the table has a code."""
        return code in self.by_code

    def of_task(self, task: Task) -> Rules:
        """Return the rules with the limits of a task."""
        if task not in IN_FLIGHT:
            return self
        flights = {code: r.flight for code, r in self.by_code.items() if r.flight is not None}
        higher = {
            code: replace(self[code], limit=max(self[code].limit or 0.0, flight))
            for code, flight in flights.items()
        }
        return Rules(self.by_code | higher)

    def about_muscles(self, code: str) -> bool:
        """Return whether a code is about electromyography alone."""
        return self.has(code) and self[code].about == "emg"

    def about_legs(self, code: str) -> bool:
        """Return whether a code is about the legs: neither muscles nor the upper body alone."""
        return not self.has(code) or self[code].about in ("both", "kinetics")


def load_rules(path: str | Path | None = None) -> Rules:
    """Return the default table, with the changes in a laboratory's file if one is given.

    Such a file has tables ``[code]`` with ``limit``, ``low``, ``least``, ``flight`` or ``level``.

    Parameters
    ----------
    path : path-like, optional
        The laboratory's TOML file.

    Raises
    ------
    UsageError
        If the file cannot be read, or has an unknown rule, key or value.
    """
    if path is None:
        return _shipped()
    rules = dict(_shipped().by_code)
    for code, changes in _changes(Path(path)).items():
        if code not in rules:
            raise UsageError(f"--quality {Path(path).name}: there is no rule [{code[:SHOWN]}]")
        _check(Path(path).name, rules[code], changes)
        rules[code] = replace(rules[code], **changes)
    return Rules(rules)


@cache
def _shipped() -> Rules:
    """Return the default table, read once per process.

    Each line is ``[code]`` or a key with a value that is written the same in JSON and TOML. Reading
    it takes a sixth of the time of a full TOML parser.
    """
    resource = files("gaitdyn") / "resources" / "quality" / "rules.toml"
    lines = _LINE.findall(resource.read_text(encoding="utf-8"))
    parts = [f',"{key}":{value}' if key else f'}},{{"code":"{code}"' for code, key, value in lines]
    rows = json.loads(f"[{''.join(parts)[2:]}}}]")
    return Rules({row["code"]: QualityRule(**row) for row in rows})


def _changes(path: Path) -> dict[str, Any]:
    from gaitdyn.io.toml_lines import read_toml_file

    return read_toml_file(path, "--quality")[1]


def _check(file: str, rule: QualityRule, changes: Any) -> None:
    """Refuse changes that do not exist in the rule.

    Raises
    ------
    UsageError
    """
    limits = {name for name in _LIMITS if getattr(rule, name) is not None}
    if not isinstance(changes, dict):
        raise UsageError(f"--quality {file}: [{rule.code}] is {told(changes)}, wanted a table")
    for key, value in changes.items():
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        number = number and not math.isnan(value)
        good = value in LEVELS if key == "level" else key in limits and number
        if not good:
            wanted = ", ".join(["level (info, warning, error, off)", *sorted(limits)])
            raise UsageError(
                f"--quality {file}: [{rule.code}] {key[:SHOWN]} = {told(value)}, wanted {wanted}"
            )

"""How the trials of an archive were processed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gaitdyn.archive.query import CYCLES
from gaitdyn.archive.where import Condition, where_sql
from gaitdyn.judge.settings import SETTING_FIELDS, settings_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence


def settings_of_trials(
    connection: sqlite3.Connection, where: Sequence[Condition]
) -> dict[str, list[str]]:
    """Return the values of each option in which trials that are compared must agree.

    The axes of moments are not among them: a set has moments in axes of one kind.
    """
    text, values = where_sql(where)
    trials = f"SELECT DISTINCT trial.id {CYCLES} WHERE {text}"
    fields = ", ".join(f"'$.options.{key}'" for key in SETTING_FIELDS)
    person = "trial.age_years, trial.mass_kg, trial.height_m"
    rows = connection.execute(
        f"SELECT DISTINCT json_extract(document, {fields}), {person} FROM provenance"  # noqa: S608  constants only
        f" JOIN trial ON trial.id = provenance.trial_id WHERE trial.id IN ({trials})",
        values,
    )
    documents = [
        {
            "options": dict(zip(SETTING_FIELDS, json.loads(options), strict=True)),
            "subject": {"age_years": age, "mass_kg": mass, "height_m": height},
        }
        for options, age, mass, height in rows
        if json.loads(options)[0] is not None  # results of gaitdyn all have a profile
    ]
    found = settings_of(documents) if documents else {}
    return {option: texts for option, texts in found.items() if option != "--moments-in"}

"""How trials were processed: whether two sessions, or a walk and a reference set, agree in it."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from gaitdyn.calibrate.body.table_choice import AUTO, table_name
from gaitdyn.judge.doubt import Doubt, joined, values_of
from gaitdyn.store.modelled import has_no_model, with_model
from gaitdyn.types.options import Options
from gaitdyn.types.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.judge.session import SessionWalk
    from gaitdyn.store.stored import StoredTrial

SAME_CUTOFF_HZ = 1.0

Whose = Literal["session", "condition", "group"]

_OPTIONS = {
    "profile": "--profile",
    "filter": "--filter",
    "cutoff_hz": "--cutoff",
    "hip_centre": "--hip-centre",
    "offsets": "--offsets",
}
_LOAD_OPTIONS = {
    "force_cutoff_hz": "--force-cutoff",
    "moments_in": "--moments-in",
    "anthropometry": "--anthropometry",
}

_EVERY = {**_OPTIONS, **_LOAD_OPTIONS}

_VENDOR, _OF_VENDOR = "plug-in-gait", ("filter", "cutoff_hz", "force_cutoff_hz")
"""The profile with numerics of its own, and the options that it decides."""

SETTING_FIELDS = tuple(_EVERY)
"""The options in ``result.json`` in which trials that are compared must agree."""


def doubt_of_settings(
    before: SessionWalk, after: SessionWalk, rule: CurveRule, whose: Whose = "session"
) -> list[Doubt]:
    """Return a doubt if two sessions were processed differently, with the remedy.

    Electromyography alone has no model that could differ.

    Parameters
    ----------
    before, after : SessionWalk
    rule : CurveRule
    whose : {"session", "condition", "group"}
        What is compared. Of groups of people a body-segment table that is the choice for the person
        is no difference, as in :func:`settings_of`.
    """
    keys = _OPTIONS if rule.is_angle else _EVERY
    read = _set_to if whose == "group" else _value
    differences: list[str] = []
    again: dict[tuple[str, ...], list[str]] = {}
    profile = _wanted(*(_texts(walk, "profile", read) for walk in (before, after)))
    for key, option in keys.items():
        first, second = ([*_texts(walk, key, read)] for walk in (before, after))
        if _alike(key, values_of(first), values_of(second)):
            continue
        differences.append(f"{option} {joined(values_of(first))} and {joined(values_of(second))}")
        if profile == _VENDOR and key in _OF_VENDOR:  # its words are no values of an option
            continue
        wanted = _wanted(first, second)
        trials = zip((*before.trials, *after.trials), (*first, *second), strict=True)
        others = tuple(dict.fromkeys(_file_of(t) for t, value in trials if value != wanted))
        again.setdefault(others, []).append(f"{option} {wanted or 'none'}")
    walks = before, after
    modelled = not any(has_no_model(trial) for walk in walks for trial in walk.trials)
    for word, of_trial in _READ if modelled else ():
        one, other = (values_of(map(of_trial, walk.trials)) for walk in walks)
        if one != other:
            differences.append(f"{word} {joined(one)} and {joined(other)}")
    if not differences:
        return []
    reason = f"the {whose}s were processed differently: {', '.join(differences)}"
    remedy = f"process both {whose}s with one --model and the same markers"
    commands = [_command(files, options) for files, options in again.items()]
    return [Doubt("; ".join((reason, *(commands or [remedy]))))]


def _texts(walk: SessionWalk, key: str, read: Callable[[dict[str, Any], str], Any]) -> list[str]:
    """Return the value of an option in each trial, as text."""
    return [values_of([read(trial.document, key)])[0] for trial in walk.trials]


def _wanted(first: Sequence[str], second: Sequence[str]) -> str:
    """Return the value that all trials should have: that of a side which agrees, or the usual one.

    Examples
    --------
    >>> _wanted(["10"], ["6"]), _wanted(["6", "10"], ["10", "10"])
    ('10', '10')
    """
    agreed = next((side for side in (first, second) if len(set(side)) == 1), (*first, *second))
    return Counter(agreed).most_common(1)[0][0]


def _file_of(trial: StoredTrial) -> str:
    inputs = trial.document["inputs"]
    return str(next(file["name"] for file in inputs if file["role"] == "trial"))


def _command(files: Sequence[str], options: Sequence[str]) -> str:
    """Return how to process trials again."""
    rest = f", likewise {' and '.join(files[1:])}" if len(files) > 1 else ""
    return f"process again: gaitdyn process {files[0]} {' '.join(options)}{rest}"


def doubts_of_set(
    settings: Mapping[str, Sequence[str]], walk: SessionWalk
) -> dict[bool, tuple[Doubt, ...]]:
    """Return the doubts about angles (True) and loads (False) of a walk processed unlike a set.

    A set whose own people were processed differently lowers the verdict, if the walk is like some
    of them.

    Parameters
    ----------
    settings : mapping
        Option -> its values among the people of the set, of :func:`settings_of`; empty if the set
        does not say.
    walk : SessionWalk
    """
    ours = settings_of([trial.document for trial in walk.trials]) if settings else {}
    found: dict[bool, list[Doubt]] = {True: [], False: []}
    for key, option in _EVERY.items():
        own, theirs = (tuple(values.get(option, ())) for values in (ours, settings))
        if not theirs or key == "moments_in" or _alike(key, own, theirs):
            continue
        inside = set(own) <= set(theirs)
        reason = (
            f"the people of the reference set were processed with {option} {' and '.join(theirs)}"
            if inside
            else f"processed with {option} {joined(own)}, the people of the reference set with"
            f" {joined(theirs)}"
        )
        for is_angle in (True, False) if key in _OPTIONS else (False,):
            found[is_angle].append(Doubt(reason, refuses=not inside))
    return {is_angle: tuple(doubts) for is_angle, doubts in found.items()}


def mixed_settings(trials: Sequence[StoredTrial]) -> list[str]:
    """Return the settings in which trials differ that are shown together, with their values.

    Axes of moments do not count: a report shows all. Neither do trials without a model beside some
    that have one.
    """
    keys = {key: option for key, option in _EVERY.items() if key != "moments_in"}
    return _mixed(with_model(trials), keys, _value)


def doubt_of_mixture(walk: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return a doubt if the people of two groups, taken together, were not processed alike.

    :func:`doubt_of_settings` sees only settings that one group has and the other has not. Those
    that both have may be of most people in one and of few in the other.

    Parameters
    ----------
    walk : SessionWalk
        Of both groups.
    rule : CurveRule
        Axes of the shank count for angles and moments of knee and ankle; a power has none.
    """
    shank = rule.name.startswith(("knee", "ankle")) and not rule.name.endswith("power")
    mixed = _mixed(walk.trials, _OPTIONS if rule.is_angle else _EVERY, _set_to, shank=shank)
    reason = f"people within the groups were processed differently: {', '.join(mixed)}"
    return [Doubt(reason, refuses=False)] if mixed else []


def _mixed(
    trials: Sequence[StoredTrial], keys: Mapping[str, str],
    read: Callable[[dict[str, Any], str], Any], *, shank: bool = True,
) -> list[str]:  # fmt: skip
    """Return what differs between trials, with its values."""
    mixed = []
    for key, option in keys.items():
        values = values_of(read(trial.document, key) for trial in trials)
        close = key.endswith("_hz") and _alike(key, values, values)
        if len(values) > 1 and not close:
            mixed.append(f"{option} {joined(values)}")
    for word, of_trial in _READ:
        values = values_of(map(of_trial, trials))
        if len(values) > 1 and (shank or of_trial is not shank_of):
            mixed.append(f"{word} {joined(values)}")
    return mixed


def settings_of(documents: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the values of each option in which sessions may differ, as texts.

    A body-segment table that is the choice for the person is ``auto``, as the choice is not a
    setting.

    Parameters
    ----------
    documents : sequence of dict
        ``result.json`` of the trials.
    """
    return {
        option: [value or "none" for value in values_of(_set_to(d, key) for d in documents)]
        for key, option in _EVERY.items()
    }


def _set_to(document: dict[str, Any], key: str) -> Any:
    """Return the value of an option in ``result.json``."""
    value = _value(document, key)
    if key != "anthropometry" or value is None:
        return value
    person = document["subject"]
    of_person = (person.get(name) for name in ("age_years", "mass_kg", "height_m"))
    chosen = _table_for(document["options"]["profile"], *of_person)
    return AUTO if value == chosen else value


@lru_cache(maxsize=256)
def _table_for(profile: Any, age_years: Any, mass_kg: Any, height_m: Any) -> str:
    subject = Subject(age_years=age_years, mass_kg=mass_kg, height_m=height_m)
    return table_name(Options(profile=profile), subject)


def _value(document: dict[str, Any], key: str) -> Any:
    return document["options"].get(key)


def _alike(key: str, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Return whether a setting is the same in both, for cut-offs within 1 Hz."""
    if first == second and len(first) == 1:
        return True
    if not key.endswith("_hz"):
        return first == second
    try:
        numbers = [float(value) for value in (*first, *second)]
    except ValueError:
        return False
    return max(numbers) - min(numbers) <= SAME_CUTOFF_HZ


def model_of(trial: StoredTrial) -> str:
    """Return the marker model of a trial."""
    return str(trial.document["model"].get("name"))


def _hip(trial: StoredTrial) -> str:
    rungs = trial.document["model"].get("rungs", ())
    return "/".join(sorted({str(rung["rung"]) for rung in rungs if rung["place"] == "hip"}))


def shank_of(trial: StoredTrial) -> str:
    """Return what the z axes of the shanks of a trial are aligned with."""
    axes = trial.document["model"].get("axes", {})
    return "/".join(sorted({str(side["shank"]) for side in axes.values()}))


_READ = (("model", model_of), ("hip rule", _hip), ("shank axes", shank_of))
"""What else must agree, and how it is read from a trial."""

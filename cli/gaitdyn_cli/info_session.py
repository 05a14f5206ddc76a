"""``gaitdyn info SESSION``: what will be done with a folder of C3D files, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.types.words import counted
from gaitdyn_cli.console import answer, answer_document

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.session import TrialPlan

_FOUND = "by its name and its times"
"""How the forces of a recording are found in its session."""

_LEG_SIZES = (("leg length", "leg_length"), ("knee", "knee_width"), ("ankle", "ankle_width"))


def show_session(folder: Path, given: dict[str, Any], *, show_names: bool, as_json: bool) -> None:
    """Print the plan of a session; ``given`` are the command-line options."""
    from gaitdyn.session import plan_session
    from gaitdyn.session.plan_description import describe_session

    plan = plan_session(folder, given)
    description = describe_session(plan, show_names=show_names)
    for trial, entry in zip(plan.trials, description["files"], strict=True):
        entry["notes"] += cycle_notes(trial)
        entry["problem"] = entry["problem"] or bands_refused(trial) or None
    if show_names:
        description["names"] = _names(plan)
    if as_json:
        answer_document(description)
        return
    answer(*session_lines(description))


def cycle_notes(trial: TrialPlan) -> list[str]:
    """Return which cycles of a walk are to be left out that it does not have."""
    if trial.role != "dynamic" or not trial.options.leave_out:
        return []
    from gaitdyn.pipeline import cycles_not_there  # slow to import

    return cycles_not_there(trial.path, trial.options)


def bands_refused(trial: TrialPlan) -> str:
    """Return why a walk is refused for the bands that are wanted; empty if it is not."""
    if trial.role != "dynamic" or trial.options.uncertainty == "none":
        return ""
    from gaitdyn.errors import UsageError
    from gaitdyn.uncertainty.on_demand import keepers_of  # slow to import

    try:
        keepers_of(trial.options, sensitivity=False, sweeps=())
    except UsageError as error:
        return str(error)
    return ""


def _names(plan: Any) -> list[str]:
    from gaitdyn.errors import FileRefused
    from gaitdyn.io.c3d.subject import person_names

    names: list[str] = []
    for trial in plan.trials:
        try:
            names += person_names(trial.path)
        except FileRefused:
            continue
    return list(dict.fromkeys(names))


def session_lines(description: dict[str, Any]) -> list[str]:
    """Return the printed lines of a described session.

    Parameters
    ----------
    description : dict
        From :func:`gaitdyn.session.plan_description.describe_session`.
    """
    files = description["files"]
    count = sum(entry["role"] == "dynamic" for entry in files)
    walks = [entry for entry in files if entry["role"] == "dynamic" and entry["problem"]]
    alone = sum(entry["muscles_alone"] for entry in walks)
    refused = len(walks) - alone
    title = f"{description['session']}: {counted(len(files), 'recording')}, {count} to process"
    title += f", of which {refused} will be refused" if refused else ""
    title += f", {alone} for the electromyography alone" if alone else ""
    lines = [title]
    lines += [f"  note: {note}" for note in description["notes"]]
    head = ("file", "role", "static", "condition", "plates by hand")
    rows = [head, *(_row(entry) for entry in files)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    for row, entry in zip(rows, [None, *files], strict=True):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(cells).rstrip())
        lines += [f"    {line}" for line in _details(entry)]
    for subject in description["subjects"]:
        lines += _subject_lines(subject)
    return lines + (
        ["Names", *(f"  {name}" for name in description["names"])] if "names" in description else []
    )


def _row(entry: dict[str, Any]) -> tuple[str, ...]:
    plates = ", ".join(f"{a['plate']} {a['side']}{_frames(a)}" for a in entry["plates"])
    static = entry["static"] or ("none" if entry["role"] == "dynamic" else "-")
    return (entry["file"], entry["role"], static, entry["condition"] or "-", plates or "-")


def _frames(assignment: dict[str, Any]) -> str:
    frames = assignment["frames"]
    return f" {frames[0]}-{frames[1]}" if frames else ""


def _details(entry: dict[str, Any] | None) -> list[str]:
    """Return why a file is treated as it is, and what is missing."""
    if entry is None:
        return []
    from gaitdyn.types.arguments import option_of

    lines = [f"why: {entry['reason']}"]
    if entry["description"]:
        lines.append(f"described as: {entry['description']}")
    if entry["static"]:
        lines.append(f"static: {entry['static_reason']}")
    if entry["plates"]:
        lines.append(f"feet on plates: {entry['plates_source']}")
    for name, option in entry["options"].items():
        words = option_of(name).removeprefix("--").replace("-", " ")
        unit = name.removeprefix(words.replace(" ", "_")).strip("_").replace("hz", "Hz")
        value = _option_words(name, option["value"], unit)
        source = _FOUND if (name, option["source"]) == ("forces", "session") else option["source"]
        source = "" if value == source else f" ({source})"
        lines.append(f"{words}: {value}{source}")
    if entry["events"]:
        lines.append(f"events: {len(entry['events'])} given instead of those in the file")
    if entry["leave_out"]:
        lines.append(f"cycles left out: {', '.join(entry['leave_out'])}")
    lines += [f"note: {text}" for text in entry["notes"]]
    lines += [f"incomplete: {text}" for text in entry["missing"]]
    expected = "no curves" if entry["muscles_alone"] else "will be refused"
    return lines + ([f"{expected}: {entry['problem']}"] if entry["problem"] else [])


def _option_words(name: str, value: Any, unit: str) -> str:
    """Return the value of an option with its unit, without the digits of 32 bits of a file."""
    from gaitdyn.store.plain import plain
    from gaitdyn.store.setting_words import setting_words

    parts = [plain(part) for part in (value if isinstance(value, (list, tuple)) else [value])]
    if not all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in parts):
        return setting_words(name, plain(value))
    return f"{setting_words(name, [f'{part:.6g}' for part in parts])} {unit}".rstrip()


def _subject_lines(subject: dict[str, Any]) -> list[str]:
    def shown(measures: dict[str, Any], key: str, unit: str) -> str:
        entry = measures[key]
        if entry["value"] is None:
            return "not given"
        return f"{entry['value']:.4g} {unit} ({entry['source']})"

    mass, height = shown(subject, "mass_kg", "kg"), shown(subject, "height_m", "m")
    diameter = shown(subject, "marker_diameter_mm", "mm")
    pseudonym = f" {subject['id']}" if subject["id"] else ""
    lines = [
        f"Subject{pseudonym} of {', '.join(subject['files'])}",
        f"  mass {mass}, height {height}, marker diameter {diameter}",
    ]
    for side in ("left", "right"):
        leg = subject[side]
        sizes = [f"{name} {shown(leg, f'{key}_mm', 'mm')}" for name, key in _LEG_SIZES]
        if leg["marker_diameter_mm"]["value"] is not None:
            sizes.append(f"marker diameter {shown(leg, 'marker_diameter_mm', 'mm')}")
        lines.append(f"  {side}: {', '.join(sizes)}")
    return lines

"""``gaitdyn info``: what is in a file, or what will be done with a session."""

from __future__ import annotations

import textwrap
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Optional

from gaitdyn.errors import FileRefused, UsageError
from gaitdyn.types.words import counted
from gaitdyn_cli.choices import Given
from gaitdyn_cli.console import answer, answer_document
from gaitdyn_cli.info_session import bands_refused, cycle_notes, show_session
from gaitdyn_cli.options import with_options

_SHOWN = 8
_CENTRES = {
    "hip": " in pelvis axes, from the middle of the ASIS",
    "knee": " along the leg, from the lateral marker",
    "ankle": " along the leg, from the lateral marker",
}
_LEG_SIZES = (("leg", "length"), ("knee", "width"), ("ankle", "width"))
_NAMES = "Names"
_WIDTH = 96
_NARROWEST = 16
"""Letters of the column of labels, which is wider if a label is longer."""
_OTHERS = 12
_LONG, _ENDS = 12, 3
"""Longest list of times that is written whole; how many of a longer one begin it."""
_PLACE = " (height "
"""Start of the measured position in a reason; shown only if a label is not sure."""

_CODES = {
    "ASIS": "front of the pelvis", "PSIS": "back of the pelvis", "SACR": "sacrum",
    "GTR": "greater trochanter", "KLE": "knee outside", "KME": "knee inside",
    "ANL": "ankle outside", "ANM": "ankle inside", "CAL": "heel", "TOE": "forefoot",
    "HLX": "big toe", "MT1H": "first metatarsal", "MT5H": "fifth metatarsal",
    "FIB": "head of the fibula", "TTU": "tibial tuberosity", "PAT": "kneecap",
    "THX": "wand or cluster of the thigh", "SHX": "of the shank", "FTX": "of the foot",
    "PEX": "of the pelvis", "KJC": "centre of the knee", "AJC": "of the ankle", "HJC": "of the hip",
}  # fmt: skip
"""Codes of legs and pelvis in everyday words; the others have those of the table of roles."""


@with_options("info")
def info(
    *,
    trial: Path,
    given: Given,
    joint_centres: bool = False,
    show_names: bool = False,
    as_json: bool = False,
    figure: bool = False,
    out: Optional[Path] = None,
) -> None:
    """Show what is in a file, or what will be done with each file of a session and why."""
    _check_options(trial, figure, joint_centres, out)
    if trial.is_dir():
        show_session(trial, given, show_names=show_names, as_json=as_json)
        return
    from gaitdyn.session import plan_trial
    from gaitdyn.tables.file_description import describe

    plan = plan_trial(trial, given)
    with _names_of_refused(trial, wanted=show_names and not as_json):
        description = describe(trial, plan.options, plan.sources, show_names=show_names)
    if plan.sources.get("static") == "session":
        description["static"]["reason"] = plan.static_reason
    description["notes"] += cycle_notes(plan)
    description["refused"] = description["refused"] or bands_refused(plan)
    picture = _draw(trial, given.get("subject_prefix"), out or Path()) if figure else None
    if as_json:
        answer_document(description)
        return
    sections = _sections(description)
    if picture is not None:
        sections.append(("Figure", [str(picture)]))
    if joint_centres:
        for joint, where in _CENTRES.items():
            title = f"{joint.capitalize()} centres (mm; forward, up, right{where})"
            sections.append((title, _centres(description[f"{joint}_centres"])))
    if show_names:
        sections.append((_NAMES, description["names"] or ["none"]))
    for title, lines in sections:
        answer(title, *(f"  {line}" for line in lines))


@contextmanager
def _names_of_refused(trial: Path, *, wanted: bool) -> Generator[None, None, None]:
    """Print the names in a file that is refused: one for its several subjects has them masked."""
    try:
        yield
    except FileRefused:
        if wanted:
            from gaitdyn.io.c3d.subject import person_names

            answer(_NAMES, *(f"  {name}" for name in person_names(trial) or ["none"]))
        raise


def _check_options(trial: Path, figure: bool, joint_centres: bool, out: Path | None) -> None:
    if out is not None and not figure:
        raise UsageError("-o is the folder of the figure; add --figure")
    for requested, name in ((figure, "--figure"), (joint_centres, "--joint-centres")):
        if requested and trial.is_dir():
            raise UsageError(f"{name} works on one file; name a recording of the session")


def _draw(trial: Path, prefix: str | None, folder: Path) -> Path:
    """Write a picture of the person in a file and return its path."""
    from gaitdyn.io.recording import read_recording
    from gaitdyn.landmarks import resolve
    from gaitdyn.plots.person import person_sheet
    from gaitdyn.plots.png import png_bytes
    from gaitdyn.store.single_file import put_in_place, refuse_foreign

    path = folder / f"{trial.stem}-landmarks.png"
    refuse_foreign(path, force=False, advice="move it away, or name another folder with -o")
    recording = read_recording(trial, prefix)
    sheet = person_sheet(recording, resolve(recording)[0])
    if sheet is None:
        message = f"{trial.name}: labels and positions do not show an upright person; no figure"
        raise UsageError(message)
    put_in_place(path, png_bytes(sheet))
    return path


def _sections(description: dict[str, Any]) -> list[tuple[str, list[str]]]:
    file, axes, static = description["file"], description["axes"], description["static"]
    analog = counted(file["analog_per_frame"], "analog sample")
    size = (
        f"{counted(file['frames'], 'frame')} at {file['rate_hz']:g} Hz ({file['seconds']:g} s),"
        f" first frame {file['first_frame']}; {analog} per frame; points in {file['units']}"
    )
    head = [size]
    if axes["up"]:
        motion = f"the pelvis moves {axes['walked_m']:.2f} m, forward is {axes['forward']}"
        head.append(f"axes: up is {axes['up']}; {motion}")
    else:
        head.append("axes: not clear; name them with --up and --forward")
    head += [f"up by {vote}" for vote in axes["votes"]]
    if description["task"]:
        head.append(f"task: {description['task']}")
    return [
        (file["name"], head + [f"note: {note}" for note in description["notes"]]),
        *([("Segment poses", _pose_lines(description["poses"]))] if description["poses"] else []),
        ("Markers", _marker_lines(description["markers"])),
        ("Landmarks", landmark_lines(description["labels"])),
        ("Model", _model_lines(description["model"])),
        *([("Upper body", _upper_lines(description["upper"]))] if description["upper"] else []),
        ("Static", _static_lines(static, description["task"])),
        ("Force plates", [_plate_line(plate) for plate in description["plates"]] or ["none"]),
        *emg_section(description),
        ("Events", _event_lines(description["events"])),
        ("Subject, of the file", _subject_lines(description["subject"])),
        *([("Missing", wrapped(description["missing"]))] if description["missing"] else []),
        *([("Refused", wrapped(description["refused"]))] if description["refused"] else []),
    ]


def _centres(centres: dict[str, Any]) -> list[str]:
    lines = []
    for side, rows in centres.items():
        for row in rows:
            xyz = ["  unknown" if row[k] is None else f"{row[k]:9.1f}" for k in "xyz"]
            lines.append(f"{side:5s} {row['rule']:23s}{''.join(xyz)}")
    return lines or ["the markers are missing"]


def _marker_lines(markers: dict[str, Any]) -> list[str]:
    drawn, outputs = markers["drawn_points"], markers["model_outputs"]
    others = ((drawn, "drawn point"), (outputs, "model output"))
    extra = " and ".join(counted(count, noun) for count, noun in others if count)
    besides = f" (not counting {extra})" if extra else ""
    lines = [f"{counted(markers['count'], 'marker')}{besides}"]
    lines += wrapped(" ".join(markers["labels"]))
    gaps = ", ".join(f"{label} {n}" for label, n in markers["frames_missing"].items())
    if gaps:
        lines += wrapped(f"frames missing: {gaps}")
    if markers["never_seen"]:
        lines += wrapped(f"never seen: {' '.join(markers['never_seen'])}")
    return lines


def _upper_lines(upper: dict[str, str]) -> list[str]:
    return [line for part, words in upper.items() for line in wrapped(f"{part}: {words}")]


def _pose_lines(poses: dict[str, Any]) -> list[str]:
    lines = wrapped(f"{poses['title']}; {poses['rate_hz']:g} Hz")
    segments = [f"{name} {n}" if n else name for name, n in poses["frames_missing"].items()]
    lines += wrapped(f"segments (and frames missing): {', '.join(segments)}")
    if poses["not_used"]:
        lines += wrapped(f"not used: {' '.join(poses['not_used'])}")
    return lines


def _static_lines(static: dict[str, Any], task: str | None) -> list[str]:
    if not static["name"] and task == "standing":
        return ["not searched for: the person stands in this file; give it as a static"]
    return wrapped(f"{static['name'] or 'none'}: {static['reason']}")


def _model_lines(model: dict[str, Any]) -> list[str]:
    """Return the model and rungs that ``process`` uses, or why it refuses the file."""
    if not model["name"]:
        return wrapped(f"none fits: {model['refusal']}")
    lines = wrapped(f"{model['name']} ({', '.join(model['sides'])}): {model['title']}")
    if model["renamed"]:
        lines += wrapped(f"labels: {', '.join(model['renamed'])}")
    for side, rungs in model["rungs"].items():
        summary = (f"{place} {rung or 'not shown'}" for place, rung in rungs.items())
        lines += wrapped(f"{side}, by its landmarks: {', '.join(summary)}")
    if model["refusal"]:
        lines += wrapped(f"refused as it is: {model['refusal']}")
    for side, lacking in model["missing"].items():
        lines += wrapped(f"{side} leg not computed, it lacks {', '.join(lacking[:_SHOWN])}")
    return lines


def _plate_line(plate: dict[str, Any]) -> str:
    kind = f"type {plate['type']}" if plate["type"] else "given force"
    head = f"plate {plate['number']} ({kind}): "
    if plate["problem"]:
        return head + f"left out, {plate['problem']}"
    runs = first_and_last([f"{a}-{b}" for a, b in plate["loaded_frames"]])
    loaded = f"loaded in frames {runs}, peak {plate['peak_n']:g} N" if runs else "not loaded"
    details = ["inverted"] if plate["inverted"] else []
    details += [f"baseline {plate['baseline_n']:g} N"] if plate["type"] else []
    details += plate["notes"]
    return head + "; ".join([loaded, *details])


def emg_section(description: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Return the section on electromyography, if any channel may be it."""
    lines, others = (
        [_emg_line(r) for r in description["emg"]],
        description["channels_without_muscle"],
    )
    if others:
        lines += wrapped(
            f"no muscle in these names: {_listed(others)} (if they are electromyography, name the"
            " muscles in emg.toml)"
        )
    return [("EMG", lines)] if lines else []


def _listed(labels: list[str]) -> str:
    """Return the first labels of a list."""
    return " ".join(labels[:_OTHERS]) + (" ..." if len(labels) > _OTHERS else "")


def first_and_last(words: list[str]) -> str:
    """Return a list in words; of a long one, as of the steps on a treadmill, its two ends."""
    if len(words) <= _LONG:
        return ", ".join(words)
    return f"{', '.join(words[:_ENDS])} and {len(words) - _ENDS} more until {words[-1]}"


def _emg_line(row: dict[str, Any]) -> str:
    """Return channel, label, muscle and side, status and why."""
    name = " ".join(x for x in (row["side"], row["muscle"].replace("_", " ")) if x)
    reason = f" ({row['reason']})" if row["reason"] else ""
    return f"{row['number']:3d} {row['label']}: {name or 'not named'}, {row['status']}{reason}"


def _event_lines(events: list[dict[str, Any]]) -> list[str]:
    if not events:
        return ["none in the file; they are found from plates and feet"]
    lines = []
    for side in ("left", "right"):
        for kind, word in (("foot_strike", "foot strike"), ("foot_off", "foot-off")):
            times = [
                f"{e['time_s']:.2f}" for e in events if (e["side"], e["event"]) == (side, kind)
            ]
            if times:
                lines.append(f"{side} {word} at {first_and_last(times)} s")
    return lines


def _subject_lines(subject: dict[str, Any]) -> list[str]:
    def shown(value: float | None, unit: str) -> str:
        return "not given" if value is None else f"{value:g} {unit}"

    mass, height = shown(subject["mass_kg"], "kg"), shown(subject["height_m"], "m")
    diameter = shown(subject["marker_diameter_mm"], "mm")
    lines = [f"mass {mass}, height {height}, marker diameter {diameter}"]
    for side in ("left", "right"):
        leg = subject[side]
        sizes = [f"{k} {shown(leg[f'{k}_{w}_mm'], 'mm')}" for k, w in _LEG_SIZES]
        lines.append(f"{side}: {', '.join(sizes)}")
    taken = subject["taken"]
    return [*lines, *([f"process takes {', '.join(taken)}"] if taken else [])]


def wrapped(text: str) -> list[str]:
    """Return the lines of a text; names with hyphens are not broken. One empty line for nothing."""
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False) or [""]


def landmark_lines(labels: dict[str, Any]) -> list[str]:
    """Return one line per landmark: label, landmark, our name, how sure, why."""
    from gaitdyn.landmarks.labels.role_table import code_words

    rows = (*labels["landmarks"], *labels["static_only"])
    wide = max([_NARROWEST, *(len(row["label"]) for row in rows)])
    head = f"{'label':{wide}s} landmark    name   sure      why"
    lines = [head] if labels["landmarks"] else []
    lines += [_row(row, wide) for row in labels["landmarks"]]
    if labels["static_only"]:
        lines.append("only in the static:")
        lines += [_row(row, wide) for row in labels["static_only"]]
    codes = {row["landmark"] for row in rows}
    meanings = [(code, words) for code, words in _CODES.items() if code in codes]
    meanings += code_words(codes - set(_CODES))
    if meanings:
        lines += wrapped(", ".join(f"{code} {words}" for code, words in meanings))
    lines += _others(labels["unresolved"])
    for finding in labels["findings"]:
        lines += wrapped(f"{finding['level']}: {finding['message']}")
    return lines or ["none of the labels is a landmark that we know"]


def _row(row: dict[str, Any], wide: int) -> str:
    where = f"{row['landmark']} {row['side'] or ''}".strip()
    head = f"{row['label']:{wide}s} {where:11s} {row['role'] or '-':6s} {row['sure']:9s}"
    reason = row["why"].partition(_PLACE)[0] if row["sure"] == "sure" else row["why"]
    return f"{head} {reason}".rstrip()


def _others(rows: list[dict[str, Any]]) -> list[str]:
    """Return the labels that are not landmarks, grouped by reason."""
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        by_reason.setdefault(row["why"], []).append(row["label"])
    lines: list[str] = []
    for reason, labels in by_reason.items():
        lines += wrapped(f"not landmarks: {_listed(list(dict.fromkeys(labels)))} ({reason})")
    return lines

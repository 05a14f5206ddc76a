"""A marker model written as TOML: complete, commented, and unchanged when it is read again."""

from __future__ import annotations

import json
from collections import Counter

from gaitdyn.types.marker_model import MarkerModel, ModelMatch
from gaitdyn.types.recording import Recording

_GROUPS = (
    ("Pelvis", ("ASI", "PSI", "SACR")),
    ("Hip, knee", ("HJC", "GTR", "KNE", "KNM", "KJC", "THI", "KAX", "KD1", "KD2")),
    ("Ankle, foot", ("ANK", "MED", "AJC", "TIB", "HEE", "TOE", "MT1", "MT5")),
)
_REST = "Markers that track a segment, and others"
_HEAD = """\
# A marker model of this laboratory, to be read with --model FILE.toml (docs/marker-models.md).
# Correct what is wrong: our name = the labels of your files, the first that is seen is taken.
# A comment begins with # and is not read. A mistake ends in one line that says what is allowed.
"""
_LABELS = "[labels]  # our name = labels of the file; label|description where one is there twice"
_TRACKING = (
    "[tracking]  # what moves with each segment; {s} is L or R, @hip @knee @ankle are centres"
)
_CLIMBS = "climbs = true  # every segment is done as far as the markers allow; none is needed"
_ENGINE = {
    "chord": "Plug-in Gait: joint centres from widths and wands in every frame",
    "landmarks": "joint centres from landmarks, carried by the markers that track each segment",
    "sagittal": "one plane: the markers of a leg are used as its joint centres",
}


def model_text(
    model: MarkerModel, found: list[tuple[str, Recording, ModelMatch]], name: str, version: str
) -> str:
    """Return a model as TOML, with the labels of some files first.

    Parameters
    ----------
    model : MarkerModel
    found : list of (str, Recording, ModelMatch)
        A word for each file (``trial``, ``static``), the recording with its labels as in the file,
        and how the model fits it.
    name : str
        Of the new model.
    version : str
        Of gaitdyn.
    """
    files = ", ".join(f"{word} {recording.name}" for word, recording, _ in found)
    lines = [
        _HEAD,
        f"name = {_text(name)}  # shown in the log and in the results",
        f"title = {_text(model.title)}",
        f"source = {_text(f'gaitdyn {version}: {model.name} as found in {files}')}",
        f"engine = {_text(model.engine)}  # {_ENGINE[model.engine]}",
    ]
    if model.engine != "sagittal":
        lines.append(
            f"optional = {_texts(model.optional)}  # without the side: a leg may lack them"
        )
    if model.climbs:
        lines.append(_CLIMBS)
    lines += ["", _LABELS]
    lines += _label_lines(model, found)
    if model.tracking:
        lines += ["", _TRACKING]
        lines += [f"{_key(segment)} = {_texts(names)}" for segment, names in model.tracking.items()]
    return "\n".join(lines) + "\n"


def _label_lines(model: MarkerModel, found: list[tuple[str, Recording, ModelMatch]]) -> list[str]:
    """Return the rows of ``[labels]`` under a heading for each part of the body."""
    by_file = {word: _labels_of(recording, match) for word, recording, match in found}
    groups: dict[str, list[str]] = {title: [] for title, _ in _GROUPS} | {_REST: []}
    for role, names in model.labels.items():
        stem = role[1:] if role[0] in "LR" else role
        title = next((t for t, stems in _GROUPS if stem in stems or role in stems), _REST)
        used = dict.fromkeys(labels[role] for labels in by_file.values() if role in labels)
        words = [word for word, labels in by_file.items() if role in labels]
        note = ""
        if len(words) < len(by_file):
            note = f"  # in the {words[0]} only" if words else "  # not seen"
        groups[title].append(f"{_text(role)} = {_texts(tuple(used) or names)}{note}")
    lines: list[str] = []
    for title, rows in groups.items():
        lines += [f"# {title}", *rows] if rows else []
    return lines


def _labels_of(recording: Recording, match: ModelMatch) -> dict[str, str]:
    """Return our name -> label of the file, with its description if the label occurs twice."""
    count = Counter(recording.labels)
    labels: dict[str, str] = {}
    for i, role in match.places.items():
        label = recording.labels[i]
        text = recording.descriptions[i] if i < len(recording.descriptions) else ""
        labels[role] = f"{label}|{text}" if count[label] > 1 and text else label
    return labels


def _key(segment: str) -> str:
    """Return a TOML key, in quotes if it contains a blank, such as ``left thigh``."""
    return segment if segment.isalpha() else _text(segment)


def _text(value: str) -> str:
    """Return a TOML text; JSON writes the same escapes."""
    return json.dumps(value, ensure_ascii=False)


def _texts(values: tuple[str, ...]) -> str:
    return "[" + ", ".join(map(_text, values)) + "]"

"""Single labels corrected by hand, ``--rename OLD=NEW``, before anything else reads them."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import Recording

Renaming = tuple[tuple[str, str], ...]


def mended(recording: Recording, rename: Renaming) -> Recording:
    """Return the recording with single labels replaced, before anything else reads them.

    A marker that already had the new label gets a star in front of it.

    Parameters
    ----------
    recording : Recording
    rename : tuple of (old, new)
    """
    new_labels = dict(rename)
    if not new_labels.keys() & set(recording.labels):
        return recording
    taken = {new for old, new in rename if old in recording.labels}
    labels = tuple(
        new_labels.get(label, f"*{label}" if label in taken else label)
        for label in recording.labels
    )
    return replace(recording, labels=labels)


def renaming_findings(
    rename: Renaming, recordings: list[Recording]
) -> tuple[list[Finding], list[str]]:
    """Return what is wrong with the renamings, and the lines to log.

    Warnings are given for every old label that no file has, and for two labels of one file with the
    same new label. In two files of a session they may be one marker.

    Parameters
    ----------
    rename : tuple of (old, new)
    recordings : list of Recording
        As read.
    """
    labels = list(dict.fromkeys(label for r in recordings for label in r.labels))
    folded = {label.casefold(): label for label in labels}
    findings, done = [], []
    for old, new in rename:
        if old in labels:
            done.append(f"{old} = {new}")
            continue
        similar = get_close_matches(old.casefold(), list(folded), n=3, cutoff=0.5)
        hint = f"; similar are {', '.join(folded[x] for x in similar)}" if similar else ""
        message = f"--rename {old}={new}: no marker is called {old!r}{hint}"
        findings.append(Finding("warning", "rename-unknown", old, message))
    findings += _one_for_two(rename, recordings)
    log = [f"renamed: {', '.join(done)}"] if done else []
    return findings, log + [finding.message for finding in findings]


def _one_for_two(rename: Renaming, recordings: list[Recording]) -> list[Finding]:
    """Return a warning for every new label that two markers of one file have been given."""
    told: dict[tuple[str, ...], str] = {}
    for new in dict.fromkeys(new for _, new in rename):
        for recording in recordings:
            olds = tuple(old for old, x in rename if x == new and old in recording.labels)
            if len(olds) > 1:
                told.setdefault((new, *olds), recording.name)
    return [
        Finding(
            "warning", "rename-twice", new,
            f"--rename gives {' and '.join(olds)} of {name} one label, {new}; rename only one of"
            " them",
            float(len(olds)),
        )
        for (new, *olds), name in told.items()
    ]  # fmt: skip

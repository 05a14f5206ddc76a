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
    """Return a warning for every old label that no file has, and the lines to log.

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
    log = [f"renamed: {', '.join(done)}"] if done else []
    return findings, log + [finding.message for finding in findings]

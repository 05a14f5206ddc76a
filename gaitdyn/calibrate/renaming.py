"""Single labels mended by hand, ``--rename OLD=NEW``, before anything else reads them."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import Recording

Renaming = tuple[tuple[str, str], ...]


def mended(recording: Recording, rename: Renaming) -> Recording:
    """Return the recording with single labels replaced, before anything else reads them.

    A marker that had the new label is set aside with a star.

    Parameters
    ----------
    recording : Recording
    rename : tuple of (old, new)
    """
    to = dict(rename)
    if not to.keys() & set(recording.labels):
        return recording
    taken = {new for old, new in rename if old in recording.labels}
    labels = tuple(
        to.get(label, f"*{label}" if label in taken else label) for label in recording.labels
    )
    return replace(recording, labels=labels)


def renaming_findings(
    rename: Renaming, recordings: list[Recording]
) -> tuple[list[Finding], list[str]]:
    """Return a warning for every old label that is in none of the files, and what to log.

    Parameters
    ----------
    rename : tuple of (old, new)
    recordings : list of Recording
        As read.
    """
    there = list(dict.fromkeys(label for r in recordings for label in r.labels))
    findings, done = [], []
    for old, new in rename:
        if old in there:
            done.append(f"{old} = {new}")
            continue
        folded = {label.casefold(): label for label in there}
        near = get_close_matches(old.casefold(), list(folded), n=3, cutoff=0.5)
        hint = f"; near it are {', '.join(folded[x] for x in near)}" if near else ""
        message = f"--rename {old}={new}: no marker is called {old!r}{hint}"
        findings.append(Finding("warning", "rename-unknown", old, message))
    log = [f"renamed: {', '.join(done)}"] if done else []
    return findings, log + [finding.message for finding in findings]

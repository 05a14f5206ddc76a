"""What is said of labels that were read under other names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from gaitdyn.io.names import masked_in_labels, name_words, words_of_most
from gaitdyn.landmarks import words_before
from gaitdyn.landmarks.labels.derived import OTHERS, of_people_beside, with_name_masked
from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import Recording
from gaitdyn.types.words import counted

_SHOWN = 3
"""How many doubts about labels a refusal repeats, and how many renamed labels a long list shows."""
_FEW = 8
"""Up to this many renamed labels are all shown."""


def labels_read(trial: Sequence[str], static: Sequence[str]) -> tuple[list[str], list[Finding]]:
    """Return a short line and a whole finding on the labels read under other names.

    Those of the static are told if they are not the same.
    """
    told = {"labels": trial, "labels of the static": [] if set(static) == set(trial) else static}
    given = {title: pairs for title, pairs in told.items() if pairs}
    findings = [
        Finding("info", "labels-read", title, f"{title} read under other names: {', '.join(pairs)}")
        for title, pairs in given.items()
    ]
    return [label_summary(title, pairs) for title, pairs in given.items()], findings


def people_beside(trial: Recording) -> list[Finding]:
    """Return a note on markers of a second person, whose labels have a name before ours.

    Of a file whose labels a marker model knows; otherwise those who read the labels say it. The
    name is masked.

    Parameters
    ----------
    trial : Recording
    """
    found = of_people_beside(trial.labels, trial.markers_L)
    if not found:
        return []
    names = first_few([with_name_masked(trial.labels[i], head) for i, head in found.items()])
    message = f"not used: {counted(len(found), 'marker')} ({names}) {OTHERS}"
    return [Finding("info", "landmark-others", "labels", message, float(len(found)))]


def names_hidden(*files: Recording | None) -> Callable[[str], str]:
    """Return a function that masks the names of persons that most labels of a file have in a text.

    What nearly all labels begin with is taken for such a name, too.

    Parameters
    ----------
    *files : Recording or None
        With the labels of the files.
    """
    some = [file for file in files if file is not None]
    words = [w for f in some for w in words_of_most(f.labels, (*f.persons, *f.called))]
    before = [words_before(f.labels) for f in some if _begin_alike(f.labels)]
    words += name_words(before)
    return lambda text: masked_in_labels(text, words)


def told_masked(
    hidden: Callable[[str], str], findings: Sequence[Finding], log: Sequence[str]
) -> tuple[list[Finding], list[str]]:
    """Return findings and log without the names that a function masks (:func:`names_hidden`)."""
    masked = [replace(f, scope=hidden(f.scope), message=hidden(f.message)) for f in findings]
    return masked, [hidden(line) for line in log]


def _begin_alike(labels: Sequence[str]) -> bool:
    """Return whether half of the labels begin with the same three letters, as a quick check."""
    begin = Counter(label[:3] for label in labels)
    return 2 * max(begin.values(), default=0) >= len(labels)


def label_summary(title: str, pairs: Sequence[str]) -> str:
    """Return one line on renamed labels; for many labels their number and the first few."""
    if len(pairs) <= _FEW:
        return f"{title}: {', '.join(pairs)}"
    few = first_few(pairs)
    return f"{title}: {len(pairs)} read under other names ({few}; gaitdyn info lists them)"


def first_few(texts: Sequence[str]) -> str:
    """Return the first few of several texts."""
    return ", ".join((*texts[:_SHOWN], *(["..."] if len(texts) > _SHOWN else [])))

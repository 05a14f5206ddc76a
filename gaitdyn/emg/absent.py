"""Labels of the user's own lists of channels that a file does not have."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from gaitdyn.emg.maxima import read_maxima
from gaitdyn.emg.naming import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gaitdyn.types.options import Options


def listed_channels(options: Options) -> list[tuple[str, str]]:
    """Return each label that the user names as a muscle or gives a maximum, and what is said of it.

    Raises
    ------
    UsageError
        When the file of maxima has an error.
    """
    given = [(label, f"is named as {m}") for label, m, _ in options.emg_channels if m != NONE]
    return given + [(label, "has a maximum") for label in read_maxima(options.emg_normalise)]


def absent_channels(
    labels: Sequence[str], given: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield each given label that no channel has, and a sentence on it.

    Parameters
    ----------
    labels : sequence of str
        Of the channels of a file.
    given : iterable of (str, str)
        Labels, and what is said of them, as of :func:`listed_channels`.

    Examples
    --------
    >>> list(absent_channels(["Voltage.L Sol"], [("L Sol", "has a maximum")]))[0][1]
    "'L Sol' has a maximum, and no channel has this label; did you mean 'Voltage.L Sol'?"
    """
    known = {label.lower(): label for label in labels}
    for label, role in given:
        name = label.strip().lower()
        if name in known:
            continue
        ends = [low for low in known if low.endswith(name)]
        similar = ends if len(ends) == 1 else get_close_matches(name, known, 1, 0.6)
        meant = f"; did you mean {known[similar[0]]!r}?" if similar else ""
        yield label, f"{label!r} {role}, and no channel has this label{meant}"

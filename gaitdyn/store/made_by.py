"""Which results another version of gaitdyn processed."""

from __future__ import annotations

from collections.abc import Iterable

from gaitdyn.version import __version__


def other_versions(processed: Iterable[tuple[str, str]]) -> str:
    """Return which results another version processed, and how to renew them; empty if none did.

    Parameters
    ----------
    processed : iterable of (str, str)
        The name of each trial and the version that processed it.
    """
    names: dict[str, list[str]] = {}
    for name, version in processed:
        if version != __version__:
            names.setdefault(version, []).append(name)
    found = ", ".join(
        f"{first}{f' and {len(rest)} more' if rest else ''} (gaitdyn {version})"
        for version, (first, *rest) in names.items()
    )
    return found and (
        f"{found}: numbers and verdicts follow the rules of their version, not of {__version__};"
        " to renew them, run gaitdyn process or batch again"
    )

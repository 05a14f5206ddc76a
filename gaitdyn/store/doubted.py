"""Trials whose scale, rate or direction is in doubt: their speed and lengths do not count.

A speed is right even if a thigh marker is wrong and all angles have failed. It is wrong only with
the scale of the points, the rate or the vertical.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.metrics.parameter_definitions import PARAMETERS, UPPER_PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.store.stored import StoredTrial

_PLAIN = "_nondimensional"


def _of_units(*units: str) -> frozenset[str]:
    """Return the gait parameters of some units, with those that are made of them."""
    plain = {p.name for p in (*PARAMETERS, *UPPER_PARAMETERS) if p.unit in units}
    return frozenset({*plain, *(name + _PLAIN for name in plain)})


_LENGTHS, _TIMES, _SPEEDS = _of_units("m"), _of_units("s", "steps/min"), _of_units("m/s")
_LATERAL = "margin_of_stability_lateral"
_STEPS = frozenset({"step_length", "step_length" + _PLAIN, "step_width", _LATERAL})
_MARGINS = frozenset({"margin_of_stability_forward", _LATERAL})
"""Lengths, but a part of them is the velocity over that of a pendulum."""

DOUBTED = {
    "body-size": _LENGTHS | _SPEEDS,
    "order-up": _LENGTHS | _SPEEDS,
    "sides-swapped": _STEPS,
    "rate-differs": _TIMES | _SPEEDS | _MARGINS,
    "speed-implausible": _LENGTHS | _TIMES | _SPEEDS,
    "force-against-acceleration": _LENGTHS | _TIMES | _SPEEDS,
}
"""Code of a finding on a whole trial -> the gait parameters that it makes doubtful."""


def doubts_about(trial: StoredTrial) -> dict[str, frozenset[str]]:
    """Return the codes of a trial's findings on scale, rate or direction, with what they spoil."""

    def found() -> dict[str, frozenset[str]]:
        codes = {
            row["code"]
            for row in trial.document.get("findings") or ()
            if row["level"] != "info" and row.get("cycle") is None
        }
        return {code: spoiled for code, spoiled in DOUBTED.items() if code in codes}

    return trial.once("doubts about lengths and times", found)


def spoiled_in(trials: Sequence[StoredTrial]) -> list[frozenset[str]]:
    """Return for each trial the gait parameters that do not count in it beside the others.

    They are in doubt there, but not in every trial: if all are in doubt, all count.

    Parameters
    ----------
    trials : sequence of StoredTrial

    Returns
    -------
    list of frozenset
        Names of ``gait_parameters.csv``.
    """
    own = [frozenset[str]().union(*doubts_about(trial).values()) for trial in trials]
    if not any(own):
        return own
    everywhere = frozenset.intersection(*own)
    return [names - everywhere for names in own]

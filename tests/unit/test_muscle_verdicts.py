"""The verdict on the electromyography of a side: which channels can be used, and what lacks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from gaitdyn.quality.muscles import _side_verdict


def channel(muscle: str, status: str = "ok", side: str = "left") -> Any:
    label = f"{side[:1].upper()} {muscle or 'Voltage'}"
    return SimpleNamespace(label=label, muscle=muscle, side=side, status=status, reason=status)


RIGHT = channel("vasti", side="right")


def verdict(*channels: Any, cycles: int = 3) -> tuple[str, int, tuple[str, ...]]:
    curves = [SimpleNamespace(side=c.side, cycles=range(cycles)) for c in channels
              if c.status == "ok" and c.side == "left"]  # fmt: skip
    other = SimpleNamespace(side="right", cycles=range(7))
    emg: Any = SimpleNamespace(channels=[*channels, RIGHT], curves=[*curves, other])
    found = _side_verdict(emg, "left")
    assert (found.side, found.quantity) == ("left", "emg")
    return found.word, found.cycles, found.reasons


@pytest.mark.parametrize(
    ("channels", "wanted"),
    [
        ([channel("vasti"), channel("soleus")], ("pass", 3, ("2 of 2 muscles usable",))),
        (
            [channel("vasti"), channel("vasti", "rejected")],
            ("pass", 3, ("1 of 1 muscle usable", "L vasti: rejected")),
        ),
        (
            [channel("vasti"), channel("soleus", "check")],
            ("check", 3, ("1 of 2 muscles usable", "L soleus: check")),
        ),
        (
            [channel("vasti", "rejected"), channel("soleus", "rejected")],
            ("fail", 0, ("no channel can be used", "L vasti: rejected", "L soleus: rejected")),
        ),
        (
            [channel("vasti", "rejected"), channel("soleus", "check")],
            ("check", 0, ("no channel can be used", "L vasti: rejected", "L soleus: check")),
        ),
        ([], ("check", 0, ("not recorded: no channel of the left leg shows a muscle",))),
        (
            [channel("vasti", "not_recorded")],
            ("check", 0, ("not recorded: no channel of the left leg shows a muscle",)),
        ),
        (
            [channel("", side="left"), channel("soleus", side=""), channel("", side="")],
            ("check", 0, ("muscle or side of 3 channels is not known: name them in emg.toml",)),
        ),
        (
            [channel("soleus", side="")],
            ("check", 0, ("muscle or side of 1 channel is not known: name them in emg.toml",)),
        ),
        (
            [channel("", side="right")],
            ("check", 0, ("not recorded: no channel of the left leg shows a muscle",)),
        ),
    ],
)
def test_a_side_is_judged_by_its_own_named_muscles(
    channels: list[Any], wanted: tuple[str, int, tuple[str, ...]]
) -> None:
    assert verdict(*channels) == wanted


def test_muscles_without_a_gait_cycle_of_their_side_are_to_check() -> None:
    assert verdict(channel("vasti"), cycles=0) == (
        "check", 0, ("no gait cycle of this side is used",),
    )  # fmt: skip

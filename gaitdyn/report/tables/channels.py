"""The table of the channels that show a muscle, with the measures behind their status."""

from __future__ import annotations

from collections.abc import Sequence

from gaitdyn.report.contents import TextTable
from gaitdyn.report.numbers import shown
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.emg import Emg, EmgChannel

_SHOWS_A_MUSCLE = ("ok", "check")
_COLUMNS = (
    "Trial", "Channel", "Muscle", "Side", "Status", "Activity over rest (dB)",
    "Median frequency (Hz)", "r with norm", "Variance ratio", "Variation",
)  # fmt: skip
_NOTE = (
    "Variance ratio (Hershler and Milner 1978: 0 for equal strides, near 1 for strides that have"
    " nothing in common) and coefficient of variation (Winter 1991) are those between the straight"
    " strides of the trial. Channels that show no muscle are among the findings."
)


def channels_table(trials: Sequence[StoredTrial]) -> TextTable:
    """Return the channels of electromyography that show a muscle, in the order of each file.

    Parameters
    ----------
    trials : sequence of StoredTrial
    """
    rows = tuple(
        (trial.name, *_row(trial.emg, channel))
        for trial in trials
        if trial.emg is not None
        for channel in trial.emg.channels
        if channel.status in _SHOWS_A_MUSCLE
    )
    return TextTable("Channels of electromyography", _COLUMNS, rows, (_NOTE,))


def _row(emg: Emg, channel: EmgChannel) -> tuple[str, ...]:
    curves = next((c for c in emg.curves if c.channel == channel.number), None)
    between = (None, None) if curves is None else (curves.variance_ratio, curves.variation)
    return (
        channel.label, channel.muscle.replace("_", " "), channel.side, channel.status,
        shown(channel.health.snr_db, 0), shown(channel.health.median_frequency_hz, 0),
        shown(channel.norm_r, 2), *(shown(value, 2) for value in between),
    )  # fmt: skip

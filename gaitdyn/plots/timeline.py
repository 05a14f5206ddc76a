"""Data of the figure of quality: gaps, contacts, events, cycles and findings over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gaitdyn.quality import cycle_status, verdict
from gaitdyn.quality.rows import finding_rows, gap_rows
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed

Rows = list[dict[str, Any]]
GAP_CODES = ("gap-filled", "gap-open")
"""Findings that are shown by the lanes of the markers."""


@frozen()
class Timeline:
    """One trial on its time axis; rows are those of the tables and documents in its folder.

    Attributes
    ----------
    name, verdict : str
    rate_hz : float
    first_frame, frames : int
    gaps : list of dict or None
        From :func:`gaitdyn.quality.rows.gap_rows`; None if the folder does not record them.
    events : list of dict
        ``side``, ``event``, ``time_s``, ``source``.
    contacts : list of dict
        ``plate``, ``side``, ``first_frame``, ``last_frame``, ``verdict``, ``reason``.
    cycles : list of dict
        ``side``, ``cycle``, ``start_s``, ``stop_s``.
    status : list of dict
        Fields of :class:`gaitdyn.quality.JointStatus`.
    findings : list of dict
        From :func:`gaitdyn.quality.rows.finding_rows`.
    """

    name: str
    verdict: str
    rate_hz: float
    first_frame: int
    frames: int
    gaps: Rows | None
    events: Rows
    contacts: Rows
    cycles: Rows
    status: Rows
    findings: Rows

    @property
    def span(self) -> tuple[float, float]:
        """Times of the first and of the last frame, s."""
        return self.time_of(self.first_frame), self.time_of(self.first_frame + self.frames - 1)

    def time_of(self, frame: float) -> float:
        """Return the time of a frame, s."""
        return (frame - 1) / self.rate_hz

    def span_of(self, finding: Mapping[str, Any]) -> tuple[float, float] | None:
        """Return start and stop of a finding, s, or those of its cycle."""
        if finding.get("start_s") is not None and finding.get("stop_s") is not None:
            return float(finding["start_s"]), float(finding["stop_s"])
        for cycle in self.cycles:
            if (cycle["side"], cycle["cycle"]) == (finding.get("side"), finding.get("cycle")):
                return float(cycle["start_s"]), float(cycle["stop_s"])
        return None


def result_timeline(result: Processed, cycles: Sequence[CycleCurves]) -> Timeline:
    """Return the timeline of a processed trial."""
    recording = result.recording
    statuses = cycle_status(result, cycles)
    return Timeline(
        name=Path(recording.name).stem,
        verdict=verdict(result, statuses),
        rate_hz=recording.rate_hz,
        first_frame=recording.first_frame,
        frames=recording.n_frames,
        gaps=gap_rows(result),
        events=[
            {"side": e.side, "event": e.kind, "time_s": e.time_s, "source": e.source}
            for e in result.events
        ],
        contacts=[
            {
                "plate": c.plate,
                "side": c.side,
                "first_frame": c.start + recording.first_frame,
                "last_frame": c.stop + recording.first_frame - 1,
                "verdict": c.verdict,
                "reason": c.reason,
            }
            for c in result.contacts
        ],
        cycles=[
            {
                "side": c.cycle.side,
                "cycle": c.cycle.number,
                "start_s": recording.time_of(c.cycle.start_row),
                "stop_s": recording.time_of(c.cycle.stop_row),
            }
            for c in cycles
        ],
        status=[asdict(status) for status in statuses],
        findings=finding_rows(result),
    )


def split_findings(timeline: Timeline) -> tuple[Rows, Rows]:
    """Return the findings with a time and those without, the most severe first.

    Gaps of markers are in neither, as they have separate lanes.
    """
    order = {"error": 0, "warning": 1, "info": 2}

    def most_severe_first(rows: Iterable[dict[str, Any]]) -> Rows:
        return sorted(rows, key=lambda row: order.get(row["level"], 1))

    findings = [f for f in timeline.findings if f["code"] not in GAP_CODES or not timeline.gaps]
    timed = [f for f in findings if timeline.span_of(f) is not None]
    untimed = [f for f in findings if timeline.span_of(f) is None]
    return most_severe_first(timed), most_severe_first(untimed)

"""What changed between two groups, in words: the GPS, and the curves with their limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.judge.changes.words import OFFSET_SHARE
from gaitdyn.judge.finding import CurveFinding
from gaitdyn.metrics.scores import MCID_DEG, SDC_GPS_DEG, ScoreChange, score_change
from gaitdyn.plots.clinic.grids import Grid, cells_of
from gaitdyn.report.first_screen.wording import unit_of
from gaitdyn.report.numbers import DASH, decimal, with_dashes
from gaitdyn.statistics.families import WORDS
from gaitdyn.types.frozen import frozen

_DEGREES = "\u00b0"


@frozen()
class ChangedCurve:
    """A curve that changed, as listed in one line.

    Attributes
    ----------
    side, title : str
        Such as ``right`` and ``Knee flexion``: the title of its panel.
    change, limit, unit : str
        The change and the limit it exceeds, such as ``\u221217.8``, ``9.0`` and ``\u00b0``.
    where : str
        In words; of a planned number its means, from which to which: a larger flexion moment is a
        smaller number where extension is positive.
    word : str
        ``clear`` or ``possible``.
    """

    side: str
    title: str
    change: str
    limit: str
    unit: str
    where: str
    word: str

    @property
    def size(self) -> str:
        """The change, with its limit in brackets, as in the panels."""
        return f"{self.change} ({self.limit}){self.unit}"

    @property
    def words(self) -> str:
        """The line, without the side."""
        size = f"{self.change}{self.unit} (limit {self.limit})"
        where = f", {self.where}" if self.where else ""
        return f"{self.title} {size}: {self.word}{where}"

    @property
    def sided(self) -> str:
        """The line with its side; only the tilt of the pelvis is the same on both."""
        if self.title.startswith("Pelvic tilt"):
            return self.words
        return f"{self.side.capitalize()} {self.words[0].lower()}{self.words[1:]}"


def changed_curves(
    findings: Sequence[CurveFinding], grids: Sequence[Grid], told: Callable[[str], str] = str
) -> tuple[tuple[ChangedCurve, ...], str, str]:
    """Return the changed curves, a sentence if there are none, and a limit of the verdicts.

    Parameters
    ----------
    findings : sequence of CurveFinding
        Findings on changes.
    grids : sequence of grids
        Their panels name the curves.
    told : callable
        How a title of a planned number is told; its moments are internal.

    Returns
    -------
    changed : tuple of ChangedCurve
        The most certain first; of these angles, then moments, then powers, the largest first.
    unchanged : str
        The sentence in place of an empty list.
    lowered : str
        Why a change is no more than possible; empty if every one may be clear.
    """
    titles = {
        internal_name(cell.panel.name): cell.title
        for grid in grids
        for cell in cells_of(grid)
        if cell.panel is not None
    }
    shown = [f for f in findings if f.word in ("clear", "possible")]
    shown.sort(key=lambda f: (WORDS.index(f.word), f.kind, -f.relative))
    changed = tuple(
        ChangedCurve(f.side, _title(f, titles, told), *_sizes(f), _where(f), f.word) for f in shown
    )
    if changed:
        reasons = dict.fromkeys(f.reason for f in shown if f.reason)
        return (
            changed,
            "",
            " ".join(f"No verdict above possible: {why}." for why in list(reasons)[:2]),
        )
    judged = any(f.word != "not judged" for f in findings)
    return (), "Nothing is shown to have changed." if judged else "Nothing could be judged.", ""


def _title(finding: CurveFinding, titles: dict[str, str], told: Callable[[str], str]) -> str:
    """Return the title of a curve or number, marked if it was planned."""
    title = titles.get(finding.curve, finding.curve.replace("_", " "))
    if finding.number:
        number = told(finding.number)
        title = number[0].upper() + number[1:]
    return f"{title} (planned)" if finding.planned else title


def _where(finding: CurveFinding) -> str:
    """Return where a curve changed; of a shape, with the level that it is beside.

    A number has no place: it is told from which mean to which it changed.
    """
    if finding.means is not None:
        digits = 1 if finding.unit == "deg" else 2
        before, after = (decimal(mean, digits) for mean in finding.means)
        return f"from {before} to {after}"
    if not finding.places:
        return ""
    place, unit, size = finding.places[0], unit_of(finding.curve), finding.foremost
    where = with_dashes(place.where)
    beside = size is not None and size.of_shape
    if not beside or abs(finding.level) < OFFSET_SHARE * abs(place.difference):
        return where
    return f"{where}, beside {decimal(finding.level, 1, '+')}{unit} over the cycle"


def change_words(finding: CurveFinding) -> str:
    """Return the change of a curve with its limit, as in the corner of its panel."""
    size = finding.foremost
    if finding.word == "not judged" or size is None:
        return ""
    change, limit, unit = _sizes(finding)
    of_what = "shape" if size.of_shape else "\u0394"
    return f"{of_what} {change} ({limit}){unit if unit == _DEGREES else ''}"


def _sizes(finding: CurveFinding) -> tuple[str, str, str]:
    """Return a change, its limit and unit."""
    size = finding.foremost
    if size is None:
        return DASH, DASH, ""
    unit = _unit(finding)
    digits = 1 if unit == _DEGREES else 2
    return decimal(size.value, digits, "+"), decimal(size.limit, digits), unit


def _unit(finding: CurveFinding) -> str:
    """Return the unit of a curve; of a number its own, as an integral has another."""
    if finding.number and finding.unit != "deg":
        return " " + finding.unit.replace("N m", "N\u00b7m")
    return unit_of(finding.curve)


def gps_change_words(
    side: str, before_deg: float | None, after_deg: float | None, *, markers_on: bool = False,
    detectable_deg: float = SDC_GPS_DEG, refused: str = "",
) -> str:  # fmt: skip
    """Return how the GPS of a side changed, if it is measurable and if it matters.

    Examples
    --------
    >>> gps_change_words("left", 9.0, 7.6).partition(": more ")[2]
    'than remeasurement alone would produce (1.3°), too little to matter (1.6°).'
    """
    if before_deg is None or after_deg is None:
        return ""
    ends = f"{decimal(before_deg, 1)}\u00b0 to {decimal(after_deg, 1)}\u00b0, change"
    words = gps_verdict_words(
        before_deg, after_deg, markers_on=markers_on, detectable_deg=detectable_deg, refused=refused
    )
    _, _, verdict = words.partition(" ")
    return f"{side.capitalize()}: GPS {ends} {verdict}"


def gps_verdict_words(
    before_deg: float | None, after_deg: float | None, *, markers_on: bool = False,
    detectable_deg: float = SDC_GPS_DEG, refused: str = "",
) -> str:  # fmt: skip
    """Return the change of a GPS, whether it is measurable and whether it matters.

    Parameters
    ----------
    before_deg, after_deg : float or None
    markers_on : bool
        Whether no marker was placed again: the error of a second session does not apply.
    detectable_deg : float
        The smallest detectable change, to 0.1 deg.
    refused : str
        Why the change is not judged; empty if it is.

    Examples
    --------
    >>> gps_verdict_words(9.0, 7.6, refused="the walking aids differ")
    'GPS \u22121.4\u00b0: not judged, the walking aids differ.'
    >>> gps_verdict_words(9.0, 7.6).partition(": more ")[0]
    'GPS \u22121.4\u00b0'
    >>> gps_verdict_words(9.0, 7.6, markers_on=True).partition(": ")[2]
    'too little to matter (1.6°).'
    """
    if before_deg is None or after_deg is None:
        return ""
    change = score_change(before_deg, after_deg, detectable_deg)
    if refused:
        return f"GPS {decimal(change.gps, 1, '+')}\u00b0: not judged, {refused}."
    sure = "more" if change.measurable else "no more"
    error = f"{sure} than remeasurement alone would produce ({detectable_deg:g}\u00b0), "
    matters = "enough to matter" if change.matters else "too little to matter"
    words = matters if markers_on else f"{error}{'and ' * change.matters}{matters}"
    return f"GPS {gps_size(change, detectable_deg)}\u00b0: {words} ({MCID_DEG:g}\u00b0)."


def gps_size(change: ScoreChange, detectable_deg: float = SDC_GPS_DEG) -> str:
    """Return the change of a GPS with the digits that agree with what is said of it.

    Examples
    --------
    >>> [gps_size(score_change(9.0, after)) for after in (7.3, 7.43, 7.66)]
    ['\u22121.7', '\u22121.57', '\u22121.34']
    """
    said = change.measurable, change.matters
    for digits in (1, 2):
        size = round(abs(change.gps), digits)
        if (size > detectable_deg, size >= MCID_DEG) == said:
            return decimal(change.gps, digits, "+")
    return decimal(change.gps, 3, "+")

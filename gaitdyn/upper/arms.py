"""Centres of shoulder, elbow, wrist and hand of an arm, by the best rule its markers allow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitdyn.calibrate.plug_in_gait.joint_centres import chord
from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import complete_rows
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import LETTER, ArmMeasures, Side, Subject
from gaitdyn.types.trial import Trial
from gaitdyn.types.upper import ArmPose
from gaitdyn.upper.frames import arm_pose, elbow_centre, shoulder_centre, wrist_centre

MEDIAL = "ELM"
BAR, STYLOIDS = ("WRA", "WRB"), ("RSP", "USP")
"""Markers of the thumb side and the little-finger side of a wrist: on a bar across its back, or on
the styloid processes of radius and ulna."""

PAIR = ("WRI", "WR2")
"""Two markers of a wrist whose labels do not tell the thumb side: in and out, medial and lateral
are those of a palm that looks ahead for some laboratories, of arms that hang for others."""

WRIST_PAIRS = (STYLOIDS, BAR, PAIR)
ONE_WRIST = (*PAIR, *BAR, *STYLOIDS)
ARM_MARKERS = ("SHO", "ELB", MEDIAL, *ONE_WRIST, "FIN")

MIDDLE = "in the middle of {} and {} (Wu et al. 2005, J Biomech 38:981-992)"

USUAL = {
    "shoulder_offset_m": 0.045,
    "elbow_width_m": 0.070,
    "wrist_width_m": 0.055,
    "hand_thickness_m": 0.025,
}
"""Round numbers for an adult of 1.7 m, scaled by height / 1.7 m and used if nothing was measured. A
rule of this project, without a source."""

USUAL_HEIGHT_M = 1.7
ALONG = 0.7
"""Largest cosine between the line of two wrist markers and the forearm: markers along it are not on
both sides of a wrist."""

KNUCKLES_OF_FOREARM = 0.37
"""Distance from wrist to knuckles as a share of forearm length, for a hand without a marker. It is
half the hand, from the segment lengths of Drillis and Contini 1966 (in Winter 2009, Fig. 4.1: hand
0.108, forearm 0.146)."""


class ArmFound(NamedTuple):
    """An arm, the markers and rules it was found by, and findings on it."""

    pose: ArmPose
    words: str
    findings: list[Finding]


class _Elbow(NamedTuple):
    """How an elbow is found.

    Attributes
    ----------
    medial : bool
        Whether it is the middle of two markers.
    half_m : float or None
        Half the distance of two markers; None if a width is needed.
    words : str
    """

    medial: bool = False
    half_m: float | None = None
    words: str = ""


class _Wrist(NamedTuple):
    """The labels of one or two wrist markers.

    Attributes
    ----------
    labels : tuple of str
    middle : bool
        Whether the centre is the middle of two.
    sided : bool
        Whether the first of two is on the thumb side, so that the hand has axes.
    """

    labels: tuple[str, ...]
    middle: bool
    sided: bool


def find_arm(
    side: Side,
    trial: Trial,
    static: Trial | None,
    subject: Subject,
    thorax: tuple[Array, Array],
    *,
    vendor: bool,
) -> ArmFound | None:
    """Return one arm; None without markers of its shoulder, elbow and wrist.

    The centre of elbow or wrist is the middle of its two landmarks (Wu et al. 2005, J Biomech
    38:981-992). Otherwise, and always for the vendor, it is found from a width. A single wrist
    marker is the wrist centre, and so is the middle of two that do not tell the thumb side; the
    hand then has no axes.

    Parameters
    ----------
    side : {"left", "right"}
    trial : Trial
        With its markers filtered.
    static : Trial or None
    subject : Subject
        With the marker diameter.
    thorax : tuple of arrays, shape (n, 3, 3) and (n, 3)
        Thorax axes and origin in G, m.
    vendor : bool
    """
    letter, half = LETTER[side], 0.5 * (subject.marker_diameter_m or 0.0)
    wrist = _wrist_markers(trial, letter, vendor=vendor)
    if wrist is None or not {letter + "SHO", letter + "ELB"} <= set(trial.labels):
        return None
    rule = _Elbow() if vendor else _elbow_rule(trial, static, letter)
    has_finger = letter + "FIN" in trial.labels
    spared = {
        "elbow_width_m": bool(rule.half_m),
        "wrist_width_m": wrist.middle or not wrist.sided,
        "hand_thickness_m": not wrist.sided or not has_finger,
    }
    known = {name for name in spared if spared[name]}
    sizes, findings = arm_measures(subject, side, known, vendor=vendor)
    shoulder_reach, elbow_reach, wrist_reach, hand_reach = (
        share * sizes[name] + half for name, share in zip(USUAL, (1.0, 0.5, 0.5, 0.5), strict=True)
    )
    shoulder = shoulder_centre(side, trial.marker(letter + "SHO"), *thorax, shoulder_reach)
    ends = [trial.marker(label) for label in wrist.labels]
    middle = 0.5 * (ends[0] + ends[-1])
    lateral = trial.marker(letter + "ELB")
    if rule.medial:
        elbow = 0.5 * (lateral + trial.marker(letter + MEDIAL))
    else:
        elbow = elbow_centre(side, shoulder, lateral, middle, rule.half_m or elbow_reach)
    centre, back = middle, middle
    if wrist.sided and wrist.middle:
        back = wrist_centre(side, ends[0], ends[1], elbow, -wrist_reach)
    elif wrist.sided:
        centre = wrist_centre(side, ends[0], ends[1], elbow, wrist_reach)
    finger = trial.marker(letter + "FIN") if has_finger else None
    across = ends[1] - ends[0] if wrist.sided and finger is not None else None
    if finger is None:
        hand = centre + KNUCKLES_OF_FOREARM * (centre - elbow)
    else:
        hand = finger if across is None else chord(centre, finger, back, hand_reach)
    pose = arm_pose(side, (shoulder, elbow, centre, hand), across)
    if len(wrist.labels) == 1:
        findings = [*findings, _one_wrist_marker(side, wrist.labels[0])]
    return ArmFound(pose, _rule_words(letter, rule, wrist, finger=has_finger), findings)


def _rule_words(letter: str, elbow: _Elbow, wrist: _Wrist, *, finger: bool) -> str:
    """Return the markers of an arm and how its elbow and wrist were found, in words."""
    named = [letter + "SHO", letter + "ELB", *([letter + MEDIAL] if elbow.medial else [])]
    named += [*wrist.labels, *([letter + "FIN"] if finger else [])]
    rules = [", ".join(named), f"elbow {elbow.words}" if elbow.words else ""]
    rules += [f"wrist {MIDDLE.format(*wrist.labels)}" if wrist.middle else ""]
    return "; ".join(filter(None, rules))


def _one_wrist_marker(side: Side, label: str) -> Finding:
    """Return what a wrist with one marker costs, as measured on the synthetic walker."""
    message = (
        f"{side} arm: {label} is the only marker used at the wrist and counts as its centre: the"
        " elbow angle may be off by 8 deg and the rotation of the shoulder by 18 deg (on a"
        " synthetic walker); there are no wrist angles"
    )
    return Finding("info", "wrist-one-marker", f"{side} arm", message, side=side)


def _wrist_markers(trial: Trial, letter: str, *, vendor: bool) -> _Wrist | None:
    """Return the wrist markers that are used, two if possible; the vendor knows only a bar."""
    have = {name for name in ONE_WRIST if letter + name in trial.labels}
    for pair in (STYLOIDS, BAR):
        if set(pair) <= have:
            middle = pair == STYLOIDS and not vendor
            return _Wrist((letter + pair[0], letter + pair[1]), middle=middle, sided=True)
    if set(PAIR) <= have and _lies_across(trial, letter):
        return _Wrist((letter + PAIR[0], letter + PAIR[1]), middle=True, sided=False)
    single = next((name for name in ONE_WRIST if name in have), None)
    return None if single is None else _Wrist((letter + single,), middle=False, sided=False)


def _lies_across(trial: Trial, letter: str) -> bool:
    """Return whether two markers of a wrist lie on both sides of it, not along the forearm."""
    if letter + "ELB" not in trial.labels:
        return False
    one, other = (trial.marker(letter + name) for name in PAIR)
    line, forearm = other - one, trial.marker(letter + "ELB") - one
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = (line * forearm).sum(axis=1) / (lengths(line) * lengths(forearm))
    return abs(known_median(cosine)) < ALONG


def _elbow_rule(trial: Trial, static: Trial | None, letter: str) -> _Elbow:
    """Return how the elbow is found from its medial marker, of the trial or of the static.

    If the marker is hidden while the lateral one is visible, only the distance of the two is used,
    so that one rule holds in all frames.
    """
    labels = letter + "ELB", letter + MEDIAL
    for recorded, where in ((trial, "trial"), (static, "static")):
        if recorded is None or not set(labels) <= set(recorded.labels):
            continue
        lateral, medial = (recorded.marker(label) for label in labels)
        half_m = 0.5 * known_median(lengths(medial - lateral))
        if not np.isfinite(half_m):
            continue
        hidden = complete_rows(lateral) & ~complete_rows(medial)
        if recorded is trial and not hidden.any():
            return _Elbow(True, half_m, MIDDLE.format(*labels))
        words = f"at half the distance of {labels[0]} and {labels[1]} in the {where}"
        return _Elbow(half_m=half_m, words=words)
    return _Elbow()


def arm_measures(
    subject: Subject, side: Side, known: set[str], *, vendor: bool
) -> tuple[dict[str, float], list[Finding]]:
    """Return the widths of an arm, m; those not measured are from :data:`USUAL`, with a finding.

    Parameters
    ----------
    subject : Subject
    side : {"left", "right"}
    known : set of str
        Widths that need not be measured: markers show them, or nothing is found from them.
    vendor : bool
        Take a wrist width of zero as it is, as the vendor does.
    """
    measured = subject.arms.get(side, ArmMeasures())
    scale = (subject.height_m or USUAL_HEIGHT_M) / USUAL_HEIGHT_M
    stated = {name: getattr(measured, name) for name in USUAL}
    stated = {n: v for n, v in stated.items() if v or (vendor and v is not None)}
    widths = {name: stated.get(name, scale * usual) for name, usual in USUAL.items()}
    in_words = {
        name: f"{name.removesuffix('_m').replace('_', ' ')} {1000 * widths[name]:.0f} mm"
        for name in USUAL
        if name not in known
    }
    findings = []
    if lacking := [words for name, words in in_words.items() if name not in stated]:
        message = (
            f"{side} arm: not measured, usual values are used: {', '.join(lacking)}"
            f" ([subject.{side}] of --subject: elbow_width_mm and so on)"
        )
        findings += [Finding("info", "arm-width-default", f"{side} arm", message, side=side)]
    for name in (name for name in in_words if name in stated and stated[name] <= 0):
        message = f"{side} arm: {in_words[name]} is used as the file states it"
        findings += [Finding("info", "wrist-stated", f"{side} arm", message, side=side)]
    return widths, findings

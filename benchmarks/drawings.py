"""Drawings of the axes and of the positive direction of every angle and moment.

usage: python benchmarks/drawings.py [FOLDER]

Writes axes.png, angles.png and moments.png into docs/images. A right leg is posed by turns of the
segments in their own axes; the numbers under the drawings of angles are what
``gaitdyn.kinematics.angles.segment_angles`` makes of the pose, the arrows of the moments turn as
``gaitdyn.dynamics.clinical.moment_signs`` says. A drawing whose sign is not + stops the script.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation
from usage import help_shown

from gaitdyn.dynamics.clinical import MOMENTS, moment_signs
from gaitdyn.kinematics.angles import ANGLES, segment_angles
from gaitdyn.types.motion import LegPose, Pose

if TYPE_CHECKING:
    from matplotlib.axes import Axes

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
INK, GREY, PALE, MOVED, ARROW = "#222222", "#8A8A8A", "#D5D5D5", "#0057B8", "#C1272D"
AXIS_COLOURS = {"x": "#C1272D", "y": "#1B6E3C", "z": "#0057B8"}
Array = np.ndarray[Any, np.dtype[np.float64]]

SEEN: dict[str, tuple[tuple[int, int], str]] = {
    "side": ((0, 1), "from the right\nforward is to the right"),
    "behind": ((2, 1), "from behind\nthe right leg is to the right"),
    "above": ((2, 0), "from above\nforward is up"),
}
"""View -> components across and up the paper, and words."""
PLANES = dict(zip(SEEN, (2, 0, 1), strict=True))
"""View -> the component of the axis that stands on the paper."""

CHAIN = ("pelvis", "thigh", "shank", "foot")
JOINT = {"pelvis": (0, 0.98, 0), "thigh": (0, -0.08, 0.09), "shank": (0, -0.42, 0)}
JOINT["foot"] = (0, -0.40, 0)
"""Segment -> its proximal joint, in the axes of the segment above (pelvis: G), m."""
DISTAL = {"pelvis": "pelvis", "hip": "thigh", "knee": "shank", "ankle": "foot", "foot": "foot"}
"""Joint -> the segment that turns."""


def ring(radius: float, height: float) -> list[tuple[float, float, float]]:
    """Return points of a circle across the long axis."""
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return [(radius * np.cos(a), height, radius * np.sin(a)) for a in turns]


BODY: dict[str, Array] = {
    "pelvis": np.array(list(product((-0.1, 0.1), (-0.06, 0.1), (-0.14, 0.14)))),
    "thigh": np.array(ring(0.075, 0) + ring(0.05, -0.42)),
    "shank": np.array(ring(0.05, 0) + ring(0.033, -0.4)),
    "foot": np.array(
        [(x, -0.07, z) for x in (-0.06, 0.15) for z in (-0.04, 0.04)]
        + [(0.2, -0.07, -0.02), (0.19, -0.07, 0.025), (0.19, -0.05, 0.0)]
        + [(-0.06, 0.0, z) for z in (-0.03, 0.03)]
        + [(0.05, 0.02, z) for z in (-0.03, 0.03)]
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class Figurine:
    """Attitude and proximal joint of every segment of the right leg, in G."""

    R_G: dict[str, Array]
    joint_G: dict[str, Array]

    def at(self, segment: str, point_S: Array) -> Array:
        """Return points of a segment in G."""
        return self.joint_G[segment] + point_S @ self.R_G[segment].T


def pose(turns: dict[str, Array]) -> Figurine:
    """Return a leg whose segments are turned against the one above by vectors in degrees."""
    R, at = np.eye(3), np.zeros(3)
    attitudes, joints = {}, {}
    for segment in CHAIN:
        at = at + R @ np.array(JOINT[segment])
        turn = Rotation.from_rotvec(np.radians(turns.get(segment, np.zeros(3))))
        R = R @ turn.as_matrix()
        attitudes[segment], joints[segment] = R, at
    return Figurine(attitudes, joints)


def outline(axes: Axes, view: str, points_G: Array, **style: Any) -> None:
    """Draw the outline of a convex cloud of points."""
    across, up = SEEN[view][0]
    flat = points_G[:, (across, up)]
    axes.fill(*flat[ConvexHull(flat).vertices].T, **style)


def draw_leg(axes: Axes, view: str, leg: Figurine, shown: tuple[str, ...], moved: str) -> None:
    """Draw the segments: grey above the joint, blue from the turned segment on."""
    still = pose({})
    for segment in shown:
        after = CHAIN.index(segment) >= CHAIN.index(moved)
        if after:
            ghost = still.at(segment, BODY[segment])
            outline(axes, view, ghost, fc="none", ec=GREY, ls=(0, (2, 2)), lw=0.8)
        style = {"fc": MOVED if after else PALE, "ec": MOVED if after else GREY}
        outline(axes, view, leg.at(segment, BODY[segment]), alpha=0.45 if after else 0.8, **style)


def sweep(axes: Axes, view: str, joint_G: Array, arm_G: Array, about: Array) -> None:
    """Draw the way of a point that turns about a joint, with an arrow at its end."""
    across, up = SEEN[view][0]
    turns = Rotation.from_rotvec(np.outer(np.linspace(0, 1, 40), np.radians(about)))
    way = (joint_G + turns.apply(arm_G))[:, (across, up)]
    axes.plot(*way[:-3].T, color=ARROW, lw=1.8)
    head = {"arrowstyle": "-|>", "color": ARROW, "lw": 1.8, "mutation_scale": 13, "shrinkB": 0}
    axes.annotate("", way[-1], way[-6], arrowprops=head)


def paper(columns: int, rows: int, size: tuple[float, float]) -> tuple[Figure, Any]:
    """Return an empty sheet of panels without axes."""
    figure = Figure(figsize=size, dpi=100)
    panels = figure.subplots(rows, columns, squeeze=False)
    for panel in panels.flat:
        panel.set_aspect("equal")
        panel.axis("off")
    figure.subplots_adjust(left=0.09, right=0.99, top=0.93, bottom=0.04, wspace=0.06, hspace=0.3)
    return figure, panels


def save(figure: Figure, path: Path) -> None:
    """Write a drawing with 64 colours, a third of the size of one with all."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    picture.quantize(64).save(path, optimize=True)


def frame(axes: Axes, view: str, segment: str, middle: Array) -> None:
    """Choose what part of the leg a panel shows."""
    across, up = SEEN[view][0]
    half = {"pelvis": 0.27, "thigh": 0.42, "shank": 0.36, "foot": 0.25}[segment]
    half = 0.3 if view == "above" else half
    axes.set_xlim(middle[across] - half, middle[across] + half)
    axes.set_ylim(middle[up] - half, middle[up] + half)


def arm(view: str, segment: str) -> Array:
    """Return the point whose way the arrow shows, from the joint."""
    if view == "above":
        return np.array((0, 0, 0.2) if segment == "pelvis" else (0.24, 0, 0))
    pelvis = (0, 0.19, 0) if view == "side" else (0, 0, 0.2)
    foot = (0.22, 0, 0) if view == "side" else (0, -0.13, 0)
    return np.array({"pelvis": pelvis, "foot": foot}.get(segment, (0, -0.34, 0)))


MIDDLE = {
    "pelvis": (0, 0.02, 0),
    "thigh": (0, -0.28, 0),
    "shank": (0, -0.24, 0),
    "foot": (0.03, -0.05, 0),
}


def panel(axes: Axes, view: str, segment: str, about: Array) -> Figurine:
    """Draw one segment turned about its proximal joint; return the posed leg."""
    leg = pose({segment: about})
    first = max(0, CHAIN.index(segment) - 1)
    shown = CHAIN[first:] if view == "above" else CHAIN[first : CHAIN.index(segment) + 2]
    draw_leg(axes, view, leg, shown, segment)
    sweep(axes, view, leg.joint_G[segment], arm(view, segment), about)
    middle = (0.08, 0, 0) if view == "above" and segment != "pelvis" else MIDDLE[segment]
    frame(axes, view, segment, leg.joint_G[segment] + np.array(middle))
    return leg


def angle_of(leg: Figurine, joint: str, word: str) -> float:
    """Return what gaitdyn calls the angle of a posed leg, deg."""
    still = LegPose("left", np.tile(np.eye(3), (1, 3, 1, 1)), np.zeros((1, 3, 3)))
    R = np.stack([leg.R_G[s] for s in ("foot", "shank", "thigh")])[None]
    right = LegPose("right", R, np.zeros((1, 3, 3)))
    pose = Pose(leg.R_G["pelvis"][None], np.zeros((1, 3)), still, right, np.array([1.0, 0, 0]))
    return float(segment_angles(pose, "right")[joint][0, ANGLES[joint].index(word)])


def titles(figure: Figure, panels: Any, names: tuple[str, ...]) -> None:
    """Write the names over the columns and the views beside the rows."""
    for axes, name in zip(panels[0], names, strict=True):
        box = axes.get_position()
        figure.text((box.x0 + box.x1) / 2, 0.972, name, ha="center", fontsize=12, weight="bold")
    for axes, (_, words) in zip(panels[:, 0], SEEN.values(), strict=True):
        box = axes.get_position()
        place = {"rotation": 90, "ha": "center", "va": "center", "fontsize": 8, "color": GREY}
        figure.text(0.03, (box.y0 + box.y1) / 2, "seen " + words, **place)


def draw_angles(path: Path) -> None:
    """Draw the positive direction of every angle of the right leg."""
    figure, panels = paper(5, 3, (10.5, 6.4))
    for column, joint in enumerate(ANGLES):
        for row, view in enumerate(SEEN):
            axes, word = panels[row, column], ANGLES[joint][row]
            if joint == "foot" and word != "progression":
                continue
            about = np.zeros(3)
            about[PLANES[view]] = 18.0 if joint == "pelvis" else 25.0
            found = angle_of(pose({DISTAL[joint]: about}), joint, word)
            leg = panel(axes, view, DISTAL[joint], about * np.sign(found))
            found = angle_of(leg, joint, word)
            if found <= 0:
                raise SystemExit(f"{joint} {word}: the drawing shows {found:g} deg")
            axes.set_title(f"{word.replace('_', ' ')} {found:+.0f} deg", fontsize=9, pad=3)
    note = "dashed: 0 degrees in all angles\nblue: what turned\nred: the positive direction\n"
    panels[0, 4].text(0.5, 0.5, note, transform=panels[0, 4].transAxes, ha="center", fontsize=9)
    titles(figure, panels, ("pelvis", "hip", "knee", "ankle", "foot progression"))
    save(figure, path)


def draw_moments(path: Path) -> None:
    """Draw the positive direction of every internal moment of the right leg."""
    figure, panels = paper(3, 3, (7.6, 7.2))
    for column, joint in enumerate(("hip", "knee", "ankle")):
        factors = moment_signs(joint, "right")
        for row, view in enumerate(SEEN):
            about = np.zeros(3)
            about[PLANES[view]] = 25.0 * factors[row]
            panel(panels[row, column], view, DISTAL[joint], about)
            words = MOMENTS[joint][row].replace("_", " ")
            panels[row, column].set_title(f"{words} +", fontsize=9, pad=3)
    titles(figure, panels, ("hip", "knee", "ankle"))
    save(figure, path)


def draw_axis(axes: Axes, view: str, at_G: Array, R_G: Array, letter: str) -> None:
    """Draw x, y and z of a basis, its letter at the origin."""
    across, up = SEEN[view][0]
    origin = at_G[[across, up]]
    out = 2 if view == "side" else 0
    for column, name in enumerate("xyz"):
        tip = origin + 0.13 * R_G[[across, up], column]
        colour = AXIS_COLOURS[name]
        if abs(R_G[out, column]) > 0.9:  # it stands on the paper
            towards = R_G[out, column] > 0 if view == "side" else R_G[out, column] < 0
            axes.plot(*origin, "o", ms=9, mfc="white", mec=colour, zorder=5)
            axes.plot(*origin, "." if towards else "x", ms=6, color=colour, zorder=6)
            x, y = origin - (0.03, 0.045)
            axes.text(x, y, name, color=colour, fontsize=9, ha="center")
        else:
            arrow = {"arrowstyle": "-|>", "color": colour, "shrinkA": 0, "lw": 1.6}
            axes.annotate("", tuple(tip), tuple(origin), arrowprops=arrow)
            x, y = origin + 0.155 * R_G[[across, up], column]
            axes.text(x, y, name, color=colour, fontsize=9, ha="center", va="center")
    axes.text(origin[0] - 0.075, origin[1] + 0.02, letter, fontsize=12, weight="bold", color=INK)


STEP = {"pelvis": -8.0, "thigh": 33.0, "shank": -40.0, "foot": 20.0}
"""Turns about z in the middle of a step, so that the axes differ, deg."""
CENTRES = {
    "pelvis": (0, 0.02, 0),
    "thigh": (0, -0.18, 0),
    "shank": (0, -0.17, 0),
    "foot": (0.06, -0.03, 0),
}


def draw_axes(path: Path) -> None:
    """Draw the axes of the laboratory and of the segments, from the right and from behind."""
    figure, panels = paper(2, 1, (8.4, 5.6))
    for axes, view in zip(panels[0], ("side", "behind"), strict=True):
        leg = pose({s: np.array((0, 0, a)) for s, a in STEP.items()} if view == "side" else {})
        for segment in CHAIN:
            outline(axes, view, leg.at(segment, BODY[segment]), fc=PALE, ec=GREY, alpha=0.6)
            centre = leg.at(segment, np.array(CENTRES[segment]))
            draw_axis(axes, view, centre, leg.R_G[segment], segment[0].upper())
        draw_axis(axes, view, np.array([-0.35, 0.02, -0.3]), np.eye(3), "G")
        axes.axhline(0, color=GREY, lw=0.8)
        axes.set_xlim(-0.5, 0.5)
        axes.set_ylim(-0.06, 1.16)
        axes.set_title("seen " + SEEN[view][1].replace("\n", ": "), fontsize=10)
    figure.subplots_adjust(left=0.01, right=0.99, top=0.94, bottom=0.01)
    save(figure, path)


def main(folder: Path = IMAGES) -> None:
    """Write the three drawings."""
    folder.mkdir(parents=True, exist_ok=True)
    draw_axes(folder / "axes.png")
    draw_angles(folder / "angles.png")
    draw_moments(folder / "moments.png")


if __name__ == "__main__":
    help_shown(__doc__)
    main(*map(Path, sys.argv[1:]))

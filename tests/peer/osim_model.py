"""Enough of OpenSim to move a model: bodies, offset frames, joints, splines (facts of OpenSim 4).

Rotations of a custom joint follow each other in the body (R = R1 R2 R3) and its translations are
those of the parent frame; offset frames turn by body-fixed X, Y, Z.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.own_table import Part

Array = np.ndarray[Any, np.dtype[Any]]
_STEP = 1e-5


@dataclass(frozen=True)
class Pose:
    """Rotations into the laboratory and places of the origin, shapes (n, 3, 3) and (n, 3)."""

    R: Array
    r: Array

    def __matmul__(self, other: Pose) -> Pose:
        """Return the pose of what stands in another frame by a second pose."""
        return Pose(self.R @ other.R, self.r + (self.R @ other.r[..., None])[..., 0])

    def inverse(self) -> Pose:
        """Return the way back."""
        back = np.swapaxes(self.R, -1, -2)
        return Pose(back, -(back @ self.r[..., None])[..., 0])

    def at(self, point: Array) -> Array:
        """Return where a point of the body is, shape (n, 3)."""
        return self.r + self.R @ point


@dataclass(frozen=True)
class Body:
    """Mass, centre of mass and inertia about it, in the axes of the body."""

    mass: float
    centre: Array
    inertia: Array


def welded(parts: list[Part]) -> Part:
    """Return bodies that move together as one: mass, centre of mass, inertia in common axes."""
    mass = sum(m for m, _, _ in parts)
    centre = np.sum([m * r for m, r, _ in parts], axis=0) / mass
    inertia = np.zeros((3, 3))
    for m, r, own in parts:
        d = r - centre
        inertia += own + m * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, centre, inertia


@dataclass(frozen=True)
class Joint:
    """What stands between two bodies."""

    parent: str
    child: str
    before: Pose
    after: Pose
    coordinates: tuple[str, ...]
    moved: Callable[[Mapping[str, Array]], Pose]


class Model:
    """A model as its file describes it."""

    def __init__(self, path: Path) -> None:
        root = ET.parse(path).getroot().find("Model")  # noqa: S314  a file of the corpus
        assert root is not None
        self.bodies = {x.get("name", ""): _body(x) for x in root.iterfind("BodySet/objects/Body")}
        found = root.find("JointSet/objects")
        assert found is not None
        self.joints = {x.get("name", ""): _joint(x) for x in found}

    def poses(self, q: Mapping[str, Array]) -> dict[str, Pose]:
        """Return the pose of every body, name -> Pose."""
        n = len(next(iter(q.values())))
        found = {"ground": Pose(np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3)))}
        waiting = list(self.joints.values())
        while waiting:
            joint = next(j for j in waiting if j.parent in found)
            between = joint.before @ joint.moved(q) @ joint.after.inverse()
            found[joint.child] = found[joint.parent] @ between
            waiting.remove(joint)
        return found

    def partial(self, name: str, coordinate: str, q: Mapping[str, Array]) -> tuple[Array, Array]:
        """Return how a coordinate turns and moves the child of its joint, (n, 3) each, laboratory.

        Angular velocity and velocity of the child's origin for a unit rate, its parent at rest.
        """
        joint, parent = self.joints[name], self.poses(q)[self.joints[name].parent]
        one, two = (
            parent @ joint.before @ joint.moved({**q, coordinate: q[coordinate] + step})
            @ joint.after.inverse()
            for step in (-_STEP, _STEP)
        )  # fmt: skip
        turned = (two.R - one.R) @ np.swapaxes(0.5 * (one.R + two.R), -1, -2) / (2 * _STEP)
        w = np.stack((turned[:, 2, 1], turned[:, 0, 2], turned[:, 1, 0]), axis=1)
        return w, (two.r - one.r) / (2 * _STEP)


def _numbers(text: str | None) -> Array:
    return np.array((text or "").split(), dtype=float)


def _body(element: ET.Element) -> Body:
    Ixx, Iyy, Izz, Ixy, Ixz, Iyz = _numbers(element.findtext("inertia"))
    inertia = np.array([[Ixx, Ixy, Ixz], [Ixy, Iyy, Iyz], [Ixz, Iyz, Izz]])
    mass = float(element.findtext("mass") or 0)
    return Body(mass, _numbers(element.findtext("mass_center")), inertia)


def about(axis: Array, angle: Array) -> Array:
    """Return rotations about an axis (Rodrigues), shape (n, 3, 3)."""
    x, y, z = axis / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    s, c = np.sin(angle)[..., None, None], np.cos(angle)[..., None, None]
    return np.eye(3) + s * K + (1 - c) * (K @ K)


def _joint(element: ET.Element) -> Joint:
    frames: dict[str, tuple[str, Pose]] = {}
    for frame in element.iterfind("frames/PhysicalOffsetFrame"):
        angles = _numbers(frame.findtext("orientation"))
        R = np.eye(3)
        for axis, angle in zip(np.eye(3), angles, strict=True):
            R = R @ about(axis, angle)
        body = (frame.findtext("socket_parent") or "").rpartition("/")[2]
        frames[frame.get("name", "")] = (body, Pose(R, _numbers(frame.findtext("translation"))))
    (parent, before), (child, after) = (
        frames[element.findtext(f"socket_{which}_frame") or ""] for which in ("parent", "child")
    )
    names = tuple(x.get("name", "") for x in element.iterfind("coordinates/Coordinate"))
    axes = element.findall("SpatialTransform/TransformAxis")
    if not axes:
        return Joint(parent, child, before, after, names, _pin(names))
    return Joint(parent, child, before, after, names, _custom([_axis(x) for x in axes]))


def _pin(names: tuple[str, ...]) -> Callable[[Mapping[str, Array]], Pose]:
    def moved(q: Mapping[str, Array]) -> Pose:
        angle = q[names[0]] if names else np.zeros(len(next(iter(q.values()))))
        return Pose(about(np.array([0.0, 0, 1]), angle), np.zeros((len(angle), 3)))

    return moved


def _custom(
    axes: list[tuple[Array, Callable[[Mapping[str, Array]], Array]]],
) -> Callable[[Mapping[str, Array]], Pose]:
    def moved(q: Mapping[str, Array]) -> Pose:
        R: Array = np.eye(3)
        for axis, value in axes[:3]:
            R = R @ about(axis, value(q))
        way = sum((value(q)[:, None] * axis for axis, value in axes[3:]), np.zeros(3))
        return Pose(R, np.asarray(way))

    return moved


def _axis(element: ET.Element) -> tuple[Array, Callable[[Mapping[str, Array]], Array]]:
    name = (element.findtext("coordinates") or "").strip()
    function = next(x for x in element if x.tag not in ("coordinates", "axis"))
    value = _function(function)

    def of(q: Mapping[str, Array]) -> Array:
        at = q[name] if name else np.zeros(len(next(iter(q.values()))))
        return value(at)

    return _numbers(element.findtext("axis")), of


def _function(element: ET.Element) -> Callable[[Array], Array]:
    if element.tag == "MultiplierFunction":
        inner = element.find("function")
        assert inner is not None
        scale, value = float(element.findtext("scale") or 1), _function(inner[0])
        return lambda x: scale * value(x)
    if element.tag == "Constant":
        constant = float(element.findtext("value") or 0)
        return lambda x: np.full(len(x), constant)
    if element.tag == "LinearFunction":
        slope, level = _numbers(element.findtext("coefficients"))
        return lambda x: slope * x + level
    assert element.tag == "SimmSpline", element.tag
    return simm_spline(_numbers(element.findtext("x")), _numbers(element.findtext("y")))


def simm_spline(x: Array, y: Array) -> Callable[[Array], Array]:
    """Return the cubic spline of SIMM.

    Forsythe, Malcolm and Moler 1977, Computer methods for mathematical computations, p. 70: at
    either end the third derivative is that of the cubic through the four points there; beyond the
    ends it goes on straight.
    """
    h, n = np.diff(x), len(x)
    slope = np.diff(y) / h
    A, b = np.zeros((n, n)), np.zeros(n)  # for y'' / 6
    for i in range(1, n - 1):
        A[i, i - 1 : i + 2] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
        b[i] = slope[i] - slope[i - 1]
    A[0, :2], A[-1, -2:] = (-h[0], h[0]), (h[-1], -h[-1])
    if n > 3:
        third = [np.polyfit(part - part[0], value, 3)[0] for part, value in
                 ((x[:4], y[:4]), (x[-4:], y[-4:]))]  # fmt: skip
        b[0], b[-1] = h[0] ** 2 * third[0], -(h[-1] ** 2) * third[1]
    c = np.linalg.solve(A, b)

    def value(at: Array) -> Array:
        inside = np.clip(at, x[0], x[-1])
        i = np.clip(np.searchsorted(x, inside, side="right") - 1, 0, n - 2)
        d = inside - x[i]
        first = slope[i] - h[i] * (c[i + 1] + 2 * c[i])
        cubic = (c[i + 1] - c[i]) / h[i]
        end = first + d * (6 * c[i] + 3 * d * cubic)
        return y[i] + d * (first + d * (3 * c[i] + d * cubic)) + end * (at - inside)

    return value

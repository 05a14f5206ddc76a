"""A tree of bodies: its coordinates, with methods for its kinematics and dynamics.

The package uses one form of the equations of motion::

    M(q) qdd + c(q, v) = tau + g(q) + J^T w

``c`` are the velocity terms, ``g`` the gravity terms, ``w`` external wrenches.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.errors import ArrayShapeError, TreeRefused
from gaitdyn.multibody import dynamics as _dynamics
from gaitdyn.multibody import state as _state
from gaitdyn.multibody.body import Body
from gaitdyn.multibody.joints import SIZES, rates
from gaitdyn.types.arrays import Array, locked
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.multibody.causes import Terms
    from gaitdyn.multibody.contact import AppliedWrench
    from gaitdyn.multibody.symbolic.bodies import SymbolicTree

_WORLD = -1


@frozen(eq=False)
class Tree:
    """Bodies connected by joints, parents before children, and gravity.

    Attributes
    ----------
    bodies : sequence of Body
    gravity : array, shape (3,)
        In the world's axes, m/s2, for example (0, -9.80665, 0).
    nq, nv : int
        Numbers of coordinates and of velocities; they differ by one for every quaternion.
    index : dict
        Index of each body by name.
    parents : tuple of int
        Index of each body's parent, -1 for the world.
    q_at, v_at : tuple of slice
        Position of each body's joint among the coordinates and the velocities.
    masses, coms, inertias : arrays, shapes (b,), (b, 3), (b, 3, 3)
        Of all bodies, each in its own axes: kg, m, kg m2.

    Raises
    ------
    TreeRefused
        If the bodies do not form a tree, or a joint moves nothing.

    Examples
    --------
    A rod of 1 m and 2 kg, hinged at its end and released level: 3 g / (2 l).

    >>> I = np.diag([2.0 / 12.0, 0.0, 2.0 / 12.0])
    >>> rod = Body("rod", None, "revolute", mass=2.0, com=[0.0, -0.5, 0.0], inertia=I)
    >>> tree = Tree([rod], gravity=[0.0, -9.81, 0.0])
    >>> tree.forward([[np.pi / 2]], [[0.0]], [[0.0]]).round(6)
    array([[-14.715]])
    """

    bodies: tuple[Body, ...]
    gravity: Array
    nq: int = field(init=False)
    nv: int = field(init=False)
    index: dict[str, int] = field(init=False)
    parents: tuple[int, ...] = field(init=False)
    q_at: tuple[slice, ...] = field(init=False)
    v_at: tuple[slice, ...] = field(init=False)
    masses: Array = field(init=False)
    coms: Array = field(init=False)
    inertias: Array = field(init=False)

    def __init__(self, bodies: Sequence[Body], gravity: Array | Sequence[float]) -> None:
        index: dict[str, int] = {}
        parents: list[int] = []
        q_at, v_at = [slice(0, 0)], [slice(0, 0)]
        for number, body in enumerate(bodies):
            if body.name in index:
                raise TreeRefused(f"two bodies are called {body.name}")
            if body.parent is not None and body.parent not in index:
                earlier = ", ".join(index) or "none"
                raise TreeRefused(
                    f"{body.name} has the parent {body.parent!r}, which is not one of the bodies"
                    f" before it ({earlier})"
                )
            parents.append(_WORLD if body.parent is None else index[body.parent])
            index[body.name] = number
            k, m = SIZES[body.joint]
            q_at.append(slice(q_at[-1].stop, q_at[-1].stop + k))
            v_at.append(slice(v_at[-1].stop, v_at[-1].stop + m))
        values = {
            "bodies": tuple(bodies), "gravity": locked("gravity", gravity, (3,)),
            "nq": q_at[-1].stop, "nv": v_at[-1].stop, "index": index, "parents": tuple(parents),
            "q_at": tuple(q_at[1:]), "v_at": tuple(v_at[1:]),
            "masses": np.array([body.mass for body in bodies], dtype=float),
            "coms": np.array([body.com for body in bodies]).reshape(-1, 3),
            "inertias": np.array([body.inertia for body in bodies]).reshape(-1, 3, 3),
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check_mass()

    def _check_mass(self) -> None:
        """Refuse a joint that carries neither mass nor inertia, and a tree without bodies."""
        if not self.bodies:
            raise TreeRefused("a tree without bodies")
        carried = [body.mass + float(np.trace(body.inertia)) for body in self.bodies]
        for b in range(len(self.bodies) - 1, -1, -1):
            if self.parents[b] != _WORLD:
                carried[self.parents[b]] += carried[b]
            if carried[b] == 0.0 and self.bodies[b].joint != "fixed":
                raise TreeRefused(
                    f"the joint of {self.bodies[b].name} moves neither mass nor inertia; only a"
                    " body that carries others may be massless"
                )

    def neutral(self) -> Array:
        """Return the coordinates with all angles and displacements zero, shape (nq,)."""
        q = np.zeros(self.nq)
        for body, columns in zip(self.bodies, self.q_at, strict=True):
            if body.joint in ("free", "ball"):
                q[columns.stop - 1] = 1.0
        return q

    def normalised(self, q: Array) -> Array:
        """Return coordinates with every quaternion scaled to unit length, shape of ``q``."""
        out = np.array(q, dtype=float)
        for body, columns in zip(self.bodies, self.q_at, strict=True):
            if body.joint in ("free", "ball"):
                part = slice(columns.stop - 4, columns.stop)
                out[..., part] /= np.linalg.norm(out[..., part], axis=-1, keepdims=True)
        return out

    def frames(self, name: str, values: object, size: int, n: int | None = None) -> Array:
        """Return ``values`` as frames; a single frame may be given as a vector.

        Parameters
        ----------
        name : str
            Name of the values in an error message.
        values : array_like, shape (n, size) or (size,)
        size : int
        n : int, optional
            Required number of frames; a single frame is accepted for all.

        Returns
        -------
        array, shape (n, size)

        Raises
        ------
        ArrayShapeError
            With the shape that was found and the shape that is wanted.
        """
        array = locked(name, np.atleast_2d(np.asarray(values, dtype=float)), (None, size))
        if n is not None and len(array) not in (1, n):
            raise ArrayShapeError(f"{name} has {counted(len(array), 'frame')}, wanted {n}")
        return array

    def posture(self, q: object, v: object) -> tuple[Array, Array]:
        """Return coordinates and velocities as arrays with the same number of frames."""
        q, v = self.frames("q", q, self.nq), self.frames("v", v, self.nv)
        if len(q) != len(v):
            raise ArrayShapeError(f"q has {counted(len(q), 'frame')}, v has {len(v)}")
        return q, v

    def qdot(self, q: object, v: object) -> Array:
        """Return dq/dt for velocities ``v``, shape (n, nq); quaternions have four rates."""
        q, v = self.posture(q, v)
        parts = [
            rates(body.joint, q[:, i], v[:, j])
            for body, i, j in zip(self.bodies, self.q_at, self.v_at, strict=True)
        ]
        return np.concatenate(parts, axis=1)

    def state(self, q: object, v: object) -> _state.State:
        """Return positions, velocities, bias accelerations and Jacobians of all bodies."""
        return _state.state(self, *self.posture(q, v))

    def point(self, state: _state.State, body: str, r: object) -> _state.Point:
        """Return Jacobian, bias and position of a point of a body; see :func:`.state.point`."""
        return _state.point(self, state, body, r)

    def com(self, state: _state.State) -> _state.Point:
        """Return Jacobian, bias and position of the centre of mass; see :func:`.state.com`."""
        return _state.com(self, state)

    def dynamics(self, state: _state.State) -> _dynamics.Matrices:
        """Return M (n, nv, nv), c (n, nv) and g (n, nv)."""
        return _dynamics.matrices(self, state)

    def energy(self, state: _state.State) -> _dynamics.Energy:
        """Return kinetic and potential energy of every frame, J."""
        return _dynamics.energy(self, state)

    def symbolic(self, *, numbers: bool = False) -> SymbolicTree:
        """Return M, h, f, kinematics and Jacobians as expressions (extra ``symbolic``).

        Parameters
        ----------
        numbers : bool
            Keep masses and lengths as numbers instead of symbols.
        """
        from gaitdyn.multibody.symbolic.bodies import symbolic_tree

        return symbolic_tree(self, numbers=numbers)

    def inverse(
        self, q: object, v: object, a: object, contacts: Sequence[AppliedWrench] = ()
    ) -> Terms:
        """Return the generalised forces of a motion by cause; see :func:`.dynamics.inverse`."""
        state = self.state(q, v)
        accelerations = self.frames("a", a, self.nv, len(state.p))
        return _dynamics.inverse(self, state, accelerations, contacts)

    def forward(
        self, q: object, v: object, tau: object, contacts: Sequence[AppliedWrench] = ()
    ) -> Array:
        """Return the accelerations, shape (n, nv); see :func:`.dynamics.forward`."""
        state = self.state(q, v)
        loads = self.frames("tau", tau, self.nv, len(state.p))
        return _dynamics.forward(self, state, loads, contacts)

"""The generalised forces of a motion by cause, also in the sign conventions of other authors."""

from __future__ import annotations

from typing import Literal, NamedTuple

from gaitdyn.types.arrays import Array, locked
from gaitdyn.types.frozen import frozen

Signs = Literal["gaitdyn", "duarte", "watanabe", "pymbs", "caron"]


class EquationView(NamedTuple):
    """An equation as its author writes it, and the value of each of its terms."""

    equation: str
    terms: dict[str, Array]


@frozen(eq=False)
class Terms:
    """The generalised forces that a motion needs, split by cause: ``tau = M + C + G + E``.

    Attributes
    ----------
    M : array, shape (n, nv)
        Inertial: mass times acceleration, N or N m.
    C : array, shape (n, nv)
        Velocity terms.
    G : array, shape (n, nv)
        To balance gravity.
    E : array, shape (n, nv)
        To balance the known external forces, ``-J^T w``.
    """

    M: Array
    C: Array
    G: Array
    E: Array

    def __post_init__(self) -> None:
        """Check and lock the arrays."""
        shape = self.M.shape
        for name in ("M", "C", "G", "E"):
            object.__setattr__(self, name, locked(name, getattr(self, name), shape))

    @property
    def tau(self) -> Array:
        """Forces and moments of the joints, shape (n, nv)."""
        return self.M + self.C + self.G + self.E

    def view(self, signs: Signs) -> EquationView:
        """Return the terms in the sign convention of a text.

        Parameters
        ----------
        signs : {"gaitdyn", "duarte", "watanabe", "pymbs", "caron"}
            ``duarte``: notebook of one- and two-link systems; ``watanabe``: the matrix form of
            the Newton-Euler equations and of the double pendulum; ``pymbs``: the chapter on
            multibody simulation; ``caron``: the note on equations of motion.

        Examples
        --------
        >>> import numpy as np
        >>> one = np.ones((1, 1))
        >>> terms = Terms(M=5 * one, C=2 * one, G=3 * one, E=-4 * one)
        >>> terms.view("watanabe").equation
        'M qdd = C + G + Q + E'
        >>> {name: float(value[0, 0]) for name, value in terms.view("watanabe").terms.items()}
        {'M qdd': 5.0, 'C': -2.0, 'G': -3.0, 'Q': 6.0, 'E': 4.0}
        """
        M, C, G, E, tau = self.M, self.C, self.G, self.E, self.tau
        views = {
            "gaitdyn": EquationView(
                "M qdd + c = tau + g + J^T w",
                {"M qdd": M, "c": C, "tau": tau, "g": -G, "J^T w": -E},
            ),
            "duarte": EquationView(
                "tau = M qdd + C + G + E", {"tau": tau, "M qdd": M, "C": C, "G": G, "E": E}
            ),
            "watanabe": EquationView(
                "M qdd = C + G + Q + E", {"M qdd": M, "C": -C, "G": -G, "Q": tau, "E": -E}
            ),
            "pymbs": EquationView(
                "M qdd + h = f + W lambda", {"M qdd": M, "h": C + G, "f": tau, "W lambda": -E}
            ),
            "caron": EquationView(
                "M qdd + qd^T C qd = tau + tau_g + J^T f",
                {"M qdd": M, "qd^T C qd": C, "tau": tau, "tau_g": -G, "J^T f": -E},
            ),
        }
        return views[signs]

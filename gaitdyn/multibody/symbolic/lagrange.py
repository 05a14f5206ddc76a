"""Equations of motion from a Lagrangian, as the terms M, C, G, E of the seed documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, Literal

from gaitdyn.multibody.symbolic.extra import mechanics, sympy
from gaitdyn.multibody.symbolic.lambdas import batched
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

Signs = Literal["gaitdyn", "watanabe", "duarte"]


@frozen(eq=False)
class System:
    r"""Equations ``M qdd + c = tau + g + e`` of a system in independent coordinates.

    Attributes
    ----------
    q : tuple of dynamicsymbols, length n
    M : sympy matrix, shape (n, n)
        Mass matrix.
    c : sympy matrix, shape (n, 1)
        Forces of a motion with qdd = 0: centrifugal and Coriolis.
    g : sympy matrix, shape (n, 1)
        Generalised forces of gravity (of the potential).
    e : sympy matrix, shape (n, 1)
        Generalised external forces, J^T w.
    """

    q: tuple[Any, ...]
    M: Any
    c: Any
    g: Any
    e: Any

    @classmethod
    def from_lagrangian(cls, L: Any, q: Sequence[Any], Q: Sequence[Any] | None = None) -> System:
        r"""Return the equations of a Lagrangian.

        d/dt (dL/dqd) - dL/dq = tau + Q is split: M = d2L/dqd2; the remainder at qdd = 0 is
        c - g, and its value at qd = 0 is -g.

        Parameters
        ----------
        L : sympy expression
            T - V in q(t) and its derivative, otherwise without t.
        q : sequence of dynamicsymbols
            Independent coordinates.
        Q : sequence of sympy expressions, optional
            Generalised external forces, one per coordinate. Actuator forces do not belong here:
            they are tau.

        Examples
        --------
        >>> import sympy as sp
        >>> from sympy.physics.mechanics import dynamicsymbols
        >>> m, l, g = sp.symbols("m l g")
        >>> a = dynamicsymbols("a")
        >>> L = m * l**2 * a.diff() ** 2 / 2 + m * g * l * sp.cos(a)
        >>> pendulum = System.from_lagrangian(L, [a])
        >>> pendulum.M, pendulum.c, pendulum.g
        (Matrix([[l**2*m]]), Matrix([[0]]), Matrix([[-g*l*m*sin(a(t))]]))
        """
        sp, t = sympy(), mechanics().dynamicsymbols._t  # noqa: SLF001  its documented place
        column = sp.Matrix(list(q))
        speeds = column.diff(t)
        momenta = sp.Matrix([L]).jacobian(speeds).T
        M = momenta.jacobian(speeds)
        rest = momenta.jacobian(column) * speeds - sp.Matrix([L]).jacobian(column).T
        g = -mechanics().msubs(rest, dict.fromkeys(speeds, sp.S.Zero))
        e = sp.zeros(len(column), 1) if Q is None else sp.Matrix(list(Q))
        for i, j in combinations_with_replacement(range(len(column)), 2):
            M[i, j] = M[j, i] = sp.simplify(M[i, j])  # the same second derivative of L
        columns = (part.applyfunc(sp.simplify) for part in (rest + g, g, e))
        return cls(tuple(column), *(part.as_immutable() for part in (M, *columns)))

    @property
    def qd(self) -> tuple[Any, ...]:
        """Derivatives of the coordinates."""
        return tuple(q.diff(mechanics().dynamicsymbols._t) for q in self.q)  # noqa: SLF001

    def parts(self, signs: Signs = "gaitdyn") -> dict[str, Any]:
        """Return M, C, G and E in the signs of a document.

        Parameters
        ----------
        signs : {"gaitdyn", "watanabe", "duarte"}
            ``M qdd + C = tau + G + E``; ``M qdd = C + G + tau + E`` (seeds 000, 001);
            ``tau = M qdd + C + G + E`` (seed 002).
        """
        sign_c, sign_ge = {"gaitdyn": (1, 1), "watanabe": (-1, 1), "duarte": (1, -1)}[signs]
        return {"M": self.M, "C": sign_c * self.c, "G": sign_ge * self.g, "E": sign_ge * self.e}

    def subs(self, values: Mapping[Any, Any]) -> System:
        """Return the system with symbols, coordinates or speeds replaced, and simplified.

        An entry that has none of them stays as it is.
        """
        sp = sympy()

        def replaced(entry: Any) -> Any:
            put = mechanics().msubs(entry, dict(values))
            return entry if put == entry else sp.simplify(put)

        parts = (self.M, self.c, self.g, self.e)
        return System(self.q, *(part.applyfunc(replaced) for part in parts))

    def in_coordinates(self, q: Sequence[Any], old_of_new: Sequence[Any]) -> System:
        """Return the same system in other coordinates, by the congruence J^T M J.

        Parameters
        ----------
        q : sequence of dynamicsymbols
            The new coordinates.
        old_of_new : sequence of sympy expressions
            Each old coordinate as a function of the new ones.
        """
        sp, t = sympy(), mechanics().dynamicsymbols._t  # noqa: SLF001
        new, old = sp.Matrix(list(q)), sp.Matrix(list(old_of_new))
        J = old.jacobian(new)
        rates = old.diff(t)
        by_new = dict(zip(self.qd, rates, strict=True)) | dict(zip(self.q, old, strict=True))
        M, c, g, e = (mechanics().msubs(x, by_new) for x in (self.M, self.c, self.g, self.e))
        parts = (J.T * M * J, J.T * (c + M * J.diff(t) * new.diff(t)), J.T * g, J.T * e)
        return System(tuple(new), *(part.applyfunc(sp.simplify) for part in parts))

    def numpy(self, signs: Signs = "gaitdyn") -> Callable[..., dict[str, Array]]:
        """Return ``f(q, qd, parameters)``, which gives M, C, G and E for every frame.

        Parameters
        ----------
        signs : {"gaitdyn", "watanabe", "duarte"}

        Returns
        -------
        callable
            See :func:`gaitdyn.multibody.symbolic.lambdas.batched`.
        """
        return batched(self.parts(signs), self.q, self.qd)

    def latex(self, signs: Signs = "gaitdyn") -> dict[str, str]:
        """Return M, C, G and E as LaTeX, with derivatives as dots."""
        return {name: mechanics().mlatex(part) for name, part in self.parts(signs).items()}

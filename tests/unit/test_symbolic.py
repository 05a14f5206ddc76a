"""Derivations with sympy: identities of the seed documents and their printed errors."""

from __future__ import annotations

import pytest

sp = pytest.importorskip("sympy", reason="needs the extra symbolic")


def zero(matrix):
    return all(sp.simplify(entry) == 0 for entry in matrix)


def test_the_printed_gravity_of_the_double_pendulum_is_off_by_the_length_e1():
    from gaitdyn.multibody.symbolic import double_pendulum

    m1, m2, l1, l2, g = sp.symbols("m1 m2 l1 l2 g", positive=True)
    system = double_pendulum()
    printed = -(m1 * l1 / 2 + m2 * l2) * g * sp.sin(system.q[0])
    left = system.parts("watanabe")["G"][0] - printed
    assert sp.simplify(left + g * m2 * (l1 - l2) * sp.sin(system.q[0])) == 0


def test_segment_angles_are_a_congruence_of_joint_angles():
    from gaitdyn.multibody.symbolic import two_link

    joint, segment = two_link(), two_link("segment")
    first, second = segment.q
    turned = joint.in_coordinates([first, second], [first, second - first])
    for name in ("M", "c", "g", "e"):
        assert zero(getattr(turned, name) - getattr(segment, name)), name


@pytest.mark.parametrize(("still", "names"), [(0, (0,)), (1, (1,))])
def test_terms_left_when_one_joint_rests(still, names):
    from gaitdyn.multibody.symbolic import two_link

    system = two_link()
    C = system.subs({system.qd[still]: 0}).c
    assert C[1 - names[0] if still == 0 else 0] == 0

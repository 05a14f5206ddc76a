"""The public doors: what stands in an ``__all__`` is there and says what it takes and gives."""

from __future__ import annotations

import inspect
import pkgutil
import re
from importlib import import_module

import pytest

import gaitdyn

PACKAGES = sorted(
    found.name for found in pkgutil.walk_packages(gaitdyn.__path__, "gaitdyn.") if found.ispkg
)
DOORS = [
    (home, name)
    for home in ("gaitdyn", *PACKAGES)
    for name in getattr(import_module(home), "__all__", ())
    if name != "__version__"
]
SENTENCES = {("gaitdyn.multibody", "Gear"), ("gaitdyn.multibody", "friction_margin")}
"""Told whole in their sentences."""


def of(home, name):
    """Return a public thing and its docstring."""
    value = getattr(import_module(home), name)
    return value, inspect.getdoc(value) or ""


def test_the_front_door_is_that_of_the_contract():
    wanted = {"inverse_dynamics", "process_trial", "process_session", "read_results", "Result"}
    assert wanted <= set(gaitdyn.__all__)
    wanted = "mass inertia_S R_GS r_cm_G r_prox_G a_cm_G omega_S alpha_S"
    names = [*wanted.split(), "external_force_G", "external_moment_G", "gravity_G", "method"]
    assert list(inspect.signature(gaitdyn.inverse_dynamics).parameters) == names
    assert list(inspect.signature(gaitdyn.process_trial).parameters) == [
        "path",
        "options",
        "settings",
    ]


def test_what_is_public_is_there_and_documented():
    for home, name in DOORS:
        value, text = of(home, name)
        if inspect.isfunction(value) or inspect.isclass(value):
            assert text, f"{home}.{name} has no docstring"
            assert not text.startswith(f"{name}("), f"{home}.{name} has no docstring of its own"


FRONT = [getattr(gaitdyn, name) for name in ("process_trial", "process_session", "read_results")]
METHODS = [v for k, v in vars(gaitdyn.Result).items() if k != "once" and not k.startswith("_")]


@pytest.mark.parametrize(
    "value", [*FRONT, gaitdyn.inverse_dynamics, gaitdyn.Options, gaitdyn.Result, *METHODS]
)
def test_an_example_of_the_front_door_runs(value):
    text = inspect.getdoc(value) or ""
    if inspect.isroutine(value) or inspect.isclass(value):
        assert ">>> " in text
    assert "+SKIP" not in text


def test_a_public_function_or_value_tells_its_parts_and_the_shapes_of_arrays():
    for home, name in DOORS:
        if (home, name) not in SENTENCES:
            check_parts(f"{home}.{name}", *of(home, name))


def check_parts(name, value, text):
    """Assert that a docstring tells the parts of a function or value, with shapes of arrays."""
    if inspect.isclass(value) and getattr(value, "__dataclass_fields__", None):
        assert re.search(r"^(Attributes|Parameters)\n---", text, re.MULTILINE), name
        kinds = str([field.type for field in vars(value)["__dataclass_fields__"].values()])
    elif inspect.isfunction(value):
        signature = inspect.signature(value)
        kinds = str(signature)
        if signature.parameters:
            assert re.search(r"^Parameters\n---", text, re.MULTILINE), name
            for parameter in signature.parameters:
                told = re.search(rf"^[^\n]*\b{parameter}\b", text, re.MULTILINE)
                assert told, f"{name} does not tell {parameter}"
    else:
        return
    if re.search(r"\b(Array|ArrayLike|Mask|NDArray)\b", kinds):
        shapes = re.search(r"shape|\((?:n|na|n_\w+|\.\.\.)\b[^)]*,", text)
        assert shapes, f"{name} tells no shapes"

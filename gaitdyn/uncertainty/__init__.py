"""How far the numbers can be trusted: bands from input errors, cut-offs, and other settings."""

from gaitdyn.uncertainty.bands import find_uncertainty
from gaitdyn.uncertainty.files import write_uncertainty
from gaitdyn.uncertainty.inputs import InputErrors, input_errors, read_input_errors

__all__ = [
    "InputErrors",
    "find_uncertainty",
    "input_errors",
    "read_input_errors",
    "write_uncertainty",
]

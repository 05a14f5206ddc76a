"""Checks that every run makes of its own loads: second opinion, closure, energy."""

from gaitdyn.audit.closure import accelerations_back
from gaitdyn.audit.energy import power_residual
from gaitdyn.audit.legs import audit_document, audit_of
from gaitdyn.audit.mechanism import mechanism_document, third_opinion
from gaitdyn.audit.second_opinion import second_opinion

__all__ = [
    "accelerations_back",
    "audit_document",
    "audit_of",
    "mechanism_document",
    "power_residual",
    "second_opinion",
    "third_opinion",
]

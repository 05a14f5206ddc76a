"""The free body of one segment in one frame, and its rows of the stacked system."""

from gaitdyn.explain.chain_at import leg_of_result
from gaitdyn.explain.drawing import free_body_sheet
from gaitdyn.explain.free_body import FreeBody, free_body
from gaitdyn.explain.words import free_body_document, free_body_lines

__all__ = [
    "FreeBody", "free_body", "free_body_document", "free_body_lines", "free_body_sheet",
    "leg_of_result",
]  # fmt: skip

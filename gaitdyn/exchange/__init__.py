"""Results in the formats of other programs."""

from gaitdyn.exchange.export import FORMATS, Written, export

__all__ = ["FORMATS", "Written", "export"]

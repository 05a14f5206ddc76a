"""Results in the formats of other programs."""

from gaitdyn.exchange.export import FORMATS, export

__all__ = ["FORMATS", "export"]

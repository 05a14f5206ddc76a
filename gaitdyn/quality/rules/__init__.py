"""What is held against a limit: small pure rules by subject, one table of their limits."""

from gaitdyn.quality.rules.check import audited, check_result, checked, judged
from gaitdyn.quality.rules.table import Rule, Rules, load_rules

__all__ = ["Rule", "Rules", "audited", "check_result", "checked", "judged", "load_rules"]

"""Quality rules: small pure functions by subject, with one table of their limits."""

from gaitdyn.quality.rules.check import check_result, checked, findings_of, judged
from gaitdyn.quality.rules.table import QualityRule, load_rules

__all__ = ["QualityRule", "check_result", "checked", "findings_of", "judged", "load_rules"]

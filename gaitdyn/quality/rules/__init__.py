"""What is held against a limit: small pure rules by subject, one table of their limits."""

from gaitdyn.quality.rules.check import check_result, checked, findings_of, judged
from gaitdyn.quality.rules.table import QualityRule, load_rules

__all__ = ["QualityRule", "check_result", "checked", "findings_of", "judged", "load_rules"]

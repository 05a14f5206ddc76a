"""Quality rules: small pure functions by subject, with one table of their limits."""

from typing import TYPE_CHECKING

from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.quality.rules.check import check_result, checked, judged
    from gaitdyn.quality.rules.findings import findings_of
    from gaitdyn.quality.rules.table import QualityRule, load_rules

__all__ = ["QualityRule", "check_result", "checked", "findings_of", "judged", "load_rules"]

# stored results need no rule
__getattr__ = imported_late(
    __name__,
    table=("QualityRule", "load_rules"),
    check=("check_result", "checked", "judged"),
    findings=("findings_of",),
)

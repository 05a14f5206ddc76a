"""Compare gaitdyn's curves with the vendor's in the same file, or with a second result."""

from gaitdyn.compare.agreement import Row, SourceComparison
from gaitdyn.compare.files import write_comparison
from gaitdyn.compare.two_results import compare_results
from gaitdyn.compare.vendor import compare_vendor, result_vectors
from gaitdyn.compare.vendor_numerics import compare_with_vendor

__all__ = [
    "Row",
    "SourceComparison",
    "compare_results",
    "compare_vendor",
    "compare_with_vendor",
    "result_vectors",
    "write_comparison",
]

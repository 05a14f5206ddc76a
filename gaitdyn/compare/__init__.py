"""Compare gaitdyn's curves with the vendor's in the same file, or with a second result."""

from typing import TYPE_CHECKING

from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
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

__getattr__ = imported_late(
    __name__,
    agreement=("Row", "SourceComparison"),
    files=("write_comparison",),
    two_results=("compare_results",),
    vendor=("compare_vendor", "result_vectors"),
    vendor_numerics=("compare_with_vendor",),
)

"""What a worker of the gate tells of a test that passed: that it did.

Otherwise it tells six times of each, also that the test begins and that nothing went wrong before
and after it; to write and read that takes about as long as the shortest tests.
"""

from __future__ import annotations

import pytest
from _pytest.runner import runtestprotocol


def worth_telling(reports: list[pytest.TestReport]) -> list[pytest.TestReport]:
    """Return the report of a test that passed, and all three of any other."""
    if all(report.passed for report in reports):
        return [report for report in reports if report.when == "call"]
    return reports


class ToldInShort:
    """Runs a test as pytest does, and tells of it at its end."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run a test."""
        for report in worth_telling(runtestprotocol(item, log=False, nextitem=nextitem)):
            item.ihook.pytest_runtest_logreport(report=report)
        return True

"""What is made of a report, once for all tests that look at it: both are never changed."""

from __future__ import annotations

from functools import cache

from gaitdyn.report.page.document import page_text
from gaitdyn.report.paper.annex import annex_sheets
from gaitdyn.report.paper.clinic import clinic_sheets

page_of = cache(page_text)
annex_of = cache(annex_sheets)
clinic_of = cache(clinic_sheets)

"""Forms of the coupon program on paper and screen: text, HTML, CSV, XLSX, plain data.

A name is loaded when it is first asked for: text needs no template engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.reports.forms.contents import (
        Stamp,
        asks_for,
        file_stem,
        issue_data,
        issue_words,
    )
    from ledger.reports.forms.page import Group, Listed, forms_html, index_html
    from ledger.reports.forms.sheet import forms_csv
    from ledger.reports.forms.text import forms_text, grid
    from ledger.reports.forms.workbook import forms_xlsx

load_on_first_use(__name__)

__all__ = [
    "Group",
    "Listed",
    "Stamp",
    "asks_for",
    "file_stem",
    "forms_csv",
    "forms_html",
    "forms_text",
    "forms_xlsx",
    "grid",
    "index_html",
    "issue_data",
    "issue_words",
]

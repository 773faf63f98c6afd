"""Scheduling with Prefect: flows that read like a table of contents, and tasks that wrap `ledger`.

Prefect reports to its makers when it is imported unless it is told not to, so it is told here,
before any module of this package can import it.
"""

import os

os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT", "false")

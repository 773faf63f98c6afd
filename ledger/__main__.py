"""``python -m ledger`` is ``pitledger``."""

from ledger.cli import main

raise SystemExit(main())

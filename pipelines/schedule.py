"""The deployment at a property's own times: ``prefect.yaml`` with its two runs written anew.

The settings rule (``night_preliminary``, ``night_final``), and the time zone is that of the
property in its ledger, so that a change of the clocks moves neither run.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from ledger.audit import read_office
from ledger.cli.settings import Settings
from ledger.replay import Replay

FILE: Final = Path(__file__).with_name("prefect.yaml")
RUN: Final = re.compile(
    r'(?P<head>- cron: )"[^"]*"(?P<said>[^\n]*\n\s+timezone: )\S+'
    r"(?P<rest>[^-]*?phase: )(?P<phase>\w+)"
)


def zone_of(folder: Path) -> str:
    """Return the time zone of the property that a ledger describes, as an IANA name.

    Raises:
        PropertyUnknown: no fact describes it.
    """
    return str(read_office(Replay.open(folder)).clock.time_zone)


def deployment(settings: Settings, zone: str) -> str:
    """Return the text of ``prefect.yaml`` with the times of the settings, by the clocks of a zone.

    Args:
        settings: the property's; ``night_preliminary`` and ``night_final`` are local times, HH:MM.
        zone: an IANA name, such as America/New_York.
    """

    def run(match: re.Match[str]) -> str:
        hour, minute = getattr(settings, f"night_{match['phase']}").split(":")
        cron = f'"{int(minute)} {int(hour)} * * *"'
        return f"{match['head']}{cron}{match['said']}{zone}{match['rest']}{match['phase']}"

    return RUN.sub(run, FILE.read_text(encoding="utf-8"))

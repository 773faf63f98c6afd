"""The office's own facts judged by the general provisions, one by one.

Law: §§ 521.4, 521.6, 521.9. What holds at a table is judged there.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from ledger import events
from ledger.games.room import Breach
from ledger.house import guide, patrons_access_to_rules, requests
from ledger.house.office import Office


def judge_office(office: Office, day: date, begins: int, ends: int) -> Iterator[Breach]:
    """Yield what the office's facts of one gaming day break, in their order.

    Args:
        office: all office facts.
        day: the gaming day.
        begins: its first microsecond UTC.
        ends: the first microsecond UTC after it.
    """
    for fact in office.to_judge:
        if begins <= fact.event_time < ends:
            yield from _judge(office, fact, day)


def _judge(office: Office, fact: events.Fact, day: date) -> Iterator[Breach]:
    match fact:
        case events.GameRequestFiled():
            yield from requests.judge_request(fact, day)
        case events.GameApproved():
            yield from requests.judge_approval(fact)
        case events.RequestDecided():
            yield from requests.judge_decision(office, fact)
        case events.ElectronicDeviceSeen():
            yield from patrons_access_to_rules.judge_device(office, fact)
        case events.RulesTextKept():
            yield from patrons_access_to_rules.judge_text(office, fact)
        case events.RulesTextRequested():
            yield from patrons_access_to_rules.judge_text_request(fact)
        case events.GuideIssued() | events.GuideDisplayed():
            yield from guide.judge_use(office, fact)
        case events.GuideRequested():
            yield from guide.judge_guide_request(office, fact)
        case events.GuideSampleDecided():
            yield from guide.judge_withdrawal(office, fact)
        case events.WebSiteChecked():
            yield from guide.judge_web_site(office, fact)
        case _:
            pass

"""What a table's day takes over of rounds that were told from tables: rulings, stakes, counts.

It is what ``audit_table`` makes of a round's result, made without the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from json.encoder import encode_basestring
from typing import Final

from ledger.audit.digest import canonical, plain
from ledger.games.room import Decided
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds import RoundStatus
from ledger.rounds.in_order import RoundRead, Stretch
from ledger.rounds.in_order.round_results import OUTCOMES
from ledger.rounds.in_order.wager_table import Laid, Owed

SETTLED: Final = RoundStatus.SETTLED.value


@dataclass(slots=True)
class StretchRulings:
    """Tells of a stretch what an audit keeps of it.

    Args:
        stretch: the rounds.
    """

    stretch: Stretch
    _acts: dict[int, str] = field(default_factory=dict)
    _shown: dict[int, str] = field(default_factory=dict)

    def opened(self) -> Iterator[tuple[int, str]]:
        """Yield when each round opened (microseconds UTC), and its id."""
        reading = self.stretch.reading
        for round_ in self.stretch.rounds:
            yield reading.facts.at[round_.first], str(reading.ref(round_.first))

    def wagers(self) -> int:
        """Return how many wagers there were."""
        return sum(len(round_.lying) for round_ in self.stretch.rounds)

    def stakes(self) -> Iterator[tuple[tuple[str, FactRef | None, str, tuple[int, ...]], int]]:
        """Yield by game, filing, wager and picks the stakes of wagers that were decided, in cents.

        They come in the order in which they were laid first; none was laid that was not decided.
        """
        rules = self.stretch.reading.tables.rules
        game, paytable = rules.room.game, rules.filed.fact if rules.filed is not None else None
        times: dict[Laid, int] = {}
        for round_ in self.stretch.rounds:
            for wager in round_.lying.values():
                if not wager.laid.gone:
                    times[wager.laid] = times.get(wager.laid, 0) + 1
        for laid, count in times.items():
            yield (game, paytable, laid.wager, laid.picks), count * laid.stake_cents

    def rulings(self) -> Iterator[tuple[str, bytes]]:
        """Yield each round's stream and rulings, as ``digest.ruling`` states them."""
        for round_ in self.stretch.rounds:
            yield self.stretch.reading.ref(round_.first).stream, self._ruling(round_)

    def _ruling(self, round_: RoundRead) -> bytes:
        reading, decided = self.stretch.reading, round_.decided
        assert decided is not None
        rank, seq, texts = reading.facts.rank, reading.facts.seq, reading.columns.texts
        streams = [encode_basestring(name) for name in reading.facts.streams]
        acts, wagers = self._acts, []
        for number, wager in round_.lying.items():
            owed, row = wager.owed, wager.row
            assert owed is not None
            act = acts.get(id(owed)) or self._act(owed)
            name = encode_basestring(texts[number].decode())
            wagers.append(f"[{name},[{streams[rank[row]]},{seq[row]}],{act}]")
        shown = self._shown.get(id(decided)) or self._outcome(decided)
        opened = encode_basestring(str(reading.ref(round_.first)))
        return (
            f'{{"missing":false,"outcome":{shown},"round":{opened},'
            f'"status":"{SETTLED}","wagers":[{",".join(wagers)}]}}'
        ).encode()

    def _act(self, owed: Owed) -> str:
        """What a wager should come to, and what the house did, if anything: it is just that."""
        expected = owed.expected
        act = f'"{expected.outcome.value}",{expected.winnings_cents},{expected.stake_taken_cents}'
        if owed.done is not None:
            outcome, winnings, taken = owed.done
            act += f',"{OUTCOMES[outcome].value}",{winnings},{taken}'
        self._acts[id(owed)] = act
        return act

    def _outcome(self, decided: Decided) -> str:
        shown = self._shown[id(decided)] = canonical(plain(decided.shown)).decode()
        return shown

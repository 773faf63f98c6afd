"""The totals of a property's day, out of the marts of its report: named columns, none about people.

Four marts are opened, and of these the columns below alone; wagers, settlements and every other
mart that can name a patron or a dealer are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ledger.coupons.coupon_lookup import ENDED
from ledger.kernel import Certainty, Severity
from ledger.reports.roll_up_page import GameTotals

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "rounds": ("game", "status", "stake_cents"),
    "table_days": ("table_name", "game", "wagered_cents", "win_by_count_cents", "doubtful"),
    "findings": ("game", "table_name", "severity", "certainty"),
    "coupons": ("place", "moved", "until", "series", "quantity", "face_cents"),
}
"""The columns that are read of each mart."""
_SUMS: Final = ("wagered_cents", "win_by_count_cents")


def games_of(marts: Mapping[str, bytes]) -> dict[str, GameTotals]:
    """Return the totals of a day by game; the empty name has what belongs to no game.

    Args:
        marts: the Parquet files, by the names in ``COLUMNS``.

    Raises:
        ValueError: a mart is no such file, or has other columns.
    """
    games: dict[str, GameTotals] = {}
    game_of = {}
    for row in _rows(marts, "table_days"):
        game = game_of[row["table_name"]] = row["game"] or ""
        handle, win = (row[name] for name in _SUMS)
        _add(
            games,
            game,
            GameTotals(
                tables=1,
                handle_cents=int(handle or 0),
                win_cents=int(win or 0),
                tables_without_handle=int(handle is None),
                tables_without_win=int(win is None),
                doubtful_tables=int(row["doubtful"] is not False),
            ),
        )
    played: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    unknown_cents: Counter[str] = Counter()
    for row in _rows(marts, "rounds"):
        game = row["game"] or ""
        played[game] += 1
        if row["status"] not in ("settled", "void"):
            unknown[game] += 1
            unknown_cents[game] += int(row["stake_cents"] or 0)
    for game, rounds in played.items():
        part = GameTotals(
            rounds=rounds, unknown_rounds=unknown[game], unknown_cents=unknown_cents[game]
        )
        _add(games, game, part)
    broken: Counter[tuple[str, Severity]] = Counter()
    unsure: Counter[str] = Counter()
    for row in _rows(marts, "findings"):
        game = row["game"] or game_of.get(row["table_name"], "")
        if row["certainty"] == Certainty.BROKEN.value:
            broken[game, Severity(row["severity"])] += 1
        else:
            unsure[game] += 1
    for (game, severity), count in broken.items():
        _add(games, game, GameTotals(findings={severity: count}))
    for game, count in unsure.items():
        _add(games, game, GameTotals(unknown_findings=count))
    return dict(sorted(games.items()))


def coupons_of(marts: Mapping[str, bytes]) -> tuple[int, int]:
    """Return how many coupons of a known series are outstanding, and their face value in cents.

    Raises:
        ValueError: the mart is no such file, or has other columns.
    """
    ended = {one.value for one in ENDED}
    count = cents = 0
    for row in _rows(marts, "coupons"):
        is_there = row["moved"] and row["until"] is None and row["series"] is not None
        if is_there and row["place"] not in ended:
            count += int(row["quantity"])
            cents += int(row["face_cents"])
    return count, cents


def _add(games: dict[str, GameTotals], game: str, part: GameTotals) -> None:
    games[game] = games.get(game, GameTotals()) + part


def _rows(marts: Mapping[str, bytes], name: str) -> Iterator[dict[str, Any]]:
    """The rows of a mart, of its named columns alone.

    Raises:
        ValueError: it is no such file, or has other columns.
    """
    wanted = COLUMNS[name]
    try:
        file = pq.ParquetFile(pa.BufferReader(marts[name]))
        if not {*wanted} <= {*file.schema_arrow.names}:
            raise ValueError(f"the mart {name} has other columns")
        for batch in file.iter_batches(columns=[*wanted]):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError, KeyError) as error:
        raise ValueError(f"the mart {name} cannot be read") from error

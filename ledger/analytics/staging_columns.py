"""The tables of staging as Arrow sees them; the types in DuckDB follow from these."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

TEXT: Final[pa.DataType] = pa.string()
LONG: Final[pa.DataType] = pa.int64()
DAY: Final[pa.DataType] = pa.date32()
FLAG: Final[pa.DataType] = pa.bool_()
CENTS: Final[pa.DataType] = pa.decimal128(38, 0)  # stake times odds can pass 64 bits
PERCENT: Final[pa.DataType] = pa.decimal128(38, 2)
TEXTS: Final[pa.DataType] = pa.list_(TEXT)
LONGS: Final[pa.DataType] = pa.list_(LONG)

# fmt: off
COLUMNS: Final[dict[str, pa.Schema]] = {
    "days": pa.schema([
        ("gaming_day", DAY), ("digest", TEXT), ("events", LONG), ("rounds", LONG),
        ("unknown_rounds", LONG), ("wagers", LONG), ("findings", LONG), ("effect_cents", CENTS),
    ]),
    "captures": pa.schema([
        ("gaming_day", DAY), ("table_name", TEXT), ("level", TEXT), ("rounds", LONG),
        ("wagers", LONG),
    ]),
    "table_days": pa.schema([
        ("gaming_day", DAY), ("table_name", TEXT), ("game", TEXT), ("capture", TEXT),
        ("opener_cents", CENTS), ("fills_cents", CENTS), ("credits_cents", CENTS),
        ("closer_cents", CENTS), ("cash_drop_cents", CENTS), ("coupons_cents", CENTS),
        ("win_by_count_cents", CENTS), ("win_by_rounds_cents", CENTS), ("wagered_cents", CENTS),
        ("theoretical_win", TEXT), ("theoretical_win_cents", CENTS),
        ("hold_on_drop_percent", PERCENT), ("hold_on_wagers_percent", PERCENT),
        ("missing", TEXT), ("doubtful", FLAG),
    ]),
    "rounds": pa.schema([
        ("round", TEXT), ("seq", LONG), ("stream", TEXT), ("table_name", TEXT), ("game", TEXT),
        ("gaming_day", DAY), ("opened_at", LONG), ("opened_local", TEXT), ("closed_at", LONG),
        ("closed_local", TEXT), ("status", TEXT), ("shown", TEXT), ("unknown_because", TEXT),
        ("facts", LONG), ("missing_since", TEXT), ("own_findings", LONG), ("decided_by", TEXT),
        ("faces", LONGS), ("as_stated", FLAG),
        ("sections", TEXTS), ("multiplier", CENTS), ("detail", TEXT),
    ]),
    "wagers": pa.schema([
        ("round", TEXT), ("wager_id", TEXT), ("wager", TEXT), ("picks", LONGS),
        ("stake_cents", CENTS), ("patron", TEXT), ("position", TEXT), ("placed_stream", TEXT),
        ("placed_seq", LONG), ("expected_outcome", TEXT), ("expected_winnings_cents", CENTS),
        ("expected_stake_taken_cents", CENTS), ("observed_outcome", TEXT),
        ("observed_winnings_cents", CENTS), ("observed_stake_taken_cents", CENTS),
        ("sections", TEXT),
    ]),
    "findings": pa.schema([
        ("gaming_day", DAY), ("number", LONG), ("code", TEXT), ("severity", TEXT),
        ("certainty", TEXT), ("sentence", TEXT), ("section", TEXT), ("sections", TEXT),
        ("readings", TEXTS), ("stream", TEXT), ("table_name", TEXT), ("round", TEXT),
        ("wager_id", TEXT), ("facts", TEXTS), ("expected", TEXT), ("observed", TEXT),
        ("effect_cents", CENTS),
    ]),
    "marks": pa.schema([
        ("gaming_day", DAY), ("fact", TEXT), ("stream", TEXT), ("seq", LONG), ("event", TEXT),
        ("table_name", TEXT), ("event_at", LONG), ("event_local", TEXT), ("arrived_at", LONG),
        ("arrived_local", TEXT), ("closed_at", LONG), ("after_close", FLAG), ("terminal", TEXT),
        ("recorded_by", TEXT),
        ("added_by", TEXT), ("approved_by", TEXT),
    ]),
    "settlements": pa.schema([
        ("round", TEXT), ("wager_id", TEXT), ("section", TEXT), ("sections", TEXTS),
        ("odds", TEXT), ("factor", LONG), ("paytable", TEXT),
        ("observed_facts", TEXTS), ("coupons", TEXTS), ("coupon_winnings_cents", CENTS),
    ]),
    "throws": pa.schema([
        ("stream", TEXT), ("seq", LONG), ("dice", LONG), ("gaming_day", DAY),
        ("table_name", TEXT), ("game", TEXT), ("round", TEXT), ("thrown_at", LONG),
        ("thrown_local", TEXT), ("by_hand", FLAG), ("purpose", TEXT), ("dice_set", TEXT),
        ("shaker", TEXT), ("shaker_kind", TEXT), ("shakes", LONG), ("shaken_by", TEXT),
        ("shaken_role", TEXT), ("thrown_by", TEXT), ("dealers", TEXTS), ("die_number", LONG),
        ("die", TEXT), ("colour", TEXT), ("face", LONG), ("rest", TEXT), ("resting_side", LONG),
        ("touched", TEXTS), ("called", LONGS), ("no_roll", FLAG), ("voided", FLAG),
    ]),
    "spins": pa.schema([
        ("stream", TEXT), ("seq", LONG), ("spin_number", LONG), ("gaming_day", DAY),
        ("table_name", TEXT), ("game", TEXT), ("round", TEXT), ("stopped_at", LONG),
        ("stopped_local", TEXT), ("started_at", LONG), ("wheel", TEXT), ("sections", LONG),
        ("section", LONG), ("label", TEXT), ("between_sections", LONGS), ("symbols", TEXTS),
        ("direction", TEXT), ("revolutions_thousandths", LONG), ("clapper", TEXT),
        ("spun_by", TEXT), ("spun_role", TEXT), ("dealers", TEXTS), ("called", TEXT),
        ("voided", FLAG),
    ]),
    "hands": pa.schema([
        ("round", TEXT), ("position", TEXT), ("is_dealer", FLAG), ("gaming_day", DAY),
        ("table_name", TEXT), ("game", TEXT), ("first_at", LONG), ("first_local", TEXT),
        ("deck", TEXT), ("cards", TEXTS), ("card_count", LONG), ("high", TEXTS),
        ("medium", TEXTS), ("low", TEXTS), ("high_rank", TEXT), ("medium_rank", TEXT),
        ("low_rank", TEXT), ("set_by", TEXT), ("set_role", TEXT), ("settings", LONG),
        ("exposures", LONG), ("fouled", TEXT), ("surrendered", FLAG), ("voided", TEXT),
        ("bonus_hand", TEXT), ("misdealt", FLAG), ("irregularities", TEXTS),
        ("first_fact", TEXT),
    ]),
    "stays": pa.schema([
        ("gaming_day", DAY), ("table_name", TEXT), ("role", TEXT), ("person", TEXT),
        ("since", LONG), ("until", LONG), ("assigned_at", LONG), ("assigned_fact", TEXT),
        ("still_there", FLAG), ("doubtful", FLAG),
    ]),
    "coverage": pa.schema([
        ("gaming_day", DAY), ("table_name", TEXT), ("role", TEXT), ("since", LONG),
        ("until", LONG), ("state", TEXT), ("people", TEXTS), ("sightings", LONG),
    ]),
    "equipment": pa.schema([
        ("gaming_day", DAY), ("table_name", TEXT), ("kind", TEXT), ("equipment", TEXT),
        ("parts", TEXTS), ("since", LONG), ("until", LONG), ("placed_at", LONG),
        ("placed_fact", TEXT), ("still_there", FLAG), ("doubtful", FLAG),
    ]),
    "coupons": pa.schema([
        ("first_serial", TEXT), ("last_serial", TEXT), ("prefix", TEXT), ("digits", LONG),
        ("first_number", CENTS), ("last_number", CENTS), ("quantity", CENTS), ("series", TEXT),
        ("denomination_cents", CENTS), ("step", LONG), ("event", TEXT), ("moved", FLAG),
        ("came_from", TEXT), ("place", TEXT), ("who", TEXT), ("detail", TEXT), ("since", LONG),
        ("since_local", TEXT), ("since_day", DAY), ("until", LONG), ("until_day", DAY),
        ("fact", TEXT),
    ]),
}
# fmt: on

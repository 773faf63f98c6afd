"""Rows of staging from the facts of tables and from the custody of coupons."""

from ledger.analytics.facts.coupons import coupon_rows
from ledger.analytics.facts.table_follower import TableFollower, Taker

__all__ = ["TableFollower", "Taker", "coupon_rows"]

-- One row per table and gaming day on which it was open or anything was counted for it, in cents.
CREATE TABLE staging.table_days (
    gaming_day             DATE    NOT NULL,
    table_name             VARCHAR NOT NULL,
    game                   VARCHAR,
    capture                VARCHAR,
    opener_cents           HUGEINT,
    fills_cents            HUGEINT,
    credits_cents          HUGEINT,
    closer_cents           HUGEINT,
    cash_drop_cents        HUGEINT,
    coupons_cents          HUGEINT,
    win_by_count_cents     HUGEINT,
    win_by_rounds_cents    HUGEINT,
    wagered_cents          HUGEINT,
    theoretical_win        VARCHAR,
    theoretical_win_cents  HUGEINT,
    hold_on_drop_percent   DECIMAL(38, 2),
    hold_on_wagers_percent DECIMAL(38, 2),
    missing                VARCHAR NOT NULL,
    doubtful               BOOLEAN NOT NULL
);

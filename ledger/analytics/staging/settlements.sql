-- One row per wager that the rules decide or the house settled: on what both rest.
CREATE TABLE staging.settlements (
    round                 VARCHAR   NOT NULL,
    wager_id              VARCHAR   NOT NULL,
    section               VARCHAR,
    sections              VARCHAR[] NOT NULL,
    odds                  VARCHAR,
    factor                BIGINT    NOT NULL,
    paytable              VARCHAR,
    observed_facts        VARCHAR[] NOT NULL,
    coupons               VARCHAR[] NOT NULL,
    coupon_winnings_cents HUGEINT
);

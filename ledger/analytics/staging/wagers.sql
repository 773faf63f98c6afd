-- One row per wager of a round, with both settlements: by the rules, and as the house did it.
CREATE TABLE staging.wagers (
    round                      VARCHAR  NOT NULL,
    wager_id                   VARCHAR  NOT NULL,
    wager                      VARCHAR  NOT NULL,
    picks                      BIGINT[] NOT NULL,
    stake_cents                HUGEINT  NOT NULL,
    patron                     VARCHAR,
    position                   VARCHAR,
    placed_stream              VARCHAR  NOT NULL,
    placed_seq                 BIGINT   NOT NULL,
    expected_outcome           VARCHAR  NOT NULL,
    expected_winnings_cents    HUGEINT,
    expected_stake_taken_cents HUGEINT,
    observed_outcome           VARCHAR,
    observed_winnings_cents    HUGEINT,
    observed_stake_taken_cents HUGEINT,
    sections                   VARCHAR  NOT NULL
);

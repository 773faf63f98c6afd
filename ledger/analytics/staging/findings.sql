-- One row per finding, in the audit's order.
CREATE TABLE staging.findings (
    gaming_day   DATE      NOT NULL,
    number       BIGINT    NOT NULL,
    code         VARCHAR   NOT NULL,
    severity     VARCHAR   NOT NULL,
    certainty    VARCHAR   NOT NULL,
    sentence     VARCHAR   NOT NULL,
    section      VARCHAR   NOT NULL,
    sections     VARCHAR   NOT NULL,
    readings     VARCHAR[] NOT NULL,
    stream       VARCHAR   NOT NULL,
    table_name   VARCHAR   NOT NULL,
    round        VARCHAR,
    wager_id     VARCHAR,
    facts        VARCHAR[] NOT NULL,
    expected     VARCHAR,
    observed     VARCHAR,
    effect_cents HUGEINT
);

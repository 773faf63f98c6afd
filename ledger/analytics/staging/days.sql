-- One row per audited gaming day: the audit's own totals, against which the marts are checked.
CREATE TABLE staging.days (
    gaming_day     DATE    NOT NULL,
    digest         VARCHAR NOT NULL,
    events         BIGINT  NOT NULL,
    rounds         BIGINT  NOT NULL,
    unknown_rounds BIGINT  NOT NULL,
    wagers         BIGINT  NOT NULL,
    findings       BIGINT  NOT NULL,
    effect_cents   HUGEINT  NOT NULL
);

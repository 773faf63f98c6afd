-- One row per role of an open table for each stretch in which the same people held it.
CREATE TABLE staging.coverage (
    gaming_day DATE      NOT NULL,
    table_name VARCHAR   NOT NULL,
    role       VARCHAR   NOT NULL,
    since      BIGINT    NOT NULL,
    until      BIGINT    NOT NULL,
    state      VARCHAR   NOT NULL,
    people     VARCHAR[] NOT NULL,
    sightings  BIGINT    NOT NULL
);

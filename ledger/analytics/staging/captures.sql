-- One row per table and gaming day: what the table claimed to record.
CREATE TABLE staging.captures (
    gaming_day DATE    NOT NULL,
    table_name VARCHAR NOT NULL,
    level      VARCHAR,
    rounds     BIGINT  NOT NULL,
    wagers     BIGINT  NOT NULL
);

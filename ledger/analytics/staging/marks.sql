-- One row per fact of a day, or behind its findings, that came late or that a person added.
CREATE TABLE staging.marks (
    gaming_day    DATE    NOT NULL,
    fact          VARCHAR NOT NULL,
    stream        VARCHAR NOT NULL,
    seq           BIGINT  NOT NULL,
    event         VARCHAR NOT NULL,
    table_name    VARCHAR NOT NULL,
    event_at      BIGINT  NOT NULL,
    event_local   VARCHAR NOT NULL,
    arrived_at    BIGINT  NOT NULL,
    arrived_local VARCHAR NOT NULL,
    closed_at     BIGINT,
    after_close   BOOLEAN NOT NULL,
    terminal      VARCHAR NOT NULL,
    recorded_by   VARCHAR,
    added_by      VARCHAR,
    approved_by   VARCHAR
);

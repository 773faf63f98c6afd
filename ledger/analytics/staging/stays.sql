-- One row per person, role and table for each gaming day or part of it, as assigned and relieved.
CREATE TABLE staging.stays (
    gaming_day    DATE    NOT NULL,
    table_name    VARCHAR NOT NULL,
    role          VARCHAR NOT NULL,
    person        VARCHAR NOT NULL,
    since         BIGINT  NOT NULL,
    until         BIGINT  NOT NULL,
    assigned_at   BIGINT  NOT NULL,
    assigned_fact VARCHAR NOT NULL,
    still_there   BOOLEAN NOT NULL,
    doubtful      BOOLEAN NOT NULL
);

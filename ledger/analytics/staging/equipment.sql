-- One row per piece of equipment and table for each gaming day or part of it.
CREATE TABLE staging.equipment (
    gaming_day  DATE      NOT NULL,
    table_name  VARCHAR   NOT NULL,
    kind        VARCHAR   NOT NULL,
    equipment   VARCHAR   NOT NULL,
    parts       VARCHAR[] NOT NULL,
    since       BIGINT    NOT NULL,
    until       BIGINT    NOT NULL,
    placed_at   BIGINT    NOT NULL,
    placed_fact VARCHAR   NOT NULL,
    still_there BOOLEAN   NOT NULL,
    doubtful    BOOLEAN   NOT NULL
);

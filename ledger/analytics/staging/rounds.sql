-- One row per round of play, as the audit hands it out.
CREATE TABLE staging.rounds (
    round           VARCHAR NOT NULL,
    seq             BIGINT  NOT NULL,
    stream          VARCHAR NOT NULL,
    table_name      VARCHAR NOT NULL,
    game            VARCHAR NOT NULL,
    gaming_day      DATE    NOT NULL,
    opened_at       BIGINT  NOT NULL,
    opened_local    VARCHAR NOT NULL,
    closed_at       BIGINT,
    closed_local    VARCHAR,
    status          VARCHAR NOT NULL,
    shown           VARCHAR,
    unknown_because VARCHAR,
    facts           BIGINT  NOT NULL,
    decided_by      VARCHAR,
    faces           BIGINT[],
    as_stated       BOOLEAN,
    sections        VARCHAR[],
    multiplier      HUGEINT,
    detail          VARCHAR
);

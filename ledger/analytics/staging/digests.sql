-- One row per gaming day: SHA-256 over all that was laid down of it.
CREATE TABLE staging.digests (
    gaming_day DATE    NOT NULL,
    digest     VARCHAR NOT NULL
);

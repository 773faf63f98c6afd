-- What decided each round: the dice of one roll, or the sections of a wheel. Other games have their detail alone.
SELECT round,
       gaming_day,
       table_name,
       game,
       stream,
       opened_at,
       opened_local,
       shown,
       as_stated,
       faces,
       CAST(list_sum(faces) AS BIGINT) AS total,
       sections[-1]                    AS section,
       sections[:-2]                   AS multipliers,
       multiplier,
       decided_by,
       detail
FROM staging.rounds
WHERE shown IS NOT NULL AND status <> 'void' AND unknown_because IS NULL
ORDER BY gaming_day, stream, seq

-- Equipment in use per gaming day and table: how long it was there, and what was done with it.
WITH there AS (
    SELECT gaming_day,
           table_name,
           kind,
           equipment,
           any_value(parts)      AS parts,
           min(since)            AS since,
           max(until)            AS until,
           sum(until - since)    AS microseconds,
           min(placed_at)        AS placed_at,
           arg_min(placed_fact, placed_at) AS placed_fact,
           bool_or(still_there)  AS still_there,
           bool_or(doubtful)     AS doubtful
    FROM staging.equipment
    GROUP BY gaming_day, table_name, kind, equipment
),
used AS (
    SELECT gaming_day, table_name, 'dice set' AS kind, dice_set AS equipment, count(*) AS uses
    FROM staging.throws WHERE die_number = 1 AND dice_set IS NOT NULL GROUP BY ALL
    UNION ALL
    SELECT gaming_day, table_name, 'shaker', shaker, count(*)
    FROM staging.throws WHERE die_number = 1 AND shaker IS NOT NULL GROUP BY ALL
    UNION ALL
    SELECT gaming_day, table_name, 'wheel', wheel, count(*)
    FROM staging.spins WHERE wheel IS NOT NULL GROUP BY ALL
    UNION ALL
    SELECT gaming_day, table_name, 'deck', deck, count(DISTINCT round)
    FROM staging.hands WHERE deck IS NOT NULL GROUP BY ALL
)
SELECT t.gaming_day,
       t.table_name,
       t.kind,
       t.equipment,
       t.parts,
       t.since,
       t.until,
       CAST(t.microseconds AS BIGINT)                            AS microseconds,
       CAST(t.microseconds / 3600000000.0 AS DECIMAL(9, 3))      AS hours,
       t.placed_at,
       t.placed_fact,
       t.still_there,
       t.doubtful,
       coalesce(u.uses, 0) AS uses
FROM there t
LEFT JOIN used u USING (gaming_day, table_name, kind, equipment)
ORDER BY t.gaming_day, t.table_name, t.kind, t.since, t.equipment

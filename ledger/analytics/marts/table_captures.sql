-- What each table claims to record on a gaming day on which it has a fact.
SELECT gaming_day,
       table_name,
       level,
       rounds,
       wagers
FROM staging.captures
ORDER BY gaming_day, table_name

-- Whether each role of an open table was filled, stretch by stretch.
SELECT gaming_day,
       table_name,
       role,
       since,
       until,
       until - since AS microseconds,
       state,
       people,
       sightings
FROM staging.coverage
ORDER BY gaming_day, table_name, role, since

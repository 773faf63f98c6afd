-- Facts that came late or that a person added, with how many findings of the day rest on each.
WITH resting AS (
    SELECT gaming_day, fact, count(DISTINCT number) AS findings
    FROM (SELECT gaming_day, number, unnest(facts) AS fact FROM staging.findings)
    GROUP BY gaming_day, fact
)
SELECT m.gaming_day,
       m.fact,
       m.stream,
       m.seq,
       m.event,
       m.table_name,
       m.event_at,
       m.event_local,
       m.arrived_at,
       m.arrived_local,
       m.closed_at,
       m.after_close,
       m.terminal,
       m.recorded_by,
       m.added_by,
       m.approved_by,
       coalesce(r.findings, 0) AS findings
FROM staging.marks m
LEFT JOIN resting r USING (gaming_day, fact)
ORDER BY m.gaming_day, m.stream, m.seq

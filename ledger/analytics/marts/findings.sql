-- Findings, each with the table, game and opening time of its round where it has one.
SELECT f.gaming_day,
       f.number,
       f.code,
       f.severity,
       f.certainty,
       f.sentence,
       f.section,
       f.sections,
       f.readings,
       f.stream,
       f.table_name,
       r.game,
       f.round,
       r.opened_at    AS round_opened_at,
       r.opened_local AS round_opened_local,
       f.wager_id,
       f.facts,
       f.expected,
       f.observed,
       f.effect_cents
FROM staging.findings f
LEFT JOIN staging.rounds r USING (round)
ORDER BY f.gaming_day, f.number

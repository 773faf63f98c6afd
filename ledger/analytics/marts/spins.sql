-- Spins, with what came of the round and where the spin before it on the same day stopped.
SELECT s.stream,
       s.seq,
       s.spin_number,
       s.gaming_day,
       s.table_name,
       s.game,
       r.round,
       s.started_at,
       s.stopped_at,
       s.stopped_local,
       s.wheel,
       s.sections,
       s.section,
       s.label,
       s.between_sections,
       s.symbols,
       lag(s.section) OVER same_wheel AS section_before,
       s.direction,
       s.revolutions_thousandths,
       s.clapper,
       s.spun_by,
       s.spun_role,
       s.dealers,
       s.called,
       s.voided,
       r.status AS round_status,
       r.shown  AS round_shown
FROM staging.spins s
LEFT JOIN staging.rounds r USING (round)
WINDOW same_wheel AS (PARTITION BY s.gaming_day, s.table_name, s.wheel ORDER BY s.stopped_at, s.stream, s.seq)
ORDER BY s.gaming_day, s.stream, s.seq

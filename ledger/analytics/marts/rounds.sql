-- Rounds with the counts and sums of their wagers and findings.
WITH bets AS (
    SELECT round,
           count(*)                         AS wagers,
           sum(stake_cents)                 AS stake_cents
    FROM staging.wagers
    GROUP BY round
),
told AS (
    SELECT round,
           count(*)                                      AS findings,
           count(*) FILTER (WHERE certainty = 'broken')  AS broken_findings,
           sum(effect_cents)                             AS effect_cents
    FROM staging.findings
    WHERE round IS NOT NULL
    GROUP BY round
)
SELECT r.round,
       r.gaming_day,
       r.table_name,
       r.game,
       r.stream,
       r.seq,
       c.level                       AS capture,
       r.status,
       r.shown,
       r.unknown_because,
       r.opened_at,
       r.opened_local,
       r.closed_at,
       r.closed_local,
       r.facts,
       r.missing_since,
       coalesce(b.wagers, 0)          AS wagers,
       coalesce(b.stake_cents, 0)     AS stake_cents,
       r.own_findings,
       coalesce(t.findings, 0)        AS findings,
       coalesce(t.broken_findings, 0) AS broken_findings,
       coalesce(t.effect_cents, 0)    AS effect_cents
FROM staging.rounds r
LEFT JOIN bets b USING (round)
LEFT JOIN told t USING (round)
LEFT JOIN staging.captures c ON c.gaming_day = r.gaming_day AND c.table_name = r.table_name
ORDER BY r.gaming_day, r.stream, r.seq

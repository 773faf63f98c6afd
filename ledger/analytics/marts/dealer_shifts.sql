-- Who held which role at which table, with the rounds that opened meanwhile and what was paid too much or too little in them.
WITH money AS (
    SELECT round,
           count(*)                                               AS wagers,
           sum(difference_cents) FILTER (difference_cents > 0)    AS overpaid_cents,
           -sum(difference_cents) FILTER (difference_cents < 0)   AS underpaid_cents,
           count(*) FILTER (difference_cents IS NULL)             AS not_compared
    FROM wagers
    GROUP BY round
),
played AS (
    SELECT s.gaming_day,
           s.table_name,
           s.role,
           s.person,
           s.assigned_fact,
           count(r.round)                          AS rounds,
           string_agg(DISTINCT r.game, '; ' ORDER BY r.game) AS game,
           coalesce(sum(m.wagers), 0)              AS wagers,
           coalesce(sum(m.overpaid_cents), 0)      AS overpaid_cents,
           coalesce(sum(m.underpaid_cents), 0)     AS underpaid_cents,
           coalesce(sum(m.not_compared), 0)        AS wagers_not_compared
    FROM staging.stays s
    LEFT JOIN staging.rounds r
           ON r.table_name = s.table_name AND r.opened_at >= s.since AND r.opened_at < s.until
    LEFT JOIN money m ON m.round = r.round
    GROUP BY s.gaming_day, s.table_name, s.role, s.person, s.assigned_fact
)
SELECT s.gaming_day,
       s.table_name,
       p.game,
       s.role,
       s.person,
       s.since,
       s.until,
       s.until - s.since AS microseconds,
       s.assigned_at,
       s.assigned_fact,
       s.still_there,
       s.doubtful,
       p.rounds,
       CAST(p.wagers AS BIGINT)              AS wagers,
       CAST(p.wagers_not_compared AS BIGINT) AS wagers_not_compared,
       p.overpaid_cents,
       p.underpaid_cents
FROM staging.stays s
JOIN played p USING (gaming_day, table_name, role, person, assigned_fact)
ORDER BY s.gaming_day, s.table_name, s.role, s.since, s.person, s.assigned_fact

-- Hands by round and position, with how the wagers at the position were settled.
WITH bets AS (
    SELECT round,
           position,
           count(*)                                                  AS wagers,
           sum(stake_cents)                                          AS stake_cents,
           string_agg(wager || ': ' || expected_outcome, '; ' ORDER BY placed_seq, wager_id) AS expected,
           string_agg(wager || ': ' || observed_outcome, '; ' ORDER BY placed_seq, wager_id) AS observed
    FROM staging.wagers
    WHERE position IS NOT NULL
    GROUP BY round, position
)
SELECT h.round,
       h.position,
       h.is_dealer,
       h.gaming_day,
       h.table_name,
       h.game,
       h.first_at,
       h.first_local,
       h.deck,
       h.cards,
       h.card_count,
       h.high,
       h.medium,
       h.low,
       h.high_rank,
       h.medium_rank,
       h.low_rank,
       h.set_by,
       h.set_role,
       h.settings,
       h.exposures,
       h.fouled,
       h.surrendered,
       h.voided,
       h.bonus_hand,
       h.misdealt,
       h.irregularities,
       coalesce(b.wagers, 0) AS wagers,
       b.stake_cents,
       b.expected            AS expected_outcome,
       b.observed            AS observed_outcome,
       r.status              AS round_status,
       h.first_fact
FROM staging.hands h
LEFT JOIN staging.rounds r USING (round)
LEFT JOIN bets b USING (round, position)
ORDER BY h.gaming_day, h.table_name, h.first_at, h.round, h.position

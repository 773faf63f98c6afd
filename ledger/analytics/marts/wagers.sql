-- Wagers with what the patron should be up by them, what he is, and what the house lost by it.
WITH nets AS (
    SELECT *,
           expected_winnings_cents - expected_stake_taken_cents AS expected_net_cents,
           observed_winnings_cents - observed_stake_taken_cents AS observed_net_cents
    FROM staging.wagers
)
SELECT w.round,
       w.wager_id,
       r.gaming_day,
       r.table_name,
       r.game,
       r.stream,
       w.placed_stream,
       w.placed_seq,
       w.patron,
       w.position,
       w.wager,
       w.picks,
       w.stake_cents,
       w.expected_outcome,
       w.expected_winnings_cents,
       w.expected_stake_taken_cents,
       w.expected_net_cents,
       w.observed_outcome,
       w.observed_winnings_cents,
       w.observed_stake_taken_cents,
       w.observed_net_cents,
       w.observed_net_cents - w.expected_net_cents AS difference_cents,
       w.sections
FROM nets w
JOIN staging.rounds r USING (round)
ORDER BY r.gaming_day, r.stream, w.placed_seq, w.wager_id

-- Settlements: what the rules give beside what the house did, and the sections with their editions.
SELECT s.round,
       s.wager_id,
       w.gaming_day,
       w.table_name,
       w.game,
       w.patron,
       w.wager,
       w.picks,
       w.stake_cents,
       r.shown,
       s.odds,
       s.factor,
       s.paytable,
       s.section,
       s.sections,
       w.expected_outcome,
       w.observed_outcome,
       w.expected_winnings_cents,
       w.observed_winnings_cents,
       w.expected_stake_taken_cents,
       w.observed_stake_taken_cents,
       w.difference_cents,
       CASE WHEN w.difference_cents > 0 THEN w.difference_cents END  AS overpaid_cents,
       CASE WHEN w.difference_cents < 0 THEN -w.difference_cents END AS underpaid_cents,
       s.coupons,
       s.coupon_winnings_cents,
       s.observed_facts
FROM staging.settlements s
JOIN wagers w USING (round, wager_id)
JOIN staging.rounds r USING (round)
ORDER BY r.gaming_day, r.stream, r.seq, w.placed_seq, s.wager_id

-- Tables by gaming day: counts, win by count and by rounds, and their difference.
SELECT gaming_day,
       table_name,
       game,
       opener_cents,
       fills_cents,
       credits_cents,
       closer_cents,
       cash_drop_cents,
       coupons_cents,
       win_by_count_cents,
       win_by_rounds_cents,
       win_by_count_cents - win_by_rounds_cents AS difference_cents,
       wagered_cents,
       theoretical_win,
       theoretical_win_cents,
       hold_on_drop_percent,
       hold_on_wagers_percent,
       capture,
       missing,
       doubtful
FROM staging.table_days
ORDER BY gaming_day, table_name

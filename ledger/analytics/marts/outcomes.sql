-- What decided, taken apart from the room's own words: dice "2 3 4" or "2-6", a wheel "7x, 2x, 10"; cards are left in words.
WITH decided AS (
    SELECT *,
           regexp_replace(shown, ' \(as stated\)$', '') AS said
    FROM staging.rounds
    WHERE shown IS NOT NULL AND status <> 'void' AND unknown_because IS NULL
),
parts AS (
    SELECT *,
           regexp_full_match(said, '[1-6](( [1-6])+|-[1-6])') AS is_dice,
           regexp_full_match(said, '([0-9]+x, )*[0-9]+')      AS is_wheel,
           string_split(replace(said, '-', ' '), ' ')         AS pips,
           string_split(said, ', ')                           AS spins
    FROM decided
)
SELECT round,
       gaming_day,
       table_name,
       game,
       stream,
       opened_at,
       opened_local,
       shown,
       said <> shown AS as_stated,
       CASE WHEN is_dice THEN CAST(pips AS BIGINT[]) END AS faces,
       CASE WHEN is_dice
            THEN CAST(list_sum(CAST(pips AS BIGINT[])) AS BIGINT)
       END AS total,
       CASE WHEN is_wheel THEN spins[-1] END AS section,
       CASE WHEN is_wheel THEN spins[:-2] END AS multipliers,
       CASE WHEN is_wheel
            THEN try(list_reduce(list_transform(
                spins[:-2], lambda spin: CAST(rtrim(spin, 'x') AS HUGEINT)),
                lambda product, factor: product * factor, CAST(1 AS HUGEINT)))
       END AS multiplier
FROM parts
ORDER BY gaming_day, stream, seq

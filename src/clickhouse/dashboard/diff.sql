WITH placed AS (
  SELECT stack_hash AS hash, sum(l) AS total_left, sum(r) AS total_right,
    row_number() OVER (ORDER BY greatest(sum(l), sum(r)) DESC, stack_hash) AS place
  FROM (
    SELECT stack_hash, n AS l, toUInt64(0) AS r FROM (
@samples_before@
    )
    UNION ALL
    SELECT stack_hash, toUInt64(0) AS l, n AS r FROM (
@samples@
    )
  ) GROUP BY stack_hash),
known AS (
  SELECT stack_hash AS hash, any(frames) AS frames FROM @db@profile_stacks
  WHERE service = @service@ AND stack_hash GLOBAL IN (SELECT hash FROM placed WHERE place <= ${stacks:raw})
  GROUP BY stack_hash),
grouped AS (
  SELECT st, sum(total_left) AS l, sum(total_right) AS r FROM (
    SELECT if(empty(known.frames), ['(other)'], arrayMap(f -> toString(f), known.frames)) AS st, placed.total_left AS total_left,
      placed.total_right AS total_right
    FROM placed LEFT JOIN known ON placed.hash = known.hash
    UNION ALL SELECT CAST([], 'Array(String)') AS st, toUInt64(0) AS total_left, toUInt64(0) AS total_right)
  GROUP BY st),
hashed AS (
  SELECT st, l, r, length(st) AS depth, arrayPushFront(st, 'total') AS names,
    arrayPushFront(arrayCumSum(arrayMap((f, i) -> cityHash64(f, i), st, arrayEnumerate(st))), toUInt64(0)) AS ids
  FROM grouped),
ranked AS (SELECT *, row_number() OVER (ORDER BY st) AS stack_rank FROM hashed),
nodes AS (
  SELECT toUInt32(any(position)) AS level, sum(l) AS left_total, sumIf(l, position = depth) AS left_self,
    sum(r) AS right_total, sumIf(r, position = depth) AS right_self, any(name) AS label, min(stack_rank) AS node_rank
  FROM ranked ARRAY JOIN names AS name, ids AS id, range(length(names)) AS position
  GROUP BY id)
SELECT level, toFloat64(left_total) AS value, toFloat64(left_self) AS self, label, toFloat64(right_total) AS valueRight,
  toFloat64(right_self) AS selfRight
FROM (SELECT *, max(left_total + right_total) OVER () AS whole FROM nodes)
WHERE level = 0 OR (left_total + right_total > 0 AND (left_total + right_total) * 100 >= whole * ${min_share:raw})
ORDER BY node_rank, level

WITH placed AS (
  SELECT stack_hash AS hash, sum(n) AS total, row_number() OVER (ORDER BY sum(n) DESC, stack_hash) AS place
  FROM (
@samples@
  ) GROUP BY stack_hash),
known AS (
  SELECT stack_hash AS hash, any(frames) AS frames FROM @db@profile_stacks
  WHERE service = @service@ AND stack_hash GLOBAL IN (SELECT hash FROM placed WHERE place <= ${stacks:raw})
  GROUP BY stack_hash),
grouped AS (
  SELECT st, sum(total) AS n FROM (
    SELECT if(empty(known.frames), ['(other)'], arrayMap(f -> toString(f), known.frames)) AS st, placed.total AS total
    FROM placed LEFT JOIN known ON placed.hash = known.hash
    UNION ALL SELECT CAST([], 'Array(String)') AS st, toUInt64(0) AS total)
  GROUP BY st),
hashed AS (
  SELECT st, n, length(st) AS depth, arrayPushFront(st, 'total') AS names,
    arrayPushFront(arrayCumSum(arrayMap((f, i) -> cityHash64(f, i), st, arrayEnumerate(st))), toUInt64(0)) AS ids
  FROM grouped),
ranked AS (SELECT *, row_number() OVER (ORDER BY st) AS stack_rank FROM hashed),
nodes AS (
  SELECT toUInt32(any(position)) AS level, sum(n) AS sum_total, sumIf(n, position = depth) AS sum_self, any(name) AS label,
    min(stack_rank) AS node_rank
  FROM ranked ARRAY JOIN names AS name, ids AS id, range(length(names)) AS position
  GROUP BY id)
SELECT level, toFloat64(sum_total) AS value, toFloat64(sum_self) AS self, label
FROM (SELECT *, max(sum_total) OVER () AS whole FROM nodes)
WHERE level = 0 OR (sum_total > 0 AND sum_total * 100 >= whole * ${min_share:raw})
ORDER BY node_rank, level

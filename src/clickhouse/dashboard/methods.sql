WITH sums AS (
  SELECT stack_hash AS hash, sum(n) AS total FROM (
@samples@
  ) GROUP BY stack_hash),
known AS (
  SELECT stack_hash AS hash, any(frames) AS frames FROM @db@profile_stacks
  WHERE service = @service@ AND stack_hash GLOBAL IN (SELECT hash FROM sums)
  GROUP BY stack_hash)
SELECT toString(frame) AS method, toFloat64(sumIf(total, frame = leaf)) AS self, toFloat64(sum(total)) AS in_stack
FROM (
  SELECT sums.total AS total, known.frames[-1] AS leaf, arrayDistinct(known.frames) AS methods
  FROM sums INNER JOIN known ON sums.hash = known.hash)
ARRAY JOIN methods AS frame
GROUP BY frame ORDER BY self DESC, in_stack DESC, method LIMIT 100

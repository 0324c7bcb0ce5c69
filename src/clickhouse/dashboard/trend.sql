SELECT toStartOfInterval(ts, toIntervalSecond(greatest(@resolution_seconds@, intDiv(${__interval_ms}, 1000)))) AS time,
  toFloat64(sum(n)) / greatest(@resolution_seconds@, intDiv(${__interval_ms}, 1000)) AS per_second
FROM (
@samples@
) GROUP BY time ORDER BY time

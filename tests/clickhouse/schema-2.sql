-- Tables for profiles of Java Flight Recorder recordings, jfrtree schema 2.
-- ClickHouse 24.8 or newer. All statements can be run again.

-- Stacks, each once per service and month.
CREATE TABLE IF NOT EXISTS profile_stacks
(
  service LowCardinality(String),
  stack_hash UInt64,
  frames Array(LowCardinality(String)) CODEC(ZSTD(1)),
  last_seen Date
)
ENGINE = ReplacingMergeTree(last_seen)
PARTITION BY toYYYYMM(last_seen)
ORDER BY (service, stack_hash)
COMMENT 'jfrtree schema 2';

-- Sums per bucket of time, kind, stack and labels.
CREATE TABLE IF NOT EXISTS profile_samples
(
  service LowCardinality(String),
  kind LowCardinality(String),
  ts DateTime('UTC') CODEC(Delta, ZSTD(6)),
  stack_hash UInt64 CODEC(ZSTD(1)),
  process UInt64 CODEC(ZSTD(6)),
  thread LowCardinality(String),
  labels Map(LowCardinality(String), LowCardinality(String)) CODEC(ZSTD(6)),
  load_id UInt64 CODEC(ZSTD(6)),
  count UInt64 CODEC(T64, ZSTD(1)),
  value UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree((count, value))
PARTITION BY toDate(ts)
ORDER BY (service, kind, toStartOfHour(ts), stack_hash, process, thread, labels, load_id, ts)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'jfrtree schema 2';

-- The same by the hour, without processes and threads.
CREATE TABLE IF NOT EXISTS profile_samples_1h
(
  service LowCardinality(String),
  kind LowCardinality(String),
  ts DateTime('UTC') CODEC(Delta, ZSTD(6)),
  stack_hash UInt64 CODEC(ZSTD(1)),
  process UInt64 CODEC(ZSTD(6)),
  thread LowCardinality(String),
  labels Map(LowCardinality(String), LowCardinality(String)) CODEC(ZSTD(6)),
  load_id UInt64 CODEC(ZSTD(6)),
  count UInt64 CODEC(T64, ZSTD(1)),
  value UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree((count, value))
PARTITION BY toDate(ts)
ORDER BY (service, kind, stack_hash, process, thread, labels, load_id, ts)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'jfrtree schema 2';

CREATE MATERIALIZED VIEW IF NOT EXISTS profile_samples_to_1h TO profile_samples_1h AS
SELECT service, kind, toStartOfHour(ts) AS ts, stack_hash, toUInt64(0) AS process, '' AS thread, labels, load_id, count, value
FROM profile_samples
WHERE kind NOT IN ('live');

-- The bytes of kinds that have them beside a value (io).
CREATE TABLE IF NOT EXISTS profile_bytes
(
  service LowCardinality(String),
  kind LowCardinality(String),
  ts DateTime('UTC') CODEC(Delta, ZSTD(6)),
  stack_hash UInt64 CODEC(ZSTD(1)),
  process UInt64 CODEC(ZSTD(6)),
  thread LowCardinality(String),
  labels Map(LowCardinality(String), LowCardinality(String)) CODEC(ZSTD(6)),
  load_id UInt64 CODEC(ZSTD(6)),
  bytes UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree(bytes)
PARTITION BY toDate(ts)
ORDER BY (service, kind, toStartOfHour(ts), stack_hash, process, thread, labels, load_id, ts)
SETTINGS non_replicated_deduplication_window = 1000
COMMENT 'jfrtree schema 2';

-- What was loaded, by chunk: rows of loads that are not committed do not count.
CREATE TABLE IF NOT EXISTS profile_chunks
(
  chunk_hash UInt64,
  load_id UInt64,
  state Enum8('started' = 1, 'committed' = 2, 'replaced' = 3),
  service LowCardinality(String),
  source String,
  process UInt64,
  host String,
  producer String,
  start DateTime64(9, 'UTC'),
  end DateTime64(9, 'UTC'),
  events UInt64,
  samples UInt64,
  notes String,
  problems String,
  changed DateTime64(6, 'UTC')
)
ENGINE = ReplacingMergeTree(changed)
ORDER BY (chunk_hash, load_id)
COMMENT 'jfrtree schema 2';

-- Which series there are, and from when to when.
CREATE TABLE IF NOT EXISTS profile_series
(
  service LowCardinality(String),
  kind LowCardinality(String),
  labels Map(LowCardinality(String), LowCardinality(String)),
  first SimpleAggregateFunction(min, DateTime('UTC')),
  last SimpleAggregateFunction(max, DateTime('UTC'))
)
ENGINE = AggregatingMergeTree
ORDER BY (service, kind, labels)
COMMENT 'jfrtree schema 2';

CREATE MATERIALIZED VIEW IF NOT EXISTS profile_samples_to_series TO profile_series AS
SELECT service, kind, labels, min(ts) AS first, max(ts) AS last
FROM profile_samples
GROUP BY service, kind, labels;

-- The same by the minute, a view of the finest rows.
CREATE VIEW IF NOT EXISTS profile_samples_1m AS
SELECT service, kind, minute AS ts, stack_hash, toUInt64(0) AS process, CAST('', 'LowCardinality(String)') AS thread, labels, load_id, samples AS count, amount AS value
FROM (SELECT service, kind, toStartOfMinute(ts) AS minute, stack_hash, labels, load_id, sum(count) AS samples, sum(value) AS amount
  FROM profile_samples
  WHERE kind NOT IN ('live')
  GROUP BY service, kind, minute, stack_hash, labels, load_id);

-- Kinds, the units of their values, and which are snapshots.
CREATE VIEW IF NOT EXISTS profile_kinds AS
SELECT tupleElement(row, 1) AS kind, tupleElement(row, 2) AS unit, toUInt8(tupleElement(row, 3)) AS is_snapshot, toUInt8(tupleElement(row, 4)) AS value_may_be_unknown
FROM (SELECT arrayJoin([
  ('cpu', 'nanoseconds', 0, 1),
  ('cpu-time', 'nanoseconds', 0, 0),
  ('wall', 'nanoseconds', 0, 1),
  ('alloc', 'bytes', 0, 0),
  ('lock', 'nanoseconds', 0, 0),
  ('native', 'nanoseconds', 0, 1),
  ('live', 'bytes', 1, 1),
  ('park', 'nanoseconds', 0, 0),
  ('native-lock', 'nanoseconds', 0, 0),
  ('native-mem', 'bytes', 0, 0),
  ('wait', 'nanoseconds', 0, 0),
  ('io', 'nanoseconds', 0, 0),
  ('exceptions', 'count', 0, 0),
  ('method-trace', 'nanoseconds', 0, 0),
  ('pinned', 'nanoseconds', 0, 0)]) AS row);

-- What became of each load of each chunk.
CREATE VIEW IF NOT EXISTS profile_loads AS
SELECT chunk_hash, load_id, state AS last_state, service AS of_service,
  source AS of_source, process AS of_process, host AS of_host, producer AS of_producer,
  start AS begins, end AS ends, events AS event_count, samples AS sample_count
FROM profile_chunks FINAL;

-- Loads that are not complete: queries leave out their rows by load_id.
CREATE VIEW IF NOT EXISTS profile_hidden_loads AS
SELECT load_id
FROM profile_chunks
WHERE (chunk_hash, load_id) GLOBAL IN (SELECT chunk_hash, load_id FROM profile_chunks WHERE state != 'committed')
GROUP BY chunk_hash, load_id
HAVING argMax(state, changed) != 'committed';

-- Recordings that are stored, by input and process.
CREATE VIEW IF NOT EXISTS profile_recordings AS
SELECT of_service AS service, of_source AS source, of_host AS host, of_process AS process, any(of_producer) AS producer, count() AS chunks,
  min(begins) AS start, max(ends) AS end, sum(event_count) AS events, sum(sample_count) AS samples
FROM profile_loads
WHERE last_state = 'committed'
GROUP BY service, source, host, process;

-- Services, with the kinds and times that are stored of each.
CREATE VIEW IF NOT EXISTS profile_services AS
SELECT service, groupUniqArray(kind) AS kinds, min(first) AS since, max(last) AS until
FROM profile_series
GROUP BY service;

-- Labels and their values by service.
CREATE VIEW IF NOT EXISTS profile_labels AS
SELECT service, label.1 AS key, label.2 AS value, min(first) AS since, max(last) AS until
FROM profile_series
ARRAY JOIN CAST(labels, 'Array(Tuple(String, String))') AS label
GROUP BY service, key, value;

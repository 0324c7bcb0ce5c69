"""The statements that bench/scale/measure runs."""

SIZE = ("SELECT sum(rows), sum(data_compressed_bytes) FROM system.parts WHERE active AND table = "
        "'{}' AND database = currentDatabase()")
# The bytes of a column beside all rows, not only those of parts that have it.
COLUMNS = ("SELECT column, round(sum(column_data_compressed_bytes) / sum(rows), 3) AS bytes FROM "
           "system.parts_columns WHERE active AND table = '{}' AND database = currentDatabase() "
           "GROUP BY column HAVING bytes > 0 ORDER BY bytes DESC")
KIND_ROWS = 5_000_000

NOT_HIDDEN = "load_id NOT IN (SELECT load_id FROM profile_hidden_loads)"


def where(service, kind, begin, end):
    return (f"WHERE service = '{service}' AND kind = '{kind}' AND ts >= "
            f"toDateTime({int(begin.timestamp())}, 'UTC') AND ts < "
            f"toDateTime({int(end.timestamp())}, 'UTC') AND {NOT_HIDDEN}")


def of_kind(kind):
    """A table like that of samples with the rows of one kind, of the days at the end."""
    return ["DROP TABLE IF EXISTS of_kind",
            "CREATE TABLE of_kind AS profile_samples",
            f"INSERT INTO of_kind SELECT * FROM profile_samples WHERE kind = '{kind}' AND toDate(ts) "
            "IN (SELECT day FROM (SELECT toDate(ts) AS day, sum(count() / 2) OVER (ORDER BY day "
            f"DESC) AS rows FROM profile_samples GROUP BY day) WHERE rows <= {KIND_ROWS} OR day = "
            "(SELECT toDate(max(ts)) FROM profile_samples))",
            "OPTIMIZE TABLE of_kind FINAL"]


def sums(table, conditions):
    return (f"SELECT stack_hash, sum(count), sum(value) FROM {table} {conditions} "
            "GROUP BY stack_hash FORMAT RowBinary")


def grouped(conditions):
    """What the founding text's query begins with: stacks and their sums."""
    return ("SELECT frames AS st, sum(amount) AS c FROM (SELECT stack_hash, sum(value) AS amount "
            f"FROM profile_samples {conditions} GROUP BY stack_hash) AS sums INNER JOIN (SELECT "
            "stack_hash, any(frames) AS frames FROM profile_stacks WHERE "
            f"{conditions.split(' AND ')[0].removeprefix('WHERE ')} GROUP BY stack_hash) AS stacks "
            "USING (stack_hash) GROUP BY st")


def founding(conditions):
    """A row for each prefix of each stack, grouped and sorted by the prefix itself."""
    return (f"WITH grouped AS ({grouped(conditions)}), boxes AS (SELECT arrayJoin(range(toUInt64(0), "
            "length(st) + 1)) AS lv, arraySlice(st, 1, lv) AS path, c, length(st) = lv AS leaf FROM "
            "grouped) SELECT length(path) AS level, sum(c) AS value, if(empty(path), 'total', "
            "path[-1]) AS label, sumIf(c, leaf) AS self FROM boxes GROUP BY path ORDER BY path")


def flame_graph(conditions, threads):
    """The server's own function, which loses samples with several threads."""
    return ("SELECT arrayJoin(flameGraph(CAST(st, 'Array(String)'), toInt64(c))) FROM ("
            f"{grouped(conditions)}) FORMAT TSVRaw SETTINGS allow_introspection_functions = 1, "
            f"max_threads = {threads}")


def inline(conditions, rows):
    """The same rows with the frames in each, and with the hash of the stack."""
    return ["DROP TABLE IF EXISTS inline", "DROP TABLE IF EXISTS hashed",
            "CREATE TABLE hashed AS profile_samples",
            f"INSERT INTO hashed SELECT * FROM profile_samples {conditions} LIMIT {rows}",
            "CREATE TABLE inline (service LowCardinality(String), kind LowCardinality(String), ts "
            "DateTime('UTC') CODEC(Delta, ZSTD(1)), process UInt64 CODEC(ZSTD(1)), labels "
            "Map(LowCardinality(String), LowCardinality(String)) CODEC(ZSTD(1)), load_id UInt64 "
            "CODEC(ZSTD(1)), frames Array(LowCardinality(String)) CODEC(ZSTD(1)), count UInt64 "
            "CODEC(T64, ZSTD(1)), value UInt64 CODEC(GCD, T64, ZSTD(1))) ENGINE = MergeTree "
            "PARTITION BY toDate(ts) ORDER BY (service, kind, toStartOfHour(ts), frames, ts)",
            "INSERT INTO inline SELECT service, kind, ts, process, labels, load_id, frames, count, "
            "value FROM hashed INNER JOIN (SELECT stack_hash, any(frames) AS frames FROM "
            "profile_stacks WHERE service IN (SELECT service FROM hashed) GROUP BY stack_hash) AS "
            "stacks USING (stack_hash)",
            "OPTIMIZE TABLE inline FINAL", "OPTIMIZE TABLE hashed FINAL"]


INLINE_SUMS = "SELECT frames, sum(value) FROM inline GROUP BY frames FORMAT Native"
HASHED_SUMS = ("SELECT frames, amount FROM (SELECT stack_hash, sum(value) AS amount FROM hashed "
               "GROUP BY stack_hash) AS sums INNER JOIN (SELECT stack_hash, any(frames) AS frames "
               "FROM profile_stacks WHERE service IN (SELECT service FROM hashed) GROUP BY "
               "stack_hash) AS stacks USING (stack_hash) FORMAT Native")

"""What the commands that read profiles from a database say, and rows made by hand for them."""

import json

from program import run, start


def schema_statements(*arguments):
    for statement in run("clickhouse", "schema", *arguments).split(";\n"):
        lines = [line for line in statement.splitlines() if not line.startswith("--")]
        if any(lines):
            yield "\n".join(lines)


def make_tables(server):
    for statement in schema_statements():
        server.query(statement)


def ask(database, command, *arguments, code=0, **options):
    """Standard output of `jfrtree clickhouse COMMAND`, or its message where it is to fail."""
    url = getattr(database, "url", None) or database.folder
    library = getattr(database, "library", None)
    process = start("clickhouse", command, "--db", url, *arguments, library=library, **options)
    output, messages = process.communicate(timeout=120)
    assert process.returncode == code, (process.returncode, messages)
    return messages if code else output


def stacks(database, *arguments):
    """Rows of `--format stacks` as (kind, stack, thread, count, value)."""
    return rows_of(ask(database, "flamegraph", "-q", "--format", "stacks", *arguments))


def rows_of(lines):
    rows = []
    for line in lines.splitlines():
        row = json.loads(line)
        rows.append((row["kind"], row["stack"], row.get("thread"), row["count"], row.get("value")))
    return rows


def tree(database, kind, *arguments):
    """Rows of `--format nested-set-json` as (level, value, self, label)."""
    text = ask(database, "flamegraph", "-q", "-p", kind, "--format", "nested-set-json",
               "--max-nodes", "0", *arguments)
    return [(row["level"], row["value"], row["self"], row["label"]) for row in json.loads(text)]


def sql_of(*arguments, **options):
    process = start("clickhouse", "flamegraph", "--sql", *arguments, **options)
    output, messages = process.communicate(timeout=120)
    assert process.returncode == 0, messages
    return output


def sql_tree(database, sql):
    answer = json.loads(database.query(
        f"{sql}, output_format_json_quote_64bit_integers = 0 FORMAT JSONCompact"))
    assert [column["name"] for column in answer["meta"]] == ["level", "value", "self", "label"]
    return [tuple(row) for row in answer["data"]]


def stored_stack(database, number, frames, service="made"):
    database.query("INSERT INTO profile_stacks VALUES "
                   f"('{service}', {number}, {json.dumps(frames)}, '2026-11-30')".replace('"', "'"))


def stored_samples(database, *rows):
    """Rows of the columns kind, time, stack, process, load, count, value."""
    for kind, time, stack, process, load, count, value in rows:
        database.query(
            "INSERT INTO profile_samples SETTINGS insert_deduplicate = 0 VALUES "
            f"('made', '{kind}', '{time}', {stack}, {process}, '', map(), {load}, {count}, {value})")


def stored_load(database, load, start_time, state="committed", process=1):
    database.query(
        "INSERT INTO profile_chunks VALUES "
        f"({load}, {load}, '{state}', 'made', 'made.jfr', {process}, '', 'JDK', '{start_time}', "
        f"'{start_time}', 1, 1, '', '', now64(6))")

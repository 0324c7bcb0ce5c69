"""Seven hours of made samples, and ranges of time in them that need each of the tables."""

from queries import make_tables, sql_of, sql_tree, stacks, stored_stack, tree

RANGES = [
    ([], {"1h"}),
    (["--from", "2026-11-30T03:00:00Z", "--to", "2026-11-30T05:00:00Z"], {"1h"}),
    (["--from", "2026-11-30T03:07:00Z", "--to", "2026-11-30T03:09:00Z"], {"finest"}),
    (["--from", "2026-11-30T03:07:01Z", "--to", "2026-11-30T03:07:58Z"], {"finest"}),
    (["--from", "2026-11-30T01:58:57Z", "--to", "2026-11-30T06:03:02Z"], {"finest", "1h"}),
    (["--from", "2026-11-30T02:30:00.5Z"], {"finest", "1h"}),
    (["--to", "2026-11-30T02:30:00Z"], {"finest", "1h"}),
    (["--from", "1996-01-01T00:00:00Z", "--to", "2222-01-01T00:00:00Z"], {"1h"}),
]


def make_hours(database):
    """A sample each 7 seconds: roll-ups, and odd numbers everywhere."""
    make_tables(database)
    for number in range(5):
        stored_stack(database, number, ["Main.main", f"Work.part{number}"])
    database.query("INSERT INTO profile_samples SELECT 'made', if(number % 3 = 0, 'alloc', 'wall'), "
                   "toDateTime('2026-11-30 00:00:00', 'UTC') + number * 7, number % 5, 1, '', map(), "
                   "0, 1 + number % 4, number * number % 1009 FROM numbers(3600)")


def check_range(database, arguments, tables):
    """The sums are those of the finest rows, out of these tables, and the statement's tree too."""
    times = dict(zip(arguments[::2], (text.replace("T", " ").rstrip("Z") for text in arguments[1::2])))
    conditions = [f"ts {sign} toDateTime64('{times[name]}', 3, 'UTC')"
                  for name, sign in (("--from", ">="), ("--to", "<")) if name in times]
    for kind in ("alloc", "wall"):
        expected = database.query(
            "SELECT stack_hash, sum(count), sum(value) FROM profile_samples WHERE "
            + " AND ".join([f"kind = '{kind}'"] + conditions)
            + " GROUP BY stack_hash ORDER BY stack_hash")
        found = "".join(f"{row[1][1][-1]}\t{row[3]}\t{row[4]}\n"
                        for row in stacks(database, "-p", kind, *arguments))
        assert found == expected and found
        sql = sql_of("-p", kind, "--sample-type", "value", *arguments)
        used = {name for name, text in (("finest", "FROM profile_samples\n"),
                                        ("1h", "FROM profile_samples_1h\n")) if text in sql}
        assert used == tables
        assert sql_tree(database, sql) == tree(database, kind, *arguments)
